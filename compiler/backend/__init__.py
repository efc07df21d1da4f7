"""Placed graph to program: instructions, addresses, synchronisation."""
