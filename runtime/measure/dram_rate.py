"""How many bytes per cycle the DRAM moves when: its bandwidth, shared by the transfers that are served.

The rules are those of ``nnc.isa.timing.timeline``: the bytes per cycle are divided equally among the
transfers in service, and what is left of a share in the cycle in which the last byte moves is lost.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from heapq import heappop, heappush
from math import lcm

from nnc.isa.instruction import Engine
from nnc.isa.timing.streams import Streams
from nnc.isa.timing.timeline import Timeline


def dram_rates(
    streams: Streams, timeline: Timeline, bytes_per_cycle: int
) -> Iterator[tuple[int, dict[Engine, float]]]:
    """From which cycle on the read and the write engines have how many bytes per cycle, over all cores.

    Args:
        streams, timeline: of a run.
        bytes_per_cycle: of the DRAM.
    """
    transfers = sorted(
        (begin, stream, task.dram_bytes)
        for stream, tasks in enumerate(streams.tasks)
        for task, begin in zip(tasks, timeline.begin[stream], strict=True)
        if task.dram_bytes
    )
    unit = lcm(*range(1, len({stream for _, stream, _ in transfers}) + 1))  # of a byte: all shares are whole
    served: list[tuple[int, int]] = []  # heap of (progress at which its last byte moves, stream)
    now = progress = following = 0
    while following < len(transfers) or served:
        share = bytes_per_cycle * unit // max(1, len(served))
        events = [now - (progress - served[0][0]) // share] if served else []  # rounded up
        events += [transfers[following][0]] if following < len(transfers) else []
        cycle = min(events)
        progress += (cycle - now) * share if served else 0
        now = cycle
        while served and served[0][0] <= progress:
            heappop(served)
        while following < len(transfers) and transfers[following][0] == now:
            _, stream, nbytes = transfers[following]
            heappush(served, (progress + nbytes * unit, stream))
            following += 1
        active = Counter(streams.keys[stream][1] for _, stream in served)
        yield (
            now,
            {
                kind: bytes_per_cycle * active[kind] / max(1, len(served))
                for kind in (Engine.READ, Engine.WRITE)
            },
        )
