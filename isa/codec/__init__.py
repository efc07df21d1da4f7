"""Fields of instructions as bytes and as text."""
