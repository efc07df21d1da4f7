"""What the planner knows of the network: buffers and their rows, layers, orders, residents."""
