"""What steps in the order of issue wait for, and what they will cost: what comes again is found once."""
