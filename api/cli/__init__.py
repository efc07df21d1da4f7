"""The nnc command."""
