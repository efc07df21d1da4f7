"""Which element types a chip computes in: layers that none of its units can do are refused before planning.

nna: [operands.gemm] feature = { memories = ["fram"], dtypes = ["u8", "f32"] }
matmul1: features of gemm are u8 or f32, not i32
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

import numpy as np

from nnc.compiler.errors import ElementTypeError
from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.required import required
from nnc.compiler.target import layer_traits
from nnc.compiler.target.layer_record import record_of
from nnc.isa.chip.description import DEPTHWISE, Chip, rate_class
from nnc.isa.types import DType

_MOST_SHOWN = 8
_LARGEST_SUM = 2**31 - 1
_FACTORS = ("feature", "weight")
_BYTE = 255


def multiplies_unsigned(chip: Chip) -> bool:
    """Whether the array of a chip multiplies unsigned bytes by unsigned bytes, and no signed ones."""
    tables = [chip.placement(family, role).dtypes for family in ("conv", "gemm") for role in _FACTORS]
    return all(dtypes is not None and "u8" in dtypes and "i8" not in dtypes for dtypes in tables)


def check_softmax(chip: Chip, softmax: str) -> None:
    """Insist that the vector unit of a chip computes in the type that is asked for between integers.

    Args:
        softmax: an `Arithmetic`; f32 is what models say.

    Raises:
        ElementTypeError: it does not.
    """
    if softmax == "f32" or softmax in chip.compute.elementwise:
        return
    raise ElementTypeError(
        f"chip {chip.name} computes no softmax in {softmax}",
        found=f"--softmax {softmax}",
        expected=f"a rate compute.elementwise.{softmax}; nnc chips show {chip.name}",
        remedy="compile with --softmax f32, or for another chip (nnc chips)",
    )


def check_types(graph: Graph, chip: Chip) -> None:
    """Insist that the chip has a unit for the element types of every layer of a canonical graph.

    Raises:
        ElementTypeError: it has none for some; the error lists them with the reason.
    """
    layers = [layer for layer in graph.layers() if not layer.is_view]
    wrong = [(layer, reason) for layer in layers for reason in [*_reasons(graph, layer, chip)][:1]]
    if not wrong:
        return
    shown = [f"{layer.name} ({layer.loc.op}): {reason}" for layer, reason in wrong[:_MOST_SHOWN]]
    more = f", and {len(wrong) - len(shown)} more" if len(wrong) > len(shown) else ""
    raise ElementTypeError(
        f"chip {chip.name} has no unit for the element types of {len(wrong)} layer{'s' * (len(wrong) > 1)}",
        where=str(wrong[0][0].loc),
        found="; ".join(shown) + more,
        expected=f"products of {' or '.join(chip.compute.arrays)}; nnc chips show {chip.name}",
        remedy="compile for another chip (nnc chips), or give the model in another type",
    )


def _reasons(graph: Graph, layer: ir.Layer, chip: Chip) -> Iterator[str]:
    """What of a layer the chip's tables do not allow."""
    family = layer_traits.family(graph, layer)
    result = graph.types[graph.output_of(layer.name)].dtype
    inputs = graph.inputs_of(layer.name)
    types = [(slot, graph.types[tensor].dtype) for slot, tensor in enumerate(inputs) if tensor is not None]
    factors = types[:2] if isinstance(layer, ir.MacLayer) else types  # a bias may be of another type
    operands = [(layer_traits.slot_role(layer, slot), dtype) for slot, dtype in factors]
    for role, dtype in [*operands, ("result", result)]:
        allowed = chip.placement(family, role).dtypes
        if allowed is not None and dtype.value not in allowed and not layer_traits.is_read_engine(layer):
            yield f"a {role} of {family} is {' or '.join(allowed)}, not {dtype.value}"
    if isinstance(layer, ir.MacLayer | ir.Recurrence):
        bound = _largest_sum(graph, layer) if multiplies_unsigned(chip) else 0
        if bound > _LARGEST_SUM:
            yield f"its sums may reach {bound}, beyond i32"
        dtype = record_of(type(layer)).instruction.rate_dtype(result, [dtype for _, dtype in types])
        rates = {*chip.compute.arrays, *(chip.compute.depthwise if family == DEPTHWISE else ())}
        if rate_class(dtype) not in rates:
            yield f"the MAC array has no rate for {dtype.value}"


def _largest_sum(graph: Graph, layer: ir.MacLayer | ir.Recurrence) -> int:
    """A bound of the sums of a layer's products of bytes; 0 if it has other types.

    From the real weights, Σ |w − zero| · 255 of an output channel, where all extremes together are too much.
    """
    source, weight = (required(graph.operand(layer.name, slot)) for slot in (0, 1))
    if {graph.types[source].dtype, graph.types[weight].dtype} != {DType.U8}:
        return 0
    assert isinstance(layer, ir.MacLayer)
    shape = graph.types[weight].shape
    groups = layer.groups if isinstance(layer, ir.ConvTranspose) else 1
    if isinstance(layer, ir.MatMul):
        depth = shape[-2]
    elif isinstance(layer, ir.ConvTranspose):
        depth = prod(shape) // (shape[1] * groups)
    else:
        depth = prod(shape[1:])
    extreme = depth * _BYTE * max(layer.weight_zero, _BYTE - layer.weight_zero)
    if extreme <= _LARGEST_SUM or not graph.is_constant(weight):
        return extreme
    value = np.abs(graph.constants[weight].astype(np.int64) - layer.weight_zero)
    if isinstance(layer, ir.MatMul):
        sums = value.sum(axis=-2)
    elif isinstance(layer, ir.ConvTranspose):
        value = value.reshape(groups, -1, *shape[1:])
        sums = value.sum(axis=(1, *range(3, value.ndim)))
    else:
        sums = value.sum(axis=tuple(range(1, value.ndim)))
    return int(sums.max()) * _BYTE
