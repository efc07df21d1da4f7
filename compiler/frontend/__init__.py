"""The frontend: an ONNX model becomes a `Graph` with static shapes and folded constants.

The only package that touches ONNX protobufs.  Its entry points are `import_model` and `supported_operators`.
"""

from nnc.compiler.frontend.importer import import_model
from nnc.compiler.frontend.table import OperatorDoc, supported_operators

__all__ = ["OperatorDoc", "import_model", "supported_operators"]
