"""Hidden channels in chunks, with partial sums on chip: which layers, what they hold and take."""
