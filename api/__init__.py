"""nnc: a neural-network compiler for NPUs and vector DSPs with software-managed memories."""
