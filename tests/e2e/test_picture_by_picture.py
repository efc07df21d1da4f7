"""Batches whose early layers work picture by picture: fewer bytes, and the same values wherever that is."""

from __future__ import annotations

from unittest.mock import patch

import numpy as np
import onnx
import pytest
from harness import (
    check_compiled,
    check_model,
    chip_of,
    finite_reference,
    kept_if_wrong,
    random_inputs,
    random_networks_settings,
)
from hypothesis import assume, given
from hypothesis import strategies as st
from onnx import numpy_helper, parser
from random_copies import batches_networks

from nnc.compiler import picture_by_picture
from nnc.compiler.errors import CapacityError
from nnc.compiler.frontend.importer import import_model
from nnc.compiler.pipeline import run_pipeline
from nnc.compiler.plan.options import OBJECTIVES, PlanOptions


def deep(pictures: int, depth: int = 12) -> onnx.ModelProto:
    """Convolutions on pictures of 32 KiB, 2.3 KiB of weights each; then strides, and more channels."""
    layers = "".join(f"a{n + 1} = Conv <pads=[1,1,1,1]> (a{n}, w{n})  " for n in range(1, depth))
    text = f"""<ir_version: 9, opset_import: ["" : 20]>
        deep (float[{pictures},8,32,32] x) => (float[{pictures},64,4,4] y) {{
            a1 = Conv <pads=[1,1,1,1]> (x, w0)  {layers}
            b = Conv <pads=[1,1,1,1], strides=[8,8]> (a{depth}, s)
            y = Conv <pads=[1,1,1,1]> (b, t)
        }}"""
    model = parser.parse_model(text)
    rng = np.random.default_rng(0)
    channels = {**{f"w{n}": (8, 8) for n in range(depth)}, "s": (64, 8), "t": (64, 64)}
    for name, shape in channels.items():
        weight = rng.standard_normal((*shape, 3, 3)).astype(np.float32) / 8
        model.graph.initializer.append(numpy_helper.from_array(weight, name))
    return model


@pytest.mark.parametrize("pictures", [2, 4])
def test_early_layers_work_picture_by_picture(pictures: int) -> None:
    """In memory for one picture between two groups, but not for all of them."""
    chip = chip_of(sram="64KiB")
    found = check_model(deep(pictures), chip)
    with patch.object(picture_by_picture, "may_gain", lambda *_: False):
        together = check_model(deep(pictures), chip)
    assert found.compilation.canonical.notes.apart and not together.compilation.canonical.notes.apart
    assert found.compilation.floors == together.compilation.floors
    assert found.session.ledger.total < together.session.ledger.total


def test_pictures_stay_together_where_transfers_are_whole_units() -> None:
    """Rows of one picture in the buffer of a batch need not be whole units."""
    found = check_model(deep(2), chip_of("npu", "dram.align=64", "dma.align=64", sram="64KiB"))
    assert not found.compilation.canonical.notes.apart


@pytest.mark.parametrize("chip", ["npu", "npu4", "npu-banked"])
@random_networks_settings(5)
@given(
    model=batches_networks(),
    kib=st.sampled_from([6, 8, 12, 16, 24, 32, 64]),
    objective=st.sampled_from(sorted(OBJECTIVES)),
    data=st.data(),
)
def test_wherever_pictures_are_apart(
    chip: str, model: onnx.ModelProto, kib: int, objective: str, data: st.DataObject
) -> None:
    """Pictures apart up to any tensor where they can be, whatever it costs."""
    memories = ("bank1", "bank2") if chip == "npu-banked" else ("sram",)
    target = chip_of(chip, **dict.fromkeys(memories, f"{kib}KiB"))
    feeds = random_inputs(model)
    expected = finite_reference(model, feeds)

    def any_tensor(before: object, tables: object, *_: object) -> tuple[str, float]:
        tensors = picture_by_picture.last_tensors(before)  # type: ignore[arg-type]
        return (data.draw(st.sampled_from(tensors)), 1.0) if tensors else ("", 0.0)  # too much to be compared

    with (
        kept_if_wrong(model, f"on {chip} with {kib} KiB for {objective}"),
        patch.object(picture_by_picture, "_worth_planning", any_tensor),
    ):
        try:
            options = PlanOptions(objective=objective)
            compilation = run_pipeline(import_model(model), target, options=options)
        except CapacityError:
            assume(False)
        check_compiled(compilation, feeds, expected)
