"""What groups hold, read and write at the least as they grow upstream, whatever is on chip around them."""

from __future__ import annotations

from collections.abc import Sequence

from nnc.compiler.plan.network.buffers import CutAxes
from nnc.compiler.plan.network.plan_network import PlanNetwork
from nnc.compiler.plan.network.read_rows import Mask, ReadRows
from nnc.compiler.plan.network.residents import Residents
from nnc.compiler.tuning import TUNING


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
            needed = self._rows.get(buffer, rows)
            self._rows[buffer] = None if rows is None or needed is None else rows | needed
            if network.last_use[buffer] == start:
                self._done.add(buffer)
        for _, tensor in network.operands[start] if network.axes in (CutAxes.HEADS, CutAxes.PICTURES) else ():
            buffer, share = network.buffer_of(tensor), network.share_of_columns(tensor)
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
        computed = self._made.get(buffer, 0)
        self._made[buffer] = computed + nbytes
        is_output = buffer in self._network.network_outputs
        for left in self._written:
            stays = 0 if is_output else self._network.stays(left).get(buffer, 0)
            self._written[left] += max(0, computed + nbytes - stays) - max(0, computed - stays)

    def leaves(self) -> dict[frozenset[str] | None, list[tuple[Residents, int]]]:
        """What groups leave on chip, with the bytes that they write then, by what of it was there before."""
        leaves: dict[frozenset[str] | None, list[tuple[Residents, int]]] = {}
        for left, written in self._written.items():
            if left.copies and self._end - self._start >= TUNING.residents.max_layers_with_copies:
                continue
            if all(self._network.first_def[buffer] >= self._start for buffer in left.last_rows):
                leaves.setdefault(left.undelivered - self._begun, []).append((left, written))
        return leaves

    def passing_of(self, residents: Residents) -> frozenset[str] | None:
        """The residents before a group that stay there all the time; None: nothing can leave these."""
        if any(self._network.last_use[buffer] > self._end for buffer in residents.last_rows):
            return None
        return residents.undelivered - self._done

    def copies_fit(self, before: frozenset[str], left: frozenset[str]) -> bool:
        """Whether a group may find and leave copies: it loads new ones, and reads those that it drops.

        A copy that is of no use to it, the group before drops.
        """
        if before == left:
            return True
        new, complete = left - before, self._network.last_def
        if new and self._network.axes is not CutAxes.OUTERMOST:
            return False
        return (new | before - left) <= self._rows.keys() and all(complete[b] < self._start for b in new)

    def bytes_read(self, residents: Residents) -> int:
        """Bytes of activations that a group reads from DRAM: all but what is on chip."""
        stays, reads = self._network.stays(residents), self._reads
        there = stays.keys() & reads.keys()
        whole = sum(reads[name] for name in there if name in residents.whole)
        return self._read - whole - sum(min(reads[name], stays[name]) for name in there - residents.whole)
