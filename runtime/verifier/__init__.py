"""Proofs about a program from its bytes: bounds, shapes, order, data."""
