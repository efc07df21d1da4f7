"""Fuzzing: damaged models, programs, program texts and chip files, and what becomes of them.

A case is a file made of a sound one by a few random changes.  A worker process judges case after case within
limits of memory and time.  `python -m bench.fuzz --help` says how to run it.
"""
