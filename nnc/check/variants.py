"""What rounding alone does to a network: the reference once more, rounding elsewhere.

A network may amplify rounding (a softmax of large scores picks another winner): then no two correct
implementations agree.  The reference tells by itself how far: it sums in another order, on inputs that are
changed in their last bit; results of half precision are rounded after every layer.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
from onnx import ModelProto, TensorProto, helper

from nnc.check.model_facts import ModelFacts
from nnc.check.reference import Reference, Way
from nnc.isa.limits import MODEL_FILE

Array = npt.NDArray[Any]
Variant = tuple[Reference, Mapping[str, Array], Way]
MARK = "/nnc-rounding/"
"""In the names of tensors that only a changed model has."""


def rounding_variants(
    reference: Reference, facts: ModelFacts, feed: Mapping[str, Array], way: Way
) -> Iterator[Variant]:
    """The same model and inputs, but for rounding."""
    rng = np.random.default_rng(0)
    yield reference, feed, Way.LITERAL
    if facts.half and reference.proto.ByteSize() <= MODEL_FILE.most:
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


def rounded_to_half(proto: Any, facts: ModelFacts) -> ModelProto:
    """The model in which every node of half precision computes in f32 and rounds its result to half.

    That is what half precision in memory means.  onnxruntime itself rounds where it likes: on most processors
    it computes whole networks of half precision in f32.
    """
    half, single = TensorProto.FLOAT16, TensorProto.FLOAT
    changed = copy_of(proto)
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
            wide = f"{node.output[0]}{MARK}source{index}"
            nodes.insert(-1, helper.make_node("Cast", [node.input[index]], [wide], to=single))
            node.input[index] = wide
        for index in results:
            wide = f"{node.output[index]}{MARK}wide"
            nodes.append(helper.make_node("Cast", [wide], [node.output[index]], to=half))
            node.output[index] = wide
    return with_nodes(changed, nodes)


def copy_of(proto: Any) -> ModelProto:
    """A model of its own."""
    copy = ModelProto()
    copy.CopyFrom(proto)
    return copy


def with_nodes(model: ModelProto, nodes: list[Any]) -> ModelProto:
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
