"""From a chosen group to its steps."""
