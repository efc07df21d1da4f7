"""Boxes of a tensor that others are assigned to: buffers in pieces of which some have no whole columns."""

from __future__ import annotations

import numpy as np
import onnx
import pytest
from harness import check_model, chip_of
from onnx import numpy_helper, parser


def assigned() -> onnx.ModelProto:
    """A point of a picture, some channels, then a channel of the other picture are assigned to."""
    model = parser.parse_model("""<ir_version: 9, opset_import: ["" : 18]>
        assigned (float[2,6,5,8] x, float[1] point, float[1,5,8] channel) => (float[2,6,5,8] y) {
            a = ScatterND (x, at, point)
            b = Conv <pads=[1,1,1,1]> (a, u)
            part = Slice (a, first, last, axis)
            c = ScatterND <reduction="mul"> (b, channels, part)
            d = ScatterND (c, one, channel)
            y = Conv <pads=[1,1,1,1]> (d, v)
        }""")
    rng = np.random.default_rng(0)
    constants: dict[str, object] = {"at": [[0, 5, 0, 1]], "first": [1], "last": [5], "axis": [1]}
    constants |= {"channels": [[[n, c] for c in range(4)] for n in range(2)], "one": [[1, 3]]}
    arrays = {name: np.array(value, dtype=np.int64) for name, value in constants.items()}
    weights = {name: rng.standard_normal((6, 6, 3, 3)).astype(np.float32) / 7 for name in "uv"}
    model.graph.initializer.extend(
        numpy_helper.from_array(value, name) for name, value in (arrays | weights).items()
    )
    return model


@pytest.mark.parametrize("chip", ["npu", "npu4"])
@pytest.mark.parametrize("kib", [4, 6, 8, 12])
def test_pieces_of_some_columns_are_no_strips(chip: str, kib: int) -> None:
    check_model(assigned(), chip_of(chip, sram=f"{kib}KiB"))
