"""Outputs of the network under import: each is a tensor that a layer defines, or has no elements."""

from __future__ import annotations

from collections.abc import Sequence

from nnc.compiler.frontend.errors import ModelInvalidError, UnsupportedError
from nnc.compiler.frontend.model.sizes import check_rank
from nnc.compiler.frontend.scope import Scope
from nnc.compiler.ir.layers import Copy, Loc


def define_outputs(scope: Scope, names: Sequence[str]) -> None:
    """Make the named tensors the network's outputs, in that order.

    Where a name stands for a tensor that a layer defines, the layer defines it under the new name; inputs,
    constants and tensors that are outputs themselves are copied.

    Raises:
        ModelInvalidError: an output is named twice.
        UnsupportedError: an output has 4 bits, or too many axes.
    """
    for name in names:
        if any(name == port.name for port in scope.graph.output_ports):
            raise ModelInvalidError("an output is named twice", where=name, remedy="remove one of them")
        if scope.packed_range(name) is not None:
            raise UnsupportedError(
                "an output of 4-bit integers is not supported",
                where=name,
                remedy="remove that output, or cast it",
            )
        source = scope.resolve(name)
        type_ = scope.type_of(source)
        if type_.elements:
            _define(scope, name, source, names)
        else:
            check_rank(name, type_)
            scope.graph.add_empty_output(name, type_)


def _define(scope: Scope, name: str, source: str, names: Sequence[str]) -> None:
    graph = scope.graph
    if scope.is_constant(source):
        source = _constant_for_copy(scope, source)
    if source == name and name in graph.inputs:
        tensor = scope.fresh_tensor(f"{name}.copy")
        _copy(scope, source, tensor)
        graph.add_output(tensor, name)
        return
    if source != name and (source in names or not scope.take_name(name, source)):
        _copy(scope, source, name)
    graph.add_output(name)


def _copy(scope: Scope, source: str, tensor: str) -> None:
    copy = Copy(name=scope.layer_name(f"Copy_{tensor}"), loc=Loc(tensor, "Identity"))
    scope.graph.add(copy, [source], [tensor], [scope.graph.types[source]])


def _constant_for_copy(scope: Scope, tensor: str) -> str:
    """The constant under a name of its own, which leaves `tensor` free for the copy."""
    graph = scope.graph
    if tensor not in graph.types:
        scope.enter_constant(tensor)
    stand_in = graph.add_constant(scope.fresh_tensor(f"{tensor}.value"), graph.constants[tensor])
    graph.rewire(tensor, stand_in)
    graph.remove_constant(tensor)
    return stand_in
