"""Buffers that a group shares with others: those it leaves behind, those begun before it."""

from __future__ import annotations

from nnc.compiler.plan.views.buffer_rows import Bytes
from nnc.isa.record import record


@record(frozen=True, slots=True)
class BoundaryTensor:
    """A buffer that a group computes, in full or in part, and that is needed after it.

    Attributes:
        computed: bytes that the group computes; nbytes: size of the buffer.
        is_output: whether it is an output of the network.
        steps: how many of the last steps are not before the one that begins it.
        held: bytes that its tiles take at least in a part.
    """

    computed: int
    nbytes: int
    is_output: bool
    steps: int
    held: int


@record(frozen=True, slots=True)
class OutsideBuffer:
    """A buffer begun before the interval.

    Attributes:
        read: bytes; live: those in use per step and part, if it is not resident.
        first: position of the first layer that touches it.
    """

    read: int
    live: Bytes
    first: int
