"""Passes that decide by the bytes of the chip's largest memory; without a chip, they change nothing."""
