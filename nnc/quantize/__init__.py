"""Quantising a float32 model with calibration data, by onnxruntime's quantiser."""
