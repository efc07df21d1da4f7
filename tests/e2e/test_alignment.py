"""Chips whose DMA moves whole aligned units: rows are padded, runs are whole, and nothing is lost by it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
import onnx
import pytest
from harness import (
    check_compiled,
    check_model,
    chip_of,
    compile_with_levers,
    effort_for,
    finite_reference,
    random_inputs,
    random_networks_settings,
    reference,
    with_intermediates,
)
from hypothesis import given
from hypothesis import strategies as st
from onnx import parser
from random_networks import networks

from nnc import models
from nnc.compiler.frontend.importer import import_model
from nnc.compiler.pipeline import run_pipeline
from nnc.compiler.plan.options import PlanOptions
from nnc.isa.assembly.assembler import assemble
from nnc.isa.assembly.disassembler import disassemble
from nnc.isa.errors import AssemblyError, ProgramInvalidError
from nnc.isa.instruction import Instruction
from nnc.isa.instructions import Load, Store
from nnc.isa.program import Program
from nnc.isa.program_file.binary import decode, encode
from nnc.runtime.errors import ExecutionError
from nnc.runtime.session import Session
from nnc.runtime.verifier.finding import Rule
from nnc.runtime.verifier.verify import check, verify

ALIGNED = {"dram": ["dram.align=64"], "both": ["dram.align=64", "dma.align=64"]}
CHIPS: dict[str, tuple[str, dict[str, str]]] = {
    "npu": ("npu", {}),
    "npu-2K": ("npu", {"sram": "2KiB"}),
    "npu-banked-2K": ("npu-banked", {"bank1": "2KiB", "bank2": "2KiB"}),
    "npu4": ("npu4", {}),
    "npu4-4K": ("npu4", {"sram": "4KiB"}),
    "vdsp12": ("vdsp12", {}),
}
SHAPES = {
    "channels side by side": """(float[2,3,9,7] x, float[2,5,9,7] z) => (float[2,8,9,7] y) {
        a = Relu(x) b = Exp(z) c = Concat <axis = 1> (a, b) y = MaxPool <kernel_shape = [1, 1]> (c) }""",
    "a picture of 3 channels": """(float[1,3,9,7] x, float[1,5,9,7] z) => (float[1,8,9,7] y) {
        a = Relu(x) b = Exp(z) c = Concat <axis = 1> (a, b) y = MaxPool <kernel_shape = [1, 1]> (c) }""",
    "an operand is an output": """(float[1,3,9,7] x) => (float[1,8,9,7] y, float[1,5,9,7] b) {
        a = Relu(x) b = Conv <pads = [1, 1, 1, 1]> (x, w) y = Concat <axis = 1> (a, b) }""",
    "concat of concat": """(float[1,3,6,5] x) => (float[1,6,12,5] y) {
        a = Relu(x) b = Exp(x) c = Concat <axis = 1> (a, b) d = Concat <axis = 1> (b, a)
        y = Concat <axis = 2> (c, d) }""",
    "short vectors": """(float[1,3] x, float[1,5] z) => (float[1,8] y) {
        a = Relu(x) b = Exp(z) y = Concat <axis = 1> (a, b) }""",
    "columns side by side": """(float[1,4,6,5] x) => (float[1,4,6,10] y) {
        a = Relu(x) b = Exp(x) y = Concat <axis = 3> (a, b) }""",
    "rows side by side": """(float[1,3,6,5] x) => (float[1,3,12,5] y) {
        a = Relu(x) b = Exp(x) y = Concat <axis = 2> (a, b) }""",
    "transposed": """(float[5,7,3] x) => (float[3,7,5] y) {
        a = Exp(x) b = Transpose <perm = [2, 1, 0]> (a) y = Softmax <axis = 1> (b) }""",
    "flattened": """(float[2,3,5,5] x) => (float[2,4] y) <int64[2] s = {2, 75}> {
        a = Relu(x) b = Reshape(a, s) y = MatMul(b, w) }""",
    "slices": """(float[1,9,8,6] x) => (float[1,4,4,3] y)
        <int64[3] a = {1, 0, 1}, int64[3] b = {9, 8, 6}, int64[3] axes = {1, 2, 3}, int64[3] by = {2, 2, 2}> {
        h = Tanh(x) i = Slice(h, a, b, axes, by) y = Exp(i) }""",
    "backwards": """(float[6,5] x) => (float[6,5] y)
        <int64[2] a = {-1, -1}, int64[2] b = {-9, -9}, int64[2] axes = {0, 1}, int64[2] steps = {-1, -1}> {
        h = Tanh(x) i = Slice(h, a, b, axes, steps) y = Exp(i) }""",
    "spread": """(float[3,1,5] x) => (float[3,7,5] y) <int64[3] s = {3, 7, 5}> {
        h = Exp(x) i = Expand(h, s) y = Softmax <axis = 1> (i) }""",
    "split": """(float[4,10] x) => (float[4,3] y, float[4,7] z) <int64[2] s = {3, 7}> {
        h = Exp(x) a, b = Split <axis = 1> (h, s) y = Relu(a) z = Neg(b) }""",
    "split into outputs": """(float[4,10] x) => (float[4,3] y, float[4,7] z) <int64[2] s = {3, 7}> {
        h = Exp(x) y, z = Split <axis = 1> (h, s) }""",
    "bytes": "(int8[3,5,7] x, int8[3,5,7] z) => (int8[3,5,7] y) { y = Max(x, z) }",
    "halves": """(float16[1,3,9,7] x) => (float16[1,6,9,7] y) {
        a = Relu(x) b = Neg(x) y = Concat <axis = 1> (a, b) }""",
    "words of a sentence": """(int64[2,5] i) => (float[2,5,3] y) {
        a = Gather <axis = 0> (table, i) y = Exp(a) }""",
    "words are outputs": "(int64[7] i) => (float[7,4,3] y) { y = Gather (table, i) }",
    "words side by side": """(int64[3] i, int64[2] j) => (float[5,3] y) {
        a = Gather(table, i) b = Gather(table, j) y = Concat <axis = 0> (a, b) }""",
    "rows of a computed table": """(float[9,5] x, int64[4,2] i) => (float[4,2,5] y) {
        a = Exp(x) b = Gather <axis = 0> (a, i) y = Neg(b) }""",
    "pictures of a computed table": """(float[3,10,14,11] x) => (float[2,10,14,4] y, float[10,14,11] z)
        <int64[2] i = {2, 0}, int64 one = {1}> {
        a = Tanh(x) b = Gather <axis = 0> (a, i) y = MatMul(b, w) z = Gather <axis = 0> (a, one) }""",
    "rows of a transposed table": """(float[5,9] x, int64[4] i) => (float[4,5] y) {
        a = Exp(x) b = Transpose(a) y = Gather <axis = 0> (b, i) }""",
    "computed words": """(int32[3,2] i, int32[3,2] j) => (float[3,2,6] y) {
        k = Max(i, j) y = Gather (table, k) }""",
    "one word": "(int64 i) => (float[3] y) { y = Gather (table, i) }",
    "a scalar": "(float s, float t) => (float y) { y = Add(s, t) }",
    "wide lines": """(float[1,3,40,50] x) => (float[1,5,40,50] y) {
        y = Conv <pads = [1, 1, 1, 1]> (x, w) }""",
    "many channels": """(float[1,24,9,9] x) => (float[1,40,9,9] y) {
        y = Conv <pads = [1, 1, 1, 1]> (x, w) }""",
    "long rows": "(float[3,1000] x) => (float[3,1000] y) { y = Softmax(x) }",
}  # fmt: skip
WEIGHTS = {
    "an operand is an output": {"w": (5, 3, 3, 3)},
    "flattened": {"w": (75, 4)},
    "words of a sentence": {"table": (11, 3)},
    "words are outputs": {"table": (11, 4, 3)},
    "words side by side": {"table": (11, 3)},
    "computed words": {"table": (11, 6)},
    "pictures of a computed table": {"w": (11, 4)},
    "one word": {"table": (11, 3)},
    "wide lines": {"w": (5, 3, 3, 3)},
    "many channels": {"w": (40, 24, 3, 3)},
}
MOST_INDEX = 5
Array = npt.NDArray[Any]


def model_of(name: str) -> onnx.ModelProto:
    """The model of a text, with random weights."""
    model = parser.parse_model(f'<ir_version: 9, opset_import: ["": 20]> agraph {SHAPES[name]}')
    rng = np.random.default_rng(1)
    for weight, shape in WEIGHTS.get(name, {}).items():
        value = rng.standard_normal(shape).astype(np.float32)
        model.graph.initializer.append(onnx.numpy_helper.from_array(value, weight))
    return model


def feeds_of(model: onnx.ModelProto) -> dict[str, Array]:
    """Values of unit variance, small numbers where elements are whole numbers."""
    rng, feeds = np.random.default_rng(2), {}
    for info in model.graph.input:
        tensor = info.type.tensor_type
        dtype = onnx.helper.tensor_dtype_to_np_dtype(tensor.elem_type)
        shape = [dim.dim_value for dim in tensor.shape.dim]
        if np.issubdtype(dtype, np.integer):
            feeds[info.name] = rng.integers(0, MOST_INDEX, shape).astype(dtype)
        else:
            feeds[info.name] = np.asarray(rng.standard_normal(shape)).astype(dtype)
    return feeds


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("aligned", ALIGNED)
@pytest.mark.parametrize("name", SHAPES)
def test_shapes_that_are_no_whole_units(name: str, aligned: str, chip: str) -> None:
    """Fused and in tiles by turns."""
    fused = (sorted(SHAPES).index(name) + sorted(ALIGNED).index(aligned) + sorted(CHIPS).index(chip)) % 2 == 0
    model = model_of(name)
    feeds = feeds_of(model)
    preset, memories = CHIPS[chip]
    compilation, _ = compile_with_levers(
        model, preset, PlanOptions(fused=fused, effort=effort_for(model)), ALIGNED[aligned], **memories
    )
    check_compiled(compilation, feeds, reference(model, feeds))


@pytest.mark.parametrize("aligned", ALIGNED)
@pytest.mark.parametrize("kib", [4, 8])
def test_strips_of_what_has_no_rows(kib: int, aligned: str) -> None:
    """Rows of 15 x 17 elements begin in no whole units: x is one row, in strips of its second axis."""
    text = """(float[2,4,15,17] x) => (float[2,4,15,15] y) <float half = {0.5}> {
        a = Transpose <perm = [0, 1, 3, 2]> (x) b = MatMul (x, a) y = Mul (b, half) }"""
    model = parser.parse_model(f'<ir_version: 9, opset_import: ["": 20]> agraph {text}')
    checked = check_model(model, chip_of("npu", *ALIGNED[aligned], sram=f"{kib}KiB"))
    assert {planned.group.axis for planned in checked.compilation.plan.groups} == {"channels x rows"}


SMALL = ("lenet5", "squeezenet", "resnet18", "mobilenet_v2")
"""Run and compared; of the others, programs are verified."""
LARGE = ("resnet50", "googlenet", "unet_resize")
"""On one core: small ones have the same kinds of groups.  Of the others, every other one on four."""


@pytest.mark.parametrize(
    ("name", "chip"),
    [
        (name, "npu4" if index % 2 and name not in LARGE else "npu")
        for index, name in enumerate(models.names())
    ],
)
def test_builders(name: str, chip: str) -> None:
    """Every network, on memories that most of them do not fit; one side of the DMA or both by turns."""
    aligned = sorted(ALIGNED)[(models.names().index(name) + (chip == "npu4")) % len(ALIGNED)]
    target = chip_of(chip, *ALIGNED[aligned], sram="256KiB")
    model = models.build(name, image=32, width=0.25)
    if name in SMALL:
        check_model(model, target)
    else:
        check(run_pipeline(import_model(model), target, options=PlanOptions(effort="O1")).program)


@random_networks_settings(20)
@given(
    model=networks(),
    chip=st.sampled_from(sorted(CHIPS)),
    dram=st.sampled_from([16, 32, 64, 128]),
    dma=st.sampled_from([1, 16, 64]),
    every_tensor=st.booleans(),
)
def test_random_networks(model: onnx.ModelProto, chip: str, dram: int, dma: int, every_tensor: bool) -> None:
    if every_tensor:
        model = with_intermediates(model)
    feeds = random_inputs(model)
    expected = finite_reference(model, feeds)
    preset, memories = CHIPS[chip]
    overrides = [f"dram.align={dram}", f"dma.align={dma}"]
    compilation, _ = compile_with_levers(model, preset, None, overrides, **memories)
    check_compiled(compilation, feeds, expected)


def small_program() -> Program:
    """Lines of 21, 35 and 56 elements in rows of 32, 48 and 64."""
    model = model_of("a picture of 3 channels")
    return run_pipeline(import_model(model), chip_of("npu", *ALIGNED["both"])).program


def moved_by(program: Program, index: int, field: str, nbytes: int) -> Program:
    """The program with the address of an operand shifted."""
    item = program.issued[index]
    block = getattr(item.instruction, field)
    shifted = replace(item.instruction, **{field: replace(block, address=block.address + nbytes)})
    issued = (*program.issued[:index], replace(item, instruction=shifted), *program.issued[index + 1 :])
    return replace(program, issued=issued)


@pytest.mark.parametrize("field", ["src", "dst"])
@pytest.mark.parametrize("kind", [Load, Store])
def test_a_shifted_transfer_is_found_and_faults(kind: type[Instruction], field: str) -> None:
    program = small_program()
    assert verify(program) == []
    last = max(n for n, item in enumerate(program.issued) if isinstance(item.instruction, kind))
    wrong = moved_by(program, last, field, -32)
    # A transfer of a whole tensor leaves it, too, and of what is nowhere nothing else is said.
    assert {finding.rule for finding in verify(wrong)} & {Rule.ALIGNMENT, Rule.BOUNDS}
    with pytest.raises(ExecutionError, match=r"unaligned transfer|outside the tensor table"):
        Session(wrong, verify=False)


def test_reserved_bytes_in_files_and_texts() -> None:
    program = small_program()
    assert {t.name: t.reserved for t in program.tensors} == {"x": 9 * 128, "z": 9 * 192, "y": 9 * 256}
    text = disassemble(program)
    assert text.count(" reserved=") == 3
    assert encode(assemble(text)) == encode(decode(encode(program))) == encode(program)
    with pytest.raises(AssemblyError, match="reserved bytes is out of range"):
        assemble(text.replace("reserved=1152", "reserved=1100"))
    with pytest.raises(ProgramInvalidError, match="reserves 700 B"):
        encode(replace(program, tensors=(replace(program.tensors[0], reserved=700), *program.tensors[1:])))


def test_padding_is_align_in_the_ledger() -> None:
    """Every line is moved once, its padding as `align`."""
    program = small_program()
    ledger = Session(program).ledger.whole
    floors = {tensor.name: tensor.block.nbytes for tensor in program.tensors}
    assert ledger["input"] == floors["x"] + floors["z"] and ledger["output"] == floors["y"]
    assert ledger["align"] == sum(tensor.reserved for tensor in program.tensors) - sum(floors.values())


def test_whole_units_of_one_byte_change_nothing() -> None:
    model = import_model(model_of("a picture of 3 channels"))
    program = run_pipeline(model, chip_of("npu")).program
    for tensor in program.tensors:
        assert tensor.reserved == 0 and len(tensor.block.runs()[0]) == 1, tensor


@pytest.mark.parametrize("align", [1, 3, 4, 12])
def test_elements_are_aligned_whatever_the_memory_says(align: int) -> None:
    """Blocks of f64, f32, f16 and bytes side by side start where their elements may."""
    text = """(float[1,17,13] x) => (float[1,17,13] y, float16[1,17,13] z) <float[13] s = {SCALE}> {
        n = LayerNormalization(x, s) d = Cast <to = 11> (n) e = Exp(d) y = Cast <to = 1> (e)
        i = Cast <to = 3> (x) z = Cast <to = 10> (i) }"""
    text = text.replace("SCALE", ",".join(f"{i / 13:.3f}" for i in range(13)))
    model = parser.parse_model(f'<ir_version: 9, opset_import: ["": 20]> agraph {text}')
    check_model(model, chip_of("npu", f"memory.sram.align={align}", sram="9001"))
