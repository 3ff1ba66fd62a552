"""The stage ``reference_scenes``; :mod:`lvlmbench.stages.reference` draws them."""
