"""Importers of what undoes windows: MaxUnpool, Col2Im; and the positions that MaxPool gives to the former."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nnc.compiler.frontend.context import OpContext
from nnc.compiler.frontend.expansion import Expansion
from nnc.compiler.frontend.operators.shaping import reshape_step
from nnc.compiler.frontend.operators.window import explicit_pads, spatial
from nnc.compiler.frontend.table import importer
from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.graph import TensorType
from nnc.compiler.ir.windows import window_reach
from nnc.isa.functions import Function

Ints = NDArray[np.int64]


def define_positions(context: OpContext, fields: dict[str, Any], extents: tuple[int, ...]) -> None:
    """Let output 1 of a MaxPool be the positions of the maxima in the flat input, the first of equal ones.

    Taps that lie on padding read the nearest one of their window that does not: no value could stand for
    padding where elements may be the least of their type.

    Args:
        fields: those of the layer of the pool.
        extents: spatial extents of the result.
    """
    x = context.shape()
    rank, (batch, channels), picture = len(extents), x[:2], x[2:]
    make = Expansion(context)
    taps = [_taps(context, fields, axis, extent, picture[axis]) for axis, extent in enumerate(extents)]
    windows = context.tensor(0)
    for axis in reversed(range(rank)):
        windows = make("Gather", windows, make.constant(taps[axis]), axis=2 + axis)
    turn = (0, 1, *range(2, 2 + 2 * rank, 2), *range(3, 3 + 2 * rank, 2))
    kernel = fields["kernel"]
    windows = make.reshape(make.transpose(windows, *turn), batch, channels, *extents, prod(kernel))
    tap = make("ArgMax", windows, axis=2 + rank, keepdims=0)
    steps = _steps(picture, column_major=context.flag("storage_order"))
    first = np.arange(batch * channels).reshape(batch, channels, *(1 for _ in picture)) * prod(picture)
    position = make.constant(first)
    for axis in range(rank):
        number = make("Div", tap, make.constant(np.array(prod(kernel[axis + 1 :]))))
        number = make("Mod", number, make.constant(np.array(kernel[axis])))
        place = _looked_up(make, taps[axis] * steps[axis], number, rank - 1 - axis)
        position = make("Add", position, place)
    make.define(1, position)
    context.note_positions(1, x)


def _taps(context: OpContext, fields: dict[str, Any], axis: int, count: int, extent: int) -> Ints:
    """What the taps of each window along an axis read, windows × taps."""
    names = ("kernel", "stride", "dilation", "pad_begin")
    kernel, stride, dilation, begin = (fields[name][axis] for name in names)
    first = np.arange(count, dtype=np.int64)[:, None] * stride - begin
    least = -(-np.maximum(-first, 0) // dilation)
    most = np.minimum((extent - 1 - first) // dilation, kernel - 1)
    if (least > most).any():
        raise context.unsupported("windows that hold no element have no maximum with a position")
    return np.asarray(first + np.clip(np.arange(kernel), least, most) * dilation)


def _looked_up(make: Expansion, table: Ints, number: str, behind: int) -> str:
    """table[w, number] of each window w: an axis of the numbers that has so many others behind it."""
    count, kernel = table.shape
    first = (np.arange(count) * kernel).reshape(-1, *(1 for _ in range(behind)))
    entry = make("Add", number, make.constant(first))
    return make("Gather", make.constant(table.reshape(-1)), entry)


def _steps(picture: tuple[int, ...], *, column_major: bool) -> list[int]:
    """How far elements that are neighbours along an axis lie apart."""
    if column_major:
        return [prod(picture[:axis]) for axis in range(len(picture))]
    return [prod(picture[axis + 1 :]) for axis in range(len(picture))]


@importer("MaxUnpool", constraints=("Indices lie in the channel of their element; output_shape is known.",))
def max_unpool(context: OpContext) -> None:
    """Elements put back where MaxPool took them from, zeros elsewhere: a scatter into each channel.

    Positions count in the shape that kernel, strides and pads give, and the result is padded to output_shape:
    so do ONNX's definition and its reference.  They count in output_shape itself where a MaxPool of the model
    gave them for a tensor of that shape, as onnxruntime has it: a row that no window of the pool read is part
    of what it counted.
    """
    x = context.shape()
    rank = len(x) - 2
    kernel = context.ints("kernel_shape")
    if rank < 1 or len(kernel) != rank:
        raise context.invalid("kernel_shape does not fit the input", found=f"{list(kernel)} on {list(x)}")
    context.expect_shape(1, *x)
    stride = spatial(context, "strides", rank)
    begin, end = explicit_pads(context, rank)
    axes = zip(x[2:], stride, begin, end, kernel, strict=True)
    shape = (*x[:2], *((n - 1) * s - a - b + k for n, s, a, b, k in axes))
    whole = context.attribute_or_input("output_shape", 2) or shape
    if len(whole) != len(x) or min(shape) < 1 or any(m < n for m, n in zip(whole, shape, strict=True)):
        raise context.invalid("output_shape does not fit", found=str(list(whole)), expected=str(list(shape)))
    counted = context.positions_in(1)
    if counted == whole:
        shape = whole
    elif shape != whole and counted is None and not context.is_given(context.tensor(1)):
        raise context.unsupported("Indices are not MaxPool's own: in which shape they count is not known")
    make = Expansion(context)
    planes, room = x[0] * x[1], prod(shape[2:])
    first, zero = make.constant(np.arange(planes)[:, None] * room), make.constant(np.array(0, np.int64))
    own = make("Sub", make.reshape(context.tensor(1), planes, prod(x[2:])), first)
    outside = make.constant(np.array(room, np.int64))
    own = make("Where", make("Less", own, zero), outside, own)  # they must not count from the end
    empty = _zeros(context, (planes, room))
    values = make.reshape(context.tensor(0), planes, prod(x[2:]))
    result = make.reshape(make("ScatterElements", empty, own, values, axis=1), *shape)
    if whole != shape:
        ends = [m - n for m, n in zip(whole, shape, strict=True)]
        result = make("Pad", result, make.constant(np.array([0] * len(x) + ends)))
    make.define(0, result)


@importer("Col2Im", constraints=("Shapes of image and block are known at compile time.",))
def columns_to_image(context: OpContext) -> None:
    """Blocks of columns added up where they lie in an image: a scatter at known places."""
    image, block = (
        tuple(map(int, context.required_constant(slot, name).reshape(-1)))
        for slot, name in ((1, "image_shape"), (2, "block_shape"))
    )
    rank, x = len(image), context.shape()
    stride, dilation = spatial(context, "strides", rank), spatial(context, "dilations", rank)
    begin, end = explicit_pads(context, rank)
    padded = tuple(a + n + b for a, n, b in zip(begin, image, end, strict=True))
    sizes = zip(padded, window_reach(block, dilation), stride, strict=True)
    counts = tuple((n - reach) // s + 1 for n, reach, s in sizes)
    fits = len(x) == 3 and len(block) == rank and min(counts) > 0 and x[1] % prod(block) == 0
    if not fits or x[2] != prod(counts):
        raise context.invalid(
            "columns, image and block do not fit",
            found=f"{list(x)} for image {list(image)}, block {list(block)}",
            expected=f"channels times {prod(block)}, and {prod(counts)} columns",
        )
    planes = x[0] * x[1] // prod(block)
    places = _places_in_image(padded, block, counts, stride, dilation)
    operands = [
        _zeros(context, (planes, prod(padded))),
        context.new_constant("places", places.reshape(1, -1)),
        reshape_step(context, "columns", context.tensor(0), (planes, places.size)),
    ]
    type_ = context.type_of(operands[0])
    total = context.step("sums", ir.Scatter, operands, type_, axis=1, function=Function.ADD)
    make = Expansion(context)
    result = make.reshape(total, x[0], planes // x[0], *padded)
    for axis in range(rank):
        if begin[axis] or end[axis]:
            result = make.slice(result, 2 + axis, begin[axis], begin[axis] + image[axis])
    make.define(0, result)


def _zeros(context: OpContext, shape: tuple[int, ...]) -> str:
    """Zeros of the type of input 0."""
    dtype = context.type().dtype
    return context.step("zeros", ir.Fill, [], TensorType(dtype, shape), value=0.0, dtype=dtype, shape=shape)


def _places_in_image(
    image: tuple[int, ...],
    block: tuple[int, ...],
    counts: tuple[int, ...],
    stride: tuple[int, ...],
    dilation: tuple[int, ...],
) -> Ints:
    """The place of each element of a block and each block in an image laid flat, block × counts."""
    rank = len(image)
    places = np.zeros((*block, *counts), np.int64)
    for axis, step in enumerate(_steps(image, column_major=False)):
        taps = np.arange(block[axis])[:, None] * dilation[axis] + np.arange(counts[axis]) * stride[axis]
        shape = [1] * (2 * rank)
        shape[axis], shape[rank + axis] = taps.shape
        places += taps.reshape(shape) * step
    return places
