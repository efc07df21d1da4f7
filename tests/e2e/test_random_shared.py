"""Random networks on several cores that share groups: equal to onnxruntime, clean, and as predicted."""

from __future__ import annotations

import onnx
from harness import check_compiled, effort_for, finite_reference, random_inputs, random_networks_settings
from hypothesis import assume, given
from hypothesis import strategies as st
from random_networks import networks

from nnc.compiler.errors import CapacityError
from nnc.compiler.frontend.importer import import_model
from nnc.compiler.pipeline import run_pipeline
from nnc.compiler.plan.options import OBJECTIVES, OVERLAPS, PlanOptions
from nnc.compiler.plan.plan import Plan
from nnc.compiler.plan.step import Step, View, tiles_of, written
from nnc.isa.chip.load import load_chip

SIZES = ["2KiB", "8KiB", "64KiB", "1MiB"]


def check_order_on_every_core(plan: Plan) -> None:
    """Steps that touch the same elements of a block, if one writes them, are issued in order of demand."""
    issued = {_key(issued.step): place for place, issued in enumerate(plan.order)}
    for group in plan.groups:
        touched: dict[str, list[tuple[int, int, bool, int]]] = {}
        for step in group.steps:
            if isinstance(step, View):
                continue
            for tile in tiles_of(step):
                writes = tile is written(step)
                low = tile.offset
                high = low + 1 + sum((n - 1) * s for n, s in zip(tile.type.shape, tile.strides, strict=True))
                mine = touched.setdefault(tile.block.name, [])
                for first, end, was_written, place in mine:
                    if (writes or was_written) and first < high and low < end:
                        assert place <= issued[_key(step)]
                mine.append((low, high, writes, issued[_key(step)]))


def _key(step: Step) -> tuple[type[Step], str]:
    return type(step), tiles_of(step)[0].name


@random_networks_settings(15)
@given(
    model=networks(),
    cores=st.sampled_from([2, 3, 4, 6]),
    size=st.sampled_from(SIZES),
    rate=st.sampled_from([4, 32, 1024]),
    objective=st.sampled_from(sorted(OBJECTIVES)),
    overlap=st.sampled_from(OVERLAPS),
)
def test_random_network_on_several_cores(
    model: onnx.ModelProto, cores: int, size: str, rate: int, objective: str, overlap: str
) -> None:
    """Time is worth much where the DRAM is fast: there the cores share most."""
    settings_ = [f"cores={cores}", f"memory.sram.bytes={size}", f"dram.bytes_per_cycle={rate}"]
    chip = load_chip("npu4", [*settings_, "compute.issue=1", "dram.latency=1"])
    feeds = random_inputs(model)
    expected = finite_reference(model, feeds)
    try:
        options = PlanOptions(objective=objective, overlap=overlap, effort=effort_for(model))
        compilation = run_pipeline(import_model(model), chip, options=options, verify_each=True)
    except CapacityError:
        assume(False)
    check_order_on_every_core(compilation.plan)
    check_compiled(compilation, feeds, expected)
