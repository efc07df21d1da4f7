"""What the planner knows of the network: rows of buffers, orders, residents."""
