"""Programs as binary files."""
