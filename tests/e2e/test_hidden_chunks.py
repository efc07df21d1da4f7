"""Hidden channels in chunks with partial sums on chip: expand, depthwise, project; two matrix products."""

from __future__ import annotations

import numpy as np
import onnx
import pytest
from half_models import to_half
from harness import Array, check_compiled, check_model, chip_of, random_inputs, reference
from hidden_channels import hidden_blocks
from pass_harness import model_of
from quantised_models import quantised

import nnc
from nnc import models
from nnc.compiler.frontend.importer import import_model
from nnc.compiler.ir.layers import MacLayer
from nnc.compiler.pipeline import Compilation, run_pipeline
from nnc.compiler.plan.options import PlanOptions
from nnc.compiler.plan.step import Compute, Load, Store
from nnc.isa.instruction import Phase


def chunks_of(compilation: Compilation) -> int:
    """Computations that begin partial sums, in groups of several layers."""
    steps = [step for g in compilation.plan.groups if len(g.group.layers) > 1 for step in g.steps]
    layers = [step.layer for step in steps if isinstance(step, Compute)]
    return sum(isinstance(layer, MacLayer) and layer.phase is Phase.START for layer in layers)


def compiled(model: onnx.ModelProto, sram: int, chip: str = "npu", *overrides: str) -> Compilation:
    options = PlanOptions(objective="traffic")
    target = chip_of(chip, *overrides, sram=f"{sram}KiB")
    return run_pipeline(import_model(model), target, options=options, verify_each=True)


PLAIN = [(seed, sram, False) for seed, sram in ((0, 32), (102, 24), (134, 24), (161, 32), (183, 24))]
GATED = [(seed, sram, True) for seed, sram in ((0, 24), (5, 32), (7, 24), (10, 24), (16, 32), (18, 64))]


@pytest.mark.parametrize(("seed", "sram", "gated"), [*PLAIN, *GATED])
def test_random_blocks_are_right(seed: int, sram: int, gated: bool) -> None:
    """Pictures and tokens, with and without sums, in odd numbers of channels; some of several products."""
    model = hidden_blocks(seed, gated=gated)
    found = check_model(model, chip_of("npu", sram=f"{sram}KiB"))
    assert chunks_of(found.compilation) or chunks_of(compiled(model, sram))


TOKENS = "(float[1,4,32,16] x) => (float[1,4,32,16] y) { h = MatMul (x, w)"
PICTURE = "(float[1,16,16,16] x) => (float[1,16,16,16] y) { h = Conv (x, c)"
WINDOW = "kernel_shape=[3,3], pads=[1,1,1,1]"
NO_RUN = {
    "a product of hidden features": f"{TOKENS}  g = MatMul (h, s)  m = Mul (h, g)  y = MatMul (m, v) }}",
    "pixel attention": f"{PICTURE}  g = Conv (h, t)  m = Mul (h, g)  y = Conv (m, d) }}",
    "a window along features": f"{TOKENS}  m = MaxPool <{WINDOW}> (h)  y = MatMul (m, v) }}",
    "a product of constants": f"{PICTURE}  e = Conv (n, d)  g = Conv (h, d)  y = Add (g, e) }}",
    "depthwise along features": f"{TOKENS}  m = Conv <group=4, {WINDOW}> (h, k)  y = MatMul (m, v) }}",
}


def shared_chunks_of(compilation: Compilation) -> int:
    """Computations that begin partial sums, in groups of several layers that several cores share."""
    shared = [g for g in compilation.plan.groups if len(g.group.layers) > 1 and len(g.group.cores) > 1]
    layers = [step.layer for g in shared for step in g.steps if isinstance(step, Compute)]
    return sum(isinstance(layer, MacLayer) and layer.phase is Phase.START for layer in layers)


@pytest.mark.parametrize(("seed", "sram"), [(0, 12), (10, 12), (17, 24), (19, 12), (25, 8)])
def test_cores_share_blocks_in_chunks(seed: int, sram: int) -> None:
    """Pictures, whose halo rows two cores compute, and tokens: each core sums the rows of its own."""
    model = hidden_blocks(seed)
    checked = compiled(model, sram, "npu4")
    assert shared_chunks_of(checked)
    feeds = random_inputs(model, seed)
    check_compiled(checked, feeds, reference(model, feeds))


@pytest.mark.parametrize("array", [(), ('compute.arrays.f16=["32x32"]',)], ids=["of npu4", "32x32"])
def test_gated_products_of_tokens_on_four_cores_move_what_they_must(array: tuple[str, ...]) -> None:
    """SwiGLU in f16 without an axis of batches: chunks of weights come once, to all; sums are of f32.

    A larger array likes wider chunks, of which there is no room for two.
    """
    layers = "g = MatMul (x, w)  s = Sigmoid (g)  a = Mul (g, s)  u = MatMul (x, v)  h = Mul (a, u)"
    text = f"(float[128,64] x) => (float[128,64] y) {{ {layers}  y = MatMul (h, d) }}"
    single = model_of(text, {"w": (64, 1024), "v": (64, 1024), "d": (1024, 64)})
    model = to_half(single)
    checked = compiled(model, 48, "npu4", *array)
    assert shared_chunks_of(checked)
    tensors = 2 * 128 * 64 + 3 * 64 * 1024
    assert sum(group.dram_bytes for group in checked.plan.predictions) == 2 * tensors
    feeds = {name: value.astype(np.float16) for name, value in random_inputs(single).items()}
    (y,) = nnc.Session(checked.program).run(None, feeds)
    (whole,) = nnc.Session(nnc.compile(model, "npu")).run(None, feeds)
    np.testing.assert_allclose(y.astype("f4"), whole.astype("f4"), atol=4e-3 * abs(whole).max())


@pytest.mark.parametrize("sram", [16, 24, 40])
@pytest.mark.parametrize("text", NO_RUN.values(), ids=NO_RUN)
def test_what_needs_other_hidden_channels_is_in_no_run(text: str, sram: int) -> None:
    shapes = {"w": (16, 128), "s": (128, 128), "v": (128, 16), "k": (4, 1, 3, 3)}
    shapes |= {"c": (128, 16, 1, 1), "t": (128, 128, 1, 1), "d": (16, 128, 1, 1), "n": (1, 128, 16, 16)}
    used = {name for name in shapes if f", {name})" in text or f"({name}, " in text}
    model = model_of(text, {name: shape for name, shape in shapes.items() if name in used})
    check_model(model, chip_of("npu", sram=f"{sram}KiB"))
    compiled(model, sram)


@pytest.mark.parametrize("function", ["Gelu", "Sigmoid"])
@pytest.mark.parametrize("sram", [16, 20])
def test_features_and_gates_of_one_product_come_in_chunks(function: str, sram: int) -> None:
    """Their halves are products of their own; in one tensor, both would be there as a whole."""
    layers = (
        f"t = MatMul (x, w)  u, g = Split <axis=2, num_outputs=2> (t)  f = {function} (g)  h = Mul (u, f)"
    )
    text = f"(float[1,64,16] x) => (float[1,64,16] y) {{ {layers}  z = MatMul (h, v)  y = Add (x, z) }}"
    model = model_of(text, {"w": (16, 256), "v": (128, 16)})
    found = check_model(model, chip_of("npu", sram=f"{sram}KiB"))
    assert chunks_of(found.compilation) or chunks_of(compiled(model, sram))


@pytest.mark.parametrize(
    ("seed", "sram", "gated"),
    [(134, 24, False), (150, 32, False), (161, 32, False), (0, 24, True), (5, 64, True), (10, 24, True)],
)
def test_chunks_are_estimated_as_they_come(seed: int, sram: int, gated: bool) -> None:
    """Bytes within 2 %, cycles within 10 % of what is predicted, which is what the chip measures."""
    found = compiled(hidden_blocks(seed, gated=gated), sram)
    assert chunks_of(found)
    estimates = [group.estimate for group in found.plan.groups]
    moved = sum(mine.dram_bytes for mine in found.plan.predictions)
    assert sum(mine.dram_bytes for mine in estimates) == pytest.approx(moved, rel=0.02)
    assert sum(mine.cycles for mine in estimates) == pytest.approx(found.plan.cycles, rel=0.10)


def same_bits(model: onnx.ModelProto, sram: int, feeds: dict[str, Array]) -> Compilation:
    """The model in little memory, in chunks, whose outputs are those of a memory that holds all."""
    found = compiled(model, sram)
    assert chunks_of(found)
    names = [output.name for output in model.graph.output]
    expected = nnc.Session(nnc.compile(model, "npu")).run(names, feeds)
    check_compiled(found, feeds, dict(zip(names, expected, strict=True)))
    return found


@pytest.mark.parametrize(("seed", "sram"), [(202, 24), (208, 24)])
def test_bytes_are_summed_exactly(seed: int, sram: int) -> None:
    """Sums of 32 bits, rounded once: the bits of a memory that holds all."""
    model = quantised(hidden_blocks(seed, hidden=300))
    same_bits(model, sram, random_inputs(model, seed))


@pytest.mark.parametrize(("seed", "sram"), [(134, 12), (110, 16)])
def test_half_precision_is_summed_in_f32(seed: int, sram: int) -> None:
    """What is rounded is rounded where it is without chunks."""
    model = to_half(hidden_blocks(seed))
    found = compiled(model, sram)
    feeds = {
        name: value.astype(np.float16) for name, value in random_inputs(hidden_blocks(seed), seed).items()
    }
    names = [output.name for output in model.graph.output]
    expected = nnc.Session(nnc.compile(model, "npu")).run(names, feeds)
    results = nnc.Session(found.program).run(names, feeds)
    assert chunks_of(found)
    for result, other in zip(results, expected, strict=True):
        np.testing.assert_allclose(result.astype("f4"), other.astype("f4"), atol=4e-3 * abs(other).max())


def test_weights_come_once_for_a_batch() -> None:
    """Late blocks of MobileNet, four pictures at once: no weight is loaded twice, and nothing is spilled."""
    model = models.build("mobilenet_v2", image=64, width=0.5, batch=4)
    found = compiled(model, 96)
    loads = [step.tile for g in found.plan.groups for step in g.steps if isinstance(step, Load)]
    late = [tile for tile in loads if tile.tensor in found.canonical.constants and "stage6" in tile.name]
    boxes = {(tile.tensor, tile.low, tile.type.shape) for tile in late}
    assert chunks_of(found) and late and len(late) == len(boxes)


@pytest.mark.parametrize(("seed", "sram"), [(0, 20), (0, 24), (5, 20)])
def test_tokens_behind_pictures_come_in_chunks_and_parts(seed: int, sram: int) -> None:
    """Rows of pictures need others and tokens do not: an MLP is cut into parts whatever is before it."""
    model = hidden_blocks(seed, kind="both", batch=1, hidden=400)
    found, feeds = compiled(model, sram), random_inputs(model, seed)
    check_compiled(found, feeds, reference(model, feeds))
    stored = [step.tile for g in found.plan.groups for step in g.steps if isinstance(step, Store)]
    shapes = [found.canonical.types[tile.tensor].shape for tile in stored]
    assert chunks_of(found)
    assert not [shape for shape in shapes if len(shape) == 3 and shape[-1] == 400]


@pytest.mark.parametrize("sram", [10, 12])
def test_biases_come_with_their_weights_where_memory_is_short(
    sram: int, caplog: pytest.LogCaptureFixture
) -> None:
    """What a group is weighed for fits, though biases of other layers would not stay beside it."""
    model = hidden_blocks(5, kind="tokens", batch=1)
    with caplog.at_level("INFO", "nnc.compiler.plan"):
        check_model(model, chip_of("npu4", sram=f"{sram}KiB"))
    assert "chosen" in caplog.text and "banned" not in caplog.text
