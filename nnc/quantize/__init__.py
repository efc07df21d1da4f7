"""Quantising a float32 model on samples, by onnxruntime's quantiser; or its weights alone, in blocks."""
