"""The stage ``check``: models that are asked over requests hold pictures against checks."""
