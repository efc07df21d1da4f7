"""Cuts of a group into parts: ranges of rows of its outputs, and strips of their columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from enum import Enum
from itertools import product

from nnc.compiler.plan.effort import PARTS
from nnc.compiler.plan.network.columns import column_axis
from nnc.compiler.plan.network.plan_network import PlanNetwork
from nnc.compiler.plan.views.made_rows import MadeRows
from nnc.compiler.plan.views.row_views import CutAxes
from nnc.isa.chip.description import Chip
from nnc.isa.integers import ceil_div
from nnc.isa.record import record

ROWS_OF_A_PART = (1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 24, 32)
"""Rows of a part of pictures of more rows than `PARTS` are made for."""
FEWER_ROWS_OF_A_PART = (1, 2, 3, 4, 6, 8, 12)
"""The same of pictures of fewer rows."""
QUERIES_OF_A_PART = (48, 64, 96, 128)
"""More of them, where rows are queries of a head: these are narrow, and each takes time to plan."""
MOST_PARTS = 300
PROLOGUE = 6
LEAST_PARTS_FOR_PROLOGUE = 28
STRIPS: tuple[int, ...] = (2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 30)
LEAST_PARTS_OF_STRIPS = 14
FEW_TO_RECOMPUTE = 3
"""Most parts for which `auto` tries to compute common rows again; with more, there are too many of them."""
LINES_SHARE = 4
"""Rows of an operand that take more than one part in so many of the memory may want strips."""
LEAST_COLUMNS = 8
"""Fewest columns of a strip of an output; a core may have fewer."""
LEAST_COLUMNS_OF_A_CORE = 2
MOST_PARTS_OF_A_SHARD = 14
"""A core's rows are few: more parts of them would be lines of little work."""


class KeptColumns(Enum):
    """Of which buffers the columns that two strips need stay on chip from strip to strip, for all rows.

    NONE: they are loaded and computed again.
    LOADED: of those that the group reads; others are computed again.
    ALL: of all buffers; nothing is loaded or computed twice.
    """

    __hash__ = object.__hash__  # quicker than that of the name

    NONE = "computed and loaded again"
    LOADED = "loaded once"
    ALL = "kept"


@record(frozen=True, slots=True)
class Cut:
    """How a group is cut: its outputs into `parts` ranges of rows.

    Attributes:
        parts: ranges of rows of the outputs.
        prologue: more parts before the first; they give the layers upstream time to compute the rows that the
            first rows of the outputs need, a few at a time.
        strips: ranges of columns of the outputs; all parts are worked through once for every strip.
        kept_columns: of which buffers columns that two strips need stay on chip.
        recompute: whether rows that the next part needs again are computed again instead of kept.
        row_shards, column_shards: ranges of rows and of columns of the outputs that are cores' own; each core
            cuts its rows into `parts`.  What two cores need, both load or compute.
        chunks: 0: hidden channels are all on chip; else they come in chunks (see `chunks.hidden_runs`), each
            of which is one part in so many of what suits the array.
    """

    parts: int
    prologue: int = 0
    recompute: bool = False
    strips: int = 1
    row_shards: int = 1
    column_shards: int = 1
    kept_columns: KeptColumns = KeptColumns.NONE
    chunks: int = 0

    def __str__(self) -> str:
        said = [f"{self.parts} part" if self.parts == 1 else f"{self.parts} parts"]
        said += [f"{self.prologue} of prologue"] if self.prologue else []
        said += [f"{self.strips} strips of columns"] if self.strips > 1 else []
        is_kept = self.kept_columns is not KeptColumns.NONE
        said += [f"columns between strips {self.kept_columns.value}"] if is_kept else []
        said += [f"{self.row_shards} x {self.column_shards} cores"] if self.cores > 1 else []
        said += ["rows computed again"] if self.recompute else []
        said += ["hidden channels in chunks"] if self.chunks else []
        return ", ".join(said)

    @property
    def cores(self) -> int:
        """Cores that work on the group; core number = row shard · column_shards + column shard."""
        return self.row_shards * self.column_shards

    @property
    def columns(self) -> int:
        """Ranges of columns, one after the other or on cores of their own."""
        return self.strips * self.column_shards

    @property
    def total(self) -> int:
        """Parts of both sorts, in every strip."""
        return self.parts + self.prologue

    @property
    def passes(self) -> int:
        """How often every layer is computed in part."""
        return self.total * self.strips

    @property
    def is_downwards(self) -> bool:
        """Whether one core works through all rows once, from the first to the last."""
        return self.total > 1 and self.strips == 1 and self.cores == 1 and not self.recompute

    def moving_cycles(self, chip: Chip, rows: tuple[int, int], row_bytes: int, kept_columns: int) -> int:
        """Cycles in which what a buffer keeps moves, out of a part and into the next one.

        Args:
            rows: in how many parts rows are kept, and how many in all; row_bytes: of each of them.
            kept_columns: bytes of columns that are kept for the next strip, in every part.
        """
        cycles, rate = 0, chip.dma.move_bytes_per_cycle
        if self.total > 1:
            cycles += rows[0] * self.strips * chip.compute.issue + rows[1] * row_bytes * self.strips // rate
        if kept_columns:
            moves = 2 * (self.strips - 1)  # aside in one strip, back in the next
            cycles += moves * self.total * chip.compute.issue + moves * kept_columns // rate
        return cycles


def cuts_worth_trying(network: PlanNetwork, end: int, numbers: tuple[int, ...] = PARTS) -> list[Cut]:
    """Cuts into rows for groups that end here; just one part if its rows cannot be cut.

    In one part it does not matter along which axes groups are cut: only `OUTERMOST` has that.

    Args:
        numbers: of parts.
    """
    buffer = network.buffers[network.buffer_of(network.defines[end])]
    rows = _rows_to_cut(network.made_rows(end))
    if network.axes is CutAxes.HEADS and buffer.column_axis is None:
        return []
    least = 1 if network.axes in (CutAxes.OUTERMOST, CutAxes.HEADS) else 2
    found = _numbers_of_parts(rows, numbers)
    if network.axes is CutAxes.HEADS:
        coarse = {ceil_div(rows, count) for count in QUERIES_OF_A_PART}
        found = sorted({*found, *(parts for parts in coarse if parts > LEAST_PARTS_OF_STRIPS)})
    plain = [Cut(parts) for parts in found if least <= parts <= rows]
    if network.axes is CutAxes.HEADS:
        return plain
    return plain + [Cut(cut.parts, PROLOGUE) for cut in plain if cut.parts >= LEAST_PARTS_FOR_PROLOGUE]


def by_overlap(cuts: Sequence[Cut], overlap: str) -> tuple[list[Cut], list[Cut], list[Cut]]:
    """Cuts in one part, those in several, and further ones in which common rows are computed again.

    Args:
        overlap: whether rows that two parts need are kept or computed again (see `PlanOptions`).
    """
    whole, rows = [cut for cut in cuts if cut.parts == 1], [cut for cut in cuts if cut.parts > 1]
    if overlap == "recompute":
        return whole, [replace(cut, recompute=True) for cut in rows if not cut.prologue], []
    few = rows if overlap == "auto" else []
    return whole, rows, [replace(cut, recompute=True) for cut in few if cut.parts <= FEW_TO_RECOMPUTE]


def _rows_to_cut(made: MadeRows) -> int:
    """What parts are counted for: steps, since less than one needs no fewer rows of the operands.

    Where steps are few, it is rows: parts of some of them may be all that fits.
    """
    steps = made.count // made.step
    return steps if steps >= LEAST_PARTS_OF_STRIPS else made.count


def _numbers_of_parts(rows: int, numbers: Sequence[int]) -> list[int]:
    """Into how many parts so many rows are cut: many of them into parts of whole rows.

    With 56 parts of 64 rows, some have two rows, as all have with 32; and 28 parts of 96 rows have three or
    four, which may fill the array worse than the four of 24.
    """
    if rows < LEAST_PARTS_FOR_PROLOGUE:
        return [parts for parts in numbers if parts <= rows]
    few = {parts for parts in numbers if parts <= LEAST_PARTS_OF_STRIPS}
    more = {parts for parts in numbers if parts not in PARTS}
    each = ROWS_OF_A_PART if rows > PARTS[-1] else FEWER_ROWS_OF_A_PART
    whole = {ceil_div(rows, count) for count in each}
    most = min(rows, MOST_PARTS)
    return sorted(few | {parts for parts in whole | more if LEAST_PARTS_OF_STRIPS < parts <= most})


def shared_cuts(network: PlanNetwork, end: int, cores: int) -> list[list[Cut]]:
    """Cuts that give each core a shard of rows, or a piece of one: a list for every arrangement."""
    rows = network.buffers[network.buffer_of(network.defines[end])].rows
    found = []
    for row_shards in range(1, cores + 1):
        if cores % row_shards == 0 and row_shards <= rows:
            fits = [parts for parts in PARTS if parts * row_shards <= rows and parts <= MOST_PARTS_OF_A_SHARD]
            found.append(
                [Cut(parts, row_shards=row_shards, column_shards=cores // row_shards) for parts in fits]
            )
    return found


def strips_worth_trying(network: PlanNetwork, end: int, cuts: Sequence[Cut]) -> Iterator[list[Cut]]:
    """Cuts into rows, in strips of columns too: a list for every number of strips and what is kept of them.

    Strips of columns need each other's, so they are for large pictures in many rows; pictures do not.
    """
    numbers, kept = STRIPS, [KeptColumns.NONE, KeptColumns.ALL, KeptColumns.LOADED]
    fine = [cut for cut in cuts if cut.parts >= LEAST_PARTS_OF_STRIPS]
    if network.axes in (CutAxes.PICTURES, CutAxes.HEADS):
        numbers, kept = _numbers_of_pictures(network, end), [KeptColumns.NONE]
        fine = [cut for cut in cuts if cut.parts > 1 or network.axes is CutAxes.HEADS]
    else:
        columns = _columns(network, end)
        numbers = tuple(strips for strips in numbers if strips * LEAST_COLUMNS <= columns)
    for strips, mine in product(numbers, kept):
        some = fine if mine is KeptColumns.NONE else [cut for cut in fine if not cut.recompute]
        yield [replace(cut, strips=strips, kept_columns=mine) for cut in some]


def _numbers_of_pictures(network: PlanNetwork, end: int) -> tuple[int, ...]:
    """Strips of a batch: a picture each, or several."""
    pictures = _columns(network, end)
    found = tuple(sorted({strips for strips in (2, 4, pictures) if strips <= pictures}))
    return found[::-1] if network.axes is CutAxes.HEADS else found


def _columns(network: PlanNetwork, end: int) -> int:
    """Columns of a layer's result; 0 if it cannot be cut there."""
    axis = column_axis(network, network.defines[end])
    return 0 if axis is None else network.graph.types[network.defines[end]].shape[axis]


def busiest_row_shard(network: PlanNetwork, end: int, cut: Cut) -> int:
    """The shard with most rows of the last layer's result, of several one with neighbours on both sides."""
    rows, shards = network.buffers[network.buffer_of(network.defines[end])].rows, cut.row_shards
    extents = [(shard + 1) * rows // shards - shard * rows // shards for shard in range(shards)]
    inner = range(1, shards - 1)
    return max(range(shards), key=lambda shard: (extents[shard], shard in inner, -shard))


def is_large(network: PlanNetwork, position: int, room: int) -> bool:
    """Whether the result of a layer takes much of so many bytes, or what it reads for one row of it does."""
    if 2 * network.buffers[network.buffer_of(network.defines[position])].nbytes > room:
        return True
    return any(
        LINES_SHARE * _line_bytes(network, position, slot, tensor) > room
        for slot, tensor in network.operands[position]
    )


def _line_bytes(network: PlanNetwork, position: int, slot: int, tensor: str) -> int:
    """Bytes of the rows of an operand that a row of a layer's result needs, most of all rows."""
    buffer, table = network.buffers[network.buffer_of(tensor)], network.row_table(position, slot, tensor)
    return 0 if buffer.column_axis is None else int((table.high - table.low).max()) * buffer.row_bytes
