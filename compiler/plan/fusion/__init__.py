"""Fused groups: which rows and columns a part needs, what a group costs, which are worth considering."""
