"""Strips of columns: equal to onnxruntime."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from harness import check_compiled, check_model, chip_of, compile_with_levers, random_inputs, reference
from pass_harness import model_of
from wide_networks import wide_network

from nnc.compiler.plan.fusion import candidates
from nnc.compiler.plan.fusion.cut import Cut
from nnc.compiler.plan.fusion.lower_bounds import OpenPairs
from nnc.compiler.plan.options import PlanOptions
from nnc.compiler.tuning import TUNING


@pytest.fixture
def only_strips(monkeypatch: pytest.MonkeyPatch) -> None:
    """Groups are cut into strips of a few columns, or not at all."""
    attempt = candidates._CandidateSearch.attempt

    def in_strips(
        self: candidates._CandidateSearch, sliced_from: int, cuts: Sequence[Cut], pairs: OpenPairs
    ) -> None:
        attempt(self, sliced_from, [cut for cut in cuts if cut.strips > 1], pairs)

    monkeypatch.setattr(candidates._CandidateSearch, "attempt", in_strips)
    monkeypatch.setattr(candidates, "is_large", lambda *_: True)
    narrow = replace(TUNING.cuts, min_parts_with_strips=1, strips=(2, 3, 5), min_columns=2)
    monkeypatch.setattr(TUNING, "cuts", narrow)


@pytest.mark.parametrize("unit", [1, 16])
@pytest.mark.usefixtures("only_strips")
def test_random_networks_in_strips(unit: int) -> None:
    """Windows with gaps, strides, residuals in place, concats, outputs that are read inside."""
    seen = 0
    for seed in range(unit, unit + 5):
        model, sizes = wide_network(seed), ("3KiB", "6KiB", "12KiB", "40KiB")
        feeds = random_inputs(model)
        compilation, _ = compile_with_levers(
            model,
            "npu",
            PlanOptions("traffic"),
            [f"dma.align={unit}", f"dram.align={unit}"],
            sram=sizes[seed % len(sizes)],
        )
        check_compiled(compilation, feeds, reference(model, feeds))
        seen += sum(" x " in group.axis for group in compilation.placed.notes.groups)
    assert seen >= 3


def test_a_last_strip_ends_where_the_picture_does() -> None:
    """13 columns in whole units of four: the last one is no unit, and was left out."""
    model = wide_network(2001)
    feeds = random_inputs(model)
    levers = ["dma.align=16", "dram.align=16"]
    compilation, _ = compile_with_levers(model, "npu", PlanOptions("traffic"), levers, sram="6KiB")
    check_compiled(compilation, feeds, reference(model, feeds))
    assert "rows x columns" in {group.axis for group in compilation.placed.notes.groups}


def test_blocks_without_time_for_transfers_are_only_taken_if_they_fit() -> None:
    """In 3 KiB, blocks with longer lives found places, those that live as short as they can did not."""
    model = wide_network(2003)
    feeds = random_inputs(model)
    levers = ["dma.align=16", "dram.align=16"]
    compilation, _ = compile_with_levers(model, "npu", PlanOptions(), levers, sram="3KiB")
    check_compiled(compilation, feeds, reference(model, feeds))


def test_what_is_made_out_of_order_moves_in_order() -> None:
    """The last columns of a concat are made first: they must not move onto the others, which move later."""
    text = """(float[2,20,5,9] x) => (y) {
        r = Relu (x)
        t = Conv <group=20, pads=[1,1,1,1]> (r, d)
        c = Concat <axis=3> (t, t, r)
        y = Conv <pads=[1,1,1,1]> (c, w)
    }"""
    model = model_of(text, {"d": (20, 1, 3, 3), "w": (3, 20, 3, 3)})
    chip = chip_of("vdsp12", sm="64KiB", am="64KiB")
    checked = check_model(model, chip, options=PlanOptions())
    assert len(checked.compilation.plan.groups) == 1
