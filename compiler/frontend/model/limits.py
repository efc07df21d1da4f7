"""Bounds on memory: a model whose tensors could not exist is refused before anything is allocated."""

from __future__ import annotations

import os

from nnc.compiler.frontend.errors import ModelTooLargeError, UnsupportedError
from nnc.compiler.ir.graph import Graph, TensorType
from nnc.isa.operand import MAX_RANK

TENSOR_LIMIT = 16 << 30
"""Bytes of the largest tensor that is compiled."""

FOLD_LIMIT = 1 << 30
"""Bytes of the largest result that is computed at compile time."""

NODE_LIMIT = 200_000
"""Nodes of a model whose functions are expanded."""

FOLDED_LIMIT = 2 << 30
"""Bytes of all such results together, unless the weights of the model are more."""


def check_tensor(name: str, type_: TensorType) -> None:
    """Refuse a tensor of more than 16 GiB.

    Raises:
        ModelTooLargeError: the tensor is larger.
    """
    if type_.nbytes > TENSOR_LIMIT:
        raise ModelTooLargeError(
            f"tensor {name} is too large",
            found=f"{type_}, {type_.nbytes} bytes",
            expected=f"at most {TENSOR_LIMIT} bytes",
            remedy="give smaller shapes with --shape",
        )


def check_folded(
    nbytes: int, limit: int = FOLD_LIMIT, what: str = "a constant that the model computes"
) -> None:
    """Refuse constants of too many bytes before they are computed.

    Raises:
        ModelTooLargeError: there are more bytes than the limit.
    """
    if nbytes > limit:
        raise ModelTooLargeError(
            f"{what} is too large",
            found=f"{nbytes} bytes",
            expected=f"at most {limit} bytes",
            remedy="give smaller shapes, or make what it is computed from an input of the model",
        )


def check_nodes(count: int) -> None:
    """Refuse a model of too many nodes before its functions are expanded.

    Raises:
        ModelTooLargeError: there are more than the limit.
    """
    if count > NODE_LIMIT:
        found = str(count) if count < 10**18 else "more than 10^18"
        raise ModelTooLargeError(
            "the functions of the model expand to too many nodes",
            found=f"{found} nodes",
            expected=f"at most {NODE_LIMIT}",
            remedy="let functions call fewer others: each call is a copy of all that it calls",
        )


def check_rank(name: str, type_: TensorType) -> None:
    """Refuse a tensor of more axes than instructions have.

    Raises:
        UnsupportedError: it has more.
    """
    if len(type_.shape) > MAX_RANK:
        raise UnsupportedError(
            f"tensor {name} has {len(type_.shape)} axes, at most {MAX_RANK} are possible: "
            "merge some with Reshape before the node and split them again behind it"
        )


def check_graph(graph: Graph) -> None:
    """Refuse a network that must exceed the memory of this machine when it is compiled and simulated.

    What must exist at the same time: all constants, inputs and outputs, and the operands and result of
    any one layer.

    Raises:
        ModelTooLargeError: that is more than the physical memory.
    """
    fixed = {*graph.used_constants(), *graph.inputs, *graph.outputs}
    resident = sum(graph.types[t].nbytes for t in fixed)
    moving = 0
    for layer in graph.layers():
        tensors = {t for t in (*graph.inputs_of(layer.name), *graph.outputs_of(layer.name)) if t is not None}
        moving = max(moving, sum(graph.types[t].nbytes for t in tensors - fixed))
    memory = physical_memory()
    if memory is not None and resident + moving > memory:
        raise ModelTooLargeError(
            "the network does not fit the memory of this machine",
            found=f"{resident} bytes of constants, inputs and outputs, {moving} bytes of one layer",
            expected=f"at most {memory} bytes",
            remedy="give smaller shapes with --shape, or use a larger machine",
        )


def physical_memory() -> int | None:
    """Bytes of memory of this machine, None where the system does not say."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):
        return None
