"""A layer alone: in tiles, with two buffers of rows (M3), or in groups of pixels (M5); over the cores."""
