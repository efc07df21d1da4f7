"""Results that stay on chip lie where the operand before them is used up, row by row."""

from __future__ import annotations

import itertools

import numpy as np
import onnx
import pytest
from harness import check_compiled, chip_of, random_inputs, random_networks_settings, reference
from hypothesis import given
from hypothesis import strategies as st
from onnx import TensorProto, helper, numpy_helper
from quantised_models import quantised

from nnc.compiler.frontend.importer import import_model
from nnc.compiler.pipeline import Compilation, run_pipeline
from nnc.compiler.plan.options import PlanOptions
from nnc.compiler.plan.step import Compute

Layer = tuple[int, int, int]
"""Channels of a convolution, its kernel and its stride."""


def chain(layers: list[Layer], side: int, channels: int, seed: int = 0) -> onnx.ModelProto:
    """Convolutions with a ReLU each, one behind the other, on a square picture."""
    rng, nodes, constants = np.random.default_rng(seed), [], []
    at, begun = "x", channels
    for number, (filters, kernel, stride) in enumerate(layers):
        weights = rng.standard_normal((filters, channels, kernel, kernel)) / (channels * kernel**2) ** 0.5
        constants.append(numpy_helper.from_array(weights.astype(np.float32), f"w{number}"))
        pads = [kernel // 2] * 4
        conv = helper.make_node(
            "Conv",
            [at, f"w{number}"],
            [f"c{number}"],
            kernel_shape=[kernel] * 2,
            pads=pads,
            strides=[stride] * 2,
        )
        nodes += [conv, helper.make_node("Relu", [f"c{number}"], [f"r{number}"])]
        at, channels = f"r{number}", filters
    graph = helper.make_graph(
        nodes,
        "chain",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, begun, side, side])],
        [helper.make_tensor_value_info(at, TensorProto.FLOAT, None)],
        constants,
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    return onnx.shape_inference.infer_shapes(model)


def compiled(model: onnx.ModelProto, sram: str) -> Compilation:
    options = PlanOptions(objective="traffic")
    return run_pipeline(import_model(model), chip_of("npu", sram=sram), options=options, verify_each=True)


def shares_bytes(found: Compilation) -> bool:
    """Whether two buffers that stay whole lie in part in one place."""
    blocks = {
        tile.block.name: (place.address - tile.offset * tile.type.dtype.itemsize, tile.block.nbytes)
        for group in found.plan.groups
        for step in group.steps
        if isinstance(step, Compute)
        for tile in (step.out,)
        if tile.block.name.endswith(".whole") and (place := found.plan.places[tile.name])
    }
    spans = sorted((low, low + nbytes) for low, nbytes in blocks.values())
    return any(low < high for (_, high), (low, _) in itertools.pairwise(spans))


@pytest.mark.parametrize(
    ("layers", "side", "channels", "sram"),
    [
        ([(32, 3, 1)] * 4, 24, 32, "132KiB"),
        ([(32, 3, 1), (32, 3, 1), (64, 3, 2), (64, 3, 1)], 24, 32, "140KiB"),
    ],
)
def test_a_chain_moves_what_it_must(layers: list[Layer], side: int, channels: int, sram: str) -> None:
    """A picture and the next one do not fit beside the weights that make it, all rows of both."""
    model = chain(layers, side, channels)
    found, feeds = compiled(model, sram), random_inputs(model)
    run = check_compiled(found, feeds, reference(model, feeds))
    assert shares_bytes(found)
    assert run.session.ledger.whole.get("spill", 0) == 0


layers_of = st.lists(
    st.tuples(st.sampled_from([8, 16, 32, 48]), st.sampled_from([1, 3, 5]), st.sampled_from([1, 1, 2])),
    min_size=2,
    max_size=5,
)


@random_networks_settings(15)
@given(
    layers_of,
    st.sampled_from([14, 20, 28]),
    st.sampled_from([8, 24]),
    st.sampled_from([24, 40, 64, 96]),
    st.booleans(),
)
def test_random_chains_are_right(
    layers: list[Layer], side: int, channels: int, kib: int, is_int8: bool
) -> None:
    model = chain(layers, side, channels, seed=side)
    model = quantised(model) if is_int8 else model
    feeds = random_inputs(model)
    check_compiled(compiled(model, f"{kib}KiB"), feeds, reference(model, feeds))
