"""The type of a result from a layer and the types of its operands."""
