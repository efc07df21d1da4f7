"""What rounding alone does to a network: the reference once more, rounding elsewhere.

A network may amplify rounding (a softmax of large scores picks another winner, a sum close to half a step
falls to the other side): then no two correct implementations agree.  The reference tells by itself how far:
it sums in another order, on inputs that are changed in their last bit; results of half precision are rounded
after every layer; quantised sums are off by a hair before they are rounded.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
from onnx import ModelProto, TensorProto, helper, numpy_helper

from nnc.check.model_facts import ModelFacts
from nnc.check.reference import PROTOBUF_LIMIT, Reference, Way

Array = npt.NDArray[Any]
Variant = tuple[Reference, Mapping[str, Array], Way]
NOISE = 2.0**-16
"""Share of a quantised result by which it is off before rounding: at most 1/256 of a step."""
_MARK = "/nnc-rounding/"
"""In the names of tensors that only a changed model has."""
_OUTPUT_SCALE = {
    "QuantizeLinear": 1,
    "QLinearConcat": 0,
    "QLinearAveragePool": 3,
    "QLinearGlobalAveragePool": 3,
    "QLinearLeakyRelu": 3,
    "QLinearSigmoid": 3,
    "QLinearSoftmax": 3,
    "QLinearConv": 6,
    "QLinearMatMul": 6,
    "QLinearAdd": 6,
    "QLinearMul": 6,
    "QGemm": 7,
}
"""Operators that round to integers: which input is the scale of their result."""


def rounding_variants(
    reference: Reference, facts: ModelFacts, feed: Mapping[str, Array], way: Way
) -> Iterator[Variant]:
    """The same model and inputs, but for rounding."""
    rng = np.random.default_rng(0)
    small = reference.proto.ByteSize() < PROTOBUF_LIMIT
    if facts.quantised and small:
        for _ in range(3):
            yield _changed(reference, with_noise(reference.proto, facts, rng)), feed, way
    else:
        yield reference, feed, Way.LITERAL
    if facts.half and small:
        yield _changed(reference, rounded_to_half(reference.proto, facts)), feed, Way.LITERAL
    for _ in range(2):
        yield reference, _last_bits_changed(feed, rng), way


def _changed(reference: Reference, proto: ModelProto) -> Reference:
    return replace(reference, proto=proto, changed=True)


def _last_bits_changed(feed: Mapping[str, Array], rng: np.random.Generator) -> dict[str, Array]:
    """Inputs whose floating-point values are moved to a neighbour, up or down."""
    towards = np.array([-np.inf, np.inf])
    return {
        name: np.nextafter(value, rng.choice(towards, value.shape).astype(value.dtype))
        if np.issubdtype(value.dtype, np.floating)
        else value
        for name, value in feed.items()
    }


def with_noise(proto: Any, facts: ModelFacts, rng: np.random.Generator) -> ModelProto:
    """The model with the scale of every result that is rounded to integers changed by `NOISE`, up or down.

    What reads the integers keeps the scale.  Results that are settled to the last bit are left alone.
    """
    changed, nodes = _copy(proto), []
    for node in changed.graph.node:
        factor = np.float32(1 + rng.choice((-NOISE, NOISE)))
        index = _OUTPUT_SCALE.get(node.op_type)
        if node.output[0] in facts.exact:
            pass
        elif node.op_type == "DynamicQuantizeLinear":
            name = f"{node.output[0]}{_MARK}factor"
            changed.graph.initializer.append(numpy_helper.from_array(np.array(factor), name))
            moved = f"{node.output[0]}{_MARK}moved"
            nodes.append(helper.make_node("Mul", [node.input[0], name], [moved]))
            node.input[0] = moved
        elif index is not None and node.input[index] in facts.constants:
            scale = numpy_helper.to_array(facts.constants[node.input[index]])
            name = f"{node.output[0]}{_MARK}scale"
            moved_scale = np.asarray(scale * factor).astype(scale.dtype)
            changed.graph.initializer.append(numpy_helper.from_array(moved_scale, name))
            node.input[index] = name
        nodes.append(node)
    return _with_nodes(changed, nodes)


def rounded_to_half(proto: Any, facts: ModelFacts) -> ModelProto:
    """The model in which every node of half precision computes in f32 and rounds its result to half.

    That is what half precision in memory means.  onnxruntime itself rounds where it likes: on most processors
    it computes whole networks of half precision in f32.
    """
    half, single = TensorProto.FLOAT16, TensorProto.FLOAT
    changed = _copy(proto)
    nodes: list[Any] = []
    for node in changed.graph.node:
        sources, results = (
            [index for index, name in enumerate(names) if facts.types.get(name) == half]
            for names in (node.input, node.output)
        )
        nodes.append(node)
        if not sources or not results or node.op_type == "Cast":
            continue
        for index in sources:
            wide = f"{node.output[0]}{_MARK}source{index}"
            nodes.insert(-1, helper.make_node("Cast", [node.input[index]], [wide], to=single))
            node.input[index] = wide
        for index in results:
            wide = f"{node.output[index]}{_MARK}wide"
            nodes.append(helper.make_node("Cast", [wide], [node.output[index]], to=half))
            node.output[index] = wide
    return _with_nodes(changed, nodes)


def _copy(proto: Any) -> ModelProto:
    copy = ModelProto()
    copy.CopyFrom(proto)
    return copy


def _with_nodes(model: ModelProto, nodes: list[Any]) -> ModelProto:
    """The model with other nodes; what was declared of inner tensors may no longer be right."""
    kept = [_copy_node(node) for node in nodes]
    del model.graph.node[:]
    model.graph.node.extend(kept)
    del model.graph.value_info[:]
    return model


def _copy_node(node: Any) -> Any:
    copy = type(node)()
    copy.CopyFrom(node)
    return copy
