"""Whether a network is of a size that can be planned for a chip, judged before anything is."""

from __future__ import annotations

from nnc.compiler.errors import CapacityError
from nnc.compiler.ir.graph import Graph
from nnc.isa.chip.description import Chip
from nnc.isa.limits import MEMORY_FILLS

_REMEDY = "give smaller shapes (--shape)"


def check_size(graph: Graph, chip: Chip) -> None:
    """Refuse a network whose inputs and outputs exceed the DRAM, or by far the memories of a core.

    Raises:
        CapacityError: they do.
    """
    inputs = [tensor for tensor in graph.inputs if graph.consumers(tensor)]
    nbytes = sum(graph.types[tensor].nbytes for tensor in {*inputs, *graph.outputs})
    where = f"chip {chip.name}"
    if nbytes > chip.dram.bytes:
        raise CapacityError(
            "inputs and outputs do not fit the DRAM",
            where=where,
            found=f"{nbytes} bytes",
            expected=f"at most dram.bytes = {chip.dram.bytes}",
            remedy=f"{_REMEDY}, or raise dram.bytes (--set dram.bytes={nbytes} at least)",
        )
    MEMORY_FILLS.check(
        nbytes // sum(memory.bytes for memory in chip.memory.values()),
        CapacityError,
        "inputs and outputs are too large for the memories of a core",
        where=where,
        remedy=f"{_REMEDY}, or raise {', '.join(f'memory.{name}.bytes' for name in chip.memory)}",
    )
