"""Which integers stand for which real numbers in a graph of conversions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from nnc.compiler.ir.graph import Graph, TensorType
from nnc.compiler.ir.layers import Elementwise, Layer
from nnc.compiler.ir.required import required
from nnc.compiler.passes.matching import replace_operand, result_type, sole_reader, source_of
from nnc.isa.functions import Function
from nnc.isa.instructions.shape_checks import QUANTISED_TYPES
from nnc.isa.types import DType

Array = npt.NDArray[Any]
F32 = np.float32


@dataclass(frozen=True, slots=True, eq=False)
class Code:
    """Integers q stand for the real numbers (q − zero)·scale; both broadcast to the tensor."""

    dtype: DType
    scale: Array
    zero: Array

    @property
    def is_bytes(self) -> bool:
        """Whether one scale and zero point serve all of a tensor of 8-bit integers."""
        return self.scale.size == self.zero.size == 1 and self.dtype in QUANTISED_TYPES

    @property
    def step(self) -> float:
        """The only scale."""
        return float(self.scale.reshape(-1)[0])

    @property
    def origin(self) -> int:
        """The only zero point."""
        return int(self.zero.reshape(-1)[0])

    def equals(self, other: Code) -> bool:
        """Whether the same integers stand for the same numbers."""
        if self.is_bytes and other.is_bytes:
            numbers, other_numbers = (self.step, self.origin), (other.step, other.origin)
            return self.dtype is other.dtype and numbers == other_numbers
        pairs = ((self.scale, other.scale), (self.zero, other.zero))
        return self.dtype is other.dtype and all(np.array_equal(a, b) for a, b in pairs)

    def of(self, real: Array | float) -> Array:
        """Real numbers as integers, as the instruction computes them."""
        info = np.iinfo(self.dtype.numpy)  # type: ignore[type-var]
        with np.errstate(all="ignore"):
            y = np.rint(np.asarray(real, F32) / self.scale) + self.zero.astype(F32)
        return np.asarray(np.clip(y, info.min, info.max)).astype(self.dtype.numpy)

    def real(self, integers: Array) -> Array:
        """Integers as real numbers, as the instruction computes them."""
        wide = np.float32 if integers.dtype.itemsize < 4 else np.float64
        with np.errstate(over="ignore"):
            return np.asarray((integers.astype(wide) - self.zero.astype(wide)) * self.scale).astype(F32)


@dataclass(frozen=True, slots=True, eq=False)
class Coded:
    """A tensor of integers and what they stand for."""

    tensor: str
    code: Code


def code_of(graph: Graph, layer: Layer, dtype: DType) -> Code | None:
    """The code of a conversion to or from integers of a type, None if it is not known, or no f32."""
    _, scale, zero = (*graph.inputs_of(layer.name), None, None)[:3]
    if not graph.is_constant(scale) or (zero is not None and not graph.is_constant(zero)):
        return None
    factor = graph.constants[required(scale)]
    origin = np.zeros(1, dtype.numpy) if zero is None else graph.constants[zero]
    usable = factor.dtype == F32 and np.all(np.isfinite(factor)) and np.all(factor > 0)
    return Code(dtype, factor, origin) if usable else None


def converts(layer: Layer | None, function: Function) -> bool:
    """Whether a layer is an explicit conversion of that kind."""
    return isinstance(layer, Elementwise) and layer.function is function


def coded(graph: Graph, tensor: str | None) -> Coded | None:
    """The integers behind a tensor of real numbers, None if it does not come from a conversion."""
    layer = None if tensor is None else graph.producer(tensor)
    if layer is None or not converts(layer, Function.DEQUANTIZE):
        return None
    source = source_of(graph, layer)
    code = code_of(graph, layer, graph.types[source].dtype)
    is_single = graph.types[required(tensor)].dtype is DType.F32
    return Coded(source, code) if code is not None and is_single else None


def coded_bytes(graph: Graph, tensor: str | None) -> Coded | None:
    """As `coded`, of 8-bit integers with one scale."""
    integers = coded(graph, tensor)
    return integers if integers is not None and integers.code.is_bytes else None


def rounding_behind(graph: Graph, tensor: str) -> tuple[Elementwise, Code] | None:
    """The conversion to 8-bit integers with one scale that alone reads a tensor, if that is so."""
    layer = sole_reader(graph, tensor, Elementwise, slot=0)
    if layer is None or not converts(layer, Function.QUANTIZE):
        return None
    code = code_of(graph, layer, result_type(graph, layer).dtype)
    return None if code is None or not code.is_bytes else (layer, code)


def insert_dequantise(graph: Graph, layer: Layer, code: Code) -> None:
    """Let a layer define integers; a conversion behind it defines what it defined before."""
    real = graph.output_of(layer.name)
    type_ = graph.types[real]
    inner = graph.fresh(f"{real}.quantised")
    graph.rename_output(layer.name, inner, TensorType(code.dtype, type_.shape))
    users = graph.consumers(inner)
    scale, zero = constants_of(graph, layer.name, code)
    behind = Elementwise(
        name=graph.fresh(f"{layer.name}.dequantise"), loc=layer.loc, function=Function.DEQUANTIZE
    )
    graph.add(behind, [inner, scale, zero], [real], [type_])
    for user, slot in users:
        replace_operand(graph, user.name, slot, real)


def insert_quantise(graph: Graph, layer: Layer, slot: int, code: Code) -> None:
    """Let a layer read an operand as integers, which a conversion before it makes."""
    real = required(graph.inputs_of(layer.name)[slot])
    result = graph.fresh(f"{real}.quantised")
    scale, zero = constants_of(graph, layer.name, code)
    before = Elementwise(
        name=graph.fresh(f"{layer.name}.quantise"), loc=layer.loc, function=Function.QUANTIZE
    )
    graph.add(before, [real, scale, zero], [result], [TensorType(code.dtype, graph.types[real].shape)])
    replace_operand(graph, layer.name, slot, result)


def constants_of(graph: Graph, stem: str, code: Code) -> tuple[str, str]:
    """New constants: scale and zero point."""
    return graph.add_constant(f"{stem}.step", code.scale), graph.add_constant(f"{stem}.zero", code.zero)
