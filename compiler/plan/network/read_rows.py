"""Rows that somebody needs: of a buffer that windows pass over, the others are neither read nor computed.

    y = conv1x1(x), stride 2:  rows 0, 2, 4 … of x are read; those between and behind the last one are not

Needs go upstream from the outputs of the network: what is said here holds for every group that a layer is in.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from nnc.compiler.plan.network.columns import share_of_columns
from nnc.compiler.plan.network.plan_network import PlanNetwork
from nnc.compiler.plan.network.residents import Residents
from nnc.compiler.plan.views.row_views import CutAxes, RowBuffer
from nnc.isa.integers import ceil_div

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
        found, needed = ReadRows(), _Needed(network)
        for position in reversed(range(len(network.layers))):
            buffer = network.buffer_of(network.defines[position])
            mine = needed.rows(buffer)
            read: dict[str, Mask | None] = {}
            shares = {buffer: 1.0}
            for slot, tensor in network.operands[position]:
                source = network.buffer_of(tensor)
                mask = _covered(network, position, slot, tensor, mine)
                needed.add(source, mask)
                other = read.get(source, mask)
                read[source] = None if other is None or mask.all() else mask | other
                shares[source] = max(shares.get(source, 0.0), _share_of_pictures(network, tensor))
            found.computed.append(int(mine.sum()))
            found.read.append(read)
            rows = {buffer: mine} | read
            touched = {name: _bytes_of(network.buffers[name], rows[name]) for name in rows}
            found.touched.append({name: int(nbytes * shares[name]) for name, nbytes in touched.items()})
        for by_position in (found.computed, found.read, found.touched):
            by_position.reverse()
        return found


class AliveBytes:
    """Bytes that are alive at each layer of a group in one part, while the group grows upstream.

    Each row is in some part: so in P parts, tiles take at least one part in P of them at some time.

    Attributes:
        most: most bytes at a layer that does not run in slices of channels.
    """

    def __init__(
        self, network: PlanNetwork, touched: Sequence[Mapping[str, int]], end: int, sliced_from: int
    ) -> None:
        """Args:
        touched: see `ReadRows`.
        end: position of the last layer.
        sliced_from: position from which on the layers may run in slices; end + 1 if none do.
        """
        self._network, self._touched, self._end = network, touched, end
        self.most, self._left, self._sliced_from = 0, 0, sliced_from
        self._bytes = [0] * (end + 1)
        self._alive: dict[str, tuple[int, int, int]] = {}

    def extend(self, start: int, overwritten: str | None) -> None:
        """Take in the layer before the last one that was taken in.

        Args:
            overwritten: the buffer in whose place its result is computed.
        """
        network, touched, alive = self._network, self._touched[start], self._bytes
        made = network.buffer_of(network.defines[start])
        for buffer, nbytes in touched.items():
            first, last, known = self._alive.get(buffer, (start + 1, start, 0))
            if buffer == made and network.first_def[buffer] == start and network.last_use[buffer] > self._end:
                for at in range(last + 1, len(alive)):
                    alive[at] += known  # so far, others were thought to make it
                last, self._left = self._end, self._left + max(nbytes, known)
            most = max(nbytes, known)
            if most > known:
                for at in range(first, last + 1):
                    alive[at] += most - known
            for at in range(start, first):
                alive[at] += most
            self._alive[buffer] = start, last, most
        if overwritten is not None:
            alive[start] -= touched[made]
        self.most = max(alive[start : self._sliced_from], default=0)

    def least_parts(self, residents: Residents, memory: int) -> int:
        """In how many parts, if in several, the group fits at the soonest beside what is on chip before it.

        Args:
            memory: its bytes; in several parts, residents stay there all the time, and what the group leaves
                may lie in their place.
        """
        stays = self._network.residents.stays(residents)
        here = residents.whole & self._alive.keys()
        free = memory - sum(n for name, n in stays.items() if name not in here)
        tiles = self.most - sum(stays[name] for name in here) - (self._left if here else 0)
        return ceil_div(tiles, free) if free > 0 else sys.maxsize


def inputs_in_parts(network: PlanNetwork) -> set[str]:
    """Inputs of the network of which every layer reads a part: no group loads them whole, so none stays."""
    types = network.graph.types
    read = {tensor for operands in network.operands for _, tensor in operands}
    owners = {tensor: network.buffer_of(tensor) for tensor in read}
    whole = {owner for tensor, owner in owners.items() if types[tensor].elements == types[owner].elements}
    return network.network_inputs - whole


def _share_of_pictures(network: PlanNetwork, tensor: str) -> float:
    """The share of a batch that an operand shows, if columns are pictures."""
    return share_of_columns(network, tensor) if network.axes is CutAxes.PICTURES else 1.0


def _bytes_of(buffer: RowBuffer, rows: Mask | None) -> int:
    """Bytes of some rows of a buffer; None: of all."""
    return buffer.nbytes if rows is None else min(buffer.nbytes, int(rows.sum()) * buffer.row_bytes)


class _Needed:
    """Rows of buffers that the layers seen so far need."""

    def __init__(self, network: PlanNetwork) -> None:
        self._network = network
        self._rows: dict[str, Mask] = {}

    def rows(self, buffer: str) -> Mask:
        """A mask over the rows of a buffer: all of an output of the network, or of what nobody reads."""
        total = self._network.buffers[buffer].rows
        if buffer in self._network.network_outputs or buffer not in self._rows:
            return np.ones(total, dtype=bool)
        return self._rows[buffer]

    def add(self, buffer: str, mask: Mask) -> None:
        """A layer needs some rows of a buffer."""
        known = self._rows.get(buffer)
        self._rows[buffer] = mask if known is None else known | mask


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
