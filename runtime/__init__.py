"""The simulated chip: memories, DMA, kernels, ledger, trace and verifier."""
