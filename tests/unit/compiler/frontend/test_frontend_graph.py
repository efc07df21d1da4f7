"""What an imported graph looks like: names, folding, dead code, outputs, functions, static shapes."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from frontend_evaluator import evaluate, session
from onnx import TensorProto, helper, numpy_helper, parser

from nnc import models
from nnc.compiler.frontend.importer import import_model
from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.graph import Graph
from nnc.isa.functions import Function

LIGHT = Path(onnx.__file__).parent / "backend" / "test" / "data" / "light"


def parse(text: str, opset: int = 20) -> onnx.ModelProto:
    return parser.parse_model(f'<ir_version: 9, opset_import: ["": {opset}]> {text}')


def small(
    nodes: list[onnx.NodeProto],
    inputs: dict[str, tuple[int | str, ...]],
    outputs: dict[str, tuple[int | str, ...]],
    constants: dict[str, Any] | None = None,
    opset: int = 20,
) -> onnx.ModelProto:
    graph = helper.make_graph(
        nodes,
        "small",
        [helper.make_tensor_value_info(n, TensorProto.FLOAT, s) for n, s in inputs.items()],
        [helper.make_tensor_value_info(n, TensorProto.FLOAT, s) for n, s in outputs.items()],
        [numpy_helper.from_array(np.asarray(v), n) for n, v in (constants or {}).items()],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=9)


def kinds(graph: Graph) -> list[str]:
    return [layer.kind for layer in graph.layers()]


# --- networks ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", models.names())
def test_builder_computes_the_same(name: str) -> None:
    image = {"alexnet": 96, "mlp-784-1152-10": 28, "lenet5": 32}.get(name, 64)
    model = models.build(name, image=image, width=0.125)
    graph = import_model(model)
    feeds = {
        info.name: np.random.default_rng(0)
        .standard_normal([d.dim_value for d in info.type.tensor_type.shape.dim])
        .astype(np.float32)
        for info in model.graph.input
    }
    expected = session(model).run(None, feeds)
    found = evaluate(graph, feeds)
    assert list(found) == [o.name for o in model.graph.output]
    for want, have in zip(expected, found.values(), strict=True):
        np.testing.assert_allclose(have, want, atol=1e-4 * np.abs(want).max())


LIGHT_KINDS = {
    "bvlc_alexnet": {"conv": 5, "local_response_norm": 2, "pool": 3, "matmul": 3, "softmax": 1, "reshape": 1},
    "densenet121": {"conv": 121, "pool": 4, "reduce": 1, "concat": 58},
    "inception_v1": {"conv": 57, "local_response_norm": 2, "pool": 14, "concat": 9, "matmul": 1},
    "inception_v2": {"conv": 69, "pool": 13, "concat": 10, "matmul": 1, "softmax": 1},
    "resnet50": {"conv": 53, "pool": 2, "matmul": 1, "softmax": 1},
    "shufflenet": {"conv": 49, "transpose": 16, "pool": 5, "concat": 3, "matmul": 1},
    "squeezenet": {"conv": 26, "pool": 3, "concat": 8, "reduce": 1, "softmax": 1},
    "vgg19": {"conv": 16, "pool": 5, "matmul": 3, "softmax": 1},
    "zfnet512": {"conv": 5, "local_response_norm": 2, "pool": 3, "matmul": 3, "softmax": 1},
}


@pytest.mark.parametrize("name", LIGHT_KINDS)
def test_light_model(name: str) -> None:
    graph = import_model(LIGHT / f"light_{name}.onnx")
    counts = Counter(kinds(graph))
    assert {kind: counts[kind] for kind in LIGHT_KINDS[name]} == LIGHT_KINDS[name]
    assert [graph.types[t].shape for t in graph.inputs] == [(1, 3, 224, 224)]
    assert [graph.types[t].elements for t in graph.outputs] == [1000]


def test_import_is_deterministic() -> None:
    path = LIGHT / "light_squeezenet.onnx"
    first, second = import_model(path), import_model(path)
    assert first.layers() == second.layers()
    assert list(first.types.items()) == list(second.types.items())


# --- names -------------------------------------------------------------------------------------------------


def test_names_are_kept_or_made_printable() -> None:
    model = parse("g (float[2] x) => (float[2] y) { [same] h = Relu(x)  k = Exp(h)  [same] y = Neg(k) }")
    model.graph.node[0].name = model.graph.node[2].name = "a b"
    graph = import_model(model)
    assert [layer.name for layer in graph.layers()] == ["a_b", "Exp_k", "a_b.1"]
    assert [str(layer.loc) for layer in graph.layers()] == ["a_b (Relu)", "Exp_k (Exp)", "a_b (Neg)"]
    assert list(graph.types) == ["x", "h", "k", "y"]


def test_helper_tensors_avoid_names_of_the_model() -> None:
    nodes = [
        helper.make_node("Relu", ["x"], ["y.folded"]),
        helper.make_node("ReduceSum", ["y.folded", "axes"], ["y"], keepdims=0),
    ]
    graph = import_model(small(nodes, {"x": (2, 3)}, {"y": (2,)}, {"axes": np.array([1])}))
    assert kinds(graph) == ["elementwise", "reduce", "reshape"]
    assert "y.folded.1" in graph.types


# --- folding and dead code ---------------------------------------------------------------------------------

SHAPE_CLUTTER = """g (float[2,3,4,5] x) => (float[2,60] y, float[2,1,3,4,5] z) {
    s = Shape(x)  zero = Constant<value_int=0>()  b = Gather<axis=0>(s, zero)
    first = Constant<value = int64[1] {0}>()  bs = Unsqueeze(b, first)  rest = Constant<value_ints=[-1]>()
    target = Concat<axis=0>(bs, rest)  y = Reshape(x, target)
    one = Constant<value = int64[1] {1}>()  z = Unsqueeze(x, one)
}"""


def test_shape_arithmetic_is_folded() -> None:
    graph = import_model(parse(SHAPE_CLUTTER))
    assert kinds(graph) == ["reshape", "reshape"]
    assert graph.constants == {}
    assert [graph.types[t].shape for t in graph.outputs] == [(2, 60), (2, 1, 3, 4, 5)]


def test_old_unsqueeze_of_constants_is_folded() -> None:
    nodes = [
        helper.make_node("Unsqueeze", ["c"], ["u"], axes=[1, 2]),
        helper.make_node("Mul", ["x", "u"], ["y"]),
    ]
    graph = import_model(
        small(nodes, {"x": (3, 2, 2)}, {"y": (3, 2, 2)}, {"c": np.float32([1, 2, 3])}, opset=9)
    )
    assert kinds(graph) == ["elementwise"]
    assert graph.constants["u"].shape == (3, 1, 1)


def test_large_constant_of_shape_takes_no_memory() -> None:
    nodes = [helper.make_node("ConstantOfShape", ["s"], ["c"]), helper.make_node("Add", ["x", "c"], ["y"])]
    graph = import_model(small(nodes, {"x": (1,)}, {"y": (16000, 16000)}, {"s": np.array([16000, 16000])}))
    assert graph.constants["c"].shape == (16000, 16000)
    assert graph.constants["c"].strides == (0, 0)


def test_layers_that_only_gave_a_shape_are_removed() -> None:
    graph = import_model(
        parse(
            "g (float[2,3] x, float[6] v) => (float[2,3] y) { h = Exp(x)  s = Shape(h)  y = Reshape(v, s) }"
        )
    )
    assert kinds(graph) == ["reshape"]
    assert graph.inputs == ("x", "v")


def test_random_nodes_are_not_folded() -> None:
    nodes = [helper.make_node("RandomNormalLike", ["c"], ["r"]), helper.make_node("Add", ["x", "r"], ["y"])]
    with pytest.raises(Exception, match=r"NNC-E015(.|\n)*RandomNormalLike"):
        import_model(small(nodes, {"x": (2,)}, {"y": (2,)}, {"c": np.float32([1, 2])}))


def test_batch_norm_is_computed_in_double() -> None:
    rng = np.random.default_rng(0)
    scale, bias, mean = (rng.standard_normal(4).astype(np.float32) for _ in range(3))
    variance = np.float32([1e-6, 1, 2, 3])
    nodes = [helper.make_node("BatchNormalization", ["x", "s", "b", "m", "v"], ["y"], epsilon=1e-5)]
    constants = {"s": scale, "b": bias, "m": mean, "v": variance}
    graph = import_model(small(nodes, {"x": (1, 4, 2, 2)}, {"y": (1, 4, 2, 2)}, constants))
    (layer,) = graph.layers()
    assert isinstance(layer, ir.Elementwise)
    assert layer.function is Function.SCALE_SHIFT
    factor, shift = (graph.constants[str(t)] for t in graph.inputs_of(layer.name)[1:])
    exact = scale.astype(np.float64) / np.sqrt(variance.astype(np.float64) + np.float32(1e-5))
    np.testing.assert_array_equal(factor, exact.astype(np.float32).reshape(4, 1, 1))
    np.testing.assert_array_equal(shift, (bias - mean * exact).astype(np.float32).reshape(4, 1, 1))


@pytest.mark.parametrize(
    ("text", "swap"), [("Sub(x, c)", False), ("Sub(c, x)", True), ("Div(c, x)", True), ("Less(c, x)", True)]
)
def test_scalar_operand_becomes_a_parameter(text: str, swap: bool) -> None:
    constant = "c = Constant<value = float[1] {2.0}>()"
    graph = import_model(parse(f"g (float[2,3] x) => (y) {{ {constant} y = {text} }}"))
    layer = graph.layers()[0]
    assert isinstance(layer, ir.Elementwise)
    assert (layer.params, layer.swap) == ((2.0,), swap)
    assert graph.constants == {}


def test_integers_that_no_float_holds_stay_operands() -> None:
    big = 2**53 + 1
    graph = import_model(
        parse(f"g (int64[3] x) => (int64[3] y) {{ c = Constant<value = int64 {{{big}}}>()  y = Add(x, c) }}")
    )
    (layer,) = graph.layers()
    assert graph.inputs_of(layer.name) == ("x", "c")
    assert graph.constants["c"] == big


# --- outputs -----------------------------------------------------------------------------------------------


def test_identity_vanishes() -> None:
    graph = import_model(
        parse("g (float[2] x) => (float[2] y) { h = Relu(x)  i = Identity(h)  k = Exp(i)  y = Identity(k) }")
    )
    assert [layer.name for layer in graph.layers()] == ["Relu_h", "Exp_k"]
    assert list(graph.types) == ["x", "h", "y"]


def test_outputs_that_share_a_tensor() -> None:
    model = parse(
        "g (float[2] x) => (float[2] y, float[2] h, float[2] z, float[2] w)"
        "{ h = Relu(x)  y = Identity(h)  z = Identity(h)  k = Exp(h)  w = Dropout(k) }"
    )
    graph = import_model(model)
    assert kinds(graph) == ["elementwise", "elementwise", "copy", "copy"]
    x = np.float32([-1, 2])
    found = evaluate(graph, {"x": x})
    assert list(found) == ["y", "h", "z", "w"]
    for name, want in zip(found, session(model).run(None, {"x": x}), strict=True):
        np.testing.assert_array_equal(found[name], want)


def test_inputs_and_constants_as_outputs_are_copied() -> None:
    nodes = [
        helper.make_node("Identity", ["x"], ["y"]),
        helper.make_node("Add", ["x", "c"], ["z"]),
        helper.make_node("Identity", ["c"], ["d"]),
    ]
    constant = np.float32([1, 2])
    outputs: dict[str, tuple[int | str, ...]] = {"y": (2,), "z": (2,), "d": (2,), "c": (2,)}
    graph = import_model(small(nodes, {"x": (2,)}, outputs, {"c": constant}))
    assert sorted(kinds(graph)) == ["copy", "copy", "copy", "elementwise"]
    assert not set(graph.outputs) & set(graph.constants)
    found = evaluate(graph, {"x": np.float32([5, 7])})
    for name, want in {"y": [5, 7], "z": [6, 9], "d": [1, 2], "c": [1, 2]}.items():
        np.testing.assert_array_equal(found[name], np.float32(want))


# --- functions, initialisers, shapes -----------------------------------------------------------------------


def test_functions_are_inlined_with_default_attributes() -> None:
    leaky = helper.make_node("LeakyRelu", ["a"], ["b"])
    leaky.attribute.append(
        onnx.AttributeProto(name="alpha", ref_attr_name="slope", type=onnx.AttributeProto.FLOAT)
    )
    ops = [helper.make_opsetid("", 18), helper.make_opsetid("own", 1)]
    inner = helper.make_function(
        "own", "Leaky", ["a"], ["b"], [leaky], ops, attribute_protos=[helper.make_attribute("slope", 0.3)]
    )
    calls = [helper.make_node("Leaky", [a], [b], domain="own") for a, b in ("ab", "bc")]
    outer = helper.make_function("own", "Twice", ["a"], ["c"], calls, ops)
    model = small([helper.make_node("Twice", ["x"], ["y"], domain="own")], {"x": (2,)}, {"y": (2,)}, opset=18)
    model.opset_import.append(ops[1])
    model.functions.extend([inner, outer])
    graph = import_model(model)
    assert [layer.attributes()["params"] for layer in graph.layers()] == [pytest.approx((0.3,))] * 2


def test_initialisers_that_are_inputs_are_constants() -> None:
    model = small(
        [helper.make_node("Add", ["x", "c"], ["y"])],
        {"x": (3,), "c": (3,)},
        {"y": (3,)},
        {"c": np.float32([1, 2, 3])},
    )
    graph = import_model(model)
    assert graph.inputs == ("x",)
    assert list(graph.constants) == ["c"]


def test_shapes_bind_symbols_everywhere() -> None:
    model = small(
        [helper.make_node("Add", ["x", "w"], ["y"])], {"x": ("N", 3), "w": ("N", 1)}, {"y": ("N", 3)}
    )
    graph = import_model(model, shapes={"x": (4, 3)})
    assert [graph.types[t].shape for t in ("x", "w", "y")] == [(4, 3), (4, 1), (4, 3)]


def test_values_make_inputs_constant() -> None:
    model = parse("g (float[2,3] x, int64[n] s) => (float[a,b] y) { y = Reshape(x, s) }")
    graph = import_model(model, values={"s": np.array([3, 2])})
    assert graph.inputs == ("x",)
    assert graph.types["y"].shape == (3, 2)


def test_a_value_may_have_no_elements() -> None:
    """As the regions of a Resize that takes none, or the axes of a reduction over all."""
    model = parse("""g (float[2,3] x, int64[n] axes) => (float[2,3] y) {
        y = ReduceSum <noop_with_empty_axes = 1> (x, axes) }""")
    graph = import_model(model, values={"axes": np.array([], np.int64)})
    assert graph.inputs == ("x",)
    assert not graph.constants


def test_the_model_is_not_changed() -> None:
    model = parse(SHAPE_CLUTTER)
    before = model.SerializeToString()
    import_model(model)
    assert model.SerializeToString() == before
