"""ONNX model to imported graph: one importer function per operator."""
