"""Convolutions with two fixed buffers of input rows (M3): formulas, where they apply, what they cost."""
