"""Importers of control flow that is known at compile time: If, Loop, Scan."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count

import numpy as np

from nnc.compiler.frontend.context import OpContext
from nnc.compiler.frontend.expansion import Expansion
from nnc.compiler.frontend.inlining import SubGraph
from nnc.compiler.frontend.table import importer

_BATCHLESS = 9
"""The opset since which Scan has no batch outside of what it scans."""
_UNROLLED = "The layers of the body are there once for each iteration."


@importer(
    "If",
    constraints=(
        "Of a condition that is known only at run time, both branches are computed.",
        "Then their results have equal types and shapes.",
    ),
)
def choice(context: OpContext) -> None:
    """The branch that the condition names; of a condition of run time both, and one's results."""
    branches = [SubGraph(context, name, 0, context.output_count) for name in ("then_branch", "else_branch")]
    condition = context.constant(0)
    if context.type().elements != 1:
        raise context.invalid("the condition is no single value", found=str(context.type()))
    if condition is not None:
        label = "then" if condition.item() else "else"
        for slot, tensor in enumerate(branches[label == "else"].run((), label)):
            context.rename(tensor, slot)
        return
    make = Expansion(context)
    scalar = make.reshape(context.tensor(0))
    results = [branch.run((), label) for branch, label in zip(branches, ("then", "else"), strict=True)]
    for slot, pair in enumerate(zip(*results, strict=True)):
        unknown = next(filter(context.is_unknown, pair), None)
        if unknown is not None:
            context.rename(unknown, slot)
            continue
        if not all(map(context.is_tensor, pair)):
            raise context.unsupported(
                "its condition is known only at run time, and its branches give sequences or optionals"
            )
        types = [context.type_of(tensor) for tensor in pair]
        if types[0] != types[1]:
            raise context.unsupported(
                f"its condition is known only at run time, and its branches give {types[0]} and {types[1]}"
            )
        make.define(slot, make("Where", scalar, *pair))


@importer(
    "Loop",
    constraints=(
        "Trip count, and condition after each iteration, are known at compile time.",
        _UNROLLED,
    ),
)
def loop(context: OpContext) -> None:
    """The body, as often as trip count and condition say; values go from one iteration to the next."""
    states = [context.tensor(slot) for slot in range(2, context.input_count)]
    body = SubGraph(context, "body", 2 + len(states), 1 + context.output_count)
    rank = min(1, len(context.graph("body").input[0].type.tensor_type.shape.dim))
    trips = _single(context, 0, "the trip count") if context.has(0) else None
    if not context.has(1) or _single(context, 1, "the condition"):
        going = context.new_constant("condition", np.array(True))
    else:
        going, trips = context.tensor(1), 0
    parts: list[Sequence[str]] = []
    for number in count():
        if number == trips or not _goes_on(context, going, number):
            break
        index = context.new_constant(f"{number}.iteration", np.full((1,) * rank, number, np.int64))
        going, *results = body.run([index, going, *states], str(number))
        if any(map(context.is_unknown, (going, *results))):
            context.skip()
            return
        states = results[: len(states)]
        parts.append(results[len(states) :])
    for slot, tensor in enumerate(states):
        context.rename(tensor, slot)
    make = Expansion(context)
    if parts:
        for slot, tensors in enumerate(zip(*parts, strict=True), len(states)):
            make.define(slot, _stack(context, make, tensors, 0))
    elif len(states) < context.output_count:
        index = context.new_constant("none.iteration", np.zeros((1,) * rank, np.int64))
        _define_empty(context, body.run([index, going, *states], "none")[1:], len(states))


def _single(context: OpContext, slot: int, what: str) -> int:
    """The value of an operand of one element.

    Raises:
        ModelInvalidError: it has more.
        UnsupportedError: it is not known at compile time.
    """
    value = context.required_constant(slot, what)
    if value.size != 1:
        raise context.invalid(f"{what} is no single value", found=str(context.type(slot)))
    return int(value.item())


def _goes_on(context: OpContext, condition: str, number: int) -> bool:
    """Whether a loop goes on after so many iterations.

    Raises:
        UnsupportedError: that is not known, or implementations differ on it.
    """
    value = context.constant_of(condition)
    if value is None or value.size != 1:
        raise context.unsupported(
            f"its condition after {number} iterations must be known at compile time, but is not"
        )
    if not value.item() and not context.has(1):
        raise context.unsupported(
            "it has no condition, but its body gives one that is false: implementations differ on that"
        )
    return bool(value.item())


def _define_empty(context: OpContext, results: Sequence[str], first: int) -> None:
    """Let the outputs from `first` on be stacks of nothing; the body, run once more, says of what shape."""
    for slot in range(first, context.output_count):
        if context.is_unknown(results[slot]):
            context.skip()
            return
        type_ = context.type_of(results[slot])
        context.fold(np.empty((0, *type_.shape), type_.dtype.numpy), slot)


def _stack(context: OpContext, make: Expansion, tensors: Sequence[str], axis: int) -> str:
    """The results of all iterations along a new axis.

    Raises:
        ModelInvalidError: they have different shapes.
    """
    types = {context.type_of(tensor) for tensor in tensors}
    if len(types) > 1:
        raise context.invalid(
            "a scan output has different shapes in different iterations",
            found=" and ".join(sorted(map(str, types))),
        )
    return _joined(context, make, tensors, context.axis(axis, len(types.pop().shape) + 1))


def _joined(context: OpContext, make: Expansion, tensors: Sequence[str], axis: int) -> str:
    axes = make.constant(np.array([axis], np.int64))
    return make.concat([make("Unsqueeze", tensor, axes) for tensor in tensors], axis)


@importer(
    "Scan",
    constraints=(
        "All sequences have the same length, which is not zero (opset 8: no sequence_lens).",
        _UNROLLED,
    ),
)
def scan(context: OpContext) -> None:
    """The body, once for each slice of its scan inputs; states go from one to the next."""
    make = Expansion(context)
    if context.version >= _BATCHLESS:
        operands = [context.tensor(slot) for slot in range(context.input_count)]
        body = SubGraph(context, "body", len(operands), context.output_count)
        results = _scanned(context, make, body, operands, "")
    else:
        results = _scan_batch(context, make)
    if results is None:
        context.skip()
        return
    for slot, tensor in enumerate(results):
        make.define(slot, tensor)


def _scan_batch(context: OpContext, make: Expansion) -> list[str] | None:
    """The results of Scan before opset 9, which has a batch outside of what it scans."""
    if context.has(0):
        raise context.unsupported("sequence_lens are not supported")
    inputs = range(1, context.input_count)
    body = SubGraph(context, "body", len(inputs), context.output_count)
    batches = {context.shape(slot)[:1] for slot in inputs}
    if len(batches) != 1 or batches <= {(), (0,)}:
        raise context.invalid("the operands have no common batch", found=str(sorted(batches)))
    parts: list[list[str]] = []
    for number in range(batches.pop()[0]):
        index = make.constant(np.array(number, np.int64))
        operands = [make("Gather", context.tensor(slot), index, axis=0) for slot in inputs]
        results = _scanned(context, make, body, operands, f"{number}.")
        if results is None:
            return None
        parts.append(results)
    return [_joined(context, make, tensors, 0) for tensors in zip(*parts, strict=True)]


def _scanned(
    context: OpContext, make: Expansion, body: SubGraph, operands: Sequence[str], label: str
) -> list[str] | None:
    """States behind the last step, and stacks of what each step gives; None if something is not supported.

    Args:
        operands: states before the first step, and what is scanned.
        label: what names have before the number of a step.
    """
    count = context.attribute("num_scan_inputs", 0)
    if not 1 <= count <= len(operands):
        raise context.invalid("num_scan_inputs does not fit the operands", found=str(count))
    first = len(operands) - count
    states, sources = list(operands[:first]), operands[first:]
    outputs = context.output_count - first
    is_old = context.version < _BATCHLESS
    ways = _per_port(context, "directions" if is_old else "scan_input_directions", count)
    out_ways = _per_port(context, "scan_output_directions", outputs)
    out_axes = _per_port(context, "scan_output_axes", outputs)
    context.flush()
    shapes = [context.type_of(source).shape for source in sources]
    axes = [
        context.axis(axis, len(shape))
        for axis, shape in zip(_per_port(context, "scan_input_axes", count), shapes, strict=True)
    ]
    lengths = {shape[axis] for shape, axis in zip(shapes, axes, strict=True)}
    if len(lengths) > 1:
        raise context.invalid("the scanned axes have different lengths", found=str(sorted(lengths)))
    (length,) = lengths
    if not length:
        raise context.unsupported("it scans sequences of no elements")
    parts: list[Sequence[str]] = []
    for number in range(length):
        places = [length - 1 - number if way else number for way in ways]
        slices = [
            make("Gather", source, make.constant(np.array(place, np.int64)), axis=axis)
            for source, place, axis in zip(sources, places, axes, strict=True)
        ]
        results = body.run([*states, *slices], f"{label}{number}")
        if any(map(context.is_unknown, results)):
            return None
        states = results[:first]
        parts.append(results[first:])
    stacks = zip(zip(*parts, strict=True), out_ways, out_axes, strict=True)
    return [
        *states,
        *(_stack(context, make, tensors[:: -1 if way else 1], axis) for tensors, way, axis in stacks),
    ]


def _per_port(context: OpContext, name: str, count: int) -> tuple[int, ...]:
    """An attribute with a number for each input or output that is scanned; zeros if it is absent.

    Raises:
        ModelInvalidError: there are more or fewer.
    """
    numbers = context.ints(name) or (0,) * count
    if len(numbers) != count:
        raise context.invalid(
            f"attribute {name} does not fit", found=str(list(numbers)), expected=f"{count} numbers"
        )
    return numbers
