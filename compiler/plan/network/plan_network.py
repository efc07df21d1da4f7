"""The network as the group search sees it: positions, rows of buffers, who defines and who uses them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from itertools import accumulate, takewhile

import numpy as np

from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.layers import Elementwise, Layer, MacLayer
from nnc.compiler.ir.regions.boxes import places_along
from nnc.compiler.ir.regions.operand_boxes import Boxes, needed
from nnc.compiler.ir.required import required
from nnc.compiler.ir.runs import aligned_runs, piece_bytes, unit_of
from nnc.compiler.plan.network.buffers import (
    CutAxes,
    MadeRows,
    RowRange,
    RowView,
    delivered_tensors,
    input_pieces,
    row_buffer,
    row_buffers,
    row_view,
    rows_shown,
    within,
)
from nnc.compiler.plan.network.residents import Residents
from nnc.compiler.plan.network.split_views import SplitView
from nnc.compiler.target import layer_traits

Vector = tuple[int, ...]
_NO_LIMIT = 1 << 32
_RESIDUAL = MacLayer.slots.index("residual")


class PlanNetwork:
    """A canonical graph, indexed for the search over intervals of its layers.

    Attributes:
        layers: layers that compute, in a topological order; position = index.
        buffers: by name.
        defines: per position, the tensor that the layer computes.
        last_use, first_def, last_def: positions per buffer; outputs of the network are used at the end.
        last_read: the same, of layers that read the buffer only.
        operands, shapes: by position, (slot, tensor) of the activations that it reads; shapes of all inputs.
        ends: buffers of inputs and outputs of the network.
        delivered: tensors whose elements are outputs of the network, themselves or in a view.
        burst: bytes in whole multiples of which the DRAM moves.
        longest_group: most layers of a group.
    """

    def __init__(
        self,
        graph: Graph,
        layers: Sequence[Layer],
        axes: CutAxes = CutAxes.OUTERMOST,
        burst: int = 1,
        longest_group: int = _NO_LIMIT,
    ) -> None:
        """Index `layers`, which compute, in a topological order; buffers are cut along `axes`."""
        self.graph, self.axes, self.burst, self.longest_group = graph, axes, burst, longest_group
        self.layers = list(layers)
        self.defines = [graph.output_of(layer.name) for layer in self.layers]
        pieces = input_pieces(graph)
        self.buffers = row_buffers(graph, axes, pieces.values())
        self._buffer_of = {name: storage.buffer for name, storage in graph.storage.items()} | pieces
        self._views = self._row_views()
        if axes in (CutAxes.PICTURES, CutAxes.TURNED):
            self._keep_rows_that_views_reorder(axes)
        inputs = [graph.inputs_of(layer.name) for layer in self.layers]
        slots = [[(slot, t) for slot, t in enumerate(tensors) if t is not None] for tensors in inputs]
        self.operands = [[(slot, t) for slot, t in pairs if t in graph.storage] for pairs in slots]
        self._constants = [[(slot, t) for slot, t in pairs if graph.is_constant(t)] for pairs in slots]
        self.shapes = [[None if t is None else graph.types[t].shape for t in tensors] for tensors in inputs]
        self.first_def, self.last_def = dict[str, int](), dict[str, int]()
        self.uses, self._tables = dict[str, list[int]](), dict[tuple[int, int], RowRange]()
        self._stays = dict[Residents, dict[str, int]]()
        self.network_inputs = {*graph.inputs, *pieces.values()}
        self._index()

    def _keep_rows_that_views_reorder(self, axes: CutAxes) -> None:
        """A view that is no box takes outermost rows of its buffer, as they lie in DRAM, but no pictures."""
        for tensor in self.graph.storage:
            if self.view(tensor).split is None:
                name = self.buffer_of(tensor)
                buffer, turned = row_buffer(self.graph, name), axes is CutAxes.TURNED
                self.buffers[name] = replace(buffer, column_axis=None) if turned else buffer.uncut()
        self._views = self._row_views()

    def _row_views(self) -> dict[str, RowView]:
        """By tensor, how it maps to the rows of its buffer."""
        graph, buffers = self.graph, self.buffers
        return {t: row_view(graph, t, buffers[self.buffer_of(t)], self.axes) for t in graph.storage}

    def _index(self) -> None:
        graph, end = self.graph, len(self.layers)
        for name in self.network_inputs:
            self.first_def[name] = self.last_def[name] = -1
        self.definitions: dict[str, list[tuple[int, str]]] = {}
        for position, tensor in enumerate(self.defines):
            name = self.buffer_of(tensor)
            self.first_def.setdefault(name, position)
            self.last_def[name] = position
            self.definitions.setdefault(name, []).append((position, tensor))
            for _, source in self.operands[position]:
                self.uses.setdefault(self.buffer_of(source), []).append(position)
        self.network_outputs = {self.buffer_of(tensor) for tensor in graph.outputs}
        self.ends = self.network_inputs | self.network_outputs
        self.delivered = delivered_tensors(graph)
        self.last_read = {name: max(self.uses.get(name, [-1])) for name in self.buffers}
        self.last_use = self.last_read | dict.fromkeys(self.network_outputs, end)

    def buffer_of(self, tensor: str) -> str:
        """The buffer that holds a tensor."""
        return self._buffer_of[tensor]

    def view(self, tensor: str) -> RowView:
        """How the tensor maps to the rows of its buffer."""
        return self._views[tensor]

    def split_view(self, tensor: str) -> SplitView | None:
        """How a view runs along the axes of its buffer, if each of its axes runs along one of these."""
        return self.view(tensor).split

    def is_readable(self, tensor: str) -> bool:
        """Whether rows of its buffer, as they lie on chip, can be seen as a tensor: heads may be apart."""
        return self.axes is not CutAxes.HEADS or self.view(tensor).split is not None

    def rows_below(self, tensor: str, low: Vector, shape: Vector) -> tuple[str, Vector, Vector]:
        """What a box of a view that is no box of its buffer lies in: whole rows of the tensor that it shows.

        Returns:
            The nearest tensor upstream that is a box of the buffer, corner and shape of the rows of it.
        """
        base, high = tensor, tuple(a + n for a, n in zip(low, shape, strict=True))
        while (view := self.view(base)).origin is None:
            base = required(self.graph.inputs_of(required(self.graph.producer(base)).name)[0])
        if (split := self.view(tensor).split) is not None:
            box = split.boxes(Boxes.of((low, high)))
            corner = tuple(int(n) - o for n, o in zip(box.low[0], view.origin, strict=True))
            return base, corner, tuple(map(int, box.extents[0]))
        whole, axis = self.graph.types[base].shape, view.axis
        zero = (0,) * len(whole)
        if axis is None:
            return base, zero, whole
        stride = self.buffers[view.buffer].stride
        shown = rows_shown(within(self.graph, tensor, view.buffer), stride, Boxes.of((low, high)))
        first, end = int(shown.low[0]) - view.first, int(shown.high[0]) - view.first
        corner = (*zero[:axis], first, *zero[axis + 1 :])
        return base, corner, (*whole[:axis], end - first, *whole[axis + 1 :])

    def columns_read(self, tensor: str, boxes: Boxes) -> tuple[Boxes, int] | None:
        """The columns of its buffer in which boxes of a tensor lie.

        Returns:
            Boxes, and the axis of them that runs along the columns; None if these cannot be told.
        """
        view = self.view(tensor)
        axis = self.buffers[view.buffer].column_axis
        return None if view.split is None or axis is None else (view.split.boxes(boxes), axis)

    def share_of_columns(self, tensor: str) -> float:
        """The share of its buffer's columns that a tensor shows."""
        read = self.columns_read(tensor, Boxes.whole(self.graph.types[tensor].shape))
        if read is None:
            return 1.0
        return float(read[0].extents[0, read[1]] / self.graph.types[self.buffer_of(tensor)].shape[read[1]])

    def column_axis(self, tensor: str) -> int | None:
        """The axis of a tensor that runs along the columns of its buffer; None if it cannot be cut there."""
        view, types = self.view(tensor), self.graph.types
        axis = self.buffers[view.buffer].column_axis
        if view.origin is None or axis is None:
            return None
        return axis if types[tensor].shape[axis] == types[view.buffer].shape[axis] else None

    def in_place_source(self, position: int) -> str | None:
        """The buffer of an operand that a layer's result may overwrite: same size, last used here.

        Each element of the result needs just the element in its place: of what a product adds, or of any
        operand of a function of elements.
        """
        return self._in_place_sources[position]

    @cached_property
    def _in_place_sources(self) -> list[str | None]:
        sources = list[str | None]()
        for position, layer in enumerate(self.layers):
            slots = [slot for slot, _ in self.operands[position]] if isinstance(layer, Elementwise) else []
            slots = [_RESIDUAL] if isinstance(layer, MacLayer) else slots
            tensors = [tensor for slot, tensor in self.operands[position] if slot in slots]
            sources.append(next((t for t in tensors if self._may_overwrite(position, t)), None))
        return sources

    def _may_overwrite(self, position: int, tensor: str) -> bool:
        """Whether the result of a layer may take the place of an operand that it reads element by element."""
        graph, target = self.graph, self.defines[position]
        own = tensor == self.buffer_of(tensor) and target == self.buffer_of(target)
        if not own or tensor in self.network_inputs or self.last_use[tensor] != position:
            return False
        if graph.storage[tensor].strides != graph.storage[target].strides:
            return False
        # it must read the operand's buffer in no other way, too: a product once, a function as this tensor
        again = isinstance(self.layers[position], Elementwise)
        reads = [t for _, t in self.operands[position] if self.buffer_of(t) == tensor]
        is_only = set(reads) == {tensor} if again else len(reads) == 1
        return is_only and graph.types[tensor] == graph.types[target]

    def moved_bytes(self, tensor: str) -> int:
        """Bytes of a tensor with what the DMA moves beside it, which whole units may demand."""
        graph, type_ = self.graph, self.graph.types[tensor]
        unit = unit_of(type_.dtype, graph.notes.transfer_unit)
        count = type_.elements if unit == 1 else aligned_runs(graph.storage[tensor], unit).elements
        return count * type_.dtype.itemsize

    def stays(self, residents: Residents) -> dict[str, int]:
        """Bytes that stay on chip with a set of residents, by buffer; found once for each set."""
        if residents not in self._stays:
            whole = {name: self.buffers[name].nbytes for name in residents.whole}
            parts = {name: rows * self.buffers[name].row_bytes for name, rows in residents.last_rows.items()}
            self._stays[residents] = whole | parts
        return self._stays[residents]

    @cached_property
    def crossings(self) -> list[tuple[str, ...]]:
        """Per position from 0 to the end: buffers that hold data then, in order of definition."""
        crossings: list[list[str]] = [[] for _ in range(len(self.layers) + 1)]
        for name in filter(self.first_def.__contains__, self.buffers):
            for position in range(self.first_def[name] + 1, self.last_use[name] + 1):
                crossings[position].append(name)
        return [tuple(names) for names in crossings]

    def row_table(self, position: int, slot: int, tensor: str) -> RowRange:
        """For every row of the result's buffer: the rows of the operand's buffer that it needs.

        Made monotonic, so that rows [a, b) need [low[a], high[b − 1]); rows of other tensors need nothing.
        """
        key = (position, slot)
        if key not in self._tables:
            rows = self.buffers[self.buffer_of(self.defines[position])].rows
            pieces = (self.out_boxes(position, RowRange(each, each + 1)) for each in places_along(rows))
            needs = [self._needed_rows(position, slot, tensor, piece) for piece in pieces]
            big = np.iinfo(np.int64).max
            low = np.concatenate([np.where(need.high > need.low, need.low, big) for need in needs])
            high = np.concatenate([need.high for need in needs])
            self._tables[key] = RowRange(np.minimum.accumulate(low[::-1])[::-1], np.maximum.accumulate(high))
        return self._tables[key]

    def _needed_rows(self, position: int, slot: int, tensor: str, out: Boxes) -> RowRange:
        shape = self.graph.types[self.defines[position]].shape
        boxes = needed(self.layers[position], slot, out, self.shapes[position], shape).boxes
        empty, view = boxes.empty, self.view(tensor)
        axis, stride = self.buffers[view.buffer].axis, self.buffers[view.buffer].stride
        if axis is None or not self.is_readable(tensor):
            low, high = np.zeros(len(boxes), np.int64), np.full(len(boxes), view.rows)
        elif view.split is not None:
            shown = view.split.boxes(boxes)
            low, high = shown.low[:, axis], shown.high[:, axis]
        else:
            rows = rows_shown(within(self.graph, tensor, view.buffer), stride, boxes)
            low, high = rows.low, rows.high
        return RowRange(np.where(empty, 0, low), np.where(empty, 0, high))

    def made_rows(self, position: int) -> MadeRows:
        """The rows of its result's buffer that a layer makes, and those right before it that add to it."""
        needs = (self.row_table(position, *operand) for operand in self.operands[position])
        name = self.buffer_of(self.defines[position])
        reach = self.defines[max(0, position + 1 - self.longest_group) : position + 1]
        same = takewhile(lambda tensor: self.buffer_of(tensor) == name, reversed(reach))
        return MadeRows.of([self.view(tensor) for tensor in same], needs)

    def out_boxes(self, position: int, rows: RowRange) -> Boxes:
        """Output boxes of a layer that lie in ranges of rows of the buffer it writes to."""
        tensor = self.defines[position]
        shape, view = self.graph.types[tensor].shape, self.view(tensor)
        boxes = Boxes.whole(shape, len(rows.low))
        if view.axis is None:
            boxes.high[rows.high <= rows.low] = 0
            return boxes
        extent = shape[view.axis]
        boxes.low[:, view.axis] = np.clip(rows.low - view.first, 0, extent)
        boxes.high[:, view.axis] = np.clip(rows.high - view.first, 0, extent)
        empty = boxes.high[:, view.axis] <= boxes.low[:, view.axis]
        boxes.high[empty] = boxes.low[empty]
        return boxes

    def structure(self, position: int) -> str:
        """Equal for layers that differ in names and values only: repeated blocks."""
        return self._structures[position]

    @cached_property
    def _structures(self) -> list[str]:
        graph, structures = self.graph, list[str]()
        for layer, made in zip(self.layers, self.defines, strict=True):
            tensors = [*graph.inputs_of(layer.name), made]
            kinds = [None if t is None else (graph.types[t], t in graph.constants) for t in tensors]
            orders = [graph.storage[t].order if t and t in graph.storage else None for t in tensors]
            structures.append(repr((layer.signature, kinds, orders)))
        return structures

    def touched(self, buffer: str, start: int, end: int) -> list[int]:
        """Positions of the layers from start to end that read or compute some of a buffer, in order."""
        positions = self._touches[buffer]
        return positions[bisect_left(positions, start) : bisect_right(positions, end)]

    def readers_from(self, buffer: str, position: int) -> int:
        """How many operands of the layers from a position on lie in a buffer."""
        uses = self.uses.get(buffer, [])
        return len(uses) - bisect_left(uses, position)

    @cached_property
    def _touches(self) -> dict[str, list[int]]:
        made = {
            name: [position for position, _ in definitions] for name, definitions in self.definitions.items()
        }
        return {name: sorted([*self.uses.get(name, ()), *made.get(name, ())]) for name in self.first_def}

    def bytes_before(self, buffer: str, position: int) -> int:
        """Bytes of a buffer that are computed before a position (a concat may be half inside a group)."""
        positions, nbytes = self._computed[buffer]
        return nbytes[bisect_left(positions, position)]

    @cached_property
    def _computed(self) -> dict[str, tuple[list[int], list[int]]]:
        """By buffer: positions where some of it is computed, bytes before each and after all of them."""
        computed = {name: ([-1], [0, info.nbytes]) for name, info in self.buffers.items()}
        for name, definitions in self.definitions.items():
            sums = accumulate((self.moved_bytes(tensor) for _, tensor in definitions), initial=0)
            computed[name] = [position for position, _ in definitions], list(sums)
        return computed

    @cached_property
    def uncut(self) -> frozenset[str]:
        """Buffers of which some layer must compute all rows at once (a softmax along them, say)."""
        uncut = []
        for position, layer in enumerate(self.layers):
            view = self.view(self.defines[position])
            if view.axis is not None and view.axis in layer_traits.uncut_axes(layer, self.shapes[position]):
                uncut.append(view.buffer)
        return frozenset(uncut)

    def constant_operands(self, position: int) -> list[tuple[int, str]]:
        """(slot, constant) of a layer."""
        return self._constants[position]

    def weight_bytes(self, position: int) -> int:
        """Bytes of all constants of a layer, each packed into whole units of the DMA."""
        return self._weight_bytes[position]

    @cached_property
    def _weight_bytes(self) -> list[int]:
        unit, types = self.graph.notes.transfer_unit, self.graph.types
        constant_types = ([types[t] for _, t in constants] for constants in self._constants)
        return [
            sum(piece_bytes(t.elements, t.dtype.itemsize, unit) for t in layer_types)
            for layer_types in constant_types
        ]
