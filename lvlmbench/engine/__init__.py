"""What decides whether a stage is up to date: content, never time.

Each stage declares itself in :mod:`lvlmbench.stages`; :mod:`stages` has their items. A stage's seal
says which parameters, code and input bytes made which output bytes (:mod:`seals`). The Snakefile
asks a plan (:mod:`plan`) which stages' seals still hold; the others are built aside and then
published in one go (:mod:`publish`). docs/running.md tells it from the user's side.
"""
