"""Inputs, outputs and constants that are no tensors of numbers: refused at once, with the nodes there."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from onnx import TensorProto, TypeProto

from nnc.compiler.frontend.domains import label_of, name_of
from nnc.compiler.frontend.errors import UnsupportedError
from nnc.compiler.frontend.model.subgraphs import reads
from nnc.compiler.frontend.model.weights import Skeleton


def check_ports(skeleton: Skeleton) -> None:
    """Refuse inputs and outputs that are sequences, optionals or maps, and strings.

    Raises:
        UnsupportedError: there are some; all are listed.
    """
    lines = [*_lines(skeleton)]
    if lines:
        raise UnsupportedError(
            f"{len(lines)} of the inputs, outputs and constants of the model are no tensors of numbers",
            where=skeleton.model.graph.name,
            found="\n         ".join(lines),
            remedy="export the model with tensors of numbers instead, and leave what uses them to the caller",
        )


def _lines(skeleton: Skeleton) -> Iterator[str]:
    graph = skeleton.model.graph
    inputs = {info.name: kind for info in graph.input if (kind := _kind(info.type))}
    outputs = {info.name: kind for info in graph.output if (kind := _kind(info.type))}
    strings = {name for name, of in skeleton.weights.items() if of.data_type == TensorProto.STRING}
    users = defaultdict[str, list[str]](list)
    for node in graph.node if inputs or outputs or strings else ():
        label = f"{name_of(node)} ({label_of(node)})"
        for name in {*reads(node), *node.output} & {*inputs, *outputs, *strings}:
            users[name].append(label)
    for what, ports in (
        ("input", inputs),
        ("constant", dict.fromkeys(strings, "string")),
        ("output", outputs),
    ):
        for name, kind in sorted(ports.items()):
            if users[name] or what != "constant":
                yield f"{what} {name} ({kind}): {', '.join(users[name])}"


def _kind(type_: TypeProto) -> str:
    """What a port is instead of a tensor of numbers; empty if it is one, or declared as nothing."""
    kind = type_.WhichOneof("value")
    if kind == "tensor_type":
        return "string" if type_.tensor_type.elem_type == TensorProto.STRING else ""
    return kind.removesuffix("_type") if kind else ""
