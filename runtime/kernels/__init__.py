"""Kernels: pure vectorised functions on arrays, one per instruction."""
