"""Bad models: one clear error each, with code, place and remedy, and nothing allocated that cannot exist."""

from __future__ import annotations

import tracemalloc
from itertools import pairwise
from typing import Any

import numpy as np
import onnx
import pytest
from bad_models import error_of, parse
from onnx import TensorProto, helper, numpy_helper

from nnc import models
from nnc.compiler.frontend.errors import (
    ModelFileError,
    ModelInvalidError,
    ModelTooLargeError,
    SymbolicShapeError,
    UnsupportedError,
)
from nnc.compiler.frontend.importer import import_model
from nnc.compiler.frontend.model.attributes import FLAGS
from nnc.compiler.ir.layers import Elementwise
from nnc.isa.errors import InputError, NncError, OptionError
from nnc.isa.functions import Function
from nnc.isa.limits import EXPANDED_NODES, MODEL_ENDS, MODEL_PARTS, NAME

# --- the model ---------------------------------------------------------------------------------------------


def test_cycle() -> None:
    model = parse("g (float[2] x) => (float[2] y) { a = Add(x, b)  b = Relu(a)  y = Relu(b) }")
    assert "sorted" in error_of(ModelInvalidError, model).message


def test_dangling_input() -> None:
    error_of(ModelInvalidError, parse("g (float[2] x) => (float[2] y) { y = Add(x, nowhere) }"))


def test_dangling_output() -> None:
    error_of(ModelInvalidError, parse("g (float[2] x) => (float[2] y) { z = Relu(x) }"))


def test_output_named_twice() -> None:
    model = parse("g (float[2] x) => (float[2] y, float[2] y) { y = Relu(x) }")
    assert error_of(ModelInvalidError, model).where == "y"


@pytest.mark.parametrize("opset", [7, 13, 17])
def test_operators_that_are_younger_than_the_opset(opset: int) -> None:
    nodes = "y = GroupNormalization <num_groups = 2, epsilon = 0.1> (x, w, w)"
    error_of(
        ModelInvalidError, parse(f"g (float[1,4,3] x, float[2] w) => (float[1,4,3] y) {{ {nodes} }}", opset)
    )


@pytest.mark.parametrize(("name", "value"), [("softcap", -1.0), ("softcap", np.inf), ("scale", np.nan)])
def test_factors_of_attention_are_numbers(name: str, value: float) -> None:
    """Of others, onnxruntime ignores some, and some are numbers that its definition does not give."""
    model = parse("g (float[1,2,5,5] x) => (y) { y = Attention(x, x, x) }", opset=23)
    model.graph.node[0].attribute.append(helper.make_attribute(name, value))
    assert name in error_of(ModelInvalidError, model).message


NUMBERS = frozenset({
    "axis", "batch_axis", "batch_dims", "block_size", "dtype", "group", "k", "offset_group",
    "output_datatype", "output_dtype", "output_height", "output_width", "precision", "qk_matmul_output_mode",
    "rotary_embedding_dim", "sample_size", "sampling_ratio", "start", "stash_type", "time_axis",
})  # fmt: skip
"""Integer attributes whose default is 0 or 1 by chance."""


def test_all_flags_are_known() -> None:
    schemas = [s for s in onnx.defs.get_all_schemas_with_history() if s.domain == ""]
    attributes = [
        a for s in schemas for a in s.attributes.values() if a.type == onnx.defs.OpSchema.AttrType.INT
    ]
    found = {a.name for a in attributes if a.default_value.name and a.default_value.i in (0, 1)}
    assert found - NUMBERS - FLAGS == set()


def test_no_output() -> None:
    model = parse("g (float[2] x) => (float[2] y) { y = Relu(x) }")
    del model.graph.output[:]
    assert "no outputs" in error_of(ModelInvalidError, model).message


@pytest.mark.parametrize(
    "node",
    [
        "MaxPool<kernel_shape=[2,2], ceil_mode=3>(x)",
        "ReduceSum<keepdims=2>(x)",
        "ArgMax<keepdims=-1>(x)",
        "CumSum<exclusive=2>(x, axis)",
        "Flatten(x)  y = Gemm<transA=4>(z, z)",
        "Attention<is_causal=2>(x, x, x)",
    ],
)
def test_flags_are_0_or_1(node: str) -> None:
    """Of other values, onnxruntime takes some for 0 and some for 1."""
    result = "z" if "Flatten" in node else "y"
    model = parse(f"g (float[1,2,5,5] x) => (y) <int64 axis = {{1}}> {{ {result} = {node} }}", opset=23)
    error = error_of(ModelInvalidError, model)
    assert "is a flag" in error.message and error.expected == "0 or 1"


def test_tensor_defined_twice() -> None:
    error_of(ModelInvalidError, parse("g (float[2] x) => (float[2] y) { y = Relu(x)  y = Exp(x) }"))


@pytest.mark.parametrize(
    "equation",
    [
        "......ij,jk->ik",
        "Bij, bjk -\x0c}*-",
        "...j,jk->k",
        "ij,jk->iz",
        "i1,jk->i",
        "ij->i",
        "ijk,jk->i",
        "ij,ik->i",
        "ij,jk->ii",
    ],
)
def test_equations_that_do_not_fit(equation: str) -> None:
    node = f'y = Einsum <equation="{equation}"> (x, w)'
    error_of(ModelInvalidError, parse(f"g (float[2,3] x, float[3,2] w) => (float y) {{ {node} }}"))


def test_operands_of_different_types() -> None:
    model = parse("g (float[2] x, int64[2] w) => (float[2] y) { y = Add(x, w) }")
    assert "type" in error_of(ModelInvalidError, model).message


def test_type_that_the_operator_does_not_take() -> None:
    error_of(ModelInvalidError, parse("g (int64[2] x) => (int64[2] y) { y = Exp(x) }"))


def test_output_of_another_element_type() -> None:
    error_of(ModelInvalidError, parse("g (float[2] x) => (int64[2] y) { y = Relu(x) }"))


@pytest.mark.parametrize(
    "text",
    [
        "g (float[2,3] x, float[4,5] w) => (y) { y = MatMul(x, w) }",
        "g (float[1,1,4,4] x, int64[1] w) => (y)"
        "{ h = MaxPool<kernel_shape=[2,2], ceil_mode=1>(x)  y = Add(h, w) }",
        "g (float[2,3] x, float[4] w) => (y) { y = Add(x, w) }",
        "g (float[1,3,8,8] x, float[4,2,3,3] w) => (y) { y = Conv(x, w) }",
        "g (float[1,3,8,8] x, float[4,3,9,3] w) => (y) { y = Conv(x, w) }",
        "g (float[1,3,8,8] x) => (y) { y = MaxPool<kernel_shape=[2]>(x) }",
        "g (float[1,3,8,8] x) => (y) { y = MaxPool<kernel_shape=[5,2], pads=[2,2,2,0]>(x) }",
        "g (float[1,3,8,8] x) => (y) { y = AveragePool<kernel_shape=[5,2], pads=[2,0,2,2]>(x) }",
        "g (float[1,3] x) => (y) { y = Transpose<perm=[0,0]>(x) }",
        "g (float[4,3] x) => (y) { i = Constant<value_ints=[4]>()  y = Gather(x, i) }",
        "g (float[4] x) => (y) { i = Constant<value_ints=[4]>()  y = GatherElements(x, i) }",
        "g (float[4,3] x, int64[2] i) => (y) { y = GatherElements(x, i) }",
        "g (float[4,3] x, int64[2,4] i) => (y) { y = GatherElements(x, i) }",
        "g (float[4,3] x) => (y) { i = Constant<value_ints=[0,3]>()  y = GatherND(x, i) }",
        "g (float[4,3] x, int64[2,3] i) => (y) { y = GatherND(x, i) }",
        "g (float[4,3] x, float[3] u) => (y) { i = Constant<value_ints=[4]>()  y = ScatterND(x, i, u) }",
        "g (float[4,3] x, float[2] u) => (y) { i = Constant<value_ints=[3]>()  y = ScatterND(x, i, u) }",
        "g (float[4,3] x) => (y) { s = Constant<value_ints=[5,-1]>()  y = Reshape(x, s) }",
        "g (float[4,3] x) => (y) { y = Softmax<axis=2>(x) }",
        "g (float[4,3] x, float[5] w) => (y) { y = LayerNormalization(x, w) }",
        "g (float[4,3] x, float[3] w, float[2,1,3] b) => (y) { y = LayerNormalization(x, w, b) }",
        "g (float[4,3] x) => (y) { y = Relu<colour=3>(x) }",
        "g (float[2,6] x) => (y) { y, z = Split<axis=1, num_outputs=4294967296>(x) }",
        'g (float[4,3] x) => (y) { y = Concat<axis=0>(x, "", x) }',
        'g (float[4,3] x) => (y) { y = Min(x, "") }',
        "g (float[4,3] x) => (y) { y = NoSuchOperator(x) }",
    ],
)
def test_broken_node(text: str) -> None:
    error_of(ModelInvalidError, parse(text))


def test_initialiser_with_too_little_data(weighted: onnx.ModelProto) -> None:
    tensor = weighted.graph.initializer[0]
    tensor.raw_data = tensor.raw_data[:-4]
    error = error_of(ModelInvalidError, weighted)
    assert (error.found, error.expected) == ("16380 bytes", "16384 bytes")


def test_initialiser_twice(weighted: onnx.ModelProto) -> None:
    weighted.graph.initializer.append(weighted.graph.initializer[0])
    error_of(ModelInvalidError, weighted)


def test_initialiser_against_its_declaration(weighted: onnx.ModelProto) -> None:
    weighted.graph.input.append(helper.make_tensor_value_info("w", TensorProto.FLOAT, [4095]))
    error_of(ModelInvalidError, weighted)


@pytest.mark.parametrize("opset", [0, onnx.defs.onnx_opset_version() + 1])
def test_opset_out_of_range(opset: int) -> None:
    error = error_of(UnsupportedError, parse("g (float[2] x) => (float[2] y) { y = Relu(x) }", opset))
    assert str(opset) in error.message


def test_newer_ir_version(weighted: onnx.ModelProto) -> None:
    weighted.ir_version = onnx.IR_VERSION + 1
    assert "newer onnx" in error_of(UnsupportedError, weighted).remedy


def test_no_opset(weighted: onnx.ModelProto) -> None:
    del weighted.opset_import[:]
    error_of(ModelInvalidError, weighted)


def test_no_opset_but_of_other_domains() -> None:
    model = parse("g (float[2] x) => (float[2] y) { y = own.Strange(x) }")
    del model.opset_import[0]
    assert error_of(UnsupportedError, model).found.endswith("operators of the domain own are not supported")


def test_name_that_is_not_text(weighted: onnx.ModelProto) -> None:
    weighted.graph.node[0].name = "some_name"
    error = error_of(ModelInvalidError, weighted.SerializeToString().replace(b"some_name", b"some\xffname"))
    assert "UTF-8" in error.message


def test_corrupted_bytes_give_errors_of_ours() -> None:
    model = models.build("lenet5", width=0.1).SerializeToString()
    rng = np.random.default_rng(0)
    outcomes = set()
    for _ in range(500):
        data = bytearray(model)
        for position in rng.integers(0, len(data), rng.integers(1, 9)):
            data[position] = rng.integers(0, 256)
        try:
            import_model(bytes(data))
        except NncError as error:
            outcomes.add(type(error))
    assert {ModelFileError, ModelInvalidError} <= outcomes


# --- what nnc cannot compile -------------------------------------------------------------------------------


def test_all_unsupported_nodes_are_reported_at_once() -> None:
    text = """g (float[2,3] x, int64[1] r) => (y) {
        [first] a = own.Strange(x)  b = Relu(a)  [second] c = Bernoulli(b)  d, e = own.Other(c, r)
        [fourth] p = Reshape(x, r)  q = Exp(p)  y = Add(q, d)
    }"""
    lines = error_of(UnsupportedError, parse(text)).found.splitlines()
    assert [line.split(":")[0].strip() for line in lines] == [
        "first (own.Strange)",
        "second (Bernoulli)",
        "Other_d (own.Other)",
        "fourth (Reshape)",
    ]


def test_dead_unsupported_nodes_do_not_matter() -> None:
    graph = import_model(parse("g (float[2,3] x) => (float[2,3] y) { a = own.Strange(x)  y = Relu(x) }"))
    assert len(graph) == 1


@pytest.mark.parametrize(
    "text",
    [
        "g (complex64[2] x) => (y) { y = Identity(x) }",
        "g (float[2] x) => (y) { h = Cast<to=8>(x)  y = Cast<to=1>(h) }",
        "g (seq(float[2]) x) => (y) { i = Constant<value_int=0>()  y = SequenceAt(x, i) }",
        'g (float[1,1,3] x) => (y) { y = MaxPool<kernel_shape=[1],strides=[3],auto_pad="SAME_LOWER">(x) }',
        'g (float[2] x) => (y) { c = Constant<value_strings=["a"]>() h = Equal(c, c) y = Cast<to=1>(h) }',
    ],
)
def test_unsupported(text: str) -> None:
    error_of(UnsupportedError, parse(text))


@pytest.mark.parametrize(
    ("node", "reason"),
    [
        ("y = Bernoulli(x)", "the result is random"),
        ("y = RandomNormal<shape=[2,2]>()", "the result is random"),
        ("y = Dropout(x, r, t)", "drops elements at random"),
        ("y = TfIdfVectorizer<max_gram_length=1,max_skip_count=0,min_gram_length=1,ngram_counts=[0],"
         'ngram_indexes=[0],pool_int64s=[1],mode="TF">(n)', "text is not supported"),
        ("y = ImageDecoder(b)", "files of pictures"),
        ("y = Det(d)", "determinants of 9 rows"),
    ],
)  # fmt: skip
def test_reasons(node: str, reason: str) -> None:
    inputs = "float[2,2] x, float[2] v, int64[2] n, uint8[9] b, float[9,9] d"
    constants = "r = Constant<value_float=0.5>() i = Constant<value_int=1>() t = Cast<to=9>(i)"
    text = f"g ({inputs}) => (y) {{ {constants} {node} }}"
    assert reason in error_of(UnsupportedError, parse(text)).found


def test_own_operators_of_onnxruntime_in_branches() -> None:
    """They are in the domain of ONNX there, too."""
    branch = "g () => (float[2,3] a) { a = SimplifiedLayerNormalization(x, w) }"
    choice = f"y = If(c) <then_branch={branch}, else_branch={branch}>"
    text = f"g (bool c, float[2,3] x, float[3] w) => (y) {{ {choice} }}"
    assert import_model(parse(text)).types["y"].shape == (2, 3)


# --- shapes ------------------------------------------------------------------------------------------------

SYMBOLIC = "g (float[N,3,H,8] x, float[N,M] w) => (y) { y = Relu(x)  z = Relu(w) }"


def test_symbolic_shapes_are_all_listed() -> None:
    error = error_of(SymbolicShapeError, parse(SYMBOLIC))
    assert "x [N,3,H,8]" in error.found
    assert "w [N,M]" in error.found
    assert "--shape x=1,3,224,8 --shape w=1,128" in error.remedy


def test_symbolic_shape_that_remains() -> None:
    error = error_of(SymbolicShapeError, parse(SYMBOLIC), shapes={"x": (1, 3, 8, 8)})
    assert "w [1,M]" in error.found
    assert "x" not in error.found


@pytest.mark.parametrize(
    "shapes",
    [
        {"z": (1, 2)},
        {"x": (1, 3, 8)},
        {"x": (1, 4, 8, 8)},
        {"x": (-1, 3, 8, 8)},
        {"x": (1, 3, 8, 8), "w": (2, 3)},
    ],
)
def test_wrong_shape_option(shapes: dict[str, tuple[int, ...]]) -> None:
    error_of(OptionError, parse(SYMBOLIC), shapes=shapes)


@pytest.mark.parametrize(
    "values",
    [
        {"q": np.zeros((1, 1), np.float32)},
        {"w": np.zeros((1, 2))},
        {"w": np.zeros(3, np.float32)},
        {"w": [[1.0], [1.0, 2.0]]},
    ],
)
def test_wrong_value(values: dict[str, Any]) -> None:
    error_of(InputError, parse(SYMBOLIC), shapes={"x": (1, 3, 8, 8)}, values=values)


@pytest.mark.parametrize(
    "text",
    [
        "g (float[1000000,1000000] x) => (y) { y = Relu(x) }",
        "g (float[1000000,1] x, float[1,1000000] w) => (y) { y = MatMul(x, w) }",
        "g (float[1] x) => (y) { s = Constant<value_ints=[99999,99999]>() y = ConstantOfShape(s) }",
        "g (float[1] x) => (y) { s = Constant<value_ints=[99999999,99999]>()  y = Expand(x, s) }",
        "g (float[1] x) => (y) { s = Constant<value_ints=[99999999999]>()  y = Tile(x, s) }",
        *(
            "g (float[1,1,1,1] x) => (y) {"
            f" s = Constant<value_floats=[1.0,1.0,1e6,1e6]>() y = Resize<mode={mode}>(x, , s) }}"
            for mode in ('"nearest"', '"cubic"')
        ),
    ],
)
def test_tensors_that_cannot_exist(text: str) -> None:
    tracemalloc.start()
    error_of(ModelTooLargeError, parse(text))
    assert tracemalloc.get_traced_memory()[1] < 16 << 20
    tracemalloc.stop()


def function_model(domain: str, name: str, *, called: bool = True) -> onnx.ModelProto:
    """A network whose one function negates, whatever its name says."""
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)]
    if domain == "own":
        opsets.append(helper.make_opsetid("own", 1))
    body = [helper.make_node("Neg", ["a"], ["b"])]
    function = helper.make_function(domain, name, ["a"], ["b"], body, opsets[:1])
    node = helper.make_node(name if called else "Abs", ["x"], ["y"], domain=domain if called else "")
    infos = [helper.make_tensor_value_info(tensor, TensorProto.FLOAT, [2]) for tensor in "xy"]
    graph = helper.make_graph([node], "g", infos[:1], infos[1:])
    return helper.make_model(graph, functions=[function], opset_imports=opsets, ir_version=8)


@pytest.mark.parametrize("domain", ["", "ai.onnx"])
@pytest.mark.parametrize("name", ["Relu", "Selu"])
def test_functions_with_the_name_of_an_operator(domain: str, name: str) -> None:
    """onnxruntime computes the operator, onnx's inliner the function: who reads the model cannot know."""
    model = function_model("", name)
    model.functions[0].domain = domain
    error = error_of(UnsupportedError, model)
    assert "name of an operator" in error.message and "rename" in error.remedy


def test_functions_with_the_name_of_an_operator_of_onnxruntime() -> None:
    assert (
        "QLinearSigmoid"
        in error_of(UnsupportedError, function_model("com.microsoft", "QLinearSigmoid")).where
    )


@pytest.mark.parametrize("place", ["node", "tensor", "operator", "graph"])
def test_names_have_a_limit(place: str) -> None:
    long = "n" * (NAME.most + 1)
    model = parse("g (float[2] x) => (float[2] y) { z = Relu(x)  y = Exp(z) }")
    first, second = model.graph.node
    match place:
        case "node":
            first.name = long
        case "tensor":
            first.output[0] = second.input[0] = long
        case "operator":
            first.op_type = long
        case "graph":
            model.graph.name = long
    error = error_of(ModelTooLargeError, model.SerializeToString())
    assert error.found == f"{NAME.most + 1} characters" and len(str(error)) < 400
    assert error_of(ModelTooLargeError, model).remedy


def test_models_have_a_limit_of_parts() -> None:
    model = parse("g (float[2] x) => (float[2] y) { y = Relu(x) }")
    weight = numpy_helper.from_array(np.zeros(1, np.float32), "w")
    model.graph.initializer.extend([weight] * MODEL_PARTS.most)
    error = error_of(ModelTooLargeError, model.SerializeToString())
    assert error.found == f"{MODEL_PARTS.most + 3} parts" and error.remedy


def test_models_have_a_limit_of_inputs_and_outputs() -> None:
    """Old formats list initialisers among the inputs: those do not count."""
    model = parse("g (float[2] x) => (float[2] y) { y = Relu(x) }")
    names = [f"i{number}" for number in range(MODEL_ENDS.most)]
    model.graph.input.extend(helper.make_tensor_value_info(name, TensorProto.FLOAT, [1]) for name in names)
    error = error_of(ModelTooLargeError, model)
    assert error.found == f"{MODEL_ENDS.most + 2} tensors" and error.remedy
    weight = np.zeros(1, np.float32)
    model.graph.initializer.extend(numpy_helper.from_array(weight, name) for name in names)
    import_model(model)


@pytest.mark.parametrize("domain", ["own", "com.microsoft"])
def test_functions_with_names_of_their_own(domain: str) -> None:
    graph = import_model(function_model(domain, "Relu"))
    (layer,) = graph.layers()
    assert isinstance(layer, Elementwise) and layer.function is Function.NEG
    import_model(function_model("", "Relu", called=False))


@pytest.mark.parametrize(
    ("depth", "calls", "found"),
    [(17, 2, str(2**17 - 1)), (30, 2, str(2**30 - 1)), (90, 9, "more than 10^24")],
)
def test_functions_that_expand_to_too_many_nodes(depth: int, calls: int, found: str) -> None:
    """Found by counting, before any is expanded."""
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid("own", 1)]
    functions = []
    for level in range(depth):
        names = ["a", *(f"t{call}" for call in range(calls - 1)), "b"]
        kind = ("Relu", "") if level == 0 else (f"F{level - 1}", "own")
        body = [helper.make_node(kind[0], [a], [b], domain=kind[1]) for a, b in pairwise(names)]
        functions.append(helper.make_function("own", f"F{level}", ["a"], ["b"], body, opsets))
    ends = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [4]) for name in "xy"]
    call = helper.make_node(f"F{depth - 1}", ["x"], ["y"], domain="own")
    graph = helper.make_graph([call], "g", ends[:1], ends[1:])
    model = helper.make_model(graph, functions=functions, opset_imports=opsets, ir_version=8)
    error = error_of(ModelTooLargeError, model)
    assert error.found == f"{found} nodes" and error.expected == f"at most {EXPANDED_NODES.most} nodes"


def test_long_vectors_are_put_together_without_noting_each_element() -> None:
    """onnx's propagation of values would note 2^31 of them."""
    text = """g (float[1] x) => (y) {
        s = Constant<value_ints=[1073741824]>() e = ConstantOfShape(s) v = Concat<axis=0>(e, e) y = Add(x, v)
    }"""
    assert error_of(ModelTooLargeError, parse(text)).where == "node Concat_v (Concat)"


def test_long_vectors_of_integers_are_not_noted_element_by_element() -> None:
    inputs = f"float[4] x, int64[1] start, int64[1] end, int64[1] axis, int64[{2**53 + 1}] steps"
    error_of(ModelTooLargeError, parse(f"g ({inputs}) => (y) {{ y = Slice(x, start, end, axis, steps) }}"))


def test_network_larger_than_the_machine() -> None:
    inputs = ", ".join(f"float[1073741824] x{i}" for i in range(4096))
    operands = ", ".join(f"x{i}" for i in range(4096))
    error = error_of(ModelTooLargeError, parse(f"g ({inputs}) => (y) {{ y = Sum({operands}) }}"))
    assert "machine" in error.message


def test_folding_does_not_expand_without_bound() -> None:
    text = """g (float[1] x) => (y) {
        a = Constant<value_float=0.0>() b = Constant<value_float=1e9>() c = Constant<value_float=1.0>()
        r = Range(a, b, c)  y = Add(x, r)
    }"""
    assert error_of(ModelTooLargeError, parse(text)).found == "4000000000 bytes"


DOUBLED = "d0 = Neg(one) " + " ".join(f"d{i} = Concat<axis=0>(d{i - 1}, d{i - 1})" for i in range(1, 34))
DOUBLED += " v = Neg(d33)"
MANY = " ".join(f"m{i} = Tile(one, less) n{i} = Sin(m{i})" for i in range(9))
MANY += f" v = Sum({', '.join(f'n{i}' for i in range(9))})"
"""Small enough one by one, not together."""


@pytest.mark.parametrize(
    "text",
    [
        "v = Tile(one, s)",
        "e = Expand(one, s) v = Neg(e)",
        "e = ConstantOfShape(s) v = MatMul(e, e)",
        "v = Pad(one, pads)",
        "row = Reshape(ramp, flat) v = MatMul(ramp, row)",
        "e = Expand(one, s) v = Sum(x, e)",
        DOUBLED,
        MANY,
    ],
)
def test_constants_are_refused_before_they_are_computed(text: str) -> None:
    """Also those that take no memory until they are used."""
    model = parse(f"g (float[1] x) => (y) {{ {text} t = ReduceMax<keepdims=0>(v) y = Add(x, t) }}")
    for name, value in (
        ("one", np.ones((1, 1), np.float32)),
        ("ramp", np.ones((54000, 1), np.float32)),
        ("s", np.array([54000, 54000])),
        ("less", np.array([15000, 15000])),
        ("pads", np.array([0, 0, 54000, 54000])),
        ("flat", np.array([1, -1])),
    ):
        model.graph.initializer.append(numpy_helper.from_array(value, name))
    tracemalloc.start()
    error = error_of(ModelTooLargeError, model)
    assert tracemalloc.get_traced_memory()[1] < 16 << 20
    tracemalloc.stop()
    assert error.found.endswith(" bytes") and "at most" in error.expected and "smaller shapes" in error.remedy
