"""Static shapes: symbolic dimensions of the inputs get the values that the user gives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from onnx import ValueInfoProto, numpy_helper

from nnc.compiler.frontend.errors import SymbolicShapeError
from nnc.compiler.frontend.model.element_types import element_type, known_extent
from nnc.compiler.frontend.model.weights import Skeleton, add_value
from nnc.isa.errors import InputError, NncError, OptionError
from nnc.isa.nearest import did_you_mean

Shapes = Mapping[str, Sequence[int]]
Array = NDArray[Any]

_PICTURE, _LENGTH = (1, 3, 224, 224), 128
"""Sizes for examples: of a batch of one picture; of any other axis but the first."""


def specialise(
    skeleton: Skeleton, shapes: Shapes, values: Mapping[str, ArrayLike], dims: Mapping[str, int] | None = None
) -> None:
    """Fix the shapes of the inputs in place; inputs with a given value become constants.

    A symbol that one input's shape binds is bound everywhere.  A dimension of 0 is as good as any, but may be
    given another size, as old exporters write it for one that they do not know; a negative one counts as
    symbolic.

    Args:
        dims: sizes of symbols.

    Raises:
        OptionError: a shape for an unknown input, of the wrong rank, or against a fixed dimension; a size for
            an unknown symbol.
        InputError: a value for an unknown input, of another type or shape.
        SymbolicShapeError: dimensions remain unknown; all are listed.
    """
    _check_names(skeleton, shapes, OptionError, "--shape")
    _check_names(skeleton, values, InputError, "value")
    inputs = set(skeleton.inputs)
    declared = {info.name: info for info in skeleton.model.graph.input if info.name in inputs}
    arrays = {name: _array(name, value) for name, value in values.items()}
    shapes = {**{name: value.shape for name, value in arrays.items()}, **shapes}
    symbols = _sizes(list(declared.values()), dims or {})
    for name, shape in shapes.items():
        _bind(
            declared[name],
            [int(d) for d in shape],
            symbols,
            OptionError if name not in values else InputError,
        )
    for name, value in arrays.items():
        _replace(skeleton, declared.pop(name), value)
    _resolve(list(declared.values()), symbols)


def _sizes(inputs: list[ValueInfoProto], dims: Mapping[str, int]) -> dict[str, int]:
    """The sizes of symbols, all of which inputs have."""
    shapes = (info.type.tensor_type.shape for info in inputs)
    symbols = list(dict.fromkeys(dim.dim_param for shape in shapes for dim in shape.dim if dim.dim_param))
    for name, size in dims.items():
        if name not in symbols:
            raise OptionError(
                "--dim names a dimension that the inputs do not have",
                found=name,
                expected=" or ".join(symbols) or "no name: all dimensions are numbers",
                remedy=did_you_mean(
                    name, symbols, "name one of the dimensions that are expected, or use --shape"
                ),
            )
        if size < 0:
            raise OptionError(
                "a dimension is negative", where=name, found=str(size), remedy="give sizes of 0 or more"
            )
    return dict(dims)


def _check_names(skeleton: Skeleton, given: Mapping[str, object], error: type[NncError], what: str) -> None:
    for name in given:
        if name not in skeleton.inputs:
            raise error(
                f"{what} names an input that the model does not have",
                found=name,
                expected=" or ".join(skeleton.inputs) or "no input at all",
                remedy=did_you_mean(name, skeleton.inputs, "name one of the inputs that are expected"),
            )


def _bind(info: ValueInfoProto, shape: list[int], symbols: dict[str, int], error: type[NncError]) -> None:
    """Write the given shape into the declaration of an input and note what its symbols stand for."""
    where = f"input {info.name}"
    proto = info.type.tensor_type.shape
    if not info.type.tensor_type.HasField("shape"):
        proto.SetInParent()
        for _ in shape:
            proto.dim.add()
    if len(proto.dim) != len(shape):
        raise error(
            "the shape has the wrong rank",
            where=where,
            found=_text(shape),
            expected=_describe(info),
            remedy="give as many dimensions as are expected",
        )
    if any(extent < 0 for extent in shape):
        raise error(
            "a dimension is negative", where=where, found=_text(shape), remedy="give sizes of 0 or more"
        )
    for dim, extent in zip(proto.dim, shape, strict=True):
        fixed = dim.dim_value if dim.dim_value > 0 else symbols.get(dim.dim_param, extent)
        if fixed != extent:
            raise error(
                f"a dimension is fixed at {fixed}",
                where=where,
                found=_text(shape),
                expected=_describe(info),
                remedy="give the fixed dimensions as they are, and any size for the others",
            )
        if dim.dim_param:
            symbols[dim.dim_param] = extent
        else:
            dim.dim_value = extent


def _resolve(inputs: list[ValueInfoProto], symbols: dict[str, int]) -> None:
    """Put the values of symbols everywhere; complain about all that remain."""
    unknown: list[ValueInfoProto] = []
    for info in inputs:
        for dim in info.type.tensor_type.shape.dim:
            if dim.dim_param in symbols:
                dim.dim_value = symbols[dim.dim_param]
        has_shape = info.type.tensor_type.HasField("shape")
        if not has_shape or any(known_extent(dim) is None for dim in info.type.tensor_type.shape.dim):
            unknown.append(info)
    if unknown:
        raise SymbolicShapeError(
            "shapes must be known at compile time",
            found="; ".join(f"input {info.name} {_describe(info)}" for info in unknown),
            remedy="give their sizes, for example " + " ".join(_examples(unknown)),
        )


def _array(name: str, value: ArrayLike) -> Array:
    try:
        return np.asarray(value)
    except ValueError as error:
        raise InputError(
            "the value is not an array",
            where=f"input {name}",
            found=str(error),
            remedy="give an array, or nested lists of equal lengths",
        ) from None


def _replace(skeleton: Skeleton, info: ValueInfoProto, value: Array) -> None:
    expected = element_type(info.type.tensor_type.elem_type)
    if value.dtype != expected.numpy:
        raise InputError(
            "the value has the wrong type",
            where=f"input {info.name}",
            found=str(value.dtype),
            expected=expected.value,
            remedy=f"convert it with array.astype(numpy.{expected.numpy.name})",
        )
    skeleton.inputs.remove(info.name)
    skeleton.model.graph.input.remove(info)
    add_value(skeleton, info.name, numpy_helper.from_array(value, info.name))


def _describe(info: ValueInfoProto) -> str:
    if not info.type.tensor_type.HasField("shape"):
        return "of unknown rank"
    dims = info.type.tensor_type.shape.dim
    extents = [(known_extent(dim), dim.dim_param or "?") for dim in dims]
    return "[" + ",".join(symbol if extent is None else str(extent) for extent, symbol in extents) + "]"


def _examples(inputs: list[ValueInfoProto]) -> list[str]:
    """Options that would give all inputs a shape; a symbol has one size everywhere."""
    sizes: dict[str, int] = {}
    options = []
    for info in inputs:
        dims = info.type.tensor_type.shape.dim
        usual = _PICTURE if len(dims) in (0, len(_PICTURE)) else (1, *[_LENGTH] * (len(dims) - 1))
        shape = list(usual)
        for axis, dim in enumerate(dims):
            if (extent := known_extent(dim)) is not None:
                shape[axis] = extent
            elif dim.dim_param:
                shape[axis] = sizes.setdefault(dim.dim_param, usual[axis])
        options.append(f"--shape {info.name}={_text(shape)}")
    return options


def _text(shape: Sequence[int]) -> str:
    return ",".join(map(str, shape))
