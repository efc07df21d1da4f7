"""Tensors of a network: types, constants, inputs and outputs, and where they lie.

The tables are read-only to others; methods write them, and refuse what contradicts itself:

    tensors.add_input("x", TensorType(DType.F32, (2, 3)))
    tensors.types["x"].nbytes == 24
"""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from types import MappingProxyType
from typing import Any

import numpy.typing as npt

from nnc.compiler.ir.storage import Buffer, Storage
from nnc.isa.errors import InternalError
from nnc.isa.program import State
from nnc.isa.record import record
from nnc.isa.types import DType


@record(frozen=True, slots=True)
class TensorType:
    """Element type and shape of a tensor, in the axis order of the ONNX model."""

    dtype: DType
    shape: tuple[int, ...]

    @property
    def elements(self) -> int:
        """Number of elements."""
        return prod(self.shape)

    @property
    def nbytes(self) -> int:
        """Size in bytes, dense."""
        return prod(self.shape) * self.dtype.itemsize

    def __str__(self) -> str:
        return f"{self.dtype.value}[{','.join(map(str, self.shape))}]"


@record(frozen=True, slots=True)
class Port:
    """An input or output of the network, as the user sees it.

    Attributes:
        name: the user's name for it.
        type: its element type and shape.
        tensor: the tensor of the graph; None where there are no elements, thus nothing to compute or move.
    """

    name: str
    type: TensorType
    tensor: str | None


class Tensors:
    """Tensors by name; the base of `Graph`, which adds the layers between them.

    Attributes:
        name: name of the network.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self._inputs: tuple[str, ...] = ()
        self._outputs: tuple[str, ...] = ()
        self._input_ports: tuple[Port, ...] = ()
        self._output_ports: tuple[Port, ...] = ()
        self._states: tuple[State, ...] = ()
        self._types: dict[str, TensorType] = {}
        self._constants: dict[str, npt.NDArray[Any]] = {}
        self._buffers: dict[str, Buffer] = {}
        self._storage: dict[str, Storage] = {}
        self._is_shared = False
        self._show_tables()

    def _show_tables(self) -> None:
        """Make the read-only views of the tables, once: they are asked for all the time."""
        self._shown_types = MappingProxyType(self._types)
        self._shown_constants = MappingProxyType(self._constants)
        self._shown_buffers = MappingProxyType(self._buffers)
        self._shown_storage = MappingProxyType(self._storage)

    def __getstate__(self) -> dict[str, Any]:
        """All but the views, which cannot be pickled."""
        return {name: value for name, value in vars(self).items() if not name.startswith("_shown_")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._show_tables()

    # --- tables, read-only ---------------------------------------------------------------------------------

    @property
    def inputs(self) -> tuple[str, ...]:
        """Tensors that the user supplies, in order; without those that have no elements."""
        return self._inputs

    @property
    def outputs(self) -> tuple[str, ...]:
        """Tensors that the user receives, in order; without those that have no elements."""
        return self._outputs

    @property
    def input_ports(self) -> tuple[Port, ...]:
        """All that the user supplies, in order."""
        return self._input_ports

    @property
    def output_ports(self) -> tuple[Port, ...]:
        """All that the user receives, in order."""
        return self._output_ports

    @property
    def states(self) -> tuple[State, ...]:
        """Pairs of input and output ports that are one tensor from run to run."""
        return self._states

    @property
    def types(self) -> Mapping[str, TensorType]:
        """Element type and shape of every tensor, constants included."""
        return self._shown_types

    @property
    def constants(self) -> Mapping[str, npt.NDArray[Any]]:
        """Values of the constant tensors, by name (arrays are never changed in place)."""
        return self._shown_constants

    @property
    def buffers(self) -> Mapping[str, Buffer]:
        """Bytes that tensors live in, by name, from the canonical level on."""
        return self._shown_buffers

    @property
    def storage(self) -> Mapping[str, Storage]:
        """Where in which buffer (or block on chip) every tensor lies, from the canonical level on."""
        return self._shown_storage

    # --- building ------------------------------------------------------------------------------------------

    def add_input(self, name: str, type_: TensorType) -> None:
        """Declare a network input; one without elements is a port and no tensor.

        Raises:
            InternalError: the name is taken.
        """
        if not type_.elements:
            self._input_ports += (Port(name, type_, None),)
            return
        self.declare(name, type_)
        self._inputs += (name,)
        self._input_ports += (Port(name, type_, name),)

    def add_output(self, tensor: str, name: str = "") -> None:
        """Make a tensor the next output of the network.

        Args:
            tensor: the tensor of the graph.
            name: the user's name for it, if that is another.

        Raises:
            InternalError: it is unknown, or an output already.
        """
        self._check_writable()
        if tensor not in self._types:
            raise InternalError(f"output {tensor} of the network is not defined")
        if tensor in self._outputs:
            raise InternalError(f"tensor {tensor} is made an output twice")
        self._outputs += (tensor,)
        self._output_ports += (Port(name or tensor, self._types[tensor], tensor),)

    def add_empty_output(self, name: str, type_: TensorType) -> None:
        """Let the next output of the network be one without elements."""
        self._check_writable()
        self._output_ports += (Port(name, type_, None),)

    def add_state(self, state: State) -> None:
        """Let an input port keep, from run to run, what an output port adds to it."""
        self._check_writable()
        self._states += (state,)

    def copy_ports(self, source: Tensors) -> None:
        """Let inputs and outputs be those of another graph, whose tensors of these names are here too."""
        self._check_writable()
        self._inputs, self._outputs = source._inputs, source._outputs
        self._input_ports, self._output_ports = source._input_ports, source._output_ports
        self._states = source._states

    def declare(self, tensor: str, type_: TensorType) -> None:
        """Give a type to a tensor that no layer defines: the result of a node that is not supported.

        Raises:
            InternalError: the name is taken.
        """
        self._check_writable()
        if tensor in self._types:
            raise InternalError(f"tensor {tensor} is defined twice")
        self._types[tensor] = type_

    def add_constant(self, name: str, value: npt.NDArray[Any]) -> str:
        """Declare a constant tensor; the name is made unique if it is taken.  Returns the name."""
        self._check_writable()
        name = self.fresh(name) if name in self._types else name
        self._constants[name] = value
        self._types[name] = TensorType(DType.from_numpy(value.dtype), tuple(int(d) for d in value.shape))
        return name

    def fresh(self, stem: str) -> str:
        """A name that is not in use, derived from `stem`."""
        if not self._is_taken(stem):
            return stem
        number = 1
        while self._is_taken(f"{stem}.{number}"):
            number += 1
        return f"{stem}.{number}"

    def _is_taken(self, name: str) -> bool:
        return name in self._types or any(
            name == port.name for port in (*self._input_ports, *self._output_ports)
        )

    def lay_out(self, tensor: str, strides: tuple[int, ...], elements: int) -> None:
        """Give a tensor a buffer of its own, of the same name.

        Args:
            strides: of the tensor, in elements.
            elements: of the buffer; more than the tensor has where rows are padded.
        """
        type_ = self._types[tensor]
        self.set_storage(tensor, Storage(tensor, 0, type_.shape, strides))
        self._buffers[tensor] = Buffer(tensor, type_.dtype, elements)

    def set_storage(self, tensor: str, storage: Storage) -> None:
        """Say where a tensor lies.

        Raises:
            InternalError: the tensor is unknown or has another shape.
        """
        self._check_writable()
        if tensor not in self._types or self._types[tensor].shape != storage.shape:
            raise InternalError(f"storage of shape {list(storage.shape)} does not suit tensor {tensor}")
        self._storage[tensor] = storage

    def move_storage(self, old: str, new: str) -> None:
        """Let a tensor, and views of it, lie where another one did, which lies nowhere any more."""
        self._check_writable()
        for tensor, storage in [*self._storage.items()]:
            if storage.buffer == old:
                self._storage[tensor] = Storage(new, storage.offset, storage.shape, storage.strides)
        self._storage[new] = self._storage.pop(old)
        if old in self._buffers:
            buffer = self._buffers.pop(old)
            self._buffers[new] = Buffer(new, buffer.dtype, buffer.elements)

    def copy_storage(self, source: Tensors) -> None:
        """Let tensors lie where those of the same name lie in another graph; nothing else stays."""
        self._check_writable()
        self._buffers.clear()
        self._buffers.update(source._buffers)
        self._storage.clear()
        self._storage.update(source._storage)

    def clear_storage(self) -> None:
        """Forget buffers and where tensors lie."""
        self.copy_storage(Tensors(self.name))

    def _check_writable(self) -> None:
        if self._is_shared:
            raise InternalError(f"graph {self.name} is shared under other annotations: copy it to change it")

    # --- asking --------------------------------------------------------------------------------------------

    def is_constant(self, tensor: str | None) -> bool:
        """Whether the tensor's value is known at compile time."""
        return tensor is not None and tensor in self._constants
