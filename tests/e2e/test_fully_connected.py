"""Fully connected layers of nna in groups of pixels (M5): worked example, odd shapes, errors, alignment."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

import numpy as np
import onnx
import pytest
from golden_networks import parsed
from harness import Checked, check_compiled, chip_of, random_inputs, reference

from nnc import models
from nnc.compiler.errors import CapacityError, ElementTypeError
from nnc.compiler.frontend.importer import import_model
from nnc.compiler.pipeline import run_pipeline
from nnc.compiler.plan.options import PlanOptions
from nnc.compiler.target.pixel_groups import PixelGroups
from nnc.isa.errors import NncError, OptionError
from nnc.isa.instruction import Instruction, Phase
from nnc.isa.instructions import Copy, Gemm, Load
from nnc.isa.program import Program
from nnc.isa.timing.streams import places_of
from nnc.runtime.errors import ExecutionError
from nnc.runtime.session import Session
from nnc.runtime.verifier.verify import verify

WORKED = PlanOptions(fc_oram=11520)


def checked(model: onnx.ModelProto, options: PlanOptions | None = None, **memories: str) -> Checked:
    feeds = random_inputs(model)
    compilation = run_pipeline(
        import_model(model), chip_of("nna", **memories), options=options or PlanOptions(), verify_each=True
    )
    return check_compiled(compilation, feeds, reference(model, feeds))


def groups_of(found: Checked) -> list[PixelGroups]:
    return [mine.pixels for mine in found.compilation.plan.groups if mine.pixels is not None]


def instructions(program: Program, kind: type[Instruction]) -> Iterator[Instruction]:
    return (item.instruction for item in program.issued if isinstance(item.instruction, kind))


def flattened(channels: int, height: int, width: int, *, batch: int = 1, outputs: int = 5) -> onnx.ModelProto:
    """A picture after ReLU, flattened, and a matrix product of it."""
    rows = channels * height * width
    return parsed(
        f"""g (float[{batch},{channels},{height},{width}] x) => (float[{batch},{outputs}] y) {{
            r = Relu (x)
            f = Flatten (r)
            y = Gemm (f, w, b)
        }}""",
        {"w": (rows, outputs), "b": (outputs,)},
    )


@pytest.fixture(scope="module")
def worked() -> Checked:
    """3 × 3 × 8192 channels: 2304 pixels, 90 in a group."""
    return checked(models.build("fc-3x3x8192"), WORKED)


def test_the_worked_example(worked: Checked) -> None:
    """26 products: start, 24 times add, finish; features and weights of a group each come in one run."""
    (groups,) = groups_of(worked)
    assert (groups.count, groups.each, groups.last) == (26, 90, 54)
    program = worked.compilation.program
    phases = [gemm.phase for gemm in instructions(program, Gemm)]
    assert phases == [Phase.START, *[Phase.ADD] * 24, Phase.FINISH]
    depths = [gemm.src.shape for gemm in instructions(program, Gemm)]
    assert depths == [(1, 90 * 32)] * 25 + [(1, 54 * 32)]
    gemm_group = worked.compilation.plan.groups[-1].group.index
    loads = [
        item.instruction
        for item in program.issued
        if isinstance(item.instruction, Load) and item.note.group == gemm_group
    ]
    features = [load for load in loads if load.src.nbytes in groups.load_bytes]
    assert [load.src.nbytes for load in features] == list(groups.load_bytes)
    starts = [load.src.address for load in features]
    assert [b - a for a, b in pairwise(starts)] == [groups.load_bytes[0]] * 25


def test_loads_are_whole_units(worked: Checked) -> None:
    """Sizes and both addresses of every run; features and weights go through ORAM."""
    for load in instructions(worked.compilation.program, Load):
        assert load.dst.memory == "oram"
        for side in (load.src, load.dst):
            starts, length = side.runs()
            assert length % 64 == 0
            assert not (starts % 64).any()
    ways = {(copy.src.memory, copy.dst.memory) for copy in instructions(worked.compilation.program, Copy)}
    assert {("oram", "fram"), ("oram", "wram")} <= ways


def test_the_next_group_is_loaded_while_one_computes(worked: Checked) -> None:
    """Before a product ends, the load of the next group's weights has begun."""
    timeline, issued = worked.session.timeline, worked.compilation.program.issued
    places = places_of(worked.compilation.program).places
    (groups,) = groups_of(worked)
    weights = {nbytes * 10 for nbytes in groups.load_bytes}

    def cycles_of(at: int) -> tuple[int, int]:
        stream, position = places[at]
        return timeline.begin[stream][position], timeline.end[stream][position]

    gemms = [at for at, item in enumerate(issued) if isinstance(item.instruction, Gemm)]
    loads = [
        at
        for at, item in enumerate(issued)
        if isinstance(item.instruction, Load) and item.instruction.src.nbytes in weights
    ]
    assert len(gemms) == len(loads) == 26
    for gemm, load in zip(gemms, loads[1:], strict=False):
        assert cycles_of(load)[0] < cycles_of(gemm)[1]


@pytest.mark.parametrize("side", ["src", "dst"])
def test_a_transfer_shifted_by_32_is_found(worked: Checked, side: str) -> None:
    program = worked.compilation.program
    at = next(i for i, item in enumerate(program.issued) if isinstance(item.instruction, Load))
    load = program.issued[at].instruction
    operand = getattr(load, side)
    shifted = replace(load, **{side: replace(operand, address=operand.address + 32)})
    issued = [*program.issued]
    issued[at] = replace(issued[at], instruction=shifted)
    broken = replace(program, issued=tuple(issued))
    assert any("64" in finding.message for finding in verify(broken))
    with pytest.raises(ExecutionError, match=r"64|outside the tensor table"):
        Session(broken, verify=False).run(None, random_inputs(models.build("fc-3x3x8192")))


# channels, height, width, batch, outputs: pixels
SHAPES = {
    "one pixel": (7, 1, 1, 1, 5, 1),
    "a vector": (84, 1, 1, 2, 10, 3),
    "32 channels": (32, 3, 5, 1, 7, 15),
    "pad channels": (40, 3, 3, 1, 6, 18),
    "few channels": (3, 5, 7, 1, 4, 4),
    "half a pixel": (16, 5, 5, 3, 20, 25),
    "many pixels": (96, 4, 5, 2, 33, 60),
}


@pytest.mark.parametrize("name", SHAPES)
def test_shapes(name: str) -> None:
    channels, height, width, batch, outputs, pixels = SHAPES[name]
    found = checked(flattened(channels, height, width, batch=batch, outputs=outputs))
    assert [groups.pixels for groups in groups_of(found)] == [pixels]
    has_padding = name in ("pad channels", "half a pixel")
    assert has_padding == any(tensor.padding for tensor in found.compilation.program.tensors)
    assert_padding_is_no_weight(found)


def assert_padding_is_no_weight(found: Checked) -> None:
    """Weights count as the network has them, and what was stored as padding is one value."""
    program = found.compilation.program
    ledger = Session(program).ledger
    assert ledger.total == found.session.report.dram_bytes
    constants = found.compilation.imported.constants.values()
    assert ledger.whole["weight"] == sum(value.nbytes for value in constants)
    padded = sum(block.nbytes for tensor in program.tensors for block in tensor.padding)
    assert ledger.whole["align"] >= padded
    for tensor in program.tensors:
        values = [found.session.machine.view(padding).ravel() for padding in tensor.padding]
        assert len({value.tobytes() for value in np.concatenate([*values, np.zeros(0)])}) <= 1, tensor


@pytest.mark.parametrize(
    ("channels", "memories"),
    [(40, {"wram": "2KiB"}), (40, {"wram": "256"}), (75, {"wram": "5KiB"}), (17, {"oram": "4KiB"})],
)
def test_padding_in_pieces(channels: int, memories: dict[str, str]) -> None:
    """Whole pixels, parts of pixels, and blocks of output channels."""
    assert_padding_is_no_weight(checked(flattened(channels, 2, 3, batch=2, outputs=33), **memories))


@pytest.mark.parametrize(
    ("memories", "sizes", "cuts"),
    [
        ({"wram": "18KiB"}, [2], {"k"}),
        ({"fram": "512"}, [3], {"k"}),
        ({"wram": "5KiB"}, [1], {"k", "axis1"}),
        ({"wram": "2KiB"}, [], {"k"}),
        ({"wram": "256"}, [], {"k", "axis1"}),
    ],
)
def test_small_memories(memories: dict[str, str], sizes: list[int], cuts: set[str]) -> None:
    """Smaller groups; where a pixel does not fit, output channels in blocks; then any chunks of the sum."""
    found = checked(flattened(40, 1, 2, outputs=65), **memories)
    assert [groups.each for groups in groups_of(found)] == sizes
    assert cuts <= found.cuts()


@pytest.mark.parametrize("oram", ["2KiB", "3KiB", "5KiB", "8KiB", "13KiB"])
@pytest.mark.parametrize(("pictures", "outputs"), [(192, 23), (67, 65), (300, 9)])
def test_many_pictures_of_one_feature(pictures: int, outputs: int, oram: str) -> None:
    """Results are most of what is on chip, and the next ones lie beside those that are being stored."""
    text = (
        f"g (float[{pictures},1] x) => (float[{pictures},{outputs}] y) {{ r = Relu (x)  y = MatMul (r, w) }}"
    )
    checked(parsed(text, {"w": (1, outputs)}), oram=oram, fram="2KiB", wram="2KiB")


def test_groups_fill_the_memories() -> None:
    """The most pixels whose weights fit WRAM, twice in ORAM."""
    (groups,) = groups_of(checked(flattened(128, 5, 5, outputs=40), wram="40KiB"))
    assert groups.most == (40 * 1024 - 192) // (32 * 40 * 4)  # the bias lies there too
    (groups,) = groups_of(checked(flattened(128, 5, 5, outputs=40), oram="41KiB"))
    assert groups.most == 3


@pytest.mark.parametrize(
    ("chip", "nbytes", "error", "message"),
    [
        ("npu", 2880, OptionError, "means nothing on this chip"),
        ("nna", 127, OptionError, "the least is 128 B"),
        ("nna", 2**30, CapacityError, "do not fit the memories"),
    ],
)
def test_wrong_sizes_of_features(chip: str, nbytes: int, error: type[NncError], message: str) -> None:
    graph = import_model(flattened(2048, 9, 9))
    with pytest.raises(error, match=message):
        run_pipeline(graph, chip_of(chip), options=PlanOptions(fc_oram=nbytes))


def test_negative_sizes() -> None:
    with pytest.raises(OptionError, match="number of bytes"):
        PlanOptions(fc_oram=0)


def test_types_without_a_unit_are_refused() -> None:
    """All layers at once, each with the reason."""
    model = parsed(
        """g (int32[2,8] x) => (int32[2,8] y) {
            p = MatMul (x, one)
            y = MatMul (p, one)
        }""",
        {},
        one=np.eye(8, dtype=np.int32),
    )
    with pytest.raises(ElementTypeError, match="2 layers") as caught:
        run_pipeline(import_model(model), chip_of("nna"))
    assert "a feature of gemm is u8 or f32, not i32" in caught.value.found


def test_every_objective_keeps_to_the_bytes() -> None:
    """The fastest plan is looked for with less memory, too, where the group may not fit."""
    model = flattened(96, 3, 3, outputs=200)
    found = run_pipeline(
        import_model(model), chip_of("nna"), options=PlanOptions(objective="cycles", fc_oram=1280)
    )
    assert [mine.pixels.each for mine in found.plan.groups if mine.pixels is not None] == [10]


def test_inputs_without_rows() -> None:
    """A network input that is only flattened is stored without padding, and needs no copy."""
    found = checked(models.build("mlp-784-1152-10", width=0.1))
    assert found.compilation.plan.groups[0].group.layers == ("gemm1",)
    assert [str(groups).split(",")[0] for groups in groups_of(found)] == [
        "fc 25 pixels of 128 B = [1",
        "fc 4 pixels of 128 B = [1",
    ]
