"""What plans are chosen by, where that follows from the figures of a chip."""
