"""nnc.explanations: every answer names what decided, and the change that flips the decision does flip it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import onnx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from onnx import parser

import nnc
from nnc import models
from nnc.compilation import compile_model
from nnc.explanations.channels import ChannelClasses
from nnc.explanations.costliest import MOST, costliest
from nnc.explanations.decisions import (
    Decision,
    about_cores,
    about_layer,
    about_pair,
    about_parts,
    about_residents,
    group_of,
)
from nnc.explanations.flips import FlipSearch
from nnc.explanations.levers import levers_for
from nnc.explanations.recompilation import CHANNELS, Recompilation
from nnc.explanations.schema import Bound
from nnc.isa.errors import NncError, OptionError
from nnc.report.schema import Report

SMALL = "memory.sram.bytes=16KiB"


@pytest.fixture(scope="module")
def lenet() -> onnx.ModelProto:
    return models.build("lenet5")


@pytest.fixture(scope="module")
def report(lenet: onnx.ModelProto) -> Report:
    """Of LeNet in little memory."""
    return compile_model(lenet, "npu", overrides=[SMALL]).report


def recompiled(model: onnx.ModelProto, key: str, value: str) -> Report:
    return compile_model(model, "npu", overrides=[SMALL, f"{key}={value}"]).report


def test_the_change_that_is_named_flips_the_decision(lenet: onnx.ModelProto, report: Report) -> None:
    decision = about_pair(report, "averagepool2", "gemm1")
    (answer,) = nnc.explain(lenet, ["averagepool2", "gemm1"], overrides=[SMALL], prove=True).answers
    assert answer.question == "why are averagepool2 and gemm1 not in one group?"
    assert answer.flip is not None and answer.flip.diff is not None
    assert answer.flip.key == "memory.sram.bytes"
    assert decision.stands(report) is True
    assert decision.stands(recompiled(lenet, answer.flip.key, answer.flip.nearest)) is True
    changed = recompiled(lenet, answer.flip.key, answer.flip.value)
    assert decision.stands(changed) is False
    assert answer.flip.cycles == (report.network.cycles, changed.network.cycles)
    assert answer.flip.diff.totals["cycles"].after == changed.network.cycles
    assert any("no border between averagepool2 and gemm1" in group.what for group in answer.flip.diff.groups)


def test_without_compilations_the_bound_is_told(lenet: onnx.ModelProto) -> None:
    explanation = nnc.explain(lenet, overrides=[SMALL], compilations=0)
    assert 1 <= len(explanation.answers) <= MOST
    for answer in explanation.answers:
        assert answer.flip is None and answer.compilations == 0 and answer.bound.what


def test_what_does_not_fit_names_demand_and_memory(report: Report) -> None:
    bounds = [
        about_pair(report, a.layers[-1], b.layers[0]).bound
        for a, b in zip(report.groups, report.groups[1:], strict=False)
    ]
    overflows = [bound for bound in bounds if bound.available == 16 * 1024]
    for bound in overflows:
        assert bound.unit == "bytes" and bound.excess is not None and bound.excess > 0
        enough = levers_for(report, bound, {})[0]
        assert enough.key == "memory.sram.bytes" and int(enough.values[0]) >= 16 * 1024 + bound.excess
    assert len(overflows) < len(bounds)


def test_parts_and_cores_are_decisions(lenet: onnx.ModelProto, report: Report) -> None:
    cut = next(group for group in report.groups if group.parts > 1)
    decision = about_parts(report, cut.layers[0])
    assert f"{cut.parts} parts" in decision.question and decision.stands(report) is True
    large = compile_model(lenet, "npu").report
    assert decision.stands(large) is (cut.parts <= large.groups[0].parts)
    shared = compile_model(lenet, "npu4").report
    alone = next(group for group in shared.groups if len(group.cores) < 4)
    assert about_cores(shared, alone.layers[0]).stands(shared) is True


def test_results_that_leave_the_chip_name_what_they_would_take(report: Report) -> None:
    decision = about_residents(report, "gemm1")
    assert "512 B of it go to DRAM" in decision.decided and decision.stands(report) is True
    assert decision.bound.excess is not None and decision.bound.excess > 0
    roomy = compile_model(models.build("lenet5"), "npu", overrides=["memory.sram.bytes=64KiB"]).report
    assert decision.stands(roomy) is False
    questions = [other.question for other in about_layer(report, "gemm1")]
    assert decision.question in questions
    assert "stay on chip" not in " ".join(other.question for other in about_layer(report, "conv1"))


def test_nodes_of_the_model_stand_for_their_layers(lenet: onnx.ModelProto, report: Report) -> None:
    (layer,) = (layer for layer in report.layers if layer.name == "conv2")
    for node in layer.nodes:
        answers = nnc.explain(lenet, [node], overrides=[SMALL], compilations=0).answers
        assert answers and all(group_of(report, "conv2") is not None for _ in answers)


def test_the_costliest_decisions_come_first(report: Report) -> None:
    decisions = costliest(report)
    assert 0 < len(decisions) <= MOST
    assert len({decision.question for decision in decisions}) == len(decisions)


@pytest.mark.parametrize(
    ("layers", "message"), [(["cnv2"], "conv2"), (["conv1", "conv2", "gemm1"], "two layers")]
)
def test_wrong_questions_are_refused(layers: list[str], message: str, lenet: onnx.ModelProto) -> None:
    with pytest.raises(OptionError, match=message):
        nnc.explain(lenet, layers, overrides=[SMALL], compilations=0)


# --- bisection against brute force -------------------------------------------------------------------------


def fake_report(cycles: int) -> Any:
    """What a search asks of a report, for a plan that takes so many cycles."""
    dram = SimpleNamespace(total_bytes=cycles)
    network = SimpleNamespace(cycles=cycles, figures=SimpleNamespace(dram=dram))
    description = {"memory": {"sram": {"bytes": 1024}}, "dram": {"bytes_per_cycle": 16}, "cores": 1}
    chip = SimpleNamespace(description=description)
    return SimpleNamespace(network=network, chip=chip, options=None, layers=[])


@given(st.integers(2, 80), st.integers(1, 60), st.integers(2, 200))
def test_the_flip_is_at_the_border(threshold: int, most: int, broken: int) -> None:
    """A decision that stands below a size, and a size at which nothing compiles."""

    def compiled(key: str, value: int | str) -> Any:
        if key != "memory.sram.bytes" or value == broken * 1024:
            raise OptionError("no such chip", remedy="none")
        return fake_report(int(value) // 1024)

    bound = Bound(what="bytes", demand=None, available=None, unit="bytes")
    decision = Decision("why?", "so", "", bound, (), lambda report: report.network.cycles < threshold)
    search = FlipSearch(fake_report(1), compiled, lambda nodes: {}, most)
    answer = search.answer(decision)
    assert answer.compilations <= most
    if answer.flip is None:
        assert threshold > 64 or most < 8 or broken <= 64
        return
    nearest, value = (int(text.removesuffix("KiB")) for text in (answer.flip.nearest, answer.flip.value))
    assert nearest < threshold or nearest == broken
    assert threshold <= value != broken
    assert value - nearest <= max(1, value // 16) or answer.compilations == most


def test_fewer_channels_flip_where_the_chip_stays_as_it_is(lenet: onnx.ModelProto, report: Report) -> None:
    """Nothing else may be changed; both neighbours are compiled as models with so many channels."""
    subject = Recompilation(lenet, "npu", [SMALL])

    def compiled(key: str, value: int | str) -> Report:
        if not key.startswith(CHANNELS):
            raise OptionError("no other chip", remedy="none")
        return subject.changed(key, value)

    decision = about_pair(report, "averagepool2", "gemm1")
    flip = FlipSearch(report, compiled, subject.channels, 200).answer(decision).flip
    assert flip is not None and flip.key == f"{CHANNELS}gemm1"
    assert int(flip.value) < int(flip.nearest) <= int(flip.before) == 120
    classes = ChannelClasses(lenet)
    for count, stands in ((flip.nearest, True), (flip.value, False)):
        changed = compile_model(classes.narrowed("gemm1", int(count)), "npu", overrides=[SMALL]).report
        assert decision.stands(changed) is stands


# --- refusals ----------------------------------------------------------------------------------------------


def test_refused_nodes_are_told_with_their_neighbours() -> None:
    model = parser.parse_model(
        '<ir_version: 9, opset_import: ["": 20]> g (float[4, 4] x) => (int64[2, n] y)'
        "{ [square] a = Mul (x, x) [places] b = NonZero (a) [turned] y = Neg (b) }"
    )
    refusal = nnc.explain(model).refusal
    assert refusal is not None and refusal.code == "NNC-E015" and refusal.flip is None
    node = refusal.nodes[0]
    assert (node.name, node.operator) == ("places", "NonZero")
    assert node.reads_from == ("square (Mul)",) and node.read_by == ("turned (Neg)",)


def test_the_smallest_memory_that_is_enough_is_named() -> None:
    model = parser.parse_model(
        '<ir_version: 9, opset_import: ["": 20]> g (float[4096] x) => (float[4096] y)'
        "<int64 axis = {0}> { y = CumSum (x, axis) }"
    )
    overrides = ("memory.sram.bytes=8KiB",)
    refusal = nnc.explain(model, overrides=overrides).refusal
    assert refusal is not None and refusal.code == "NNC-E021"
    assert refusal.flip is not None and refusal.nearest is not None
    compile_model(model, "npu", overrides=[refusal.flip])
    with pytest.raises(NncError, match="sram"):
        compile_model(model, "npu", overrides=[f"memory.sram.bytes={refusal.nearest}"])
