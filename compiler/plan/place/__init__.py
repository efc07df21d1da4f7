"""Live ranges, addresses, transfers, order of issue, lockstep, waits, prediction."""
