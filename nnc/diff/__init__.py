"""`nnc diff`: what changed between two programs, and why; reports in, one typed difference out.

schema.py      what it says           layer_pairs.py   which layers are the same
build.py       making it              group_changes.py which groups became which, and what that costs
byte_causes.py why bytes changed      thresholds.py    what counts as worse

Totals close exactly: the changes of groups sum to those of the network, those of layers to those of groups.
"""
