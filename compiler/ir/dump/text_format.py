"""Graph -> text: a listing of layers in the order of execution, as complete as its level.

``%y: f32[1,64,56,56] = conv(%x, weight=%w, bias=%b) kernel=3x3 stride=1,1 pad=1,1/1,1 act=relu``

Attributes that have their default or say nothing (dilation 1, no padding) are left out.  From level
`partition` on a numbered line is one step, and its number the place in the order of issue.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import MISSING, fields
from typing import Any
from zlib import crc32

import numpy as np
import numpy.typing as npt

from nnc.compiler.ir.annotations import Group, Issue, Place
from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.layers import Join, Layer
from nnc.compiler.ir.required import required
from nnc.compiler.ir.storage import Storage, ordered_strides
from nnc.compiler.ir.tensors import Port
from nnc.isa.codec.scanner import printed_name


def to_text(graph: Graph) -> str:
    """The listing of a graph at any level; the same graph always gives the same text."""
    lines = [*_header(graph), *_dram(graph)]
    if graph.notes.order:
        lines.extend(_issued(graph))
    elif graph.notes.groups:
        lines.extend(_grouped(graph))
    else:
        lines.extend(["", *(_line(graph, layer) for layer in graph.layers())])
    return "\n".join(lines) + "\n"


def checksum(value: npt.NDArray[Any]) -> int:
    """CRC-32 of the elements of an array in row-major order."""
    return crc32(np.ascontiguousarray(value).reshape(-1).view(np.uint8).data)


def variable(tensor: str) -> str:
    """A tensor's name as the listing writes it."""
    return "%" + printed_name(tensor)


def operation(layer: Layer) -> str:
    """The kind of a layer with its function, such as ``pool.max``."""
    function = layer.attributes().get("function")
    return layer.kind if function is None else f"{layer.kind}.{function}"


def _is_identity(value: Any) -> bool:
    return bool(value == tuple(range(len(value))))


def _all(number: int) -> Callable[[Any], bool]:
    return lambda value: bool(np.all(np.asarray(value) == number))


_NEUTRAL: dict[str, Callable[[Any], bool]] = {
    "dilation": _all(1),
    "step": _all(1),
    "pad": _all(0),
    "begin": _all(0),
    "end": _all(0),
    "origin": _all(0),
    "src_origin": _all(0),
    "order": _is_identity,
}
"""Attributes, by name, that are left out where they have these values."""
_SHOWN_ELSEWHERE = frozenset({"function", "shape", "origins"})
"""The kind shows the function, the type of the result its shape, and every operand of a join its place."""


def _says_nothing(name: str, value: Any) -> bool:
    return name in _NEUTRAL and _NEUTRAL[name](value)


def shown_attributes(layer: Layer) -> list[tuple[str, str]]:
    """Name and text of the attributes worth showing: those that a kind requires first, then the optional."""
    values = {name: value for name, value in layer.attributes().items() if name not in _SHOWN_ELSEWHERE}
    optional = {}
    for field in fields(layer):
        if field.name in values and field.default is not MISSING:
            value = values.pop(field.name)
            if getattr(layer, field.name) != field.default:
                optional[field.name] = value
    if "pad_end" in values:
        values["pad"] = (values.pop("pad_begin"), values.pop("pad_end"))
    shown = {name: value for name, value in (values | optional).items() if not _says_nothing(name, value)}
    return [(name, _attribute(name, value)) for name, value in shown.items()]


def _attribute(name: str, value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        separator = "/" if name == "pad" else "x" if name == "kernel" else ","
        return separator.join(_attribute("", entry) for entry in value) or "()"
    return str(value)


def numbers(values: tuple[int, ...]) -> str:
    """Numbers with commas between them; () if there are none."""
    return ",".join(map(str, values)) or "()"


def box(low: tuple[int, ...], shape: tuple[int, ...]) -> str:
    """A box of a tensor as a Python slice: ``[0:1,0:64,16:32,0:56]``."""
    return "[" + ",".join(f"{a}:{a + n}" for a, n in zip(low, shape, strict=True)) + "]"


# --- parts of the listing ----------------------------------------------------------------------------------


def _header(graph: Graph) -> Iterator[str]:
    yield f"graph {printed_name(graph.name)}  level {graph.notes.level}"
    for port in graph.input_ports:
        yield f"input    {_port(port)}{_storage(graph, port.name)}"
    for port in graph.output_ports:
        yield f"output   {_port(port)}"
    for tensor, value in graph.constants.items():
        yield f"constant {variable(tensor)}: {graph.types[tensor]}  crc32 {checksum(value):08x}"
    for stitched in graph.notes.stitch.layers:
        yield f"{stitched}  // layer {printed_name(stitched.layer)}"


def _port(port: Port) -> str:
    """An input or output: its tensor, and its own name where that is another."""
    if port.tensor is None:
        return f"{variable(port.name)}: {port.type}  // no elements"
    note = "" if port.name == port.tensor else f"  // for the user, {printed_name(port.name)}"
    return f"{variable(port.tensor)}: {port.type}{note}"


def _dram(graph: Graph) -> Iterator[str]:
    """Where constants and activations lie in DRAM (level `place`)."""
    notes = graph.notes
    for piece, address in notes.pieces.items():
        order = "" if _is_identity(piece.order) else f" order {numbers(piece.order)}"
        yield f"packed   {variable(piece.constant)}{box(piece.low, piece.shape)}{order} @ dram+{address:#x}"
    for name, address in notes.buffers.items():
        buffer = graph.buffers[name]
        yield f"buffer   {variable(name)}: {buffer.dtype.value} x {buffer.elements} @ dram+{address:#x}"
    if notes.dram_bytes:
        yield f"dram     {notes.dram_bytes} B, of which constants {notes.constant_bytes} B"


def _grouped(graph: Graph) -> Iterator[str]:
    owner = {name: group.index for group in graph.notes.groups for name in (*group.layers, *group.views)}
    members: dict[int | None, list[Layer]] = {}
    for layer in graph.layers():
        members.setdefault(owner.get(layer.name), []).append(layer)
    yield from _ungrouped(graph, members.get(None, []))
    for group in graph.notes.groups:
        yield from _group_header(group)
        yield from (f"  {_line(graph, layer)}" for layer in members.get(group.index, []))


def _ungrouped(graph: Graph, layers: list[Layer]) -> Iterator[str]:
    """Views of network inputs."""
    if layers:
        yield from ("", *(_line(graph, layer) for layer in layers))


def _group_header(group: Group) -> Iterator[str]:
    cut = "" if group.axis == "none" else f" by {group.axis}"
    parts = f"{group.parts} part{'s' if group.parts != 1 else ''}{cut}"
    yield f"\ngroup {group.index} {group.kind.value} ({parts}; {group.reason})"
    peak = ", ".join(f"{name} {nbytes} B" for name, nbytes in group.memory_peak)
    cores = f"core{'s' if len(group.cores) != 1 else ''} {numbers(group.cores)}"
    yield (
        f"  // layers {', '.join(map(printed_name, group.layers))}; {cores}; peak {peak}; {predicted(group)}"
    )


def predicted(group: Group) -> str:
    """What the plan says that a group costs."""
    return f"predicted {group.cycles} cycles, {group.dram_bytes} B of DRAM traffic"


def _issued(graph: Graph) -> Iterator[str]:
    """Group by group: its steps, numbered by their place in the order of issue, and what costs nothing.

    A view on chip stands behind the step that completes it; tensors in DRAM stand at the end of the group.
    """
    views = {name: group.index for group in graph.notes.groups for name in group.views}
    part_of, position = graph.notes.part_of, _complete(graph)
    steps: dict[int, list[tuple[int, str]]] = {group.index: [] for group in graph.notes.groups}
    whole: dict[int | None, list[Layer]] = {}
    width = len(str(len(graph.notes.order) - 1))
    for place, issue in enumerate(graph.notes.order):
        steps[part_of[issue.node].group].append((place, f"  {place:>{width}}  {_step(graph, issue)}"))
    issued = {issue.node for issue in graph.notes.order}
    for layer in graph.layers():
        where = part_of.get(layer.name)
        if where is None:
            whole.setdefault(views.get(layer.name), []).append(layer)
        elif isinstance(layer, Join) and _in_dram(graph, layer):
            whole.setdefault(where.group, []).append(layer)
        elif layer.name not in issued:
            steps[where.group].append((position[layer.name], f"  {'':{width}}  {_definition(graph, layer)}"))
    yield from _ungrouped(graph, whole.get(None, []))
    for group in graph.notes.groups:
        yield from _group_header(group)
        yield from (line for _, line in sorted(steps[group.index], key=lambda step: step[0]))
        yield from (f"  {_line(graph, layer)}" for layer in whole.get(group.index, []))


def _complete(graph: Graph) -> dict[str, int]:
    """After which step every layer is complete."""
    places = {issue.node: place for place, issue in enumerate(graph.notes.order)}
    for layer in graph.layers():
        above = max((places[name] for name in graph.predecessors(layer.name)), default=-1)
        places[layer.name] = max(above, places.get(layer.name, -1))
    return places


def _in_dram(graph: Graph, layer: Layer) -> bool:
    """Whether the result of a layer lies in a buffer in DRAM."""
    return graph.storage[graph.output_of(layer.name)].buffer in graph.buffers


def _step(graph: Graph, issue: Issue) -> str:
    layer = graph.layer(issue.node)
    where = graph.notes.part_of[issue.node]
    text = _definition(graph, layer)
    if isinstance(layer, Join) and issue.slot is not None:
        tile = required(graph.inputs_of(layer.name)[issue.slot])
        producer = graph.producer(tile)
        where = where if producer is None else graph.notes.part_of[producer.name]
        target = box(layer.origins[issue.slot], graph.types[tile].shape)
        text = f"{variable(graph.output_of(layer.name))}{target} = join.{issue.slot}({variable(tile)})"
    core = "" if where.core is None else f" core {where.core}"
    core += f" to cores {numbers(where.receivers)}" if where.receivers else ""
    return f"part {where.part}{core}  {text}"


def _line(graph: Graph, layer: Layer) -> str:
    """A whole layer, with the ONNX node that it comes from."""
    text = _definition(graph, layer)
    note = f"node {printed_name(layer.loc.node)} ({layer.loc.op})"
    if layer.name not in (layer.loc.node, *graph.outputs_of(layer.name)):
        note = f"{printed_name(layer.name)}, {note}"
    return f"{text}  // {note}"


def _definition(graph: Graph, layer: Layer) -> str:
    results = ", ".join(
        f"{variable(t)}: {graph.types[t]}{_storage(graph, t)}" for t in graph.outputs_of(layer.name)
    )
    if isinstance(layer, Join) and _in_dram(graph, layer):
        return f"{results} = join of {len(layer.origins)}"
    if isinstance(layer, Join):
        parts = zip(graph.inputs_of(layer.name), layer.origins, strict=True)
        places = ", ".join(f"{variable(required(tensor))} at {numbers(origin)}" for tensor, origin in parts)
        return f"{results} = join({places})"
    attributes = "".join(f" {name}={text}" for name, text in shown_attributes(layer))
    return f"{results} = {operation(layer)}({_operands(graph, layer)}){attributes}"


def _operands(graph: Graph, layer: Layer) -> str:
    shown = []
    for slot, tensor in enumerate(graph.inputs_of(layer.name)):
        name = layer.slots[min(slot, len(layer.slots) - 1)]
        if tensor is not None:
            shown.append(
                variable(tensor) if slot == 0 or name.endswith("…") else f"{name}={variable(tensor)}"
            )
    return ", ".join(shown)


def _storage(graph: Graph, tensor: str) -> str:
    """Where a tensor's bytes lie: its address on chip, or its place in a buffer of another tensor."""
    storage, place = graph.storage.get(tensor), graph.notes.places.get(tensor)
    return ("" if storage is None else _layout(storage, tensor)) + ("" if place is None else _place(place))


def _layout(storage: Storage, tensor: str) -> str:
    order = storage.order
    dense = ordered_strides(storage.shape, order)
    places = zip(storage.shape, storage.strides, dense, strict=True)
    own = storage.buffer == tensor and storage.offset == 0
    if own and all(extent == 1 or stride == dense_stride for extent, stride, dense_stride in places):
        return "" if _is_identity(order) else f" order {numbers(order)}"
    return f" in {variable(storage.buffer)}+{storage.offset} strides {numbers(storage.strides)}"


def _place(place: Place) -> str:
    return f" @ {place.memory}+{place.address:#x} steps {place.first}-{place.last}"
