"""The chip presets, one TOML file each."""
