"""Rows that somebody needs: of a buffer that windows pass over, the others are neither read nor computed.

    y = conv1x1(x), stride 2:  rows 0, 2, 4 … of x are read; those between and behind the last one are not

Needs go upstream from the outputs of the network: what is said here holds for every group that a layer is in.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from nnc.compiler.plan.network.buffers import CutAxes, RowBuffer
from nnc.compiler.plan.network.plan_network import PlanNetwork

Mask = npt.NDArray[np.bool_]
"""Which rows of a buffer are meant."""


@dataclass(frozen=True)
class ReadRows:
    """Of every layer, by position: rows of its result that are needed, rows of its operands that it reads.

    Attributes:
        computed: rows of the result's buffer.
        read: a mask over the rows of each operand's buffer; None if it reads all of them.
        touched: bytes of the rows that it reads and computes, by buffer.
    """

    computed: list[int] = field(default_factory=list)
    read: list[dict[str, Mask | None]] = field(default_factory=list)
    touched: list[dict[str, int]] = field(default_factory=list)

    @staticmethod
    def of(network: PlanNetwork) -> ReadRows:
        """The rows of all layers of a network."""
        read_rows, needed = ReadRows(), dict[str, Mask]()
        for position in reversed(range(len(network.layers))):
            buffer = network.buffer_of(network.defines[position])
            wanted = np.ones(network.buffers[buffer].rows, dtype=bool)
            if buffer in needed and buffer not in network.network_outputs:
                wanted = needed[buffer]
            rows: dict[str, Mask | None] = {}
            shares = {buffer: 1.0}
            for slot, tensor in network.operands[position]:
                source = network.buffer_of(tensor)
                mask = _covered(network, position, slot, tensor, wanted)
                needed[source] = mask | needed.get(source, False)
                earlier_mask = rows.get(source, mask)
                rows[source] = None if earlier_mask is None or mask.all() else mask | earlier_mask
                shares[source] = max(shares.get(source, 0.0), _share_of_pictures(network, tensor))
            read_rows.computed.append(int(wanted.sum()))
            read_rows.read.append(rows)
            touched = {
                name: _bytes_of(network.buffers[name], mask)
                for name, mask in ({buffer: wanted} | rows).items()
            }
            read_rows.touched.append({name: int(nbytes * shares[name]) for name, nbytes in touched.items()})
        for by_position in (read_rows.computed, read_rows.read, read_rows.touched):
            by_position.reverse()
        return read_rows


def inputs_in_parts(network: PlanNetwork) -> set[str]:
    """Inputs of the network of which every layer reads a part: no group loads them whole, so none stays."""
    types = network.graph.types
    read = {tensor for operands in network.operands for _, tensor in operands}
    owners = {tensor: network.buffer_of(tensor) for tensor in read}
    whole = {owner for tensor, owner in owners.items() if types[tensor].elements == types[owner].elements}
    return network.network_inputs - whole


def _share_of_pictures(network: PlanNetwork, tensor: str) -> float:
    """The share of a batch that an operand shows, if columns are pictures."""
    return network.share_of_columns(tensor) if network.axes is CutAxes.PICTURES else 1.0


def _bytes_of(buffer: RowBuffer, rows: Mask | None) -> int:
    """Bytes of some rows of a buffer; None: of all."""
    return buffer.nbytes if rows is None else min(buffer.nbytes, int(rows.sum()) * buffer.row_bytes)


def _covered(network: PlanNetwork, position: int, slot: int, tensor: str, wanted: Mask) -> Mask:
    """The rows of an operand's buffer that some rows of a result need."""
    table = network.row_table(position, slot, tensor)
    total = network.buffers[network.buffer_of(tensor)].rows
    low, high = np.minimum(table.low, total), np.clip(table.high, 0, total)
    used = wanted & (high > low)
    change = np.zeros(total + 1, dtype=np.int64)
    np.add.at(change, low[used], 1)
    np.add.at(change, high[used], -1)
    return np.asarray(np.cumsum(change[:-1]) > 0)
