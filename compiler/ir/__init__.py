"""The graph, its layers, tensor types, regions, and the verifier per level."""
