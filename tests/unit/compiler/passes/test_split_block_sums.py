"""Sums over blocks of weights: in pieces where a memory holds few channels, and the same sums."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import onnx
import pytest
from block_models import with_blocks
from harness import check_model, chip_of
from onnx import numpy_helper, parser
from pass_harness import after, same_values

from nnc.compiler.frontend.importer import import_model
from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.layers import BlockMatMul
from nnc.compiler.passes.for_memory.split_block_sums import SPLIT_BLOCK_SUMS
from nnc.isa.functions import Function


def model(depth: int, nodes: str) -> onnx.ModelProto:
    """A product of 3 rows with weights [depth, 24] in blocks, and what comes behind it."""
    head = f"g (float[3,{depth}] x, float[3,24] r) => (float[3,24] y)"
    body = f"{{ s = MatMul (x, w)  {nodes} }}"
    parsed = parser.parse_model(f'<ir_version: 9, opset_import: ["": 20]> {head} {body}')
    parsed.graph.initializer.append(numpy_helper.from_array(np.zeros((depth, 24), np.float32), "w"))
    return with_blocks(parsed, 1)


def products(graph: Graph) -> list[BlockMatMul]:
    return [layer for layer in graph.layers() if isinstance(layer, BlockMatMul)]


@pytest.mark.parametrize(("memory_bytes", "count"), [(4096, 1), (1024, 2), (400, 3), (16, 7)])
def test_pieces_are_whole_blocks_as_many_as_memory_asks_for(memory_bytes: int, count: int) -> None:
    graph = import_model(model(200, "y = Add (s, r)"))
    (whole,) = products(graph)
    pieces = products(after(SPLIT_BLOCK_SUMS, graph, memory_bytes=memory_bytes))
    assert (whole.block, whole.format.block_bytes) == (32, 19)
    assert len(pieces) == count
    same_values(graph, after(SPLIT_BLOCK_SUMS, graph, memory_bytes=memory_bytes))


def test_only_the_last_piece_has_the_activation() -> None:
    check_model(model(2048, "y = Relu (s)"), chip_of("npu", sram="8KiB"))
    graph = import_model(model(200, "y = Relu (s)"))
    (whole,) = products(graph)
    graph.replace(replace(whole, act=Function.RELU))
    acts = [layer.act for layer in products(after(SPLIT_BLOCK_SUMS, graph, memory_bytes=400))]
    assert acts[-1] is Function.RELU and set(acts[:-1]) == {Function.IDENTITY}


@pytest.mark.parametrize("nodes", ["y = Add (s, r)", "t = Add (s, r)  y = Sigmoid (t)", "y = Neg (s)"])
@pytest.mark.parametrize(
    ("chip", "kib"), [("npu", 8), ("npu4", 12), ("nna", 16), ("pixel-dsp", 16), ("vdsp12", 16)]
)
def test_long_sums_in_little_memory(chip: str, kib: int, nodes: str) -> None:
    """Without pieces, a channel of 4,096 weights would take a third of the memory, or more than all of it."""
    memories = dict.fromkeys(chip_of(chip).memory, f"{kib}KiB")
    check_model(model(4096, nodes), chip_of(chip, **memories))
