"""Reports and programs for viewers of others: Model Explorer.

overlay.py  figures of a report on the nodes of an ONNX model
main.py     programs as graphs: an extension, ``model-explorer --extensions=nnc.viewers``
"""
