"""Which side computes a node, chip or host: as few tensors as possible cross between both.

Nodes that cannot be compiled are the host's, and so are those that follow where shapes are known only at run
time; products are the chip's.  All others may go to either side.  The fewest crossing tensors, among those
the fewest bytes, are a minimum cut of the graph

    chip --∞--> v       refused --∞--> host         v: a product, or any node of a network without products
    p ----1---> t ----∞---> r   for each tensor t that a node p defines and nodes r read: cut if p is on the
    r ----∞---> t' ---1---> p   chip and some r on the host, or p on the host and some r on the chip

whose smallest side of the host is taken: what costs nothing there stays on the chip.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from math import prod
from typing import NoReturn

import networkx as nx

from nnc.compiler.frontend.domains import label_of, name_of
from nnc.compiler.frontend.errors import UnsupportedError
from nnc.compiler.frontend.model.subgraphs import reads
from nnc.compiler.frontend.segments.survey import Survey
from nnc.isa.errors import OptionError
from nnc.isa.nearest import did_you_mean

_CROSSING = 1 << 48
"""What a crossing costs beside its bytes: more than any tensors have."""
_LIST = 1 << 62
"""What a sequence or an optional costs that crosses: segments have tensors for inputs and outputs."""
_SHOWN = 8
"""Nodes for the host that a refusal names."""


def on_host(survey: Survey, named: Collection[str] = ()) -> dict[int, str]:
    """The nodes of the host by their numbers, each with the reason.

    Args:
        survey: of the model.
        named: nodes that the user puts there.

    Raises:
        OptionError: there is no node of such a name.
    """
    forced = _forced(survey, named)
    if not forced:
        return {}
    free = [n for n in range(len(survey.nodes)) if n not in survey.constant_nodes and n not in forced]
    products = [number for number in free if name_of(survey.nodes[number]) in survey.multiplying]
    network = _network(survey, forced, products or free)
    _, (_, host) = nx.minimum_cut(network, "chip", "host")
    chosen = {number: forced.get(number, "") for number in sorted(n for n in host if isinstance(n, int))}
    return {n: reason or "fewer tensors cross between chip and host so" for n, reason in chosen.items()}


def refuse(survey: Survey, numbers: Collection[int]) -> NoReturn:
    """Say of nodes why they cannot be compiled, and what a host would take.

    Raises:
        UnsupportedError: always.
    """
    nodes = [(survey.nodes[number], survey.refused[number]) for number in numbers]
    listed = [f"{name_of(node)} ({label_of(node)}): {reason}" for node, reason in nodes]
    remedy = "`nnc ops` lists the supported operators and their constraints"
    if host := [name_of(survey.nodes[number]) for number in on_host(survey)]:
        more = f" and {len(host) - _SHOWN} more" if len(host) > _SHOWN else ""
        remedy += f"; --host auto leaves to a host what it must take: {', '.join(host[:_SHOWN])}{more}"
    raise UnsupportedError(
        f"{len(nodes)} node{'s' if len(nodes) > 1 else ''} of the model cannot be compiled",
        where=survey.scope.graph.name,
        found="\n         ".join(listed),
        remedy=remedy,
    )


def _forced(survey: Survey, named: Collection[str]) -> dict[int, str]:
    """Nodes that must be the host's, with the reason."""
    names = [name_of(node) for node in survey.nodes]
    for name in named:
        if name not in names:
            raise OptionError(
                "there is no such node for the host",
                found=name,
                remedy=did_you_mean(name, names, "name nodes of the model as nnc dump-ir shows them"),
            )
    forced = {number: "named by --host" for number, name in enumerate(names) if name in named}
    forced |= survey.refused
    for number in sorted(survey.behind - forced.keys()):
        makers = (survey.producers.get(name) for name in reads(survey.nodes[number]))
        maker = next(n for n in makers if n is not None and (n in survey.refused or n in survey.behind))
        label = f"{names[maker]} ({label_of(survey.nodes[maker])})"
        forced[number] = f"shapes behind {label} are known only at run time"
    return {
        number: reason for number, reason in sorted(forced.items()) if number not in survey.constant_nodes
    }


def _network(
    survey: Survey, forced: Collection[int], chip: Collection[int]
) -> nx.DiGraph[int | str | tuple[str, str]]:
    """The flow network of the module's head."""
    network: nx.DiGraph[int | str | tuple[str, str]] = nx.DiGraph()
    network.add_nodes_from(("host", "chip"))
    network.add_edges_from((number, "host") for number in forced)  # an edge without capacity: infinite
    network.add_edges_from(("chip", number) for number in chip if number not in forced)
    readers = defaultdict[str, set[int]](set)
    for number, node in enumerate(survey.nodes):
        if number not in survey.constant_nodes:
            for name in reads(node):
                readers[name].add(number)
    for tensor, numbers in readers.items():
        producer = survey.producers.get(tensor)
        if producer is None or producer in survey.constant_nodes:
            continue
        cost = _LIST if survey.scope.is_list(tensor) else _CROSSING + _bytes(survey, tensor)
        network.add_edge(producer, ("down", tensor), capacity=cost)
        network.add_edge(("up", tensor), producer, capacity=cost)
        for number in numbers:
            network.add_edge(("down", tensor), number)
            network.add_edge(number, ("up", tensor))
    return network


def _bytes(survey: Survey, tensor: str) -> int:
    """Bytes of a tensor, at four an element, which is enough to compare cuts.

    One whose shape is not known has the host at both ends: what it costs does not matter.
    """
    _, shape = survey.type_of(tensor)
    return 0 if shape is None else 4 * prod(shape)
