"""Chips: their description, presets, and loading from TOML."""
