"""ONNX element types and tensor types in terms of the compiler's."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from onnx import TensorProto, TensorShapeProto, TypeProto

from nnc.compiler.frontend.errors import UnsupportedError
from nnc.compiler.ir.graph import TensorType
from nnc.isa.types import DType

Array = NDArray[Any]

_DTYPES: dict[int, DType] = {
    TensorProto.FLOAT: DType.F32,
    TensorProto.FLOAT16: DType.F16,
    TensorProto.DOUBLE: DType.F64,
    TensorProto.INT8: DType.I8,
    TensorProto.UINT8: DType.U8,
    TensorProto.INT16: DType.I16,
    TensorProto.UINT16: DType.U16,
    TensorProto.INT32: DType.I32,
    TensorProto.UINT32: DType.U32,
    TensorProto.INT64: DType.I64,
    TensorProto.UINT64: DType.U64,
    TensorProto.BOOL: DType.BOOL,
    TensorProto.BFLOAT16: DType.BF16,
    TensorProto.FLOAT8E4M3FN: DType.E4M3,
    TensorProto.FLOAT8E5M2: DType.E5M2,
    TensorProto.INT4: DType.I4,
    TensorProto.UINT4: DType.U4,
    TensorProto.FLOAT8E4M3FNUZ: DType.E4M3FNUZ,
    TensorProto.FLOAT8E5M2FNUZ: DType.E5M2FNUZ,
    23: DType.E2M1,  # not every release of onnx that nnc runs with has names for these
    24: DType.E8M0,
    25: DType.U2,
    26: DType.I2,
}
_CODES = {dtype: code for code, dtype in _DTYPES.items()}


def type_name(code: int) -> str:
    """ONNX's name of an element type, in small letters ("float", "bfloat16" …)."""
    has_name = code in TensorProto.DataType.values()
    return TensorProto.DataType.Name(code).lower() if has_name else f"number {code}"


def element_type(code: int) -> DType:
    """The element type for an ONNX type number.

    Raises:
        UnsupportedError: the chip has no such type (string, complex …).
    """
    if code not in _DTYPES:
        raise UnsupportedError(
            f"element type {type_name(code)} is not supported",
            expected=", ".join(sorted(type_name(c) for c in _DTYPES)),
        )
    return _DTYPES[code]


def computed_type(code: int) -> DType:
    """The element type in which the compiler has tensors of an ONNX type number: none is a type of storage.

    Raises:
        UnsupportedError: the chip has no such type.
    """
    return element_type(code).computed


_RANGES = {DType.I4: (-8, 7), DType.U4: (0, 15), DType.I2: (-2, 1), DType.U2: (0, 3)}
_PACKED = frozenset({*_RANGES, DType.E2M1})
"""Types of which a byte of a file holds several elements."""


def range_of(code: int) -> tuple[int, int] | None:
    """The least and the greatest of the integers of 2 and 4 bits, None for any other ONNX type number."""
    return _RANGES.get(_DTYPES[code]) if code in _DTYPES else None


def type_code(dtype: DType) -> int:
    """The ONNX type number of an element type."""
    return _CODES[dtype]


def onnx_numpy(code: int) -> np.dtype[np.generic] | None:
    """The numpy type of an ONNX type number, None if it is unknown or a byte holds several elements."""
    return _DTYPES[code].numpy if code in _DTYPES and _DTYPES[code] not in _PACKED else None


def as_computed(array: Array) -> Array:
    """An array of a type of storage in the type computed, which has all its numbers; any other as it is."""
    try:
        dtype = DType.from_numpy(array.dtype)
    except ValueError:
        return array
    return array.astype(dtype.computed.numpy) if dtype.is_stored else array


def static_type(proto: TypeProto) -> TensorType | None:
    """The tensor type, as computed, if element type and all dimensions are known and supported, else None."""
    if not proto.HasField("tensor_type") or proto.tensor_type.elem_type not in _DTYPES:
        return None
    dims = known_dims(proto)
    if dims is None or any(d is None for d in dims):
        return None
    return TensorType(computed_type(proto.tensor_type.elem_type), tuple(d for d in dims if d is not None))


def known_dims(proto: TypeProto) -> tuple[int | None, ...] | None:
    """Dimensions of a tensor type, None for each that is not known; None as a whole if the rank is unknown.

    A dimension is not known if it is symbolic, or negative, as some exporters write it.
    """
    if not proto.tensor_type.HasField("shape"):
        return None
    return tuple(known_extent(dim) for dim in proto.tensor_type.shape.dim)


def known_extent(dim: TensorShapeProto.Dimension) -> int | None:
    """The extent of a dimension, None if it is not known."""
    return dim.dim_value if dim.HasField("dim_value") and dim.dim_value >= 0 else None
