"""The verifier of graphs: what each level promises."""
