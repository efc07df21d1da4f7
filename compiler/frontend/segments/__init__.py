"""Cutting a model into segments: what the chip computes, and what a host does for it.

survey    a model in, its nodes with why some cannot be compiled out
sides     the survey in, chip or host for every node out: as few tensors as possible cross
split     the sides in, models of segments out, in the order in which they run
"""
