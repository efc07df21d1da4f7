"""Which element types a chip computes in: layers that none of its units can do are refused before planning.

nna: [operands.gemm] feature = { memories = ["fram"], dtypes = ["u8", "f32"] }
matmul1: features of gemm are u8 or f32, not i32
"""

from __future__ import annotations

from collections.abc import Iterator

from nnc.compiler.errors import ElementTypeError
from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.graph import Graph
from nnc.compiler.target import layer_traits
from nnc.compiler.target.layer_record import record_of
from nnc.isa.chip.description import DEPTHWISE, Chip, rate_class

_MOST_SHOWN = 8


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
    operands = [(layer_traits.slot_role(layer, slot), dtype) for slot, dtype in types]
    for role, dtype in [*operands, ("result", result)]:
        allowed = chip.placement(family, role).dtypes
        if allowed is not None and dtype.value not in allowed and not layer_traits.is_read_engine(layer):
            yield f"a {role} of {family} is {' or '.join(allowed)}, not {dtype.value}"
    if isinstance(layer, ir.MacLayer):
        dtype = record_of(type(layer)).instruction.rate_dtype(result, [dtype for _, dtype in types])
        rates = {*chip.compute.arrays, *(chip.compute.depthwise if family == DEPTHWISE else ())}
        if rate_class(dtype) not in rates:
            yield f"the MAC array has no rate for {dtype.value}"
