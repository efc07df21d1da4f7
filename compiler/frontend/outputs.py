"""Outputs of the network under import: each is a tensor that a layer defines, or has no elements."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from nnc.compiler.frontend.errors import ModelInvalidError, UnsupportedError
from nnc.compiler.frontend.growing_states import growing_state
from nnc.compiler.frontend.model.sizes import check_rank
from nnc.compiler.frontend.scope import Scope
from nnc.compiler.frontend.stored_ports import define_stored_output, stored_type
from nnc.compiler.ir.graph import TensorType
from nnc.compiler.ir.layers import Copy, Loc
from nnc.isa.program import State
from nnc.isa.types import DType


def define_outputs(scope: Scope, names: Sequence[str]) -> None:
    """Make the named tensors the network's outputs, in that order.

    Where a name stands for a tensor that a layer defines, the layer defines it under the new name; inputs,
    constants and tensors that are outputs themselves are copied.

    Raises:
        ModelInvalidError: an output is named twice.
        UnsupportedError: an output has an element type that is not supported, or too many axes, or is a state
            of a type of storage.
    """
    positions: dict[tuple[str, int], str] = {}
    for name in names:
        if any(name == port.name for port in scope.graph.output_ports):
            raise ModelInvalidError("an output is named twice", where=name, remedy="remove one of them")
        stored = stored_type(scope, name)
        if stored is not None and name in scope.states.pairs:
            raise UnsupportedError(
                "a state of a type of storage is not supported",
                where=f"state {scope.states.pairs[name]}={name}",
                found=stored.value,
                remedy="export the model with a cache of float16 or float32, or leave this state to the"
                " caller",
            )
        if name in scope.states.appended:
            _define_rows(scope, name, positions)
            continue
        source = scope.resolve(name)
        if not scope.is_tensor(source):
            raise UnsupportedError("an output is not a tensor", where=f"output {name}")
        type_ = scope.type_of(source)
        if name in scope.states.pairs:
            if _define_growing(scope, name, source):
                continue
            _check_replaced(scope, name, type_)
            scope.graph.add_state(State(scope.states.pairs[name], name))
        if not type_.elements:
            check_rank(name, type_)
            scope.graph.add_empty_output(name, replace(type_, dtype=stored or type_.dtype))
        elif stored is None:
            _define(scope, name, source, names)
        else:
            if scope.is_constant(source):
                source = _constant_for_copy(scope, source)
            define_stored_output(scope, name, source, stored)


def _define_rows(scope: Scope, name: str, positions: dict[tuple[str, int], str]) -> None:
    """Let an output be the rows that a run appends to a state, and another one their position.

    Args:
        positions: outputs by what they are computed of; most often, one serves all states.
    """
    graph, appended = scope.graph, scope.states.appended[name]
    counted = appended.counted
    if counted not in positions:
        positions[counted] = scope.fresh_tensor("position")
        _copy(scope, scope.resolve(appended.position), positions[counted])
        graph.add_output(positions[counted])
    if graph.producer(name) is not None:
        scope.set_aside(name)
    _add_rows(scope, name, scope.resolve(appended.rows))
    graph.add_state(State(scope.states.pairs[name], name, appended.axis, positions[counted]))


def _define_growing(scope: Scope, name: str, source: str) -> bool:
    """Let an output be the rows that a concat adds to a state; False if none does."""
    graph = scope.graph
    concat = growing_state(graph, scope.states.pairs[name], source)
    if concat is None:
        return False
    state, rows = concat
    if source == name:
        state = replace(state, joined=scope.set_aside(name))
    if not scope.states.growing:
        scope.states.position = scope.fresh_tensor("position")
        graph.add_input(scope.states.position, TensorType(DType.I64, (1,)))
    scope.states.growing.append(state)
    if len(sizes := {(of.places, of.rows) for of in scope.states.growing}) > 1:
        raise UnsupportedError(
            "states of several lengths are not supported",
            where=f"state {state.before}={name}",
            found=", ".join(f"{places} places and {new} new rows" for places, new in sorted(sizes)),
            remedy="give all of them one length, by --shape",
        )
    _add_rows(scope, name, rows)
    graph.add_state(State(state.before, name, state.axis, scope.states.position))
    return True


def _add_rows(scope: Scope, name: str, rows: str) -> None:
    """Let an output be a tensor of new rows."""
    if rows in scope.graph.outputs or scope.graph.producer(rows) is None:
        copied = scope.fresh_tensor(f"{name}.rows")
        _copy(scope, rows, copied)
        rows = copied
    scope.graph.add_output(rows, name)


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


def _check_replaced(scope: Scope, name: str, type_: TensorType) -> None:
    """Insist that an output can take the place of the input of its state."""
    before = scope.graph.types.get(scope.states.pairs[name])
    if before != type_:
        raise UnsupportedError(
            "an output cannot take the place of an input: it has another type, and is no input with rows"
            " appended that nnc knows",
            where=f"state {scope.states.pairs[name]}={name}",
            found=f"{type_}, the input is {before}",
            expected="a state of one shape, or rows appended at a position",
            remedy="give the input a shape with room for all rows, or leave this state to the caller",
        )


def _copy(scope: Scope, source: str, tensor: str) -> None:
    if source not in scope.graph.types:
        scope.enter_constant(source)
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
