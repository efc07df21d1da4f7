"""nnc.diff: what is said of two programs adds up, and the cause of nearly every byte that changed is told."""

from __future__ import annotations

import numpy as np
import onnx
import pytest
from harness import random_networks_settings
from hypothesis import given
from hypothesis import strategies as st
from onnx import numpy_helper, parser
from random_networks import networks

from nnc import models
from nnc.compilation import compile_model
from nnc.diff.build import make_diff
from nnc.diff.schema import Diff
from nnc.diff.thresholds import judged, parse_thresholds
from nnc.isa.errors import NncError, OptionError
from nnc.report.schema import Report
from nnc.runtime.measure.ledger import CAUSES

CHAIN = """
<ir_version: 8, opset_import: ["": 17]>
chain (float[1, 16, 16, 16] x) => (float[1, 16, 16, 16] y)
{
    [first] a = Conv<pads = [1, 1, 1, 1]>(x, w)
    [second] b = Conv<pads = [1, 1, 1, 1]>(a, v)
    [third] y = Conv<pads = [1, 1, 1, 1]>(b, w)
}
"""


def chain(**renamed: str) -> onnx.ModelProto:
    """Three convolutions with constant weights; nodes may be given other names."""
    model = parser.parse_model(CHAIN)
    for node in model.graph.node:
        node.name = renamed.get(node.name, node.name)
    weights = np.random.default_rng(0).standard_normal((2, 16, 16, 3, 3), dtype=np.float32) / 12
    model.graph.initializer.extend(
        numpy_helper.from_array(of, name) for of, name in zip(weights, "wv", strict=True)
    )
    return model


def report(model: onnx.ModelProto, chip: str = "npu", *overrides: str, **words: object) -> Report:
    return compile_model(model, chip, overrides=overrides, **words).report  # type: ignore[arg-type]


def insist_on_sums(diff: Diff) -> None:
    """Groups sum to totals, causes to groups, layers to totals."""
    for figure in ("cycles", "dram_bytes", "instructions"):
        assert sum(getattr(group, figure).delta for group in diff.groups) == diff.totals[figure].delta
    for group in diff.groups:
        assert sum(cause.delta for cause in group.causes) == group.dram_bytes.delta
    for cause in CAUSES:
        of_groups = [entry.delta for group in diff.groups for entry in group.causes if entry.cause == cause]
        of_layers = [layer.by_cause.get(cause, 0) for layer in diff.layers]
        assert sum(of_groups) == sum(of_layers) == diff.totals[cause].delta
    assert 0 <= diff.told_bytes <= diff.changed_bytes


@random_networks_settings(6)
@given(networks(), st.sampled_from([("npu", "npu4"), ("npu", "npu-banked"), ("npu", "npu")]), st.data())
def test_changes_add_up_on_random_networks(
    model: onnx.ModelProto, chips: tuple[str, str], data: st.DataObject
) -> None:
    efforts = data.draw(st.tuples(st.sampled_from((0, 1, 2)), st.sampled_from((0, 1, 2))))
    try:
        before, after = (
            report(model, chip, effort=effort) for chip, effort in zip(chips, efforts, strict=True)
        )
    except NncError:
        return  # which other tests hold
    diff = make_diff(before, after)
    insist_on_sums(diff)
    insist_on_sums(make_diff(after, before))
    assert diff.told_share >= 0.95
    same = make_diff(before, before)
    assert not same.changed_bytes and not same.layers and not same.settings
    assert {group.kind for group in same.groups} <= {"alike"}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({"effort": 0}, {"effort": 2}),
        ({"objective": "traffic"}, {"objective": "cycles"}),
        ({"overlap": "keep"}, {"overlap": "recompute"}),
    ],
)
def test_causes_are_told_of_nearly_all_bytes(before: dict[str, object], after: dict[str, object]) -> None:
    model, overrides = models.build("lenet5"), ("memory.sram.bytes=16KiB",)
    diff = make_diff(report(model, "npu", *overrides, **before), report(model, "npu", *overrides, **after))
    insist_on_sums(diff)
    assert diff.told_share >= 0.95


def test_a_tensor_that_stays_on_chip_is_the_cause() -> None:
    small = ("memory.sram.bytes=28KiB",)
    diff = make_diff(report(chain(), "npu", *small, effort=0), report(chain(), "npu", *small))
    (group,) = diff.groups
    assert (group.kind, group.before, group.after) == ("merged", (0, 1, 2), (0,))
    assert "no border between first and second" in group.what
    spills = [cause for cause in group.causes if cause.cause == "spill"]
    assert spills and all("stays inside of a group now" in cause.why for cause in spills)
    assert diff.totals["spill"].after == 0


def test_layers_of_other_names_are_matched_in_order() -> None:
    diff = make_diff(report(chain()), report(chain(first="conv_1", second="conv_2", third="conv_3")))
    assert {group.kind for group in diff.groups} == {"alike"}
    assert not diff.layers


def test_layers_that_come_and_go_are_told() -> None:
    longer = chain()
    longer.graph.node[2].output[0] = "c"
    longer.graph.node.append(onnx.helper.make_node("Softmax", ["c"], ["y"], name="fourth"))
    before, after = report(chain(), effort=0), report(longer, effort=0)
    diff = make_diff(before, after)
    insist_on_sums(diff)
    assert ("new", ("fourth",)) in [(group.kind, group.layers) for group in diff.groups]
    assert ("gone", ("fourth",)) in [(g.kind, g.layers) for g in make_diff(after, before).groups]
    assert {cause.why for group in diff.groups if group.kind == "new" for cause in group.causes} == {
        "the layer is new"
    }


def test_settings_that_differ_are_listed() -> None:
    diff = make_diff(report(chain()), report(chain(), "npu", "memory.sram.bytes=64KiB", objective="cycles"))
    assert {(s.key, s.before, s.after) for s in diff.settings} == {
        ("memory.sram.bytes", "524288", "65536"),
        ("objective", "balanced", "cycles"),
    }


def test_what_grew_too_much_fails() -> None:
    before, after = report(chain()), report(chain(), effort=0)
    diff = make_diff(before, after)
    grown = diff.totals["cycles"].share
    assert grown is not None and grown > 0
    assert not judged(diff, {"cycles": grown + 1e-9}).failures
    (sentence,) = judged(diff, {"cycles": grown - 1e-4, "bytes": 10.0}).failures
    assert sentence.startswith("cycles grew by ")
    assert not judged(make_diff(after, before), {"cycles": 0.0, "bytes": 0.0, "energy": 0.0}).failures


def test_thresholds_are_read() -> None:
    assert parse_thresholds("cycles=1%, bytes=0.5%") == {"cycles": 0.01, "bytes": 0.005}


@pytest.mark.parametrize("text", ["", "cycles", "cycles=1", "cycle=1%", "cycles=-1%", "cycles=1%,cycles=2%"])
def test_what_is_no_threshold_is_refused(text: str) -> None:
    with pytest.raises(OptionError, match="no threshold"):
        parse_thresholds(text)
