"""A group by number: what it is but for names (`Template`), and its names (`Binding`)."""
