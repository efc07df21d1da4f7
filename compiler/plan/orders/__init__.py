"""Orders of a network's layers: which of its branches come first, and where orders meet."""
