"""Scalars that are data, tensors without elements, computed weights, odd names: on large and tiny chips."""

from __future__ import annotations

from math import prod

import onnx
import pytest
from harness import check_compiled, compile_with_levers, effort_for, random_inputs, reference
from onnx import parser

from nnc.compiler.frontend.importer import import_model
from nnc.compiler.plan.options import OBJECTIVES, PlanOptions

CHIPS: dict[str, tuple[str, dict[str, str]]] = {
    "npu": ("npu", {}),
    "npu-256": ("npu", {"sram": "256"}),
    "npu-banked-1K": ("npu-banked", {"bank1": "1KiB", "bank2": "1KiB"}),
    "npu4": ("npu4", {}),
    "vdsp12": ("vdsp12", {}),
}
SCALARS = {
    "bounds": "(float[7,9] x, float lo, float hi) => (float[7,9] y) { y = Clip(x, lo, hi) }",
    "factor": """(float[2,3,4,5] x, float s) => (float[2,3,4,5] y) {
        a = Relu(x) b = Add(a, s) c = Sigmoid(b) d = Mul(s, c) y = Sub(d, a) }""",
    "computed factor": """(float[2,3,4,5] x, float s) => (float[2,3,4,5] y, float b) {
        a = Exp(s) b = Add(a, s) y = Mul(x, b) }""",
    "nothing else": "(float s, float t) => (float y) { a = Neg(s) b = Max(a, t) y = Add(b, s) }",
    "bias": "(float[3,4] a, float[4,5] b, float s) => (float[3,5] y) { y = Gemm <beta = 2.0> (a, b, s) }",
    "inner product": """(float[8] a, float[8] b, float[3] c) => (float[3] y) {
        d = MatMul(a, b) y = Mul(d, c) }""",
    "sum of all": """(float[4,6] x, float[4,6] z) => (float[4,6] y) {
        s = ReduceSum <keepdims = 0> (x) y = Add(z, s) }""",
    "sum of one": "(float s, float[2] x) => (float[2] y) { t = ReduceL2 <keepdims = 0> (s) y = Mul(x, t) }",
    "mean of one": "(float s) => (float y) { y = ReduceMean(s) }",
    "choice": "(float[4,3] x, float s) => (float[4,3] y) { c = Less(x, s) y = Where(c, x, s) }",
    "in a whole": """(float s, float t) => (float[2] y) <int64[1] axes = {0}> {
        a = Unsqueeze(s, axes) b = Relu(t) c = Unsqueeze(b, axes) y = Concat <axis = 0> (a, c) }""",
    "spread": "(float s) => (float[4,3] y) <int64[2] shape = {4, 3}> { a = Neg(s) y = Expand(a, shape) }",
    "from a vector": "(float[5] x) => (float y) <int64 i = {2}> { a = Exp(x) y = Gather(a, i) }",
    "of a picture": """(float[1,4,6,6] x, float s) => (float[1,4,6,6] y) {
        a = MaxPool <kernel_shape = [3, 3], pads = [1, 1, 1, 1]> (x) b = Mul(a, s)
        y = AveragePool <kernel_shape = [3, 3], pads = [1, 1, 1, 1]> (b) }""",
}
ROWS = {  # of tables in DRAM
    "one element": """(float[24,1] x) => (float[2,3,1] y)
        <int64[6] i = {0, 5, 23, 1, 2, 2}, int64[2] s = {2, 3}> {
        j = Reshape(i, s) y = Gather <axis = 0> (x, j) }""",
    "one row of a picture": """(float[9,1,4,2] x, float z) => (float[6,1,4,2] y)
        <int64[6] i = {0, 5, 8, 1, 2, 2}> {
        a = Gather <axis = 0> (x, i) y = Add(a, z) }""",
    "constant elements": """(float[1,4] z) => (float[1,4] y)
        <float[1,6] d = {0.5, 1.0, 2.0, -1.0, 4.0, 3.0}, int64[1,4] i = {5, 0, 3, 3}> {
        e = GatherElements <axis = 1> (d, i) y = Add(e, z) }""",
    "a number": """(float[9] x) => (float[2,3] y) <int64[6] i = {0, 5, 8, 1, 2, 2}, int64[2] s = {2, 3}> {
        j = Reshape(i, s) a = Exp(x) y = Gather <axis = 0> (a, j) }""",
}
CUT = "int64[1] end = {6}, int64[1] axis = {1}"
EMPTY = {
    "joined": f"""(float[4,6] x, float[4,6] z) => (float[4,12] y) <{CUT}> {{
        e = Slice(x, end, end, axis) f = Relu(e) y = Concat <axis = 1> (f, x, e, z) }}""",
    "joined with one": f"""(float[4,6] x) => (float[4,6] y) <{CUT}> {{
        e = Slice(x, end, end, axis) y = Concat <axis = 1> (x, e) }}""",
    "piece of none": """(float[4,6] x) => (float[4,6] y) <int64[2] sizes = {6, 0}> {
        a, b = Split <axis = 1> (x, sizes) c = Transpose(b) d = Transpose(c)
        y = Concat <axis = 1> (d, a) }""",
    "sum of none": f"""(float[4,6] x) => (float[4,6] y) <{CUT}> {{
        e = Slice(x, end, end, axis) s = ReduceSum(e, axis) y = Add(x, s) }}""",
    "product of none": f"""(float[4,6] x) => (float[4,6] y) <{CUT}> {{
        e = Slice(x, end, end, axis) s = ReduceProd(e) y = Mul(x, s) }}""",
    "padded": f"""(float[4,6] x, float[4,3] z) => (float[4,3] y) <{CUT}, int64[4] pads = {{0, 1, 0, 2}}> {{
        e = Slice(x, end, end, axis) f = Pad(e, pads) y = Add(f, z) }}""",
    "sum over none": f"""(float[4,6] x, float[4,4] z) => (float[4,4] y) <{CUT}> {{
        e = Slice(x, end, end, axis) f = Transpose(e) g = MatMul(e, f) y = Add(g, z) }}""",
    "reshaped": f"""(float[4,6] x) => (float[4,6] y)
        <{CUT}, int64[3] a = {{2, 2, 0}}, int64[2] b = {{4, 0}}> {{
        e = Slice(x, end, end, axis) f = Reshape <allowzero = 1> (e, a) g = Softmax(f)
        h = Reshape <allowzero = 1> (g, b) y = Concat <axis = 1> (h, x) }}""",
    "no index": """(float[4,6] x) => (float[4,6] y) <int64[1] one = {1}> {
        s = Shape <start = 2> (x) e = Gather(x, s) y = Concat <axis = 0> (e, x) }""",
    "past of a cache": """(float[1,2,0,8] past, float[1,2,3,8] key, float[1,2,1,8] query)
        => (float[1,2,1,3] y, float[1,2,3,8] present) {
        present = Concat <axis = 2> (past, key) k = Transpose <perm = [0, 1, 3, 2]> (present)
        s = MatMul(query, k) y = Softmax(s) }""",
    "input that nobody reads": "(float[0] u, float[4,3] x) => (float[4,3] y) { y = Relu(x) }",
    "network": "(float[1,0,10] x) => (float[1,0,10] y, float[10,0] z) { y = Relu(x) a = Flatten<axis = 2>(y) "
    "z = Transpose(a) }",
    "network beside an input": "(float[2,3] x, float[0] u) => (float[0] y) { y = Neg(u) }",
    "output": """(float[4,3] x) => (float[2,3] a, float[0,3] b, float[2,3] c) <int64[3] s = {2, 0, 2}> {
        a, b, c = Split <axis = 0> (x, s) }""",
    "output that is an input": "(float[0,2] x) => (float[0,2] x, float[0,2] y) { y = Identity(x) }",
    "largest of none": f"""(float[4,6] x) => (float[4,6] y) <{CUT}> {{
        e = Slice(x, end, end, axis) s = ReduceMax(e, axis) t = ReduceMin(e, axis)
        a = Max(x, s) y = Min(a, t) }}""",
    "past of a convolution": """(float[1,4,5] x, float[4,1,1] w) => (float[1,4,5] y)
        <int64[1] end = {5}, int64[1] axis = {2}> {
        past = Slice(x, end, end, axis) all = Concat <axis = 2> (past, x) y = Conv <group = 4> (all, w) }""",
}
UNTOUCHED = {
    "input": "(float[2,3] x) => (float[2,3] x) { }",
    "input, and what is made of it": "(float[2,3] x) => (float[2,3] x, float[2,3] y) { y = Relu(x) }",
    "input twice": "(float[2,3] x) => (float[2,3] x, float[2,3] y) { y = Identity(x) }",
    "input behind others": "(float[2] x, float[4] z) => (float[4] y, float[4] z, float[2] x) { y = Exp(z) }",
    "constant": """(float[2] x) => (float[2] c, float[2] y, float[0] e)
        <float[2] c = {1.0, 2.0}, float[0] e = {}> { y = Add(x, c) }""",
}
"""Outputs that nothing computes."""
COMPUTED_WEIGHTS = {
    "grouped": """(float[1,8,9,9] x, float[8,2,3,3] w) => (float[1,8,9,9] y) {
        y = Conv <group = 4, pads = [1, 1, 1, 1]> (x, w) }""",
    "depthwise": """(float[1,8,9,9] x, float[8,1,3,3] v, float[8] b) => (float[1,8,9,9] y) {
        w = Tanh(v) a = Conv <group = 8, pads = [1, 1, 1, 1]> (x, w, b) c = Relu(a)
        y = Conv <group = 8, pads = [1, 1, 1, 1]> (c, w) }""",
    "many groups": """(float[2,32,9] x, float[64,2,3] w, float[64] b) => (float[2,64,7] y) {
        y = Conv <group = 16> (x, w, b) }""",
    "transposed": """(float[1,6,5,5] x, float[6,2,3,3] w) => (float[1,4,7,7] y) {
        y = ConvTranspose <group = 2> (x, w) }""",
}
PADDING = {
    f"conv in {pad} lines of padding": (
        f"(float[1,4,{size},{size}] x) => (float[1,4,{size + 2 * pad - 2},{size + 2 * pad - 2}] y) "
        f"<float[4,4,3,3] w = {{{','.join(f'{(i * 37 % 19 - 9) / 9:.3f}' for i in range(144))}}}> "
        f"{{ y = Conv <pads = [{pad},{pad},{pad},{pad}]> (x, w) }}"
    )
    for size, pad in ((4, 6), (1, 5))
}
"""Tiles that lie wholly in the padding: they had negative pads, which the verifier refuses."""


def ramp(name: str, *shape: int) -> str:
    """An initialiser with values between -1 and 1, as onnx's text format has it."""
    values = ",".join(f"{(i * 37 % 19 - 9) / 9:.3f}" for i in range(prod(shape)))
    return f"float[{','.join(map(str, shape))}] {name} = {{{values}}}"


CONSTANT_DATA = {
    "seen through weights, last row unused": f"""(float[2,7,3] k) => (float[3,2,5] y)
        <{ramp("c", 3, 7, 8)}> {{ y = Conv <strides = [2], pads = [3, 1]> (c, k) }}""",
    "seen through weights": f"""(float[4,2,3,3] k) => (float[1,4,9,9] y) <{ramp("c", 1, 2, 9, 9)}> {{
        y = Conv <pads = [1, 1, 1, 1]> (c, k) }}""",
    "spread by weights": f"""(float[2,4,3,3] k) => (float[1,4,19,19] y) <{ramp("c", 1, 2, 9, 9)}> {{
        y = ConvTranspose <strides = [2, 2]> (c, k) }}""",
    "cropped by padding": f"""(float[1] x) => (float[4,6] y)
        <{ramp("c", 4, 6)}, int64[4] p = {{-1, 1, 1, -1}}> {{ a = Pad(c, p) y = Add(a, x) }}""",
    "pooled and normalised": f"""(float[1] x) => (float[2,3,4,4] y) <{ramp("c", 2, 3, 7, 7)}> {{
        a = MaxPool <kernel_shape = [3, 3], strides = [2, 2], auto_pad = "SAME_LOWER"> (c)
        b = LRN <size = 3> (a) d = LogSoftmax <axis = 1> (b) y = Add(d, x) }}""",
    "resized": f"""(float[1] x) => (float[1,1,3,4] y)
        <{ramp("c", 1, 1, 5, 6)}, float[4] s = {{1.0, 1.0, 0.6, 0.7}}> {{
        a = Resize <mode = "linear", coordinate_transformation_mode = "align_corners"> (c, , s)
        y = Add(a, x) }}""",
}
"""Layers whose data are constant, some of all whose operands are."""

TILES = {
    "all axes repeated": """(float[2,1,2,3,2] x) => (float[4,3,4,6,4] y) <int64[5] r = {2, 3, 2, 2, 2}> {
        a = Tile(x, r) y = Exp(a) }""",
    "seven axes repeated": """(float[2,1,2,1,2,1,2] x) => (float y) <int64[7] r = {2, 2, 2, 2, 2, 2, 2}> {
        a = Tile(x, r) y = ReduceSum <keepdims = 0> (a) }""",
}
"""Each repeated axis is two for a while, but there are never more than eight."""

CLASHES = (
    {
        f"tensor {name}": f"""(float[1,4,12,12] x) => (float[1,4,12,12] y, float[1,4,11,11] m)
        <{ramp("w", 4, 4, 3, 3)}> {{
        [neck] a = Conv <pads = [1, 1, 1, 1]> (x, w) "{name}" = Relu(a)
        m = MaxPool <kernel_shape = [2, 2]> ("{name}") [head] y = Add(a, "{name}") }}"""
        for name in ("neck/p0", "neck/p3", "neck/p1.b0", "neck/0.0", "neck/0.1", "neck/w1", "neck/p1.w1")
    }
    | {
        f"view {name}": f"""(float[1,4,12,12] x) => (float[1,4,12,12] y) <{ramp("w", 4, 4, 3, 3)}> {{
        [neck] a = Conv <pads = [1, 1, 1, 1]> (x, w)
        ["{name}"] b = Transpose <perm = [0, 1, 3, 2]> (a) [head] y = Add(a, b) }}"""
        for name in ("neck/p0", "neck/w1", "neck/0.0", "a/join")
    }
    | {
        "groups and tensors": """(float[1,2,8,8] x) => (float[1,2,8,8] y, float[1,2,8,8] z) {
        "b/c" = Relu(x) c = Exp(x) [a] s = Add("b/c", c) ["a/b"] t = Mul(c, "b/c")
        [k] y = Add(s, "b/c") [l] z = Sub(t, c) }"""
    }
)
"""Names of the model that look like those of tiles."""

MODELS = {
    **SCALARS,
    **ROWS,
    **EMPTY,
    **UNTOUCHED,
    **COMPUTED_WEIGHTS,
    **PADDING,
    **CONSTANT_DATA,
    **TILES,
    **CLASHES,
}


def parse(text: str) -> onnx.ModelProto:
    return parser.parse_model(f'<ir_version: 9, opset_import: ["": 20]> agraph {text}')


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("name", MODELS)
def test_model_on_every_chip(name: str, chip: str) -> None:
    """Fused and in tiles by turns; where a memory is too small, the remedy of the error is followed."""
    fused = (list(MODELS).index(name) + list(CHIPS).index(chip)) % 2 == 0
    model = parse(MODELS[name])
    feeds = random_inputs(model)
    preset, memories = CHIPS[chip]
    compilation, _ = compile_with_levers(
        model, preset, PlanOptions(fused=fused, effort=effort_for(model)), **memories
    )
    check_compiled(compilation, feeds, reference(model, feeds))


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("size", ["1536", "2KiB", "4KiB"])
def test_scalars_of_a_group_are_computed_in_its_first_part(size: str, objective: str) -> None:
    """Later parts read them; what they are made of is no longer on chip."""
    model = parse(
        """(float[3,10,1,13] x, float s) => (float[3,10,1,13] y) {
        a = Exp(x) m = ReduceMean <keepdims = 0> (a) b = Add(m, s) y = Max(a, b) }"""
    )
    feeds = random_inputs(model)
    compilation, _ = compile_with_levers(model, "npu", PlanOptions(objective=objective), sram=size)
    check_compiled(compilation, feeds, reference(model, feeds))


@pytest.mark.parametrize("size", ["4KiB", "8KiB"])
@pytest.mark.parametrize("chip", ["npu", "npu4", "pixel-dsp"])
def test_constants_of_a_vector_are_loaded_before_the_parts(chip: str, size: str) -> None:
    """A vector in a group that recomputes overlaps has constants that stay, but no axis of channels."""
    model = parse(
        f"""(float[13] v, float[1,4,24,13] x) => (float[1,4,24,13] y) <{ramp("c", 13)}> {{
        a = Exp(v) b = Add(a, c) e = Exp(x) y = Mul(e, b) }}"""
    )
    feeds = random_inputs(model)
    compilation, _ = compile_with_levers(model, chip, PlanOptions(overlap="recompute"), sram=size)
    check_compiled(compilation, feeds, reference(model, feeds))


def test_what_has_no_elements_costs_nothing() -> None:
    graph = import_model(parse(EMPTY["joined with one"]))
    assert [layer.kind for layer in graph.layers()] == ["copy"]
    assert not graph.constants
