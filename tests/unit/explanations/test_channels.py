"""nnc.explanations.channels: a model with fewer channels is whole, and what is left computes as before."""

from __future__ import annotations

import numpy as np
import onnx
import pytest
from harness import Array, random_inputs, reference
from onnx import numpy_helper, parser
from small_builders import SIZES

from nnc import models
from nnc.compiler.frontend.domains import name_of
from nnc.explanations.channels import ChannelClasses
from nnc.explanations.recompilation import Recompilation


def run(model: onnx.ModelProto) -> list[Array]:
    return [*reference(model, random_inputs(model)).values()]


def test_a_model_that_cannot_be_read_whole_has_none_to_change() -> None:
    """One with weights in further files may be larger than protobuf allows, and compiles nevertheless."""
    assert Recompilation(b"no model", "npu").channels(["conv1"]) == {}
    assert Recompilation(models.build("lenet5"), "npu").channels(["conv1", "gemm3", "none"]).keys() == {
        "conv1"
    }


@pytest.mark.parametrize("name", SIZES)
def test_networks_are_whole_with_fewer_channels(name: str) -> None:
    """Of any node that can have fewer: the narrowed weights fit each other, and the outputs are as large."""
    model = models.build(name, **SIZES[name])
    classes, shapes = ChannelClasses(model), [value.shape for value in run(model)]
    extents = {name_of(node): classes.extent(name_of(node)) for node in model.graph.node}
    narrow = {node: extent for node, extent in extents.items() if extent is not None}
    assert narrow
    for node, extent in [*narrow.items()][:: max(1, len(narrow) // 4)]:
        fewer = classes.narrowed(node, max(1, extent // 2))
        onnx.checker.check_model(fewer, full_check=True)
        assert [value.shape for value in run(fewer)] == shapes
        assert ChannelClasses(fewer).extent(node) == max(1, extent // 2)


def test_what_is_left_computes_as_if_the_others_were_zero() -> None:
    """The last two channels of a and what reads them, the other branch of the sum included."""
    model = parser.parse_model("""<ir_version: 9, opset_import: ["" : 18]>
        sums (float[1,3,4,4] x) => (float[1,2,4,4] y) {
            [first] a = Conv (x, wa, ba)  [scaled] b = BatchNormalization (a, s, z, m, v)
            [other] c = Conv (x, wc)  d = Add (b, c)  e = Relu (d)
            [each] f = Conv <group = 6> (e, wf)  [last] y = Conv (f, wy) }""")
    random = np.random.default_rng(0)
    shapes = {"wa": (6, 3, 1, 1), "wc": (6, 3, 1, 1), "wf": (6, 1, 1, 1), "wy": (2, 6, 1, 1)}
    shapes |= dict.fromkeys(["ba", "s", "z", "m", "v"], (6,))
    weights = {name: random.random(shape).astype(np.float32) for name, shape in shapes.items()}
    model.graph.initializer.extend(numpy_helper.from_array(value, name) for name, value in weights.items())
    for node in ("first", "other", "each"):
        assert ChannelClasses(model).extent(node) == 6
    assert ChannelClasses(model).extent("last") is None  # an output of the model
    assert ChannelClasses(model).extent("scaled") is None  # it makes no channels
    fewer = ChannelClasses(model).narrowed("other", 4)
    weights["wy"][:, 4:] = 0
    del model.graph.initializer[:]
    model.graph.initializer.extend(numpy_helper.from_array(value, name) for name, value in weights.items())
    np.testing.assert_allclose(run(fewer)[0], run(model)[0], rtol=1e-5)


@pytest.mark.parametrize(
    "body",
    [
        "a = Conv (x, w)  y = Concat <axis = 1> (a, x)",
        "a = Conv (x, w)  y = Add (a, x)",
        "a = Conv (x, w)  b = Softmax (a)  y = Reshape (b, shape)",
        "a = Conv <group = 2> (x, half)  b = Relu (a)  y = Conv (b, w)",
    ],
)
def test_what_is_fixed_stays(body: str) -> None:
    """By an input, an output, an operator of which nothing is known, or groups of channels."""
    model = parser.parse_model(f"""<ir_version: 9, opset_import: ["" : 18]>
        fixed (float[1,4,2,2] x) => (float y) {{ {body.replace("a = ", "[node] a = ")} }}""")
    model.graph.output[0].type.tensor_type.ClearField("shape")
    weights = {
        "w": np.ones((4, 4, 1, 1), np.float32),
        "half": np.ones((4, 2, 1, 1), np.float32),
        "shape": np.array([1, 16]),
    }
    model.graph.initializer.extend(
        numpy_helper.from_array(value, name) for name, value in weights.items() if name in body
    )
    assert ChannelClasses(model).extent("node") is None
