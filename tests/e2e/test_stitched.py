"""Pictures stitched side by side (M4): equal to onnxruntime, worth it, and nobody reads what lies between."""

from __future__ import annotations

import numpy as np
import onnx
import pytest
from golden_networks import parsed
from harness import Checked, assert_close, check_compiled, chip_of, random_inputs, reference
from quantised_models import quantised

from nnc import models
from nnc.compiler.frontend.importer import import_model
from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.graph import Graph
from nnc.compiler.needed_elements import needed_elements
from nnc.compiler.pipeline import canonicalise, run_pipeline
from nnc.compiler.plan.options import PlanOptions
from nnc.isa.errors import OptionError
from nnc.isa.functions import Function
from nnc.isa.instructions import MacInstruction
from nnc.isa.timing.cost import cycles
from nnc.runtime.session import Session

PIXELS = chip_of("pixel-dsp")


def stitched(model: onnx.ModelProto, stitch: str, *, memory: str = "256KiB") -> Checked:
    """Compiled with so many pictures side by side, run and compared with onnxruntime."""
    feeds = random_inputs(model)
    chip, options = chip_of("pixel-dsp", sram=memory), PlanOptions(stitch=stitch)
    compilation = run_pipeline(import_model(model), chip, options=options, verify_each=True)
    return check_compiled(compilation, feeds, reference(model, feeds))


def mac_cycles(checked: Checked) -> int:
    """Cycles of the MAC array, without those to issue."""
    program = checked.compilation.program
    macs = [item.instruction for item in program.issued if isinstance(item.instruction, MacInstruction)]
    return sum(cycles(i, program.chip) - program.chip.compute.issue for i in macs)


def one_conv(batch: int, size: int = 8, channels: int = 8) -> onnx.ModelProto:
    """A convolution, kernel 3, one row and column of padding on each side."""
    shape = f"float[{batch},{channels},{size},{size}]"
    text = f"g ({shape} x) => ({shape} y) {{ y = Conv <kernel_shape=[3,3], pads=[1,1,1,1]> (x, w, b) }}"
    return parsed(text, {"w": (channels, channels, 3, 3), "b": (channels,)})


@pytest.mark.parametrize("batch", [1, 7, 16])
def test_one_convolution(batch: int) -> None:
    """Rows of all pictures are one run of pixels."""
    checked = stitched(one_conv(batch), "16")
    assert checked.compilation.canonical.notes.stitch.pictures == batch, "no more than there are"
    (layer,) = checked.compilation.canonical.notes.stitch.layers
    assert (layer.pictures, layer.pitch, layer.width, layer.merged) == (batch, 9, 8, True)
    convs = [i.instruction for i in checked.compilation.program.issued]
    shapes = [i.dst.shape for i in convs if isinstance(i, MacInstruction) and i.dst is not None]
    assert {shape[:3] for shape in shapes} == {(1, 1, 7 * 9 * batch + (batch - 1) * 9 + 8)}
    assert sum(channels for *_, channels in shapes) == 8
    assert mac_cycles(checked) == layer.vectors * 9 * 8 * 8, "the price of the instruction says so, too"


def test_the_figures_of_the_worked_example() -> None:
    """f32, 16 pictures: at least 1.7 times fewer cycles of MAC work, and auto finds that."""
    before, after, auto = (stitched(one_conv(16), how) for how in ("off", "16", "auto"))
    assert not before.compilation.canonical.notes.stitch.layers
    assert mac_cycles(before) >= 1.7 * mac_cycles(after)
    assert auto.compilation.plan.cycles <= after.compilation.plan.cycles < before.compilation.plan.cycles
    assert before.compilation.floors == after.compilation.floors, "no stitching moves its own yardstick"


def test_int8() -> None:
    """Bytes, 16 pictures: at least 5 times fewer cycles of MAC work, 0.85 of the lanes used; same values."""
    graph = import_model(quantised(one_conv(16), activations="u8"))
    before, after = (
        run_pipeline(graph, PIXELS, options=PlanOptions(stitch=how), verify_each=True)
        for how in ("off", "16")
    )
    layer = next(s for s in after.canonical.notes.stitch.layers if s.macs)
    assert (layer.vectors, layer.unstitched, layer.merged) == (18, 128, True)
    assert layer.utilisation >= 0.85
    x = np.random.default_rng(0).standard_normal((16, 8, 8, 8)).astype(np.float32)
    sessions = [Session(found.program, poison=True) for found in (before, after)]
    outputs = [session.run(None, {"x": x})[0] for session in sessions]
    assert outputs[0].tobytes() == outputs[1].tobytes()
    assert np.unique(outputs[0]).size > 50
    macs = [mac_cycles(Checked(*pair)) for pair in zip((before, after), sessions, strict=True)]
    assert macs[0] >= 5 * macs[1]


NETWORKS = {
    "conv, pool, conv": (
        """g (float[7,3,12,12] x) => (float[7,4,6,6] y) {
            a = Conv <kernel_shape=[3,3], pads=[1,1,1,1]> (x, w, b)  r = Sigmoid (a)
            p = MaxPool <kernel_shape=[2,2], strides=[2,2]> (r)
            y = Conv <kernel_shape=[3,3], pads=[1,1,1,1]> (p, v) }""",
        {"w": (5, 3, 3, 3), "b": (5,), "v": (4, 5, 3, 3)},
    ),
    "padded max-pools of stride 2 and 1": (
        """g (float[5,3,8,8] x) => (float[5,3,4,4] y) {
            a = MaxPool <kernel_shape=[3,3], pads=[1,1,1,1]> (x)
            y = MaxPool <kernel_shape=[3,3], strides=[2,2], pads=[1,1,1,1]> (a) }""",
        {},
    ),
    "averages that leave padding out": (
        """g (float[5,3,9,9] x) => (float[5,3,5,5] y) {
            a = AveragePool <kernel_shape=[3,3], pads=[1,1,1,1]> (x)
            y = AveragePool <kernel_shape=[3,3], strides=[2,2], pads=[1,1,1,1]> (a) }""",
        {},
    ),
    "averages that count padding, rounded up": (
        """g (float[5,3,8,9] x) => (float[5,3,4,5] y) {
            y = AveragePool <kernel_shape=[3,3], strides=[2,2], pads=[1,1,0,0], count_include_pad=1,
                             ceil_mode=1> (x) }""",
        {},
    ),
    "uneven padding": (
        """g (float[5,3,8,9] x) => (float[5,4,9,10] y) {
            y = Conv <kernel_shape=[3,3], pads=[2,0,1,3]> (x, w) }""",
        {"w": (4, 3, 3, 3)},
    ),
    "dilation and stride 3": (
        """g (float[4,3,11,13] x) => (float[4,4,4,4] y) {
            a = Conv <kernel_shape=[3,3], dilations=[2,2], pads=[2,2,2,2]> (x, v)
            y = Conv <kernel_shape=[3,3], dilations=[2,2], strides=[3,3], pads=[1,1,2,1]> (a, w) }""",
        {"v": (3, 3, 3, 3), "w": (4, 3, 3, 3)},
    ),
    "stride 4, no padding": (
        """g (float[4,3,11,13] x) => (float[4,4,3,3] y) {
            y = Conv <kernel_shape=[2,2], strides=[4,4]> (x, w) }""",
        {"w": (4, 3, 2, 2)},
    ),
    "stride along rows only, and along columns only": (
        """g (float[3,2,7,8] x) => (float[3,3,3,4] y) {
            a = Conv <kernel_shape=[2,3], strides=[2,1], pads=[0,1,0,1]> (x, w)
            y = Conv <kernel_shape=[1,3], strides=[1,2], pads=[0,1,0,1]> (a, v) }""",
        {"w": (3, 2, 2, 3), "v": (3, 3, 1, 3)},
    ),
    "residual": (
        """g (float[4,4,9,9] x) => (float[4,4,5,5] y) {
            a = Conv <kernel_shape=[3,3], strides=[2,2], pads=[1,1,1,1]> (x, w)  r = Relu (a)
            b = Conv <kernel_shape=[3,3], pads=[1,1,1,1]> (r, v)
            d = Conv <kernel_shape=[1,1], strides=[2,2]> (x, u)
            c = Add (b, d)  y = Relu (c) }""",
        {"w": (4, 4, 3, 3), "v": (4, 4, 3, 3), "u": (4, 4, 1, 1)},
    ),
    "sum of rows at different distances": (
        """g (float[3,4,9,9] x) => (float[3,4,5,5] y, float[3,4,5,5] z) {
            a = Conv <kernel_shape=[3,3], strides=[2,2], pads=[1,1,1,1]> (x, w)
            m = MaxPool <kernel_shape=[3,3], pads=[1,1,1,1]> (a)
            y = Mul (a, m)  z = Max (m, a) }""",
        {"w": (4, 4, 3, 3)},
    ),
    "depthwise, then constants per channel": (
        """g (float[4,4,8,8] x) => (float[4,6,8,8] y) {
            s = Mul (x, c)  t = Tanh (s)  m = Mul (t, s)
            a = Conv <kernel_shape=[3,3], pads=[1,1,1,1], group=4> (m, w)  r = Relu (a)
            y = Conv <kernel_shape=[1,1]> (r, v, b) }""",
        {"w": (4, 1, 3, 3), "v": (6, 4, 1, 1), "b": (6,), "c": (1, 4, 1, 1)},
    ),
    "concat along channels, two outputs, a flattened one": (
        """g (float[4,4,8,8] x) => (float[4,7,8,8] y, float[4,10] z) {
            a = Conv <kernel_shape=[3,3], pads=[1,1,1,1]> (x, w)  b = Conv <kernel_shape=[1,1]> (x, v)
            y = Concat <axis=1> (a, b)  f = Flatten (a)  z = Gemm (f, m) }""",
        {"w": (4, 4, 3, 3), "v": (3, 4, 1, 1), "m": (256, 10)},
    ),
    "a padded layer on pictures of one column": (
        """g (float[3,2,4,1] x) => (float[3,2,4,1] y) {
            y = Conv <kernel_shape=[3,3], pads=[1,1,1,1]> (x, w) }""",
        {"w": (2, 2, 3, 3)},
    ),
}


@pytest.mark.parametrize("stitch", ["3", "16"])
@pytest.mark.parametrize("name", NETWORKS)
def test_networks(name: str, stitch: str) -> None:
    """All pictures in one stitch; or three, and the rest in a smaller one."""
    checked = stitched(parsed(*NETWORKS[name]), stitch)
    assert checked.compilation.canonical.notes.stitch.layers


@pytest.mark.parametrize("batch", [1, 2, 3, 7, 16, 33])
def test_lenet(batch: int) -> None:
    """Any batch; 33 pictures are three stitches, the last of one picture."""
    model = models.build("lenet5", batch=batch)
    checked = stitched(model, "16")
    canonical = checked.compilation.canonical
    assert [s.pitch for s in canonical.notes.stitch.layers] == [32, 32, 16, 16]
    convs = sum(isinstance(layer, ir.Conv) for layer in canonical.layers())
    assert convs == 2 * -(-batch // 16)


def test_little_memory() -> None:
    """Layers that do not fit whole are cut."""
    checked = stitched(one_conv(16, size=14), "16", memory="48KiB")
    assert checked.compilation.canonical.notes.stitch.layers


def test_parts_and_blocks_of_weights_along_channels() -> None:
    """The rows of one wide picture are its channels: parts and blocks of weights cut the same axis."""
    model, chip = models.build("unet", image=16, width=0.125, batch=2), chip_of("pixel-dsp", sram="16KiB")
    compilation = run_pipeline(import_model(model), chip, options=PlanOptions("traffic", stitch="2"))
    names = {layer.name.rpartition("/")[2] for layer in compilation.placed.layers()}
    assert any(name.startswith("p1.b") for name in names)
    feeds = random_inputs(model)
    for name, expected in reference(model, feeds).items():
        assert_close(Session(compilation.program, poison=True).run([name], feeds)[0], expected, name)


def poison_between_pictures(graph: Graph) -> dict[str, int]:
    """Put NaN wherever no output depends on; returns the other elements, by convolution or pool."""
    needed, kept = needed_elements(graph), {}
    for layer in [found for found in graph.layers() if isinstance(found, ir.Conv | ir.Pool)]:
        tensor = graph.output_of(layer.name)
        used = np.asarray(needed[tensor])
        kept[layer.name] = int(used.sum())
        users, name = graph.consumers(tensor), f"{layer.name}.poisoned"
        constants = [graph.add_constant("used", used), graph.add_constant("nan", np.float32([np.nan]))]
        poison = ir.Elementwise(name=name, loc=layer.loc, function=Function.WHERE)
        graph.add(poison, [constants[0], tensor, constants[1]], [name], [graph.types[tensor]])
        for user, slot in users:
            inputs = list(graph.inputs_of(user.name))
            inputs[slot] = name
            graph.set_inputs(user.name, inputs)
    return kept


@pytest.mark.parametrize(
    "name", ["conv, pool, conv", "dilation and stride 3", "residual", "averages that leave padding out"]
)
def test_nobody_reads_what_lies_between(name: str) -> None:
    """Outputs of the network depend on no output that straddles two pictures: all of these become NaN."""
    model = parsed(*NETWORKS[name])
    imported = import_model(model)
    graph = canonicalise(imported, chip=PIXELS, until="stitch", pictures=16)
    computed = sum(graph.types[graph.output_of(s.name)].elements for s in graph.layers() if is_window(s))
    kept = poison_between_pictures(graph)
    network = canonicalise(imported, chip=PIXELS)
    needed = needed_elements(network)
    wanted = [int(needed[network.output_of(s.name)].sum()) for s in network.layers() if is_window(s)]
    assert sorted(kept.values()) == sorted(wanted)
    assert computed > sum(wanted), "there is something to poison"
    feeds = random_inputs(model)
    compilation = run_pipeline(graph, PIXELS, options=PlanOptions(stitch="off"))
    check_compiled(compilation, feeds, reference(model, feeds))


def is_window(layer: ir.Layer) -> bool:
    """Whether a layer goes through pictures in windows."""
    return isinstance(layer, ir.Conv | ir.Pool)


@pytest.mark.parametrize(
    ("chip", "text", "stitch", "says"),
    [
        ("npu", "", "4", "for chips whose lanes run along pixels"),
        ("pixel-dsp", "g (float[2,3] x) => (float[2,3] y) { y = Relu (x) }", "4", "can be stitched"),
        ("pixel-dsp", "", "0", "number of pictures"),
        ("pixel-dsp", "", "-1", "number of pictures"),
        ("pixel-dsp", "", "many", "number of pictures"),
    ],
)
def test_wrong_use_is_one_clear_error(chip: str, text: str, stitch: str, says: str) -> None:
    model = parsed(text, {}) if text else one_conv(2)
    with pytest.raises(OptionError, match=says):
        run_pipeline(import_model(model), chip_of(chip), options=PlanOptions(stitch=stitch))


@pytest.mark.parametrize("chip", ["npu", "pixel-dsp"])
def test_networks_that_gain_nothing_stay_as_they_are(chip: str) -> None:
    """No lanes along pixels; or none that are empty."""
    model = one_conv(2, size=16, channels=4) if chip == "pixel-dsp" else one_conv(2)
    found = run_pipeline(import_model(model), chip_of(chip))
    assert found.canonical.notes.stitch.layers == () and found.network is found.canonical
