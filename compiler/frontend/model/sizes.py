"""Bounds on memory: a model whose tensors could not exist is refused before anything is allocated."""

from __future__ import annotations

from nnc.compiler.frontend.errors import ModelTooLargeError, UnsupportedError
from nnc.compiler.ir.graph import Graph, TensorType
from nnc.isa.limits import EXPANDED_NODES, FOLDED_TENSOR, INLINED_NODES, TENSOR, machine_memory
from nnc.isa.operand import MAX_RANK


def check_tensor(name: str, type_: TensorType) -> None:
    """Refuse a tensor of too many bytes.

    Raises:
        ModelTooLargeError: the tensor is larger than the limit.
    """
    TENSOR.check(
        type_.nbytes,
        ModelTooLargeError,
        f"tensor {name} is too large: {type_}",
        remedy="give smaller shapes with --shape",
    )


def check_folded(nbytes: int) -> None:
    """Refuse a constant of too many bytes before it is computed.

    Raises:
        ModelTooLargeError: there are more bytes than the limit.
    """
    FOLDED_TENSOR.check(
        nbytes,
        ModelTooLargeError,
        "a constant that the model computes is too large",
        remedy="give smaller shapes, or make what it is computed from an input of the model",
    )


def check_nodes(count: int) -> None:
    """Refuse functions that would add too many nodes before they are expanded.

    Raises:
        ModelTooLargeError: there are more than the limit.
    """
    EXPANDED_NODES.check(
        count,
        ModelTooLargeError,
        "the functions of the model add too many nodes to it",
        remedy="let functions call fewer others: each call is a copy of all that it calls",
    )


def check_inlined(count: int) -> None:
    """Refuse loops that are run too often before their nodes are added.

    Raises:
        ModelTooLargeError: there are more nodes than the limit.
    """
    INLINED_NODES.check(
        count,
        ModelTooLargeError,
        "the loops and branches of the model add too many nodes to it: each run of a body is a copy of it",
        remedy="give the loop fewer iterations, such as a shorter sequence by --shape, and see that it ends",
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
    memory = machine_memory()
    if memory is not None and resident + moving > memory:
        raise ModelTooLargeError(
            "the network does not fit the memory of this machine",
            found=f"{resident} bytes of constants, inputs and outputs, {moving} bytes of one layer",
            expected=f"at most {memory} bytes",
            remedy="give smaller shapes with --shape, or use a larger machine",
        )
