"""What a run cost: the ledger of DRAM bytes, the report, the trace."""
