"""Buffers of tensors: their layouts, and the places of concat operands in the whole."""

from __future__ import annotations

from collections.abc import Iterator

from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.required import required
from nnc.compiler.ir.runs import padded_strides, unit_of
from nnc.compiler.ir.storage import identity_order, normal_order, ordered_strides
from nnc.compiler.passes.base import insert_copy, insert_output_copy
from nnc.compiler.passes.layouts import Layout, Written, choose_layout, dense_layout
from nnc.compiler.passes.matching import operands_of
from nnc.compiler.target.layer_traits import is_row_gather
from nnc.compiler.target.target import Target
from nnc.compiler.tuning import TUNING

Homes = dict[str, tuple[str, int, int]]
"""For every operand of a concat: (the concat's tensor, axis, start)."""
Axes = tuple[int, ...]


class Buffers:
    """Gives tensors storage; tensors that the DMA moves in whole units get rows of whole units."""

    def __init__(self, graph: Graph, target: Target, homes: Homes, orders: dict[str, Axes]) -> None:
        """Args:
        orders: axes of each tensor from outermost to innermost, as the layers around it like them.
        """
        self._graph, self._target, self._homes, self._orders = graph, target, homes, orders
        states = {state.input: state for state in graph.states}
        ports = {port.name: port.tensor for port in (*graph.input_ports, *graph.output_ports) if port.tensor}
        self._states = {ports[name]: state for name, state in states.items() if name in ports}
        self._before = {ports[state.output]: tensor for tensor, state in self._states.items()}
        self._operands: dict[str, list[str]] = {}
        for tensor, (whole, _, _) in homes.items():
            self._operands.setdefault(whole, []).append(tensor)

    def place(self, tensor: str) -> None:
        """Storage of an input or a computed tensor: a buffer, or its place in the concat it belongs to."""
        graph = self._graph
        if tensor in graph.storage:
            return
        shape = graph.types[tensor].shape
        if tensor in self._states:
            self._place_state(tensor)
            return
        if tensor in self._before and tensor not in self._homes:
            self._place_after(tensor, self._before[tensor])
            return
        if tensor not in self._homes:
            order = self._orders.get(tensor, identity_order(len(shape)))
            if self._is_flattened_input(tensor):
                self.add_dense(tensor, order)
                return
            boxes = list(self._written(tensor))
            self._add(tensor, choose_layout(shape, order, self._unit(tensor), boxes))
            return
        inside = [tensor]  # concats may be nested by the thousand
        while (whole := self._homes[inside[-1]][0]) in self._homes and whole not in graph.storage:
            inside.append(whole)
        self.place(whole)
        for operand in reversed(inside):
            whole, axis, start = self._homes[operand]
            shape = graph.types[operand].shape
            low = tuple(start if place == axis else 0 for place in range(len(shape)))
            graph.set_storage(operand, graph.storage[whole].box(low, shape))

    def _place_state(self, tensor: str) -> None:
        """A buffer whose rows are whole units, so that new ones may be stored beside old ones.

        Rows of a small state, which layers read whole, follow each other, as they are made; a large one is
        row-major, so that groups can work through heads one by one.  Nothing else decides: programs for other
        sizes of the inputs share the buffer.
        """
        type_, axis = self._graph.types[tensor], self._states[tensor].axis
        order = self._identity(tensor)
        if axis < 0:
            self.add_dense(tensor, order)
            return
        if TUNING.passes.state_rows_share * type_.nbytes <= self._target.memory_bytes:
            order = (axis, *(inner for inner in order if inner != axis))
        strides = padded_strides(type_.shape, order, self._unit(tensor), axis)
        self._add(tensor, Layout(strides, _rows_end(type_.shape, strides, axis)))

    def _place_after(self, tensor: str, before: str) -> None:
        """A buffer in which a tensor lies as the state `before`, which it follows in the next run."""
        graph, axis = self._graph, self._states[before].axis
        strides, elements = graph.storage[before].strides, graph.buffers[before].elements
        if axis >= 0:
            elements = _rows_end(graph.types[tensor].shape, strides, axis)
        self._add(tensor, Layout(strides, elements))

    def copy_states(self) -> None:
        """Let what follows a state in the next run lie as that does; what lies otherwise is copied."""
        graph = self._graph
        for after, before in self._before.items():
            own, strides = graph.storage[after], graph.storage[before].strides
            steps = zip(own.shape, own.strides, strides, strict=True)
            if own.offset % self._unit(after) or any(n > 1 and a != b for n, a, b in steps):
                copied = graph.inputs_of(insert_output_copy(graph, after))[0]
                graph.move_storage(after, required(copied))
                self._place_after(after, before)

    def add_dense(self, tensor: str, order: Axes) -> None:
        """A buffer without padding."""
        self._add(tensor, dense_layout(self._graph.types[tensor].shape, order, self._unit(tensor)))

    def _is_flattened_input(self, tensor: str) -> bool:
        """Whether only fully connected layers read a network input, which the host writes as a whole (M5)."""
        is_input = tensor in self._graph.inputs and tensor not in self._graph.outputs
        return is_input and bool(self._target.pixel_channels) and self._is_flattened(tensor)

    def _is_flattened(self, tensor: str) -> bool:
        users = self._graph.consumers(tensor)
        return bool(users) and all(
            self._is_flattened(self._graph.output_of(layer.name))
            if isinstance(layer, ir.Reshape)
            else isinstance(layer, ir.MatMul) and slot == 0
            for layer, slot in users
        )

    def copy_unaligned(self, layer: ir.Layer) -> None:
        """Copy operands of a row gather whose rows, or whose list of rows, cannot be moved as they lie."""
        graph, in_units = self._graph, self._target.transfer_unit > 1
        data, index = operands_of(graph, layer)[:2]
        if in_units and data in graph.storage and not self._has_aligned_rows(data):
            copy = insert_copy(graph, data, layer.name, 0)
            shape = graph.types[copy].shape
            whole = Written((0,) * len(shape), shape, (0,), in_rows=True)
            self._add(copy, choose_layout(shape, identity_order(len(shape)), self._unit(copy), [whole]))
        if index in graph.storage and not (self._is_dense if in_units else self._is_row_major)(index):
            self.add_dense(insert_copy(graph, index, layer.name, 1), self._identity(index))

    def _written(self, buffer: str) -> Iterator[Written]:
        """The boxes that layers write of a buffer."""
        left = [(buffer, (0,) * len(self._graph.types[buffer].shape))]
        while left:
            tensor, low = left.pop()
            if tensor not in self._operands:
                layer = self._graph.producer(tensor)
                in_rows = layer is not None and is_row_gather(layer)
                single = self._rows_of(layer) if layer is not None and in_rows else ()
                yield Written(low, self._graph.types[tensor].shape, single, in_rows)
            for operand in reversed(self._operands.get(tensor, ())):
                _, axis, start = self._homes[operand]
                left.append((operand, (*low[:axis], low[axis] + start, *low[axis + 1 :])))

    def _rows_of(self, layer: ir.Layer) -> Axes:
        """Axes of the result of a row gather that count rows, each of which is moved by itself."""
        index = required(self._graph.inputs_of(layer.name)[1])
        return tuple(range(len(self._graph.types[index].shape)))

    def _has_aligned_rows(self, tensor: str) -> bool:
        """Whether rows along axis 0 start at whole units, each row-major without gaps."""
        storage, unit = self._graph.storage[tensor], self._unit(tensor)
        row = ordered_strides(storage.shape[1:], identity_order(len(storage.shape) - 1))
        axes = zip(storage.shape[1:], storage.strides[1:], row, strict=True)
        dense = all(n == 1 or stride == row_stride for n, stride, row_stride in axes)
        return dense and not storage.offset % unit and not storage.strides[0] % unit

    def _identity(self, tensor: str) -> Axes:
        return identity_order(len(self._graph.types[tensor].shape))

    def _is_row_major(self, tensor: str) -> bool:
        """Whether its axes nest as they are numbered, maybe with gaps between."""
        storage = self._graph.storage[tensor]
        return storage.order == normal_order(storage.shape, self._identity(tensor))

    def _is_dense(self, tensor: str) -> bool:
        storage = self._graph.storage[tensor]
        dense = ordered_strides(storage.shape, identity_order(len(storage.shape)))
        return all(n == 1 or a == b for n, a, b in zip(storage.shape, storage.strides, dense, strict=True))

    def _unit(self, tensor: str) -> int:
        return unit_of(self._graph.types[tensor].dtype, self._target.transfer_unit)

    def _add(self, tensor: str, layout: Layout) -> None:
        self._graph.lay_out(tensor, layout.strides, layout.elements)


def _rows_end(shape: Axes, strides: Axes, axis: int) -> int:
    """One past the last element of rows along an axis that begin at such strides."""
    outside = zip(shape, strides, strict=True)
    return shape[axis] * strides[axis] + sum((n - 1) * step for n, step in outside if step > strides[axis])
