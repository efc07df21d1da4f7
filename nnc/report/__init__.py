"""The one report that the tables, ``--json``, the page and the overlays for other viewers are made of.

schema.py    what it says: typed, numbered        entries.py  figures, floors and estimates in it
build.py     making it                            of_run.py   of a run
measured.py  tables of a program and its time     figures.py  sums over sets of instructions
work.py      MACs and cycles of instructions      bounds.py   what bounds the speed, and what would next
known.py     what only a compilation knows        origins.py  nodes of the model by layer
identity.py  model, chip, options                 detail.py   parts, instructions, blocks of memory
"""
