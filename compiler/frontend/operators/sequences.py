"""Importers of sequences and optionals: what they hold is known at compile time, so they are no data.

parts = SplitToSequence(x)     ->    slices of x, listed
y = SequenceAt(parts, 2)       ->    another name of the third
"""

from __future__ import annotations

from itertools import accumulate, pairwise

import numpy as np
from onnx import TensorProto

from nnc.compiler.frontend.context import OpContext
from nnc.compiler.frontend.expansion import Expansion
from nnc.compiler.frontend.inlining import SubGraph
from nnc.compiler.frontend.table import importer

_POSITION = ("The position is known at compile time.",)


@importer("SequenceEmpty")
def sequence_empty(context: OpContext) -> None:
    """A sequence of no tensors."""
    context.define_sequence((), context.attribute("dtype", int(TensorProto.FLOAT)))


@importer("SequenceConstruct")
def sequence_construct(context: OpContext) -> None:
    """A sequence of the operands: no work."""
    context.define_sequence([context.tensor(slot) for slot in range(context.input_count)])


@importer("SequenceInsert", constraints=_POSITION)
def sequence_insert(context: OpContext) -> None:
    """The sequence with one more tensor."""
    sequence = context.sequence(0)
    count = len(sequence.tensors)
    place = _position(context, 2, count, count) if context.has(2) else count
    tensors = [*sequence.tensors]
    tensors.insert(place, context.tensor(1))
    context.define_sequence(tensors)


@importer("SequenceErase", constraints=_POSITION)
def sequence_erase(context: OpContext) -> None:
    """The sequence without one of its tensors."""
    sequence = context.sequence(0)
    count = len(sequence.tensors)
    place = _position(context, 1, count) if context.has(1) else count - 1
    tensors = [tensor for number, tensor in enumerate(sequence.tensors) if number != place]
    context.define_sequence(tensors, sequence.code)


@importer("SequenceAt", constraints=_POSITION)
def sequence_at(context: OpContext) -> None:
    """One tensor of a sequence: no work."""
    tensors = context.sequence(0).tensors
    context.rename(tensors[_position(context, 1, len(tensors))])


def _position(context: OpContext, slot: int, count: int, last: int = -1) -> int:
    """The position that an operand names among so many, from the first or, negative, from the last.

    Args:
        last: the greatest one; −1: that of the last tensor.

    Raises:
        UnsupportedError: it is not known at compile time.
        ModelInvalidError: there is none.
    """
    last = count - 1 if last < 0 else last
    value = context.required_constant(slot, "the position")
    if value.size != 1 or not -count <= value.item() <= last:
        raise context.invalid(
            "there is no such position in the sequence",
            found=str(value.tolist()),
            expected=f"{-count} … {last}",
        )
    return int(value.item()) + count * bool(value.item() < 0)


@importer("SequenceLength")
def sequence_length(context: OpContext) -> None:
    """The number of tensors, a constant."""
    context.fold(np.array(len(context.sequence(0).tensors), np.int64))


@importer("SplitToSequence", constraints=("The sizes are known at compile time.",))
def split_to_sequence(context: OpContext) -> None:
    """Slices of a tensor along an axis, as a sequence."""
    x = context.shape()
    axis = context.axis(context.attribute("axis", 0), len(x))
    sizes = _sizes(context, x[axis])
    context.count_nodes(len(sizes))
    make = Expansion(context)
    if not context.has(1) and not context.flag("keepdims", 1):
        indices = [make.constant(np.array(place, np.int64)) for place in range(x[axis])]
        parts = [make("Gather", context.tensor(0), index, axis=axis) for index in indices]
    else:
        bounds = pairwise(accumulate(sizes, initial=0))
        parts = [make.slice(context.tensor(0), axis, start, stop) for start, stop in bounds]
    context.flush()
    context.define_sequence(parts, context.element_code(0))


def _sizes(context: OpContext, extent: int) -> list[int]:
    """The extents of all parts of an axis.

    Raises:
        UnsupportedError: they are not known at compile time.
        ModelInvalidError: they do not make the axis.
    """
    if not context.has(1):
        return [1] * extent
    split = context.required_constant(1, "the sizes")
    size = int(split.item()) if split.ndim == 0 else 0
    if size > 0:
        context.count_nodes(extent // size)
        return [min(size, extent - start) for start in range(0, extent, size)]
    sizes = [] if split.ndim == 0 else [int(part) for part in split.reshape(-1)]
    if min(sizes, default=-1) < 0 or sum(sizes) != extent:
        raise context.invalid(
            "the sizes do not make the axis", found=str(split.tolist()), expected=f"a sum of {extent}"
        )
    return sizes


@importer("ConcatFromSequence")
def concat_from_sequence(context: OpContext) -> None:
    """The tensors of a sequence joined along an axis, or along a new one."""
    tensors = context.sequence(0).tensors
    if not tensors:
        raise context.unsupported("its sequence is empty: the shape of the result is not known")
    is_new = context.flag("new_axis")
    rank = len(context.type_of(tensors[0]).shape) + is_new
    axis = context.axis(context.attribute("axis", 0), rank)
    make = Expansion(context)
    if is_new:
        axes = make.constant(np.array([axis], np.int64))
        tensors = tuple(make("Unsqueeze", tensor, axes) for tensor in tensors)
    make.define(0, make.concat(tensors, axis))


@importer("SequenceMap", constraints=("The layers of the body are there once for each element.",))
def sequence_map(context: OpContext) -> None:
    """The body, once for each element of a sequence; its results are sequences."""
    slots = range(context.input_count)
    body = SubGraph(context, "body", len(slots), context.output_count)
    sequences = [context.sequence(slot).tensors if context.kind(slot) == "seq" else None for slot in slots]
    count = len(sequences[0] or ())
    if any(tensors is not None and len(tensors) != count for tensors in sequences):
        lengths = [len(tensors) for tensors in sequences if tensors is not None]
        raise context.invalid("the sequences have different lengths", found=str(lengths))
    rows = []
    for number in range(count):
        operands = [
            context.tensor(slot) if tensors is None else tensors[number]
            for slot, tensors in zip(slots, sequences, strict=True)
        ]
        results = body.run(operands, str(number))
        if any(map(context.is_unknown, results)):
            context.skip()
            return
        rows.append(results)
    for slot in range(context.output_count):
        context.define_sequence([row[slot] for row in rows], slot=slot)


@importer("Optional")
def optional(context: OpContext) -> None:
    """An optional that holds the operand, or nothing: no work."""
    if context.has(0):
        context.define_optional(context.tensor(0))
    else:
        context.define_nothing(context.type_attribute("type"))


@importer("OptionalHasElement")
def optional_has_element(context: OpContext) -> None:
    """Whether an optional holds something, a constant."""
    context.fold(np.array(context.has(0) and context.kind(0) != "optional"))


@importer("OptionalGetElement")
def optional_get_element(context: OpContext) -> None:
    """What an optional holds: no work."""
    if context.kind(0) == "optional":
        raise context.invalid("the optional holds nothing", found=context.tensor(0))
    context.rename(context.tensor(0))
