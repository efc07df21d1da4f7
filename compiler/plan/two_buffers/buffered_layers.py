"""Convolutions with two fixed buffers (M3) as choices of the group search.

In: a layer of a network, the chip, and what the user asks for.  Out: the `BufferedChoice`s among which the
search takes one, or why there is none.
"""

from __future__ import annotations

import logging
from collections.abc import Hashable, Sequence

from nnc.compiler.ir import layers as ir
from nnc.compiler.plan.network.plan_network import PlanNetwork
from nnc.compiler.plan.options import PlanOptions
from nnc.compiler.plan.two_buffers.buffer_price import BufferPrice
from nnc.compiler.plan.two_buffers.buffered_choice import BufferedCandidate, BufferedChoice
from nnc.compiler.plan.two_buffers.buffered_conv import BufferedConv, why_not
from nnc.compiler.plan.two_buffers.vector_memory import buffered_convs
from nnc.isa.chip.description import Chip
from nnc.isa.errors import OptionError

_log = logging.getLogger(__name__)
_TOO_LITTLE = "its weights and sums do not fit beside each other"


class BufferedLayers:
    """The convolutions of a network with two buffers; layers of the same structure are priced once."""

    def __init__(self, chip: Chip, options: PlanOptions) -> None:
        self._chip = chip
        self._asked = options.conv_buffers
        self._known: dict[Hashable, tuple[str, list[BufferedCandidate]]] = {}
        self._banned: set[tuple[str, BufferedConv]] = set()

    def choices(self, order: int, network: PlanNetwork, position: int) -> list[BufferedChoice]:
        """A layer of a network with its layers in some order, in every way that may be best."""
        name = network.layers[position].name
        found = [mine for mine in self._priced(network, position)[1] if (name, mine.conv) not in self._banned]
        return [BufferedChoice(order, position, best, _core_reason(best, found)) for best in found]

    def why_not(self, network: PlanNetwork, position: int) -> str:
        """Why a layer cannot be computed so; empty if it can."""
        reason, priced = self._priced(network, position)
        name = network.layers[position].name
        if not reason and all((name, mine.conv) in self._banned for mine in priced):
            return "its blocks fragment a memory"
        return reason

    def forced(self, network: PlanNetwork) -> frozenset[int]:
        """Positions of the layers that must be computed so.

        Raises:
            OptionError: the user asks for it, and it can be nowhere.
        """
        if self._asked != "m3":
            return frozenset()
        reasons = [self.why_not(network, position) for position in range(len(network.layers))]
        if reasons and all(reasons):
            convs = [at for at, layer in enumerate(network.layers) if isinstance(layer, ir.Conv)]
            found = f"{network.layers[convs[0]].name}: {reasons[convs[0]]}" if convs else "no convolution"
            raise OptionError(
                "no convolution can have its input in two fixed buffers",
                where=f"chip {self._chip.name}",
                found=found,
                expected="a convolution without groups, its features in a memory of their own",
                remedy="--conv-buffers auto, or another chip, such as vdsp12",
            )
        return frozenset(position for position, reason in enumerate(reasons) if not reason)

    def refusals(self, network: PlanNetwork) -> dict[str, str]:
        """Why convolutions are not computed so, by name, if the user asks for it (see `forced`)."""
        if self._asked != "m3":
            return {}
        reasons = {
            layer.name: self.why_not(network, position)
            for position, layer in enumerate(network.layers)
            if isinstance(layer, ir.Conv)
        }
        return {name: f"no buffers m3, {reason}" for name, reason in reasons.items() if reason}

    def ban(self, name: str, conv: BufferedConv) -> None:
        """Take a way to compute a layer out of the search."""
        self._banned.add((name, conv))

    def _priced(self, network: PlanNetwork, position: int) -> tuple[str, list[BufferedCandidate]]:
        key = network.structure(position)
        if key not in self._known:
            self._known[key] = self._price(network, position)
        return self._known[key]

    def _price(self, network: PlanNetwork, position: int) -> tuple[str, list[BufferedCandidate]]:
        """Why not, and all ways that fit on one core and on several."""
        layer = network.layers[position]
        if self._asked == "rows":
            return "--conv-buffers rows", []
        if reason := why_not(network.graph, layer, self._chip):
            return reason, []
        assert isinstance(layer, ir.Conv)
        found = []
        for cores in range(1, (self._chip.cores if self._chip.dma.broadcast else 1) + 1):
            for conv in buffered_convs(network.graph, layer, self._chip, cores):
                found.append(BufferPrice(network.graph, self._chip, conv).candidate())
        found = _worth_trying(found)
        _log.debug("%s: %d ways with two buffers", layer.name, len(found))
        return ("" if found else _TOO_LITTLE), found


def _worth_trying(found: Sequence[BufferedCandidate]) -> list[BufferedCandidate]:
    """Those that take fewer cycles than all that move no more bytes; the first of equals."""
    kept: list[BufferedCandidate] = []
    for mine in sorted(found, key=lambda priced: (priced.dram_bytes, priced.cycles)):
        if not kept or mine.cycles < kept[-1].cycles:
            kept.append(mine)
    return kept


def _core_reason(mine: BufferedCandidate, found: Sequence[BufferedCandidate]) -> str:
    """How many cores, and what the other ways would take."""
    cores = f"{mine.conv.cores} core{'s by channels' if mine.conv.cores > 1 else ''}"
    if len(found) == 1:
        return cores
    ways = ((other.conv.cores, len(other.conv.passes(0)), other.cycles) for other in found)
    said = ", ".join(f"{number} in {passes} passes {cycles}" for number, passes, cycles in ways)
    return f"{cores}; estimated cycles: {said}"
