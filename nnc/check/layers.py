"""Layer by layer: a quantised network judged where outputs alone cannot tell a bug from rounding.

A float sum closer to half a step than its rounding error falls to either side, and one element that is a
step off moves many in the layers behind it: a network of random weights may end with half of its outputs
different, and a wrong network with few.  So each layer is judged by itself.  The network is compiled once
more with every tensor of integers as an output, for the same chip; the reference computes each of these
tensors from those that the chip computed before it.  In each, one element of 10,000 (and always one) may be
one step off; what integer operators give must be equal.  Where a softmax is computed in f16 or in integers,
since that was asked for (``--softmax``), any element may be a step off.  The outputs of the program that is
checked must be those of the other one.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from onnx import ModelProto, TensorProto, helper

from nnc.check.compare import OutputError, Rounded, compare_tensors
from nnc.check.model_facts import ModelFacts, Rounding
from nnc.check.reference import Reference, Way
from nnc.check.variants import MARK, copy_of, with_nodes
from nnc.isa.chip.description import Chip
from nnc.isa.functions import Arithmetic

if TYPE_CHECKING:
    from nnc.compiler.ir.graph import Graph

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class LayerCheck:
    """How far each layer is off.

    Attributes:
        layers: the error of every tensor of integers, given the tensors before it.
        outputs: the errors of the outputs, given the tensors of integers before them.
        same: differences between the outputs of the two programs.
    """

    layers: tuple[OutputError, ...]
    outputs: tuple[OutputError, ...]
    same: tuple[OutputError, ...]


def check_layers(
    reference: Reference,
    facts: ModelFacts,
    feed: Mapping[str, Array],
    outputs: Mapping[str, Array],
    way: Way,
    chip: Chip,
    softmax: str = "f32",
) -> LayerCheck:
    """Compile with all tensors of integers as outputs, run, and compare each with the reference's.

    Args:
        reference: what the layers mean; the model of `facts`, or the same by definition.
        facts: of the model that the program was compiled from.
        softmax: what the program was asked to compute it in.

    Raises:
        NncError: that network cannot be compiled for the chip, or the reference cannot run it.
    """
    from nnc.compilation import compile_model
    from nnc.runtime.session import Session

    names = facts.rounded_tensors
    whole = with_outputs(facts, names)
    shapes = {name: value.shape for name, value in feed.items()}
    result = compile_model(whole, chip, shapes=shapes, softmax=softmax)
    session = Session(result.program, blas_only=True)
    tensors = dict(zip([info.name for info in session.get_outputs()], session.run(None, feed), strict=True))
    meant = facts if way is not Way.DEFINED else ModelFacts(reference.proto)
    layers = compare_layers(
        replace(reference, changed=True),
        meant,
        feed,
        tensors,
        way,
        approximate_tensors(result.compilation.canonical),
    )
    return LayerCheck(
        tuple(layers[name] for name in names),
        tuple(layers[name] for name in outputs),
        tuple(compare_tensors(name, outputs[name], tensors[name], facts) for name in outputs),
    )


def compare_layers(
    reference: Reference,
    facts: ModelFacts,
    feed: Mapping[str, Array],
    tensors: Mapping[str, Array],
    way: Way,
    near: Collection[str] = (),
) -> dict[str, OutputError]:
    """The error of every output and every tensor of integers, given the tensors of integers before it.

    Args:
        tensors: all of these as the chip computed them.
        near: those of which any element may be a step off.
    """
    rounded_tensors = [name for name in facts.rounded_tensors if name in tensors]
    names = [*rounded_tensors, *(name for name in reference.outputs if name not in rounded_tensors)]
    cut = replace(reference, proto=from_known(facts, tensors), outputs=names, changed=True)
    inputs = {known_input(name): tensors[name] for name in rounded_tensors}
    given = ModelFacts(cut.proto)  # what is exact, given the tensors before it
    rounding = {name: rule for name in names if (rule := facts.rounding(name)) is not None}
    cut = _with_sources(cut, rounding)
    expected = cut.run({**feed, **inputs}, way).outputs
    numbers = {**feed, **expected}
    rounded = {
        name: Rounded(rule.steps(numbers[rule.source]), rule.averages) for name, rule in rounding.items()
    }
    return {
        name: compare_tensors(
            name, tensors[name], expected[name], given, rounded.get(name), near=name in near
        )
        for name in names
    }


def approximate_tensors(canonical: Graph) -> set[str]:
    """What a network computes in fewer bits than the model says, and views of that."""
    tensors: set[str] = set()
    for layer in canonical.layers():
        is_approximate = getattr(layer, "arithmetic", Arithmetic.F32) is not Arithmetic.F32
        if is_approximate or (layer.is_view and not tensors.isdisjoint(canonical.inputs_of(layer.name))):
            tensors.add(canonical.output_of(layer.name))
    return tensors


def _with_sources(reference: Reference, rounding: Mapping[str, Rounding]) -> Reference:
    """The reference with the tensors that are rounded as further outputs, but for its inputs."""
    model = copy_of(reference.proto)
    inputs = {info.name for info in model.graph.input}
    sources = {rule.source for rule in rounding.values()} - inputs - set(reference.outputs)
    infos = [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in sorted(sources)]
    model.graph.output.extend(infos)
    return replace(reference, proto=model, outputs=[*reference.outputs, *sorted(sources)])


def with_outputs(facts: ModelFacts, names: tuple[str, ...]) -> ModelProto:
    """The model with further tensors as outputs."""
    model = copy_of(facts.proto)
    present = {info.name for info in model.graph.output}
    for name in names:
        if name not in present:
            model.graph.output.append(helper.make_tensor_value_info(name, facts.rounded_type(name), None))
    return model


def from_known(facts: ModelFacts, tensors: Mapping[str, Array]) -> ModelProto:
    """The model in which readers of tensors of integers read inputs instead, which have their values."""
    names = tuple(name for name in facts.rounded_tensors if name in tensors)
    model = with_outputs(facts, names)
    for name in names:
        array = np.asarray(tensors[name])
        code = helper.np_dtype_to_tensor_dtype(array.dtype)
        model.graph.input.append(helper.make_tensor_value_info(known_input(name), code, array.shape))
    for node in model.graph.node:
        for index, name in enumerate(node.input):
            if name in names:
                node.input[index] = known_input(name)
    return with_nodes(model, list(model.graph.node))


def known_input(name: str) -> str:
    """The input that readers of a tensor read in its place."""
    return f"{name}{MARK}known"
