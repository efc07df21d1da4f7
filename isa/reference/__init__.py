"""The reference pages in docs/, made from the classes."""
