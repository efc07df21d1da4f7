"""Errors of the compiler behind the frontend (the base of all: `nnc.isa.errors`)."""

from __future__ import annotations

from nnc.isa.errors import NncError


class ExportError(NncError):
    """A graph cannot be written as an ONNX model: a layer has no counterpart there, or it is too large."""

    code = "NNC-E016"


class CapacityError(NncError):
    """A layer cannot fit the memories of the chip, even when cut as finely as possible."""

    code = "NNC-E021"


class ElementTypeError(NncError):
    """Layers compute in element types that the chip's units do not know; all are listed at once."""

    code = "NNC-E022"
