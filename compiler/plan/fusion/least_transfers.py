"""What groups hold, read and write at the least as they grow upstream, whatever is on chip around them."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence

from nnc.compiler.plan.network.buffers import CutAxes
from nnc.compiler.plan.network.layout import share_of_columns
from nnc.compiler.plan.network.plan_network import PlanNetwork
from nnc.compiler.plan.network.read_rows import Mask, ReadRows
from nnc.compiler.plan.network.residents import Residents
from nnc.compiler.tuning import TUNING
from nnc.isa.integers import ceil_div


class LeastTransfers:
    """What groups that end at one layer read from before and leave behind, as they grow upstream."""

    def __init__(
        self, network: PlanNetwork, read_rows: ReadRows, end: int, after: Sequence[Residents]
    ) -> None:
        """Args:
        read_rows: of the layers; end: position of the last one.
        after: what groups may leave on chip.
        """
        self._network, self._read_rows, self._start, self._end = network, read_rows, end + 1, end
        self._rows: dict[str, Mask | None] = {}
        self._columns: dict[str, float] = {}
        self._reads: dict[str, int] = {}  # bytes of what was computed before, if nothing is on chip
        self._read = 0  # all of these
        self._made: dict[str, int] = {}  # bytes of what is needed later
        self._written = dict.fromkeys(after, 0)
        self._begun, self._done = set[str](), set[str]()  # buffers begun inside, and read for the last time

    def extend(self, start: int) -> None:
        """Take in the layer before the last one that was taken in."""
        network, self._start = self._network, start
        made = network.buffer_of(network.defines[start])
        for buffer, rows in self._read_rows.read[start].items():
            known = self._rows.get(buffer, rows)
            self._rows[buffer] = None if rows is None or known is None else rows | known
            if network.last_use[buffer] == start:
                self._done.add(buffer)
        for _, tensor in network.operands[start] if network.axes in (CutAxes.HEADS, CutAxes.PICTURES) else ():
            buffer, share = network.buffer_of(tensor), share_of_columns(network, tensor)
            self._columns[buffer] = max(share, self._columns.get(buffer, 0.0))
        for buffer in {made, *self._read_rows.read[start]} & self._rows.keys():
            self._read_outside(buffer, self._least_read(buffer))
        if network.first_def[made] == start:
            self._read_outside(made, 0)
            self._begun.add(made)
        if network.last_use[made] > self._end:
            self._write(made, network.moved_bytes(network.defines[start]))

    def _least_read(self, buffer: str) -> int:
        """Bytes of a buffer that a group must read that needs some of its rows."""
        network, rows = self._network, self._rows[buffer]
        nbytes = network.bytes_before(buffer, self._start)
        if rows is not None and nbytes:
            nbytes = max(0, nbytes - (rows.size - int(rows.sum())) * network.buffers[buffer].row_bytes)
        return int(nbytes * self._columns.get(buffer, 1.0))

    def _read_outside(self, buffer: str, nbytes: int) -> None:
        """So many bytes of a buffer are read that were computed before the group."""
        self._read += nbytes - self._reads.get(buffer, 0)
        self._reads[buffer] = nbytes

    def _write(self, buffer: str, nbytes: int) -> None:
        """The group computes some more bytes of a buffer that is needed later."""
        known = self._made.get(buffer, 0)
        self._made[buffer] = known + nbytes
        is_output = buffer in self._network.network_outputs
        for left in self._written:
            stays = 0 if is_output else self._network.residents.stays(left).get(buffer, 0)
            self._written[left] += max(0, known + nbytes - stays) - max(0, known - stays)

    def leaves(self) -> dict[frozenset[str] | None, list[tuple[Residents, int]]]:
        """What groups leave on chip, with the bytes that they write then, by what of it was there before."""
        found: dict[frozenset[str] | None, list[tuple[Residents, int]]] = {}
        for left, written in self._written.items():
            if left.copies and self._end - self._start >= TUNING.residents.max_layers_with_copies:
                continue
            if all(self._network.first_def[buffer] >= self._start for buffer in left.last_rows):
                found.setdefault(left.undelivered - self._begun, []).append((left, written))
        return found

    def passing_of(self, residents: Residents) -> frozenset[str] | None:
        """The residents before a group that stay there all the time; None: nothing can leave these."""
        if any(self._network.last_use[buffer] > self._end for buffer in residents.last_rows):
            return None
        return residents.undelivered - self._done

    def copies_fit(self, found: frozenset[str], left: frozenset[str]) -> bool:
        """Whether a group may find and leave copies: it loads new ones, and reads those that it drops.

        A copy that is of no use to it, the group before drops.
        """
        if found == left:
            return True
        new, complete = left - found, self._network.last_def
        if new and self._network.axes is not CutAxes.OUTERMOST:
            return False
        return (new | found - left) <= self._rows.keys() and all(complete[b] < self._start for b in new)

    def bytes_read(self, residents: Residents) -> int:
        """Bytes of activations that a group reads from DRAM: all but what is on chip."""
        stays, reads = self._network.residents.stays(residents), self._reads
        there = stays.keys() & reads.keys()
        whole = sum(reads[name] for name in there if name in residents.whole)
        return self._read - whole - sum(min(reads[name], stays[name]) for name in there - residents.whole)


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
