"""Models that are wrong, and the one clear error that each must give."""

from __future__ import annotations

from typing import Any

import onnx
import pytest
from onnx import parser

from nnc.compiler.frontend.importer import import_model
from nnc.isa.errors import NncError


def parse(text: str, opset: int = 20) -> onnx.ModelProto:
    return parser.parse_model(f'<ir_version: 9, opset_import: ["": {opset}, "own": 1]> {text}')


def error_of(kind: type[NncError], model: Any, **options: Any) -> NncError:
    """The error that the import raises; its head must be one line."""
    with pytest.raises(kind) as caught:
        import_model(model, **options)
    assert type(caught.value) is kind
    assert "\n" not in caught.value.message
    assert "\n" not in caught.value.where
    assert caught.value.remedy
    return caught.value
