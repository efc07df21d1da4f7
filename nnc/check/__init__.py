"""Comparing the outputs of a program with a reference implementation of ONNX."""
