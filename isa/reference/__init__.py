"""The reference page of the instruction set, made from the classes, and the templates of all such pages."""
