"""`nnc explain`: decisions of a plan with the bound behind each, and the smallest change that flips it.

decisions.py  what was decided about layers, read from a report     schema.py   questions and answers, typed
levers.py     what may be changed, one thing at a time              flips.py    bisection over compilations
costliest.py  the decisions that cost the network most              refusals.py what cannot be compiled
explain.py    `nnc.explain`: all of these together                  recompilation.py with one thing changed
"""
