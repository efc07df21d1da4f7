"""Conv, transposed conv and gemm against onnxruntime and against exact integer arithmetic."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kernel_harness import channels_first, channels_last, execute, onnx_node

from nnc.isa.block_weights import BlockFormat
from nnc.isa.errors import ProgramInvalidError
from nnc.isa.functions import Function
from nnc.isa.instruction import Phase
from nnc.isa.instructions import BlockGemm, Conv, ConvTranspose, Gemm

Array = np.ndarray[Any, Any]


def rng_array(seed: int, shape: tuple[int, ...], dtype: Any = np.float32) -> Array:
    return np.random.default_rng(seed).standard_normal(shape).astype(dtype)


def whole_conv_shape(
    src: Array, weight: Array, stride: Any, dilation: Any, begin: Any, end: Any
) -> tuple[int, ...]:
    spatial = [
        (x + b + e - (k - 1) * d - 1) // s + 1
        for x, k, s, d, b, e in zip(
            src.shape[1:-1], weight.shape[:-2], stride, dilation, begin, end, strict=True
        )
    ]
    return (src.shape[0], *spatial, weight.shape[-1])


def naive_conv(
    src: Array, weight: Array, out: tuple[int, ...], stride: Any, dilation: Any, pad: Any, groups: int
) -> Array:
    """Straight from the definition, in the type of src."""
    result = np.zeros(out, src.dtype)
    for tap in product(*map(range, weight.shape[:-2])):
        for y in product(*map(range, out[1:-1])):
            x = tuple(a * s + k * d - p for a, s, k, d, p in zip(y, stride, tap, dilation, pad, strict=True))
            if all(0 <= a < n for a, n in zip(x, src.shape[1:-1], strict=True)):
                parts = np.split(src[(slice(None), *x)], groups, axis=-1)
                lanes = np.split(weight[tap], groups, axis=-1)
                result[(slice(None), *y)] += np.concatenate(
                    [a @ b for a, b in zip(parts, lanes, strict=True)], -1
                )
    return result


@st.composite
def conv_cases(draw: st.DrawFn) -> dict[str, Any]:
    rank = draw(st.integers(1, 3))

    def per_axis(low: int, high: int) -> tuple[int, ...]:
        return tuple(draw(st.lists(st.integers(low, high), min_size=rank, max_size=rank)))

    kernel, dilation = per_axis(1, 3), per_axis(1, 2)
    begin, end = per_axis(0, 2), per_axis(0, 2)
    extents = tuple(
        max(1, draw(st.integers(1, 8)), (k - 1) * d + 1 - b - e)
        for k, d, b, e in zip(kernel, dilation, begin, end, strict=True)
    )
    groups, each = draw(st.integers(1, 3)), draw(st.integers(1, 3))
    return {
        "kernel": kernel, "dilation": dilation, "begin": begin, "end": end, "stride": per_axis(1, 3),
        "groups": groups, "src": (draw(st.integers(1, 2)), *extents, groups * each),
        "weight": (*kernel, each, groups * draw(st.integers(1, 3))),
        "gap": draw(st.sampled_from([0, 3])), "seed": draw(st.integers(0, 9)),
    }  # fmt: skip


@settings(max_examples=80, deadline=None)
@given(conv_cases())
def test_conv_equals_onnxruntime(case: dict[str, Any]) -> None:
    src, weight = rng_array(case["seed"], case["src"]), rng_array(case["seed"] + 1, case["weight"])
    out = whole_conv_shape(src, weight, case["stride"], case["dilation"], case["begin"], case["end"])
    bias, residual = rng_array(3, out[-1:]), rng_array(4, out)
    got = execute(
        lambda op: Conv(
            **op, stride=case["stride"], dilation=case["dilation"], pad_begin=case["begin"],
            groups=case["groups"], act=Function.RELU,
        ),
        {"src": src, "weight": weight, "bias": bias, "residual": residual},
        {"dst": (out, np.float32)},
        gap=case["gap"],
    )["dst"]  # fmt: skip
    reference = onnx_node(
        "Conv", [channels_first(src), np.ascontiguousarray(np.moveaxis(weight, (-1, -2), (0, 1))), bias],
        strides=case["stride"], dilations=case["dilation"], pads=[*case["begin"], *case["end"]],
        group=case["groups"],
    )  # fmt: skip
    np.testing.assert_allclose(got, np.maximum(channels_last(reference) + residual, 0), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize(("dtype", "tolerance"), [(np.float16, 2e-3), (np.float64, 1e-13)])
@pytest.mark.parametrize("groups", [1, 4])
def test_conv_of_other_floats(dtype: Any, tolerance: float, groups: int) -> None:
    src, weight = rng_array(0, (1, 6, 7, 4), dtype), rng_array(1, (3, 3, 4 // groups, 8), dtype)
    fields: dict[str, Any] = {"stride": (1, 1), "dilation": (1, 1), "pad_begin": (1, 1), "groups": groups}
    got = execute(
        lambda op: Conv(**op, **fields), {"src": src, "weight": weight}, {"dst": ((1, 6, 7, 8), dtype)}
    )
    expected = naive_conv(
        src.astype(np.float64), weight.astype(np.float64), (1, 6, 7, 8), (1, 1), (1, 1), (1, 1), groups
    )
    np.testing.assert_allclose(got["dst"], expected, rtol=tolerance, atol=tolerance)


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 3), st.integers(1, 2), st.integers(0, 5), st.integers(1, 4), st.sampled_from([1, 12]))
def test_row_tiles_make_up_the_whole(stride: int, dilation: int, pad: int, rows: int, groups: int) -> None:
    """Each tile holds only the rows that it needs; pad_begin and the extent of dst say which they are.

    The last window begins inside the source: that of a tile behind it would need a negative pad_begin.
    """
    end = (min(pad, 2 * dilation), pad)
    src, weight = rng_array(0, (1, 11, 9, 12)), rng_array(1, (3, 3, 12 // groups, 12))
    fields: dict[str, Any] = {"stride": (stride,) * 2, "dilation": (dilation,) * 2, "groups": groups}
    out = whole_conv_shape(src, weight, fields["stride"], fields["dilation"], (pad, pad), end)
    whole = execute(
        lambda op: Conv(**op, **fields, pad_begin=(pad, pad)),
        {"src": src, "weight": weight},
        {"dst": (out, np.float32)},
    )["dst"]
    for top in range(0, out[1], rows):
        bottom = min(top + rows, out[1])
        first = top * stride - pad
        last = (bottom - 1) * stride + 2 * dilation - pad
        low = min(max(first, 0), 10)  # a tile that sees nothing but padding still has one row
        high = max(low, min(last, 10))
        begin = low - first
        tile = execute(
            lambda op, begin=begin: Conv(**op, **fields, pad_begin=(begin, pad)),  # type: ignore[misc]
            {"src": src[:, low : high + 1], "weight": weight},
            {"dst": ((1, bottom - top, *out[2:]), np.float32)},
        )["dst"]
        np.testing.assert_allclose(tile, whole[:, top:bottom], rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("dtype", [np.uint8, np.int8])
@pytest.mark.parametrize(("channels", "groups"), [(1, 1), (300, 1), (6, 3), (5, 5)])
def test_integer_conv_is_exact(dtype: Any, channels: int, groups: int) -> None:
    """Extreme values and a depth far beyond what one f32 sum could hold; padding counts as src_zero."""
    info = np.iinfo(dtype)
    rng = np.random.default_rng(0)
    src = rng.integers(info.min, info.max + 1, (1, 5, 6, channels)).astype(dtype)
    src[0, :3] = info.max
    weight = np.full((3, 3, channels // groups, 10 * groups), -128, np.int8)
    weight[..., 1::2] = rng.integers(-128, 128, weight[..., 1::2].shape)
    bias = rng.integers(-(10**6), 10**6, 10 * groups).astype(np.int32)
    out = (1, 5, 6, 10 * groups)
    got = execute(
        lambda op: Conv(
            **op, stride=(1, 1), dilation=(1, 1), pad_begin=(1, 1), groups=groups, src_zero=3, weight_zero=-2
        ),
        {"src": src, "weight": weight, "bias": bias},
        {"dst": (out, np.int32)},
    )["dst"]
    expected = naive_conv(
        src.astype(np.int64) - 3, weight.astype(np.int64) + 2, out, (1, 1), (1, 1), (1, 1), groups
    )
    np.testing.assert_array_equal(got, expected + bias)


def test_depthwise_taps_beyond_f32() -> None:
    """20×20 taps of extreme products do not fit an f32 sum: the kernel must widen."""
    src, weight = np.full((1, 20, 20, 2), 255, np.uint8), np.full((20, 20, 1, 2), 254, np.uint8)
    weight[0, 0] = 255
    got = execute(
        lambda op: Conv(**op, stride=(1, 1), dilation=(1, 1), pad_begin=(0, 0), groups=2),
        {"src": src, "weight": weight},
        {"dst": ((1, 1, 1, 2), np.int32)},
    )["dst"]
    np.testing.assert_array_equal(got, 399 * 255 * 254 + 255 * 255)


def test_requantising_epilogue() -> None:
    """y = saturate(round_half_even(relu(s·scale + bias + (r − rz)·rs) / dst_scale) + dst_zero)."""
    rng = np.random.default_rng(5)
    src, weight = (
        rng.integers(0, 256, (1, 4, 5, 8)).astype(np.uint8),
        rng.integers(-128, 128, (1, 1, 8, 6)).astype(np.int8),
    )
    scale, bias = rng.random(6).astype(np.float32) * 1e-2, rng.standard_normal(6).astype(np.float32)
    residual = rng.integers(-128, 128, (1, 4, 5, 6)).astype(np.int8)
    got = execute(
        lambda op: Conv(
            **op, stride=(1, 1), dilation=(1, 1), pad_begin=(0, 0), src_zero=100, residual_scale=0.25,
            residual_zero=-5, dst_scale=0.5, dst_zero=-20, act=Function.RELU,
        ),
        {"src": src, "weight": weight, "scale": scale, "bias": bias, "residual": residual},
        {"dst": ((1, 4, 5, 6), np.int8)},
    )["dst"]  # fmt: skip
    s = (src.astype(np.int64) - 100) @ weight[0, 0].astype(np.int64)
    y = s * scale.astype(np.float64) + bias + (residual.astype(np.float64) + 5) * 0.25
    y = np.rint(np.maximum(y, 0) / 0.5) - 20
    assert y.max() > 127, "the case must saturate"
    np.testing.assert_array_equal(got, np.clip(y, -128, 127))


@pytest.mark.parametrize("kind", ["f32", "i8"])
def test_chunks_of_channels_add_up(kind: str) -> None:
    rng = np.random.default_rng(1)
    if kind == "f32":
        src, weight, sums = rng_array(0, (1, 6, 6, 12)), rng_array(1, (3, 3, 12, 5)), np.float32
    else:
        src, weight = (rng.integers(-128, 128, s).astype(np.int8) for s in ((1, 6, 6, 12), (3, 3, 12, 5)))
        sums = np.int32
    fields: dict[str, Any] = {"stride": (1, 1), "dilation": (1, 1), "pad_begin": (1, 1)}
    shape = (1, 6, 6, 5)
    bias = np.arange(5, dtype=sums)
    whole = execute(
        lambda op: Conv(**op, **fields), {"src": src, "weight": weight, "bias": bias}, {"dst": (shape, sums)}
    )["dst"]
    accumulator = np.zeros(shape, sums)
    for phase, k in ((Phase.START, slice(0, 4)), (Phase.ADD, slice(4, 8))):
        inputs = {"src": src[..., k], "weight": weight[:, :, k]}
        if phase is Phase.ADD:
            inputs["accumulator"] = accumulator
        accumulator = execute(
            lambda op, phase=phase: Conv(**op, **fields, phase=phase), inputs, {"accumulator": (shape, sums)}
        )["accumulator"]  # type: ignore[misc]
    inputs = {"src": src[..., 8:], "weight": weight[:, :, 8:], "accumulator": accumulator, "bias": bias}
    got = execute(lambda op: Conv(**op, **fields, phase=Phase.FINISH), inputs, {"dst": (shape, sums)})["dst"]
    np.testing.assert_allclose(got, whole, rtol=1e-5, atol=1e-5 if kind == "f32" else 0)


def test_a_phase_without_its_operand_is_refused() -> None:
    with pytest.raises(ProgramInvalidError, match="phase finish lacks an accumulator"):
        execute(
            lambda op: Conv(
                src=op["src"], weight=op["weight"], dst=op["dst"], stride=(1,), dilation=(1,), pad_begin=(0,),
                phase=Phase.FINISH,
            ),
            {"src": rng_array(0, (1, 3, 2)), "weight": rng_array(1, (1, 2, 2))},
            {"dst": ((1, 3, 2), np.float32)},
        )  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(conv_cases())
def test_conv_transpose_equals_onnxruntime(case: dict[str, Any]) -> None:
    rank, groups = len(case["kernel"]), case["groups"]
    src = rng_array(case["seed"], case["src"])
    weight = rng_array(case["seed"] + 1, (*case["kernel"], src.shape[-1], 2))
    full = [
        (x - 1) * s + (k - 1) * d + 1
        for x, s, k, d in zip(src.shape[1:-1], case["stride"], case["kernel"], case["dilation"], strict=True)
    ]
    begin = tuple(min(b, (f - 1) // 2) for b, f in zip(case["begin"], full, strict=True))
    end = tuple(min(e, (f - 1) // 2) for e, f in zip(case["end"], full, strict=True))
    out = (src.shape[0], *(f - b - e for f, b, e in zip(full, begin, end, strict=True)), 2 * groups)
    bias = rng_array(7, out[-1:])
    got = execute(
        lambda op: ConvTranspose(
            **op, stride=case["stride"], dilation=case["dilation"], pad_begin=begin, groups=groups
        ),
        {"src": src, "weight": weight, "bias": bias},
        {"dst": (out, np.float32)},
        gap=case["gap"],
    )["dst"]
    reference = onnx_node(
        "ConvTranspose",
        [channels_first(src), np.ascontiguousarray(np.moveaxis(weight, (-2, -1), (0, 1))), bias],
        strides=case["stride"], dilations=case["dilation"], pads=[*begin, *end], group=groups,
    )  # fmt: skip
    assert rank == reference.ndim - 2
    np.testing.assert_allclose(got, channels_last(reference), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("stride", [1, 2, 3])
def test_conv_transpose_tiles_with_negative_padding(stride: int) -> None:
    """Rows 4 … 8 of the result from the whole source: the tile starts after its first contribution."""
    src, weight = rng_array(0, (1, 5, 4, 3)), rng_array(1, (3, 3, 3, 2))
    out = (1, 4 * stride + 3, 3 * stride + 3, 2)
    fields: dict[str, Any] = {"stride": (stride, stride), "dilation": (1, 1)}
    inputs = {"src": src, "weight": weight}
    whole = execute(
        lambda op: ConvTranspose(**op, **fields, pad_begin=(0, 0)), inputs, {"dst": (out, np.float32)}
    )["dst"]
    end = min(9, out[1])
    tile = execute(
        lambda op: ConvTranspose(**op, **fields, pad_begin=(4, 0)),
        inputs,
        {"dst": ((1, end - 4, *out[2:]), np.float32)},
    )["dst"]
    np.testing.assert_allclose(tile, whole[:, 4:end], rtol=1e-5, atol=1e-6)
    late = {"src": src[:, 2:], "weight": weight}
    shifted = execute(
        lambda op: ConvTranspose(**op, **fields, pad_begin=(-2 * stride, 0)), late, {"dst": (out, np.float32)}
    )["dst"]
    early = execute(
        lambda op: ConvTranspose(**op, **fields, pad_begin=(0, 0)),
        {"src": src[:, :2], "weight": weight},
        {"dst": (out, np.float32)},
    )["dst"]
    np.testing.assert_allclose(shifted + early, whole, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("chunks", [1, 3])
def test_integer_conv_transpose_is_exact(chunks: int) -> None:
    rng = np.random.default_rng(2)
    src = rng.integers(0, 256, (1, 4, 4, 900)).astype(np.uint8)
    weight = rng.integers(200, 256, (2, 2, 900, 3)).astype(np.uint8)
    fields: dict[str, Any] = {"stride": (2, 2), "dilation": (1, 1), "pad_begin": (0, 0), "src_zero": 7}
    shape = (1, 8, 8, 3)
    expected = np.zeros(shape, np.int64)
    for ky, kx in product(range(2), range(2)):
        expected[:, ky::2, kx::2] = (src.astype(np.int64) - 7) @ weight[ky, kx].astype(np.int64)
    phases = {1: [Phase.WHOLE], 3: [Phase.START, Phase.ADD, Phase.FINISH]}[chunks]
    accumulator = np.zeros(shape, np.int32)
    for phase, k in zip(phases, np.array_split(np.arange(900), chunks), strict=True):
        inputs = {"src": src[..., k], "weight": weight[:, :, k]}
        if phase in (Phase.ADD, Phase.FINISH):
            inputs["accumulator"] = accumulator
        target = "dst" if phase in (Phase.WHOLE, Phase.FINISH) else "accumulator"
        accumulator = execute(
            lambda op, phase=phase: ConvTranspose(**op, **fields, phase=phase),  # type: ignore[misc]
            inputs,
            {target: (shape, np.int32)},
        )[target]
    np.testing.assert_array_equal(accumulator, expected)


@settings(max_examples=60, deadline=None)
@given(
    st.integers(1, 7),
    st.integers(1, 9),
    st.integers(1, 7),
    st.sampled_from([((), ()), ((3,), ()), ((3,), (3,)), ((2, 1), (3,)), ((1,), (4,))]),
    st.sampled_from([np.float32, np.float64, np.float16, np.int8, np.uint8, np.int32, np.int64]),
    st.sampled_from([0, 2]),
)
def test_gemm_equals_numpy(m: int, k: int, n: int, batch: Any, dtype: Any, gap: int) -> None:
    rng = np.random.default_rng(m * 100 + k * 10 + n)
    a, b = (
        rng.integers(0, 100, (*batch[0], m, k)).astype(dtype),
        rng.integers(0, 100, (*batch[1], k, n)).astype(dtype),
    )
    wide = np.float64 if np.dtype(dtype).kind == "f" else np.int64
    expected = a.astype(wide) @ b.astype(wide)
    result = np.int32 if np.dtype(dtype).itemsize == 1 else dtype
    got = execute(lambda op: Gemm(**op), {"src": a, "weight": b}, {"dst": (expected.shape, result)}, gap=gap)[
        "dst"
    ]
    np.testing.assert_allclose(got, expected.astype(result), rtol=1e-3 if dtype == np.float16 else 0)


def test_gemm_epilogue_broadcasts_its_bias() -> None:
    a, b, bias = rng_array(0, (4, 6)), rng_array(1, (6, 5)), rng_array(2, (4, 1))
    got = execute(
        lambda op: Gemm(**op, act=Function.CLIP, act_params=(-0.5, 0.5)),
        {"src": a, "weight": b, "bias": bias},
        {"dst": ((4, 5), np.float32)},
    )["dst"]
    np.testing.assert_allclose(got, np.clip(a @ b + bias, -0.5, 0.5), rtol=1e-5, atol=1e-6)


def test_large_tile_is_cut_into_blocks() -> None:
    """A tile whose window matrix exceeds one block: several blocks, several images."""
    src, weight, bias = rng_array(0, (2, 40, 40, 16)), rng_array(1, (3, 3, 16, 8)), rng_array(2, (8,))
    residual = rng_array(3, (2, 40, 40, 8))
    got = execute(
        lambda op: Conv(**op, stride=(1, 1), dilation=(1, 1), pad_begin=(1, 1)),
        {"src": src, "weight": weight, "bias": bias, "residual": residual},
        {"dst": ((2, 40, 40, 8), np.float32)},
    )["dst"]
    reference = onnx_node(
        "Conv", [channels_first(src), np.moveaxis(weight, (-1, -2), (0, 1)).copy(), bias], pads=[1] * 4
    )
    np.testing.assert_allclose(got, channels_last(reference) + residual, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("dtype", [np.float16, np.float32])
@pytest.mark.parametrize(
    "layout", [BlockFormat(4, 16, 2, 1), BlockFormat(2, 8, 4, 4), BlockFormat(8, 40, 4, 0)]
)
def test_products_with_blocks_of_few_bits(layout: BlockFormat, dtype: Any) -> None:
    """The sums of the weights as the bytes say them; the last block is there in part."""
    depth, channels, rng = 40, 12, np.random.default_rng(0)
    shape = (-(-depth // layout.block), channels)
    integers = rng.integers(0, 1 << layout.bits, (depth, channels)).astype(np.uint8)
    scales = rng.random(shape).astype(np.float16)
    zeros = rng.integers(0, 4, shape).astype(np.uint8) if layout.zero_bytes else None
    src, bias = rng_array(1, (2, 3, depth), dtype), rng_array(2, (channels,), dtype)
    weight = layout.packed(integers, scales, zeros)
    result = execute(
        lambda op: BlockGemm(**op, **layout._asdict(), weight_zero=5, act=Function.RELU),
        {"src": src, "weight": weight, "bias": bias},
        {"dst": ((2, 3, channels), dtype)},
        gap=3,
    )["dst"]
    real = layout.real(weight, depth, 5).astype(dtype).astype(np.float64)
    expected = np.maximum(src.astype(np.float64) @ real + bias, 0)
    tolerance = 1e-5 if dtype is np.float32 else 2e-3
    np.testing.assert_allclose(result, expected, rtol=tolerance, atol=tolerance * np.abs(expected).max())
