"""Constants and exponents at the edge of their types: values are those of onnxruntime."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import onnx
import pytest
from harness import LITTLE_EFFORT, chip_of, reference
from onnx import helper, numpy_helper

import nnc
from nnc.compiler.frontend.importer import import_model
from nnc.compiler.pipeline import canonicalise, run_pipeline
from nnc.runtime.session import Session

Array = npt.NDArray[Any]
BIG = 2**53 + 1


def node(op: str, inputs: str, output: str = "y", **attributes: Any) -> onnx.NodeProto:
    return helper.make_node(op, inputs.split(), [output], **attributes)


def model_of(nodes: list[onnx.NodeProto], feeds: dict[str, Array], **constants: Array) -> onnx.ModelProto:
    """A network whose output is y."""
    code = helper.np_dtype_to_tensor_dtype
    inputs = [helper.make_tensor_value_info(name, code(v.dtype), v.shape) for name, v in feeds.items()]
    held = [numpy_helper.from_array(value, name) for name, value in constants.items()]
    graph = helper.make_graph(nodes, "g", inputs, [onnx.ValueInfoProto(name="y")], held)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9)
    return onnx.shape_inference.infer_shapes(model, data_prop=True)


def check(nodes: list[onnx.NodeProto], feeds: dict[str, Array], **constants: Array) -> Array:
    """Compile, run, compare; floats that are not finite count too.  The outcome."""
    model = model_of(nodes, feeds, **constants)
    expected = reference(model, feeds, optimise=False)["y"]  # it folds factors that are out of range, too
    compilation = run_pipeline(
        import_model(model), chip_of("npu", sram="4KiB"), options=LITTLE_EFFORT, verify_each=True
    )
    (found,) = Session(compilation.program, poison=True).run(["y"], feeds)
    assert found.dtype == expected.dtype
    if found.dtype.kind == "f":
        rough = 2e-3 if found.dtype == np.float16 else 1e-5
        np.testing.assert_allclose(found, expected, rtol=rough)
    else:
        np.testing.assert_array_equal(found, expected)
    return expected


@pytest.mark.parametrize("dtype", [np.int32, np.int64])
@pytest.mark.parametrize("exponent", [0.5, 2.0, [0.5, 1.5, 0.5, 2], [-0.5, 1.5, 0, 3]])
def test_integers_to_the_power_of_fractions(dtype: Any, exponent: Any) -> None:
    x, e = np.array([4, 9, 16, 50], dtype), np.array(exponent, np.float32)
    check([node("Pow", "x e")], {"x": x}, e=e)
    check([node("Pow", "x e")], {"x": x, "e": e})


def test_a_constant_to_the_power_of_fractions() -> None:
    check([node("Pow", "b e")], {"e": np.array([0.5, 1.5], np.float32)}, b=np.array(9, np.int32))


@pytest.mark.parametrize(
    ("dtype", "factor", "element"),
    [
        (np.float16, 1000, 6e-5),
        (np.float16, 1e-4, 60000),
        (np.float32, 1e20, 1e-38),
        (np.float32, 1e-20, 1e38),
    ],
)
@pytest.mark.parametrize("shift", [False, True])
def test_factors_whose_product_is_out_of_range(
    dtype: Any, factor: float, element: float, shift: bool
) -> None:
    x, c = np.full(8, element, dtype), np.full(8, factor, dtype)
    nodes = [node("Mul", "x c", "p"), node("Add", "p z", "q"), node("Mul", "q c")]
    if not shift:
        nodes = [node("Mul", "x c", "q"), node("Mul", "q c")]
    expected = check(nodes, {"x": x}, c=c, **({"z": np.zeros(8, dtype)} if shift else {}))
    assert (expected != 0).all()


def test_a_bias_times_a_factor_is_out_of_range() -> None:
    x = np.full((2, 3), 1e-4, np.float32)
    nodes = [node("Gemm", "x w b", "p"), node("Mul", "p c")]
    weight, bias, factor = np.eye(3), np.full(3, -1e30), np.full(3, 1e10)
    consts = {"w": weight, "b": bias, "c": factor}
    assert np.isinf(check(nodes, {"x": x}, **{k: v.astype(np.float32) for k, v in consts.items()})).all()


@pytest.mark.parametrize(
    ("weight", "factor"), [([[1, 0], [2, 0], [3, 1]], np.inf), (1e-30, 1e-30), (1e30, 1e30)]
)
@pytest.mark.parametrize("op", ["MatMul", "Conv", "ConvTranspose"])
def test_weights_times_factors_out_of_range(op: str, weight: Any, factor: float) -> None:
    """A weight of zero times infinity is not zero, and products that vanish were not nothing."""
    w = np.broadcast_to(np.array(weight, np.float32), (3, 2))
    x = np.full((2, 3), 1e30 if np.size(weight) == 1 and factor < 1 else 1e-30, np.float32)
    c = np.array([1, factor], np.float32)
    if op != "MatMul":
        w, x = (w.T if op == "Conv" else w)[..., np.newaxis, np.newaxis], x[..., np.newaxis, np.newaxis]
        c = c.reshape(2, 1, 1)
    check([node(op, "x w", "p"), node("Mul", "p c")], {"x": x}, w=np.ascontiguousarray(w), c=c)


def test_factors_that_fit_are_still_folded() -> None:
    """Zeros and tiny weights beside larger ones are no reason to keep a layer."""
    x = np.ones((1, 2, 3, 3), np.float32)
    w = np.array([[1, 1e-38], [0, 0]], np.float32).reshape(2, 2, 1, 1)
    c = np.array([0.125, 1e-3], np.float32).reshape(2, 1, 1)
    model = model_of([node("Conv", "x w", "p"), node("Mul", "p c")], {"x": x}, w=w, c=c)
    assert [layer.kind for layer in canonicalise(import_model(model)).layers()] == ["conv"]


@pytest.mark.parametrize("value", [BIG, -BIG, 2**63 - 1])
def test_integers_that_no_float_holds(value: int) -> None:
    x = {"x": np.array([[0, 2**53, 2**60], [-(2**60), BIG, -(2**53)]])}
    bound = np.array(value)
    check([node("Clip", "x b")], x, b=bound)
    check([node("Clip", "x  b")], x, b=bound)
    check([node("Clip", "x a b")], x, a=np.array(-BIG), b=np.array(BIG))
    check([node("Pad", "x p b")], x, p=np.array([1, -1, 0, 2]), b=bound)
    check([node("Max", "x b")], x, b=bound)


@pytest.mark.parametrize("mode", ["wrap", "reflect", "edge", "constant"])
@pytest.mark.parametrize("pads", [(-1, 2), (2, -1), (-2, 1), (-1, -1), (-3, 1), (1, -3), (-2, 2)])
@pytest.mark.parametrize("axis", [0, 1])
def test_pads_crop_first(mode: str, pads: tuple[int, int], axis: int) -> None:
    x = np.arange(20, dtype=np.float32).reshape(5, 4)
    p = np.zeros((2, 2), np.int64)
    p[:, 1 - axis] = pads
    if mode == "reflect" and max(pads) > x.shape[1 - axis] - 1 + min(pads):
        return
    check([node("Pad", "x p", mode=mode)], {"x": x}, p=p.reshape(-1))


def test_a_reflection_of_more_than_is_left_is_refused() -> None:
    model = model_of(
        [node("Pad", "x p", mode="reflect")], {"x": np.zeros(4, np.float32)}, p=np.array([-2, 2])
    )
    with pytest.raises(nnc.NncError, match="reflection of 2 elements needs more than 2"):
        import_model(model)


def resized(x: Array, scales: list[float], version: int = 20, **attributes: Any) -> None:
    """Resize as onnxruntime, whole and in tiles."""
    s, inputs = np.array(scales, np.float32), "x s" if version == 10 else "x  s"
    code = helper.np_dtype_to_tensor_dtype(x.dtype)
    graph = helper.make_graph(
        [helper.make_node("Resize", inputs.split(" "), ["y"], **attributes)],
        "g",
        [helper.make_tensor_value_info("x", code, x.shape)],
        [onnx.ValueInfoProto(name="y")],
        [numpy_helper.from_array(s, "s")],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", version)], ir_version=9)
    model = onnx.shape_inference.infer_shapes(model)
    expected = reference(model, {"x": x})["y"]
    for sram in ("1MiB", "4KiB"):
        compilation = run_pipeline(
            import_model(model), chip_of("npu", sram=sram), options=LITTLE_EFFORT, verify_each=True
        )
        (found,) = Session(compilation.program, poison=True).run(["y"], {"x": x})
        np.testing.assert_allclose(found, expected, rtol=0 if x.dtype.kind in "iu" else 1e-5, atol=1e-6)


@pytest.mark.parametrize("mode", ["nearest", "linear"])
@pytest.mark.parametrize("scales", [(0.6, 0.6), (0.6, 1.7), (1.7, 0.45), (2.3, 1.2), (0.9, 1.1)])
def test_the_resize_of_opset_10(mode: str, scales: tuple[float, float]) -> None:
    """Nearest elements are those above where an axis shrinks, and those below where it grows."""
    x = np.random.default_rng(1).standard_normal((1, 2, 7, 9)).astype(np.float32)
    resized(x, [1, 1, *scales], version=10, mode=mode)


@pytest.mark.parametrize("dtype", [np.uint8, np.int8, np.int32])
@pytest.mark.parametrize("mapping", ["half_pixel", "asymmetric", "align_corners"])
@pytest.mark.parametrize(
    ("shape", "scales"),
    [
        ((6, 17), (2.4, 0.7)),
        ((1, 3, 35, 14), (1, 1, 2.4, 0.5)),
        ((1, 2, 6, 7), (1, 1, 1.7, 1)),
        ((1, 5, 4, 3), (1, 1.7, 2.4, 1)),
        ((1, 6, 13), (1, 0.7, 2.4)),
        ((1, 2, 3, 6, 5), (1, 1, 2.4, 3, 1.2)),
    ],
)
@pytest.mark.parametrize("flat", [False, True])
def test_interpolated_integers_lose_their_fraction(
    dtype: Any, mapping: str, shape: tuple[int, ...], scales: tuple[float, ...], flat: bool
) -> None:
    rng = np.random.default_rng(len(shape))
    low = 0 if dtype == np.uint8 else -100
    x = np.full(shape, 83, dtype) if flat else rng.integers(low, 120, shape).astype(dtype)
    resized(x, list(scales), mode="linear", coordinate_transformation_mode=mapping)


@pytest.mark.parametrize("mode", ["nearest", "linear"])
def test_a_scale_that_changes_no_extent_changes_nothing(mode: str) -> None:
    x = np.random.default_rng(1).standard_normal((1, 2, 5, 4)).astype(np.float32)
    resized(x, [1, 1, 1.15, 1.2], mode=mode)
