"""`import_model`: from an ONNX model to the imported graph.

Older and newer forms of an operator (attributes that became inputs, changed defaults) are told apart by the
importer functions.  onnx's version converter serves below opset 7 only (`model.old_opsets`): from opsets 7 to
10 it silently changes the coordinate mapping of Upsample and Resize.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike
from onnx import NodeProto

from nnc.compiler.frontend.context import Array, OpContext
from nnc.compiler.frontend.domains import adopt_own_operators, label_of, name_of
from nnc.compiler.frontend.errors import ModelTooLargeError, UnsupportedError
from nnc.compiler.frontend.expand_functions import expand_functions
from nnc.compiler.frontend.expansion import OPSET as EXPANSION_OPSET
from nnc.compiler.frontend.fold import EvaluationFailure, evaluate, sizes_to_fold
from nnc.compiler.frontend.fold_list import has_wrong_form, listed, moves
from nnc.compiler.frontend.growing_states import (
    check_length_is_free,
    hide_free_places,
    with_longer_past,
)
from nnc.compiler.frontend.inlining import model_of
from nnc.compiler.frontend.model.attributes import check_attributes
from nnc.compiler.frontend.model.check import (
    InferredTypes,
    check_model,
    default_opset,
    infer_types,
)
from nnc.compiler.frontend.model.load import LoadedModel, ModelSource, load_model
from nnc.compiler.frontend.model.old_opsets import convert_old_opset
from nnc.compiler.frontend.model.ports import check_ports
from nnc.compiler.frontend.model.sizes import (
    check_folded,
    check_graph,
    check_inlined,
)
from nnc.compiler.frontend.model.specialise import Shapes, specialise
from nnc.compiler.frontend.model.subgraphs import all_defined, live_nodes, reads
from nnc.compiler.frontend.model.weights import Skeleton, separate
from nnc.compiler.frontend.operator_reasons import unknown_operator
from nnc.compiler.frontend.operators import registry
from nnc.compiler.frontend.outputs import define_outputs
from nnc.compiler.frontend.parameters import check_parameters
from nnc.compiler.frontend.scope import Scope
from nnc.compiler.frontend.segments.sides import refuse
from nnc.compiler.frontend.segments.survey import Survey
from nnc.compiler.frontend.signatures import signature_of
from nnc.compiler.frontend.states import Pairs, StateTable, defining_names, state_pairs
from nnc.compiler.frontend.stored_ports import define_input
from nnc.compiler.frontend.table import importer_of
from nnc.compiler.ir.graph import Graph
from nnc.isa.errors import NncError

assert registry.IMPORTERS, "importing the operators fills the table"


@np.errstate(all="ignore")  # what is not finite is checked or wanted: no warning of numpy says it better
def import_model(
    model: ModelSource,
    *,
    shapes: Shapes | None = None,
    values: Mapping[str, ArrayLike] | None = None,
    dims: Mapping[str, int] | None = None,
    states: Pairs | str | None = None,
) -> Graph:
    """Import a model: every tensor gets a static type, constants are folded, dead nodes are left out.

    Args:
        model: path of an ONNX file, its bytes, or a ModelProto (which is not changed).
        shapes: dimensions of inputs whose shape is symbolic, by name.
        values: inputs that are to be constants, by name (for inputs that determine shapes).
        dims: sizes of symbolic dimensions, by their names.
        states: inputs and the outputs that they are in the next run, by name, or "auto".

    Raises:
        ModelFileError, ExternalDataError: the files cannot be read (see `load_model`).
        ModelInvalidError: the model breaks the ONNX specification.
        SymbolicShapeError, OptionError, InputError: shapes or values are missing or wrong.
        ModelTooLargeError: the tensors could not fit the machine.
        UnsupportedError: nodes that nnc cannot compile; all are listed.
    """
    loaded = load_model(model, apart=True)
    walk = _walk(loaded, shapes or {}, values or {}, states, dims)
    graph = walk.run()
    if growing := walk.states.growing:
        longer = with_longer_past(loaded.proto, graph, growing)
        check_length_is_free(graph, _walk(loaded, longer, values or {}, states).run(), growing)
        hide_free_places(graph, growing, walk.states.position)
    return graph


@np.errstate(all="ignore")
def survey_model(
    model: ModelSource,
    *,
    shapes: Shapes | None = None,
    values: Mapping[str, ArrayLike] | None = None,
    dims: Mapping[str, int] | None = None,
) -> Survey:
    """Which nodes of a model can be compiled, and why others cannot.

    Args:
        model, shapes, values, dims: as of `import_model`.

    Raises:
        NncError: as `import_model`, but for nodes that cannot be compiled.
    """
    return _walk(load_model(model, apart=True), shapes or {}, values or {}, None, dims).survey()


def _walk(
    loaded: LoadedModel,
    shapes: Shapes,
    values: Mapping[str, ArrayLike],
    states: Pairs | str | None,
    dims: Mapping[str, int] | None = None,
) -> _Walk:
    """What is to be imported, checked and with its shapes."""
    opset = default_opset(loaded.proto)
    skeleton = separate(loaded.proto, loaded.values)
    adopt_own_operators(skeleton.model, opset)
    check_model(skeleton.model)
    check_attributes(skeleton.model)
    check_ports(skeleton)
    specialise(skeleton, shapes, values, dims)
    opset = convert_old_opset(skeleton, opset)
    expand_functions(skeleton, opset)
    check_attributes(skeleton.model)  # of the bodies of functions, too
    outputs = [info.name for info in skeleton.model.graph.output]
    return _Walk(skeleton, opset, loaded.label, state_pairs(states, skeleton.inputs, outputs))


class _Walk:
    """One pass over the nodes in their order."""

    def __init__(self, skeleton: Skeleton, opset: int, label: str, states: Pairs) -> None:
        self._graph = skeleton.model.graph
        self._inputs = skeleton.inputs
        self._weights = skeleton.weights
        self._opset = opset
        self._opset_import = skeleton.model.opset_import
        self._nodes = live_nodes(self._graph)
        used = {name for node in self._nodes for name in reads(node)} | {o.name for o in self._graph.output}
        names = used | {*all_defined(self._graph)} | set(skeleton.weights)
        declared = infer_types(skeleton.model, opset)
        graph_name = self._graph.name if self._graph.name != "model" else label
        self._scope = Scope(
            graph_name,
            skeleton,
            declared,
            frozenset(used),
            frozenset(names | set(skeleton.inputs)),
            self._nodes,
        )
        self._scope.states = StateTable(states, defining_names(self._graph, states))
        self._skeleton = skeleton
        self._refused: dict[int, str] = {}
        self._behind = set[int]()
        self._refused_inside: list[str] = []
        self._inlined = 0
        self._check_constants(skeleton.weights, declared)

    @property
    def states(self) -> StateTable:
        """The states of what is imported."""
        return self._scope.states

    def run(self) -> Graph:
        """Import everything, then report all that was not possible at once."""
        survey = self.survey()
        if survey.refused:
            refuse(survey, survey.refused)
        define_outputs(self._scope, [info.name for info in self._graph.output])
        graph = self._scope.graph
        _remove_dead(graph)
        check_graph(graph)
        return graph

    def survey(self) -> Survey:
        """Import all nodes, also behind those for which that is not possible."""
        declared = {info.name: info for info in self._graph.input}
        for name in self._inputs:
            define_input(self._scope, declared[name])
        for number, node in enumerate(self._nodes):
            self._import(number, node)
        return Survey(self._skeleton, self._nodes, self._refused, frozenset(self._behind), self._scope)

    def _import(self, number: int, node: NodeProto) -> None:
        if any(map(self._scope.is_unknown, reads(node))):
            self._behind.add(number)
        self._refused_inside = []
        reason = self._attempt(node)
        reasons = [reason, *self._refused_inside] if reason else self._refused_inside
        if reasons:
            self._refused[number] = "; ".join(reasons)

    def _attempt(self, node: NodeProto) -> str:
        """Import a node of the network or of a sub-graph; why that is not possible, else nothing."""
        scope = self._scope
        if any(map(scope.is_unknown, reads(node))):
            scope.skip(node)
            return unknown_operator(node) if importer_of(node) is None else ""
        try:
            self._translate(node, self._opset)
        except UnsupportedError as error:
            scope.skip(node)
            return error.message
        except NncError as error:
            if error.where:
                raise
            raise self._at(node, error) from error
        return ""

    def _at(self, node: NodeProto, error: NncError) -> NncError:
        """The same error, with its place."""
        where = f"node {name_of(node)} ({label_of(node)})"
        return type(error)(
            error.message, where=where, found=error.found, expected=error.expected, remedy=error.remedy
        )

    def _translate(self, node: NodeProto, opset: int) -> None:
        scope = self._scope
        if self._is_empty(node):
            return
        entry = importer_of(node)
        check_parameters(node, lambda name: scope.value(scope.resolve(name)))
        names = [scope.resolve(name) for name in node.input if name]
        is_constant = bool(names) and all(scope.is_known(name) for name in names)
        if is_constant and listed(node) and not (entry and entry.lazy):
            try:
                if self._move_integers(node, opset) or self._fold(node, opset):
                    return
            except EvaluationFailure as failure:
                if entry is None:
                    raise UnsupportedError(str(failure)) from failure
                # else the chip computes what onnx cannot
        if entry is None:
            raise UnsupportedError(unknown_operator(node))
        signature = signature_of(node, opset)
        context = OpContext(node, signature.version, scope, self)
        signature.check(node, context)
        entry.run(context)
        self.expand(context)

    def expand(self, context: OpContext) -> None:
        """Import the nodes that a node stands for, as far as they are known."""
        parts = [*context.nodes]
        context.nodes.clear()
        self._scope.use(name for part in parts for name in part.input)
        for part in parts:
            self._translate(part, EXPANSION_OPSET)

    def count_nodes(self, count: int) -> None:
        """Judge nodes that loops and the like add to the model.

        Raises:
            ModelTooLargeError: with those before, they are too many.
        """
        self._inlined += count
        check_inlined(self._inlined)

    def inline(self, nodes: Sequence[NodeProto]) -> None:
        """Import nodes of a sub-graph, all of whose names are the network's.

        Raises:
            ModelTooLargeError: sub-graphs add too many nodes to the model.
            ModelInvalidError: their types contradict each other.
        """
        self.count_nodes(max(1, len(nodes)))
        self._scope.reserve_names(nodes)
        model = model_of(nodes, self._scope, self._opset_import)
        if model is not None:
            self._scope.add_inferred(infer_types(model, self._opset))
        for node in nodes:
            if reason := self._attempt(node):
                self._refused_inside.append(f"{name_of(node)} ({label_of(node)}): {reason}")

    def _is_empty(self, node: NodeProto) -> bool:
        """Define the results of a node that makes nothing of nothing; False if it does more.

        Where operands have elements and the result has none, such as behind too large a window, the importer
        judges whether the node is sound.
        """
        names, operands = [*filter(None, node.output)], [*map(self._scope.resolve, filter(None, node.input))]
        types = [self._scope.inferred_type(name) for name in names]
        if any(type_ is None or type_.elements for type_ in types):
            return False
        if not all(map(self._scope.is_tensor, operands)):
            return False
        if all(self._scope.type_of(operand).elements for operand in operands):
            return False
        for name, type_ in zip(names, filter(None, types), strict=True):
            self._scope.add_empty(name, type_)
        return True

    def _fold(self, node: NodeProto, opset: int) -> bool:
        """Evaluate a node whose inputs are constant; False if that would not give what the standard says."""
        scope = self._scope
        arrays = {own: scope.value(scope.resolve(own)) for own in node.input if own}
        constants = {name: value for name, value in arrays.items() if value is not None}
        if has_wrong_form(node, constants):
            return False
        scope.folded.add_work(node, constants)
        results = evaluate(node, constants, opset)
        scope.folded.add_results(results, constants.values())
        for name, value in zip(filter(None, node.output), results, strict=True):
            scope.add_constant(name, value)
        matrix = scope.block_matrix(scope.resolve(node.input[0])) if node.op_type == "Transpose" else None
        if matrix is not None and results[0].shape == constants[node.input[0]].shape[::-1]:
            scope.add_block_matrix(node.output[0], matrix.turned())
        return True

    def _check_constants(self, constants: Iterable[str], declared: InferredTypes) -> None:
        """Refuse what the model computes of constants alone before anything of it is computed."""
        total = 0
        for node, nbytes in sizes_to_fold(self._nodes, constants, declared):
            total += nbytes
            try:
                check_folded(nbytes)
            except ModelTooLargeError as error:
                raise self._at(node, error) from None
        self._scope.folded.check_bytes(total)

    def _move_integers(self, node: NodeProto, opset: int) -> bool:
        """Move the elements of a constant that is stored as integers as such; False if the node does more."""
        scope = self._scope
        stored = scope.dequantised(scope.resolve(node.input[0]))
        others = {own: scope.constant(scope.resolve(own)) for own in node.input[1:] if own}
        constants = {name: value for name, value in others.items() if value is not None}
        if stored is None or not moves(node) or len(constants) < len(others):
            return False
        if has_wrong_form(node, {node.input[0]: stored.x, **constants}):
            return False
        context = OpContext(node, signature_of(node, opset).version, scope, self)
        for slot in filter(context.uses, range(len(node.output))):

            def move(array: Array, slot: int = slot) -> Array:
                return evaluate(node, {node.input[0]: array, **constants}, opset)[slot]

            context.dequantise(stored.moved(move), slot=slot)
        return True


def _remove_dead(graph: Graph) -> None:
    """Remove layers that only served to compute what folding made constant."""
    for layer in reversed(graph.layers()):
        outputs = graph.outputs_of(layer.name)
        if not any(tensor in graph.outputs or graph.consumers(tensor) for tensor in outputs):
            graph.remove(layer.name)
    for name in sorted(set(graph.constants) - set(graph.used_constants())):
        graph.remove_constant(name)
