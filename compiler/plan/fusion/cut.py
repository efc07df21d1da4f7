"""Cuts of a group into parts: ranges of rows of its outputs, and strips of their columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from nnc.compiler.plan.network.buffers import CutAxes, MadeRows
from nnc.compiler.plan.network.plan_network import PlanNetwork
from nnc.compiler.tuning import TUNING
from nnc.isa.chip.description import Chip
from nnc.isa.integers import ceil_div
from nnc.isa.record import record


@record(frozen=True, slots=True)
class Cut:
    """How a group is cut: its outputs into `parts` ranges of rows.

    Attributes:
        parts: ranges of rows of the outputs.
        strips: ranges of columns of the outputs; all parts are worked through once for every strip.
        recompute: whether rows that the next part needs again are computed again instead of kept.
        row_shards, column_shards: ranges of rows and of columns of the outputs that are cores' own; each core
            cuts its rows into `parts`.  What two cores need, both load or compute.
        chunks: 0: hidden channels are all on chip; else they come in chunks (see `chunks.hidden_runs`), each
            of which is one part in so many of what suits the array.
    """

    parts: int
    recompute: bool = False
    strips: int = 1
    row_shards: int = 1
    column_shards: int = 1
    chunks: int = 0

    def __str__(self) -> str:
        said = [f"{self.parts} part" if self.parts == 1 else f"{self.parts} parts"]
        said += [f"{self.strips} strips of columns"] if self.strips > 1 else []
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
    def passes(self) -> int:
        """How often every layer is computed in part."""
        return self.parts * self.strips

    @property
    def is_downwards(self) -> bool:
        """Whether one core works through all rows once, from the first to the last."""
        return self.parts > 1 and self.strips == 1 and self.cores == 1 and not self.recompute

    def moving_cycles(self, chip: Chip, rows: tuple[int, int], row_bytes: int) -> int:
        """Cycles in which rows that a buffer keeps move, out of a part and into the next one.

        Args:
            rows: in how many parts rows are kept, and how many in all; row_bytes: of each of them.
        """
        moves, kept = (count * self.strips for count in rows)
        return moves * chip.compute.issue + kept * row_bytes // chip.dma.move_bytes_per_cycle


def cuts_worth_trying(network: PlanNetwork, end: int, numbers: Sequence[int]) -> list[Cut]:
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
    part_numbers = _numbers_of_parts(rows, numbers)
    if network.axes is CutAxes.HEADS:
        coarse = {ceil_div(rows, count) for count in TUNING.cuts.queries_per_part}
        part_numbers = sorted(
            {*part_numbers, *(parts for parts in coarse if parts > TUNING.cuts.min_parts_with_strips)}
        )
    return [Cut(parts) for parts in part_numbers if least <= parts <= rows]


def by_overlap(cuts: Sequence[Cut], overlap: str) -> tuple[list[Cut], list[Cut]]:
    """Cuts in one part, and those in several.

    Args:
        overlap: whether rows that two parts need are kept or computed again (see `PlanOptions`).
    """
    whole, rows = [cut for cut in cuts if cut.parts == 1], [cut for cut in cuts if cut.parts > 1]
    if overlap == "recompute":
        rows = [replace(cut, recompute=True) for cut in rows]
    return whole, rows


def _rows_to_cut(made: MadeRows) -> int:
    """What parts are counted for: steps, since less than one needs no fewer rows of the operands.

    Where steps are few, it is rows: parts of some of them may be all that fits.
    """
    steps = made.count // made.step
    return steps if steps >= TUNING.cuts.min_parts_with_strips else made.count


def _numbers_of_parts(rows: int, numbers: Sequence[int]) -> list[int]:
    """Into how many parts so many rows are cut: many of them into parts of whole rows.

    With 56 parts of 64 rows, some have two rows, as all have with 32; and 28 parts of 96 rows have three or
    four, which may fill the array worse than the four of 24.
    """
    tuning = TUNING.cuts
    if rows < tuning.min_parts_of_whole_rows:
        return [parts for parts in numbers if parts <= rows]
    few = {parts for parts in numbers if parts <= tuning.min_parts_with_strips}
    more = {parts for parts in numbers if parts not in tuning.parts}
    each = tuning.rows_per_part if rows > tuning.parts[-1] else tuning.few_rows_per_part
    whole = {ceil_div(rows, count) for count in each}
    most = min(rows, tuning.max_parts)
    return sorted(few | {parts for parts in whole | more if tuning.min_parts_with_strips < parts <= most})


def shared_cuts(network: PlanNetwork, end: int, cores: int) -> list[list[Cut]]:
    """Cuts that give each core a shard of rows, or a piece of one: a list for every arrangement."""
    rows = network.buffers[network.buffer_of(network.defines[end])].rows
    numbers = [parts for parts in TUNING.cuts.parts if parts <= TUNING.cuts.max_shard_parts]
    arrangements = []
    for row_shards in range(1, cores + 1):
        if cores % row_shards == 0 and row_shards <= rows:
            fits = [parts for parts in numbers if parts * row_shards <= rows]
            arrangements.append(
                [Cut(parts, row_shards=row_shards, column_shards=cores // row_shards) for parts in fits]
            )
    return arrangements


def strips_worth_trying(network: PlanNetwork, end: int, cuts: Sequence[Cut]) -> Iterator[list[Cut]]:
    """Cuts into rows, in strips of columns too: a list for every number of strips.

    Strips of columns need each other's, so they are for large pictures in many rows; pictures do not.
    """
    numbers = TUNING.cuts.strips
    fine = [cut for cut in cuts if cut.parts >= TUNING.cuts.min_parts_with_strips]
    if network.axes in (CutAxes.PICTURES, CutAxes.HEADS):
        numbers = _numbers_of_pictures(network, end)
        fine = [cut for cut in cuts if cut.parts > 1 or network.axes is CutAxes.HEADS]
    else:
        columns = _columns(network, end)
        numbers = tuple(strips for strips in numbers if strips * TUNING.cuts.min_columns <= columns)
    for strips in numbers:
        yield [replace(cut, strips=strips) for cut in fine]


def _numbers_of_pictures(network: PlanNetwork, end: int) -> tuple[int, ...]:
    """Strips of a batch: a picture each, or several."""
    pictures = _columns(network, end)
    numbers = {*TUNING.cuts.picture_strips, pictures}
    fitting = tuple(sorted(strips for strips in numbers if strips <= pictures))
    return fitting[::-1] if network.axes is CutAxes.HEADS else fitting


def _columns(network: PlanNetwork, end: int) -> int:
    """Columns of a layer's result; 0 if it cannot be cut there."""
    axis = network.column_axis(network.defines[end])
    return 0 if axis is None else network.graph.types[network.defines[end]].shape[axis]


def busiest_row_shard(network: PlanNetwork, end: int, cut: Cut) -> int:
    """The shard with most rows of the last layer's result, of several one with neighbours on both sides."""
    rows, shards = network.buffers[network.buffer_of(network.defines[end])].rows, cut.row_shards
    extents = [(shard + 1) * rows // shards - shard * rows // shards for shard in range(shards)]
    inner = range(1, shards - 1)
    return max(range(shards), key=lambda shard: (extents[shard], shard in inner, -shard))


def is_large(network: PlanNetwork, position: int, room: int) -> bool:
    """Whether the result of a layer takes much of so many bytes, or what it reads for one row of it does."""
    result = network.buffers[network.buffer_of(network.defines[position])]
    if TUNING.cuts.large_result_share * result.nbytes > room:
        return True
    return any(
        TUNING.cuts.large_lines_share * _line_bytes(network, position, slot, tensor) > room
        for slot, tensor in network.operands[position]
    )


def _line_bytes(network: PlanNetwork, position: int, slot: int, tensor: str) -> int:
    """Bytes of the rows of an operand that a row of a layer's result needs, most of all rows."""
    buffer, table = network.buffers[network.buffer_of(tensor)], network.row_table(position, slot, tensor)
    return 0 if buffer.column_axis is None else int((table.high - table.low).max()) * buffer.row_bytes
