"""Passes over the graph: one pass, one file, one name."""
