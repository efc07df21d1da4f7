"""Segments: what comes again waits, and costs, as if nothing had been known."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

import onnx
import pytest
from hypothesis import given, settings
from repeated_networks import repeated_networks

from nnc.compiler.frontend.importer import import_model
from nnc.compiler.pipeline import canonicalise
from nnc.compiler.plan import scheduled
from nnc.compiler.plan.place.predict import predict
from nnc.compiler.plan.place.transfers import Operands
from nnc.compiler.plan.place.waits import IssuedSteps, Segment, Waits, waits_of
from nnc.compiler.plan.planner import make_plan
from nnc.compiler.plan.step import Step
from nnc.compiler.tuning import TUNING
from nnc.isa.chip.description import Chip
from nnc.isa.chip.load import load_chip

CHIPS = {"npu": ["memory.sram.bytes=16KiB"], "npu4": ["memory.sram.bytes=32KiB"], "vdsp12": ["cores=3"]}


@pytest.mark.parametrize("name", CHIPS)
@settings(max_examples=6, deadline=None)
@given(model=repeated_networks())
def test_what_comes_again_is_as_if_nothing_were_known(name: str, model: onnx.ModelProto) -> None:
    chip, met = load_chip(name, CHIPS[name]), list[int]()

    def checked_waits(
        chip: Chip,
        constant_bytes: int,
        order: Sequence[Step],
        operands: Callable[[int], Operands],
        cut: Iterable[Segment],
    ) -> list[Waits]:
        parts = [*cut]
        waits = waits_of(chip, constant_bytes, order, operands, parts)
        met.append(len(parts))
        assert waits == waits_of(chip, constant_bytes, order, operands, [Segment(0, len(order), None)])
        return waits

    def checked_figures(
        chip: Chip, issued: IssuedSteps, operands: Callable[[int], Operands], waits: Sequence[Waits]
    ) -> object:
        figures = predict(chip, issued, operands, waits)
        issued.kinds[:] = range(len(issued.order))
        assert predict(chip, issued, operands, waits) == figures
        return figures

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TUNING, "place", replace(TUNING.place, min_segment_steps=1))
        patch.setattr(scheduled, "waits_of", checked_waits)
        patch.setattr(scheduled, "predict", checked_figures)
        make_plan(canonicalise(import_model(model), chip=chip), chip)
    assert met
