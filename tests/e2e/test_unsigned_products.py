"""Quantised networks on nna, whose array multiplies unsigned bytes only: bit for bit those of npu."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import onnx
import pytest
from golden_networks import fully_connected_bytes, parsed
from harness import chip_of, random_inputs
from quantised_models import quantised

from nnc import models
from nnc.compiler.errors import ElementTypeError
from nnc.compiler.frontend.importer import import_model
from nnc.compiler.ir.layers import Elementwise
from nnc.compiler.pipeline import Compilation, canonicalise, run_pipeline
from nnc.compiler.plan.options import PlanOptions
from nnc.isa.instruction import Phase
from nnc.isa.instructions import Gemm, Load
from nnc.isa.program import TensorRole
from nnc.isa.types import DType
from nnc.models import digits
from nnc.runtime.session import Session

Array = npt.NDArray[Any]
MOST = 65793
"""So many products of 255 and -128 are the last that fit 32 bits."""


def run(
    model: onnx.ModelProto, chip: str, feeds: dict[str, Array], options: PlanOptions | None = None
) -> tuple[Compilation, list[Array]]:
    """Compile, verify, run on poisoned memories."""
    compilation = run_pipeline(
        import_model(model), chip_of(chip), options=options or PlanOptions(), verify_each=True
    )
    return compilation, Session(compilation.program, poison=True, blas_only=True).run(None, feeds)


def product(x: Array, w: Array, zero: int) -> onnx.ModelProto:
    """Unsigned bytes minus a zero point, times signed ones, as real numbers."""
    return parsed(
        f"""g (float[{x.shape[0]},{x.shape[1]}] x) => (float[{x.shape[0]},{w.shape[1]}] y) {{
            q = QuantizeLinear (x, s, z)
            d = DequantizeLinear (q, s, z)
            e = DequantizeLinear (w, s)
            y = MatMul (d, e)
        }}""",
        {},
        s=np.float32(1),
        z=np.asarray(zero, x.dtype),
        w=w,
    )


@pytest.mark.parametrize(("dtype", "zero"), [(np.uint8, 0), (np.uint8, 255), (np.int8, 0), (np.int8, -128)])
def test_all_pairs(dtype: type[np.integer[Any]], zero: int) -> None:
    """Every byte times every signed byte, features signed or not, with any zero point."""
    info = np.iinfo(dtype)
    x = np.arange(info.min, info.max + 1).astype(dtype).reshape(256, 1)
    w = np.arange(-128, 128).astype(np.int8).reshape(1, 256)
    real = x.astype(np.float32) - zero
    compilation, (found,) = run(product(x, w, zero), "nna", {"x": real})
    np.testing.assert_array_equal(found, real.astype(int) @ w.astype(int))
    (gemm,) = (i.instruction for i in compilation.program.issued if isinstance(i.instruction, Gemm))
    assert (gemm.src.dtype, gemm.weight.dtype, gemm.weight_zero) == (DType.U8, DType.U8, 128)


@pytest.mark.parametrize(("depth", "weight"), [(MOST, -128), (MOST + 1, -127)])
def test_extremes(depth: int, weight: int) -> None:
    """The largest sums that fit; with smaller weights, more of them do."""
    x = np.full((1, depth), 255, np.uint8)
    w = np.full((depth, 2), weight, np.int8)
    _, (found,) = run(product(x, w, 0), "nna", {"x": x.astype(np.float32)})
    assert found.tolist() == [[float(np.float32(255 * weight * depth))] * 2]


def test_sums_beyond_32_bits_are_refused() -> None:
    x, w = np.full((1, MOST + 1), 255, np.uint8), np.full((MOST + 1, 2), -128, np.int8)
    with pytest.raises(ElementTypeError) as caught:
        run(product(x, w, 0), "nna", {"x": x.astype(np.float32)})
    assert "its sums may reach 2147516160, beyond i32" in caught.value.found


def digits_network() -> onnx.ModelProto:
    return onnx.load(digits.INT8_MODEL)


NETWORKS = {
    "digits": digits_network,
    "lenet5 u8": lambda: quantised(models.build("lenet5"), activations="u8"),
    "lenet5 s8": lambda: quantised(models.build("lenet5"), activations="s8"),
    "resnet18 s8": lambda: quantised(models.build("resnet18", image=32, width=0.25), activations="s8"),
}


@pytest.mark.parametrize("name", NETWORKS)
def test_networks_equal_those_of_npu(name: str) -> None:
    model = NETWORKS[name]()
    feeds = random_inputs(model)
    reference, expected = run(model, "npu", feeds)
    compilation, found = run(model, "nna", feeds)
    for mine, theirs in zip(found, expected, strict=True):
        assert mine.tobytes() == theirs.tobytes()
    mine, theirs = (Session(one.program).ledger.whole for one in (compilation, reference))
    # what fills up pixels is no weight; a zero point may equal another one on one of the chips alone
    assert abs(mine["weight"] - theirs["weight"]) <= 4
    assert compilation.floors.dram_bytes == reference.floors.dram_bytes


def test_few_conversions_of_signed_activations() -> None:
    """Layers write unsigned bytes themselves, but for tensors that an addition reads, too."""
    model = quantised(models.build("lenet5"), activations="s8")
    layers = canonicalise(import_model(model), chip=chip_of("nna")).layers()
    assert not [layer for layer in layers if isinstance(layer, Elementwise) and layer.dst_zero == 128]


@pytest.mark.parametrize(
    ("channels", "size", "depths", "sizes"),
    [
        (256, None, [2304], [2304]),
        (8192, 2880, [2880] * 25 + [1728], [2880] * 25 + [1728]),
        (40, None, [576], [576]),
    ],
)
def test_worked_figures_of_bytes(
    channels: int, size: int | None, depths: list[int], sizes: list[int]
) -> None:
    """Pixels of 32 bytes: products, loads of features, and the same result as npu's."""
    model = fully_connected_bytes(channels)
    feeds = random_inputs(model)
    compilation, (found,) = run(model, "nna", feeds, PlanOptions(fc_oram=size))
    assert found.tobytes() == run(model, "npu", feeds)[1][0].tobytes()
    issued = compilation.program.issued
    gemms = [item.instruction for item in issued if isinstance(item.instruction, Gemm)]
    assert [gemm.src.shape[1] for gemm in gemms] == depths
    if len(gemms) > 1:
        assert [gemm.phase for gemm in gemms] == [Phase.START, *[Phase.ADD] * 24, Phase.FINISH]
    loads = [item.instruction for item in issued if isinstance(item.instruction, Load)]
    last = compilation.plan.groups[-1].group.index
    of_layer = [item.instruction for item in issued if item.note.group == last]
    features = [load.src.nbytes for load in of_layer if isinstance(load, Load) and load.src.shape[0] == 1]
    assert features == sizes
    padding = {
        t.role: sum(block.nbytes for block in t.padding) for t in compilation.program.tensors if t.padding
    }
    pixels = 9 * (-channels % 32)
    assert padding == ({TensorRole.BOUNDARY: pixels, TensorRole.CONSTANT: 10 * pixels} if pixels else {})
    causes = Session(compilation.program).ledger.whole
    assert causes["spill"] % (2 * 9 * channels) == 0, "the features, and what they were before"
    assert causes["weight"] <= 9 * channels * 10 + 10 * 8 + 16, "products, bias and scale"
    for load in loads:
        for side in (load.src, load.dst):
            starts, length = side.runs()
            assert length % 64 == 0 and not (starts % 64).any()
