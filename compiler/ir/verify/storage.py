"""Checks of storage: which tensors share which bytes (from level `canonical` on)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from nnc.compiler.ir.graph import TensorType
from nnc.compiler.ir.layers import AsStrided, Join, Layer, Slice
from nnc.compiler.ir.regions.boxes import Boxes, Ints
from nnc.compiler.ir.regions.operand_boxes import needed
from nnc.compiler.ir.required import required
from nnc.compiler.ir.storage import Buffer, Storage, positions
from nnc.compiler.ir.verify.subject import Subject, broken

Ints32 = npt.NDArray[np.int32]
MAX_SAMPLES = 2**14
"""Elements looked at along one axis of a view; more are sampled evenly."""


def check_storage(subject: Subject) -> None:
    """Every tensor but constants has storage inside its buffer, and shares bytes only as views say."""
    graph, tiles = subject.graph, subject.tiles
    storages, types, on_chip = graph.storage, graph.types, graph.notes.part_of
    if missing := tiles.keys() - storages.keys():
        raise broken(min(missing), "the tensor has no storage")
    free = [tensor for layer in subject.free for tensor in graph.outputs_of(layer.name)]
    in_dram = [tensor for tensor in (*graph.inputs, *free) if tensor not in tiles]
    for tensor in in_dram:
        storage = storages.get(tensor)
        if storage is None:
            raise broken(tensor, "the tensor has no storage")
        _check_shape(tensor, storage, types[tensor])
        _check_inside(subject, tensor, storage)
    _check_tiles(subject)
    below = subject.numbered.low < 0
    for tile in np.flatnonzero(below)[:1].tolist():
        tensor = subject.numbered.names[tile]
        raise broken(tensor, f"the tile begins before its block {storages[tensor].buffer}")
    for layer in (*(layer for layer in subject.free if layer.name not in on_chip), *subject.renamed):
        if isinstance(layer, Slice):
            check_box(subject, graph.storage, layer, 0, 1, layer.start, layer.step)
        elif isinstance(layer, Join):
            for slot, origin in enumerate(layer.origins):
                check_box(subject, graph.storage, layer, slot, -1, origin, (1,) * len(origin))
        elif layer.is_view:
            check_view(subject, graph.storage, layer)
    _check_owners(subject, in_dram)


def _check_shape(tensor: str, storage: Storage, type_: TensorType) -> None:
    if storage.shape != type_.shape or len(storage.strides) != len(storage.shape):
        raise broken(tensor, f"the storage is of shape {storage.shape}, not {type_}")


def _check_tiles(subject: Subject) -> None:
    """Every tile has storage of its shape; no two elements are the same bytes (unless it is a view)."""
    graph, tiles = subject.graph, subject.numbered
    for both in np.unique(tiles.kind * len(tiles.forms) + tiles.form).tolist():
        kind, form = divmod(both, len(tiles.forms))
        (shape, strides), (_, extents) = tiles.forms[form], tiles.kinds[kind]
        if shape == extents and len(strides) == len(shape) and not _repeats(shape, strides):
            continue
        for number in np.flatnonzero((tiles.kind == kind) & (tiles.form == form)).tolist():
            tensor = tiles.names[number]
            _check_shape(tensor, graph.storage[tensor], graph.types[tensor])
            _check_tile(subject, tensor, graph.storage[tensor])


def _repeats_in_dram(subject: Subject, node: Layer) -> bool:
    """Whether a load is of a view that repeats elements, which need not be repeated on chip either."""
    if not isinstance(node, Slice):
        return False
    source = subject.graph.storage.get(required(subject.graph.inputs_of(node.name)[0]))
    return source is not None and 0 in source.strides


def _check_tile(subject: Subject, tensor: str, storage: Storage) -> None:
    """No two elements of the tile are the same bytes (unless it is a view)."""
    if _repeats(storage.shape, storage.strides):
        node = subject.producer.get(tensor)
        if node is None or not (subject.is_view_on_chip(node) or _repeats_in_dram(subject, node)):
            what = f"strides {storage.strides} of {storage.shape}"
            raise broken(tensor, f"elements of the tile overlap: {what}")


@lru_cache(maxsize=65536)
def _repeats(shape: tuple[int, ...], strides: tuple[int, ...]) -> bool:
    """Whether axes interleave, so that elements may be the same bytes."""
    reach = 0
    for stride, extent in sorted((abs(s), n) for s, n in zip(strides, shape, strict=True) if n != 1):
        if stride <= reach:
            return True
        reach += stride * (extent - 1)
    return False


def check_box(
    subject: Subject,
    places: Mapping[str, Storage],
    layer: Layer,
    slot: int,
    sign: int,
    low: tuple[int, ...],
    step: tuple[int, ...],
) -> None:
    """A slice lies in its operand (sign 1), an operand of a join in its result (−1), at `low`.

    `places` says where tensors lie: in their bytes, or as elements of the network's buffers.
    """
    graph = subject.graph
    result, tensor = graph.output_of(layer.name), required(graph.inputs_of(layer.name)[slot])
    part, whole = (places[result], places.get(tensor))[::sign]
    if part is None or whole is None:
        raise broken(layer, f"it is a view of {tensor}, which has no storage")
    if part.buffer != whole.buffer:
        raise broken(layer, f"{result} and its operand {tensor} lie in {part.buffer} and {whole.buffer}")
    box = whole.slice(low, step, part.shape)
    axes = zip(part.shape, part.strides, box.strides, strict=True)
    if part.offset != box.offset or any(extent != 1 and a != b for extent, a, b in axes):
        raise broken(layer, f"{result} does not show the bytes of its operand {tensor}")


def _check_inside(subject: Subject, tensor: str, storage: Storage) -> None:
    buffer: Buffer | None = subject.graph.buffers.get(storage.buffer)
    if buffer is None:
        raise broken(tensor, f"its buffer {storage.buffer} does not exist")
    if buffer.dtype != subject.graph.types[tensor].dtype:
        raise broken(tensor, f"its buffer {storage.buffer} holds {buffer.dtype.value}")
    if 0 in storage.shape:
        return
    steps = [(n - 1) * s for n, s in zip(storage.shape, storage.strides, strict=True)]
    first = storage.offset + sum(step for step in steps if step < 0)
    last = storage.offset + sum(step for step in steps if step > 0)
    if first < 0 or last >= buffer.elements:
        raise broken(tensor, f"elements {first} to {last} of buffer {storage.buffer} of {buffer.elements}")


def check_view(subject: Subject, places: Mapping[str, Storage], layer: Layer) -> None:
    """Element by element, a view and its operands are the same bytes; which ones, regions tell.

    Addresses are sums over the axes, so all elements on the edges from the first and from the last corner
    decide the matter.
    """
    graph = subject.graph
    result = graph.output_of(layer.name)
    out = places[result]
    if 0 in out.shape:
        return
    if isinstance(layer, AsStrided):
        _check_strided(subject, places, layer)
        return
    points = _edges(out.shape)
    shapes = [None if t is None else graph.types[t].shape for t in graph.inputs_of(layer.name)]
    for slot, tensor in enumerate(graph.inputs_of(layer.name)):
        source = None if tensor is None else places.get(tensor)
        if source is None:
            raise broken(layer, f"it is a view of {tensor}, which has no storage")
        need = needed(layer, slot, Boxes(points, points + 1), shapes, out.shape).boxes
        present = ~need.empty
        if source.buffer != out.buffer:
            raise broken(
                layer, f"{result} lies in buffer {out.buffer}, its operand {tensor} in {source.buffer}"
            )
        if np.any(_addresses(out, points[present]) != _addresses(source, need.low[present])):
            raise broken(layer, f"{result} does not show the bytes of its operand {tensor}")


def _check_strided(subject: Subject, places: Mapping[str, Storage], layer: AsStrided) -> None:
    """The view shows just the elements of its operand that its steps and strides name."""
    tensor = required(subject.graph.inputs_of(layer.name)[0])
    out, source = places[subject.graph.output_of(layer.name)], places[tensor]
    if len(layer.steps) != len(source.shape) or min(layer.steps, default=1) < 1:
        raise broken(layer, f"its steps {layer.steps} are not those of {source.shape}, its operand {tensor}")
    view = Storage("", layer.offset, layer.shape, layer.strides)
    operand = Storage("", 0, source.shape, source.strides)
    shown = _shows(
        operand, layer.steps, view, Storage("", out.offset - source.offset, out.shape, out.strides)
    )
    if shown is None:
        raise broken(layer, f"it reads what is no element of its operand {tensor}")
    if out.buffer != source.buffer or not shown:
        raise broken(layer, f"it does not show the bytes of its operand {tensor}")


@lru_cache(maxsize=65536)
def _shows(source: Storage, steps: tuple[int, ...], view: Storage, out: Storage) -> bool | None:
    """Whether `out` has the bytes of the elements of a source that a view names.

    Args:
        view: places, if elements of the source are `steps` apart.

    Returns:
        None if it names what is no element.
    """
    indices = positions(source.shape, steps, view.offset, view.strides, view.shape)
    if indices is None:
        return None
    if source.same_elements(Storage("", 0, source.shape, steps)) and out.same_elements(view):
        return True
    elements = np.stack(np.unravel_index(indices.ravel(), source.shape), axis=1)
    each = np.stack(np.unravel_index(np.arange(indices.size), out.shape), axis=1)
    return bool(np.all(_addresses(out, each) == _addresses(source, elements)))


def _addresses(storage: Storage, points: Ints) -> Ints:
    """Element offsets in the buffer of elements [P, rank] of a tensor."""
    offsets: Ints = storage.offset + points @ np.array(storage.strides, dtype=np.int64)
    return offsets


def _edges(shape: tuple[int, ...]) -> Ints:
    """Elements along every axis through the first and through the last corner, [P, rank]."""
    last = np.array(shape, dtype=np.int64) - 1
    lines = [np.zeros((1, len(shape)), dtype=np.int64)]
    for axis, extent in enumerate(shape):
        count = min(extent, MAX_SAMPLES)
        along = np.linspace(0, extent - 1, count).round().astype(np.int64)
        for corner in (np.zeros_like(last), last):
            line = np.tile(corner, (count, 1))
            line[:, axis] = along
            lines.append(line)
    return np.concatenate(lines)


def _check_owners(subject: Subject, in_dram: Sequence[str]) -> None:
    """Tensors that are computed to places of one buffer do not overlap."""
    graph = subject.graph
    owners: dict[str, list[str]] = {}
    for tensor in in_dram:
        layer = subject.producer.get(tensor)
        if layer is None or not layer.is_view:
            owners.setdefault(graph.storage[tensor].buffer, []).append(tensor)
    for buffer, tensors in owners.items():
        if len(tensors) == 1:
            continue
        taken = np.zeros(graph.buffers[buffer].elements, dtype=np.int32)
        for number, tensor in enumerate(tensors, 1):
            marks = elements_of(taken, graph.storage[tensor])
            if marks.any():
                owner = tensors[int(marks.max()) - 1]
                raise broken(tensor, f"it overlaps {owner} in buffer {buffer}")
            marks[...] = number


def elements_of(block: Ints32, storage: Storage) -> Ints32:
    """The elements of a tensor as a view of its buffer."""
    strides = tuple(stride * block.itemsize for stride in storage.strides)
    return np.ndarray(storage.shape, block.dtype, block.data, storage.offset * block.itemsize, strides)
