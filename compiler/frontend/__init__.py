"""The frontend: an ONNX model becomes a `Graph` with static shapes and folded constants.

The only package that touches ONNX protobufs.  Its entry points are `importer.import_model` and
`table.supported_operators`.
"""
