"""Importers of ONNX operators, by kind."""
