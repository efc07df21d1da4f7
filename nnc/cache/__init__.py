"""What has been compiled before, on disk: an unchanged network on an unchanged chip is not planned again.

store.py    entries of bytes by key: bounded, safe to share, never trusted without their digests
origin.py   which nnc, and which libraries, results come from
plans.py    reports and programs, by model, chip and options
recall.py   whole answers of ``nnc compile``, by the words of the command line

`store`, `origin` and `recall` import nothing that is slow to import: an answer is recalled in a fraction of
the time that importing the compiler takes.
"""
