"""Matrices that DequantizeLinear makes of blocks: products take them as they are, nothing else does."""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx
import pytest
from harness import check_compiled, chip_of, random_inputs, reference
from onnx import TensorProto, helper, numpy_helper

from nnc.compiler.frontend.block_matrix import of_blocks
from nnc.compiler.frontend.importer import import_model
from nnc.compiler.pipeline import run_pipeline

RANGES = {
    TensorProto.INT4: (-8, 8),
    TensorProto.UINT4: (0, 16),
    TensorProto.INT8: (-128, 128),
    TensorProto.UINT8: (0, 256),
}
BLOCK, N = 16, 24


def model(
    kind: int,
    nodes: list[onnx.NodeProto],
    *,
    turned: bool,
    depth: int = 64,
    zeros: bool = True,
    extra: Any = (),
) -> onnx.ModelProto:
    """A model whose nodes multiply x [3, depth] by `d`, of integers [N, depth] if turned, else [depth, N]."""
    rng, blocks = np.random.default_rng(0), -(-depth // BLOCK)
    shape, scales = ((N, depth), (N, blocks)) if turned else ((depth, N), (blocks, N))

    def integers(name: str, shape: tuple[int, int]) -> onnx.TensorProto:
        return helper.make_tensor(name, kind, shape, rng.integers(*RANGES[kind], shape).ravel().tolist())

    constants = [
        integers("w", shape),
        numpy_helper.from_array((rng.random(scales) / 50 + 0.001).astype(np.float32), "s"),
        *([integers("z", scales)] if zeros else []),
        *(numpy_helper.from_array(value, name) for name, value in extra),
    ]
    operands = [tensor.name for tensor in constants[: 2 + zeros]]
    made = helper.make_node("DequantizeLinear", operands, ["d"], axis=int(turned), block_size=BLOCK)
    graph = helper.make_graph(
        [made, *nodes],
        "blocks",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [3, depth])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)],
        constants,
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10)


def check(blocks: onnx.ModelProto, *memories: str) -> None:
    """The chip computes what the operators say; onnxruntime's fused kernels quantise x."""
    compilation = run_pipeline(import_model(blocks), chip_of("npu", *memories))
    feeds = random_inputs(blocks)
    check_compiled(compilation, feeds, reference(blocks, feeds, optimise=False))


TURN = helper.make_node("Transpose", ["d"], ["t"], perm=[1, 0])
BIAS = [("b", np.linspace(-1, 1, N).astype(np.float32))]
PRODUCTS = {
    "a product": (False, [helper.make_node("MatMul", ["x", "d"], ["y"])], ()),
    "behind a transposition": (True, [TURN, helper.make_node("MatMul", ["x", "t"], ["y"])], ()),
    "a Gemm with a bias": (False, [helper.make_node("Gemm", ["x", "d", "b"], ["y"])], BIAS),
    "a Gemm that transposes": (True, [helper.make_node("Gemm", ["x", "d"], ["y"], transB=1)], ()),
}


@pytest.mark.parametrize("depth", [64, 50])
@pytest.mark.parametrize("zeros", [False, True])
@pytest.mark.parametrize("kind", RANGES, ids=TensorProto.DataType.Name)
@pytest.mark.parametrize("name", PRODUCTS)
def test_products_take_blocks_as_they_are(name: str, kind: int, zeros: bool, depth: int) -> None:
    turned, nodes, extra = PRODUCTS[name]
    blocks = model(kind, nodes, turned=turned, depth=depth, zeros=zeros, extra=extra)
    kinds = [layer.kind for layer in import_model(blocks).layers()]
    assert kinds == ["block_matmul"]
    check(blocks, "memory.sram.bytes=32KiB")


OTHERS = {
    "a Gemm with a factor": (False, [helper.make_node("Gemm", ["x", "d"], ["y"], alpha=2.0)], ()),
    "a bias of a matrix": (
        False,
        [helper.make_node("Gemm", ["x", "d", "c"], ["y"])],
        [("c", np.ones((3, N), np.float32))],
    ),
    "blocks along the results": (True, [helper.make_node("MatMul", ["x", "d"], ["y"])], ()),
    "not a matrix as it was": (
        False,
        [helper.make_node("Neg", ["d"], ["n"]), helper.make_node("MatMul", ["x", "n"], ["y"])],
        (),
    ),
}


@pytest.mark.parametrize("name", OTHERS)
def test_others_take_real_numbers(name: str) -> None:
    turned, nodes, extra = OTHERS[name]
    blocks = model(TensorProto.INT4, nodes, turned=turned, depth=N if turned else 64, extra=extra)
    assert "block_matmul" not in [layer.kind for layer in import_model(blocks).layers()]
    check(blocks)


@pytest.mark.parametrize(
    ("integers", "block"),
    [(np.zeros((2, 4, 4), np.int8), 2), (np.zeros((4, 4), np.int16), 2), (np.zeros((6, 4), np.int8), 3)],
    ids=["no matrix", "16 bits", "half a byte"],
)
def test_what_is_no_matrix_of_blocks(integers: np.ndarray, block: int) -> None:
    scales = np.ones((integers.shape[0] // block, *integers.shape[1:]), np.float32)
    assert of_blocks(integers, [scales], 0, block, 4) is None
