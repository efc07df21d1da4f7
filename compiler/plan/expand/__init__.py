"""Chosen groups as steps: loads, computations and stores in the order of demand."""
