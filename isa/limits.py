"""All limits on what files and options may ask for: each is judged before the work that it bounds is done.

``docs/errors.md`` shows them in a table.  The limits are far above what networks and chips need; without them
a file of a few bytes could ask for any amount of memory or time.
"""

from __future__ import annotations

import os
from dataclasses import dataclass

from nnc.isa.errors import NncError


@dataclass(frozen=True, slots=True)
class Limit:
    """The most that something may be.

    Attributes:
        most: the largest value that is accepted.
        unit: of the value, in the plural.
        subject: what is counted.
        reason: why more is refused.
    """

    most: int
    unit: str
    subject: str
    reason: str

    @property
    def amount(self) -> str:
        """The limit for people: 1 GiB, 20,000 nodes."""
        for power, name in ((40, "TiB"), (30, "GiB"), (20, "MiB"), (10, "KiB")):
            if self.unit == "bytes" and self.most % 2**power == 0:
                return f"{self.most >> power} {name}"
        return f"{self.most:,} {self.unit}"

    def check(self, count: int, error: type[NncError], message: str, *, where: str = "", remedy: str) -> None:
        """Refuse a count beyond the limit.

        Raises:
            NncError: of the class `error`, with the message, the count and the limit.
        """
        if count > self.most:
            raise error(
                message,
                where=where,
                found=f"{shown(count)} {self.unit}",
                expected=f"at most {self.most} {self.unit}",
                remedy=remedy,
            )


def shown(count: int) -> str:
    """A count in digits, or its magnitude where the digits would fill a line."""
    return str(count) if count < 10**24 else "more than 10^24"


MODEL_FILE = Limit(
    2**31 - 1, "bytes", "the file of a model, without its external data", "protobuf has no more"
)
CHIP_FILE = Limit(1 << 20, "bytes", "a chip description", "presets have about 2 kB")
CHIP_DEPTH = Limit(16, "levels", "tables in a chip description, or parts of a key", "no chip has more than 4")
CORES = Limit(63, "cores", "a chip", "a mask of cores is a field of 64 bits, with a sign")
RANK = Limit(8, "axes", "a tensor, or an operand of an instruction", "instructions have room for as many")
TENSOR = Limit(16 << 30, "bytes", "a tensor of a model", "it lies in DRAM as a whole when it is simulated")
FOLDED_TENSOR = Limit(1 << 30, "bytes", "a constant that a model computes", "it is computed when compiling")
FOLDED_TENSORS = Limit(
    2 << 30,
    "bytes",
    "all constants that a model computes, unless its own weights are a quarter of that",
    "they are in memory at the same time",
)
FOLDING_WORK = Limit(
    10**11,
    "operations",
    "all that is computed of constants when compiling",
    "products of large constants take any time; a multiply-add of integers counts as ten",
)
WINDOW = Limit(
    1 << 16,
    "elements",
    "a window of a pool or convolution, and its padding, along an axis",
    "each tap is looked at",
)
MODEL_PARTS = Limit(
    200_000,
    "parts",
    "nodes, initialisers, inputs and outputs of a model",
    "each takes milliseconds to compile",
)
MODEL_ENDS = Limit(
    10_000, "tensors", "inputs and outputs of a model", "places for them all are sought among one another"
)
NAME = Limit(4096, "characters", "a name in a model", "names of tiles and messages are made of it")
EXPANDED_NODES = Limit(
    20_000,
    "nodes",
    "what the functions of a model add to its nodes",
    "calls of calls double the nodes with each line",
)
RECURRENT_STEPS = Limit(
    4096,
    "steps",
    "an LSTM, GRU or RNN that no instruction computes as a whole, those of both directions together",
    "each is a dozen layers, which are planned one by one",
)
INLINED_NODES = Limit(
    20_000,
    "nodes",
    "what the loops and branches of a model add to its nodes",
    "a loop that never ends adds nodes for ever",
)
MEMORY_FILLS = Limit(
    1 << 17,
    "times",
    "inputs and outputs of a network over the memories of a core",
    "each filling takes instructions, which are planned one by one",
)
PROGRAM_MEMORY = Limit(
    16 << 30,
    "bytes",
    "all that verifying and simulating a program allocates; the memory of the machine bounds it, too",
    "a program of a few instructions can name any address",
)
OPERAND = Limit(
    1 << 28,
    "elements",
    "an operand of an instruction, repeated elements included",
    "kernels and verifier have arrays of as many elements",
)
ON_CHIP_MEMORY = Limit(1 << 30, "bytes", "a memory of a core", "tiles as large as that have to be simulated")

ALIGNMENT = Limit(
    4096,
    "bytes",
    "the common multiple of dram.align, dma.align, a memory's align, and 8",
    "whatever is moved or allocated takes as much",
)
SAMPLES = Limit(
    2 << 30, "bytes", "an array of samples to quantise with", "an archive may hold a thousand times its size"
)
SWEEP_POINTS = Limit(100_000, "points", "a sweep", "each is a compilation, of seconds")
SWEEP_VALUES = Limit(100_000, "values", "a key that a sweep varies", "all of them are written down before")
JPEG_SCANS = Limit(
    1000, "scans", "a progressive JPEG as an input", "each goes over the whole picture, and takes a few bytes"
)

LIMITS = tuple(value for value in tuple(globals().values()) if isinstance(value, Limit))
"""All of them, in this order."""


def machine_memory() -> int | None:
    """Bytes of memory of this machine, None where the system does not say."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):
        return None
