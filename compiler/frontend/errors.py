"""Errors in models (the base of all: `nnc.isa.errors`)."""

from __future__ import annotations

from nnc.isa.errors import NncError, UsualRemedyError


class ModelFileError(NncError):
    """The model file is missing, empty, truncated, or not ONNX."""

    code = "NNC-E010"


class ModelInvalidError(UsualRemedyError):
    """The file is ONNX but the model is broken: cyclic, dangling names, wrong types, wrong attributes."""

    code = "NNC-E011"
    usual_remedy = "re-export the model, and check it with onnx.checker"


class ExternalDataError(NncError):
    """External weight data is missing, too short, or points outside the folder of the model."""

    code = "NNC-E012"


class SymbolicShapeError(NncError):
    """A dimension is not known at compile time: it is symbolic and no --shape was given."""

    code = "NNC-E013"


class ModelTooLargeError(NncError):
    """The tensors of the model could not fit the machine that compiles or simulates it."""

    code = "NNC-E014"


class UnsupportedError(UsualRemedyError):
    """The model uses operators, attributes or types that nnc cannot compile; all are listed at once."""

    code = "NNC-E015"
    usual_remedy = "export the model without it; nnc ops lists what is supported, with its constraints"
