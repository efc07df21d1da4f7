"""Files that users give and get: inputs, outputs, pictures, program text."""
