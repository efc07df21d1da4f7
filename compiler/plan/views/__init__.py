"""Views of buffers: how their axes run, which axes run along tokens and heads, what outputs show."""
