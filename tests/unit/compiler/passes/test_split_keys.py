"""Attention to more keys than a memory holds: in pieces, with the same result."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from harness import check_model, chip_of
from pass_harness import after, graph_of, kinds, model_of, same_values

from nnc.compiler.frontend.importer import import_model
from nnc.compiler.ir.graph import Graph
from nnc.compiler.passes.for_memory.split_keys import SPLIT_KEYS
from nnc.compiler.pipeline import run_pipeline, stage_graph
from nnc.compiler.plan.options import OBJECTIVES, PlanOptions

LOWEST = np.finfo(np.float32).min
KEYS = 80


def masked(value: float) -> np.ndarray:
    """A causal mask, but that the first query sees the last keys alone: nothing of the first pieces."""
    mask = np.triu(np.full((KEYS, KEYS), value, np.float32), 1)
    mask[0] = value
    mask[0, -3:] = 0
    return mask


SPLIT = {
    "plain": "s = MatMul (q, k)  p = Softmax <axis=-1> (s)  y = MatMul (p, v)",
    "scaled": "s = MatMul (q, k)  n = Mul (half, s)  p = Softmax <axis=-1> (n)  y = MatMul (p, v)",
    "no keys of a piece": "s = MatMul (q, k)  n = Add (inf, s)  p = Softmax <axis=-1> (n)  y = MatMul (p, v)",
    "lowest number": "s = MatMul (q, k)  n = Add (s, least)  p = Softmax <axis=-1> (n)  y = MatMul (p, v)",
    "chosen": "s = MatMul (q, k)  n = Where (seen, s, inf)  p = Softmax <axis=-1> (n)  y = MatMul (p, v)",
    "a mask of the network": """s = MatMul (q, k)  n = Add (s, x)  p = Softmax <axis=-1> (n)
        y = MatMul (p, v)""",
    "a bias per key": """s = MatMul (q, k)  n = Add (s, of_key)  p = Softmax <axis=-1> (n)
        y = MatMul (p, v)""",
    "heads in two axes": """s = MatMul (q, k)  r = Reshape (s, two)  n = Add (r, inf)  t = Reshape (n, one)
        p = Softmax <axis=-1> (t)  y = MatMul (p, v)""",
    "views behind": """s = MatMul (q, k)  r = Reshape (s, two)  p = Softmax <axis=-1> (r)
        t = Reshape (p, one)  y = MatMul (t, v)""",
}
KEPT = {
    "a bias of the network": """s = MatMul (q, k)  b = MatMul (x, k)  c = Relu (b)  n = Add (s, c)
        p = Softmax <axis=-1> (n)  y = MatMul (p, v)""",
    "scores read twice": f"{SPLIT['plain']}  z = Relu (s)",
    "weights read twice": f"{SPLIT['plain']}  z = Relu (p)",
    "logarithms": "s = MatMul (q, k)  p = LogSoftmax <axis=-1> (s)  y = MatMul (p, v)",
    "columns": "s = MatMul (q, k)  p = Softmax <axis=-2> (s)  y = MatMul (p, v)",
    "a function of weights": """s = MatMul (q, k)  p = Softmax <axis=-1> (s)  r = Sqrt (p)
        y = MatMul (r, v)""",
    "no product of scores": "p = Softmax <axis=-1> (w)  y = MatMul (p, v)",
    "other rows": """s = MatMul (q, k)  r = Reshape (s, turned)  p = Softmax <axis=-1> (r)
        t = Reshape (p, one)  y = MatMul (t, v)""",
}
VALUES = {
    "half": np.float32(0.5),
    "inf": masked(-np.inf),
    "least": masked(LOWEST),
    "seen": masked(-1.0) == 0,
    "of_key": np.linspace(-2, 2, KEYS, dtype=np.float32),
    "two": np.array([1, 2, KEYS, KEYS]),
    "one": np.array([2, KEYS, KEYS]),
    "turned": np.array([4, KEYS // 2, KEYS]),
}


def text(layers: str, heads: int = 2) -> str:
    """Attention of some heads with 4 features, and whatever else the layers read and give."""
    more = [f"float[{heads},{KEYS},4] x"] * ("(x, k)" in layers)
    more += [f"float[{KEYS},{KEYS}] x"] * ("(s, x)" in layers)
    more += [f"float[2,{KEYS},{KEYS}] w"] * ("(w)" in layers)
    head = [f"float[{heads},{KEYS},4] q", f"float[{heads},4,{KEYS}] k", f"float[{heads},{KEYS},4] v", *more]
    return f"({', '.join(head)}) => (y{', z' if 'z =' in layers else ''}) {{ {layers} }}"


def used(layers: str) -> dict[str, np.ndarray]:
    return {
        name: value for name, value in VALUES.items() if any(f"{name}{end}" in layers for end in (",", ")"))
    }


def graph(layers: str) -> Graph:
    return graph_of(text(layers), **used(layers))


def split(graph: Graph, memory_bytes: int = 2048, **facts: Any) -> Graph:
    return after(SPLIT_KEYS, graph, memory_bytes=memory_bytes, **facts)


@pytest.mark.parametrize("layers", SPLIT.values(), ids=SPLIT)
def test_pieces_of_keys_give_the_same(layers: str) -> None:
    before = graph(layers)
    result = split(before)
    assert "softmax" not in kinds(result)
    assert kinds(result).count("matmul") == kinds(before).count("matmul") - 2 + 2 * 3  # 32, 32 and 16 keys
    same_values(before, result)


@pytest.mark.parametrize("layers", KEPT.values(), ids=KEPT)
def test_other_layers_stay_as_they_are(layers: str) -> None:
    before = graph(layers)
    assert kinds(split(before)) == kinds(before)


def test_keys_that_fit_stay_together() -> None:
    """Keys and values of a head take 2,560 bytes."""
    assert "softmax" in kinds(split(graph(SPLIT["plain"]), 4096))


def test_pieces_of_a_mask_are_shared() -> None:
    """Two layers of attention read one mask: of that, there are three pieces."""
    two = f"{SPLIT['no keys of a piece'].replace('y =', 'a =')}  t = MatMul (a, k)  m = Add (inf, t)"
    before = graph(f"{two}  w = Softmax <axis=-1> (m)  y = MatMul (w, v)")
    result = split(before)
    assert sum(name.startswith("inf.") for name in result.constants) == 3
    same_values(before, result)


def test_few_queries_see_all_keys_at_once() -> None:
    """One query of 80 keys: its scores are a tenth of keys and values."""
    head = f"(float[2,1,4] q, float[2,4,{KEYS}] k, float[2,{KEYS},4] v) => (y)"
    one = graph_of(f"{head} {{ {SPLIT['plain']} }}")
    assert "softmax" in kinds(split(one))


def test_cores_that_share_heads_have_several_at_once() -> None:
    """Of two cores, each has both values and keys of one head; of one of four heads, two."""
    four = graph_of(text(SPLIT["plain"], heads=4))
    assert "softmax" not in kinds(split(four, 4096, sharing_cores=2))
    assert "softmax" in kinds(split(four, 4096, sharing_cores=4))


def test_where_only_bytes_count_a_core_takes_head_after_head() -> None:
    """Keys and values of one head fit, those of two do not: pieces save cycles, and bytes if none fit."""
    four = graph_of(text(SPLIT["plain"], heads=4))
    assert "softmax" in kinds(split(four, 4096, sharing_cores=2, objective="traffic"))
    assert "softmax" not in kinds(split(four, 2048, sharing_cores=2, objective="traffic"))


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_the_pass_is_told_what_counts(objective: str) -> None:
    """On four cores with two heads each; all is compiled, and stages that are asked for see the same."""
    model = import_model(model_of(text(SPLIT["plain"], heads=8)))
    chip, options = chip_of("npu4", sram="4KiB"), PlanOptions(objective=objective, effort="O0")
    found = [
        run_pipeline(model, chip, options=options).canonical,
        stage_graph(model, chip, "canonical", options=options),
    ]
    assert ["softmax" in kinds(one) for one in found] == [objective == "traffic"] * 2


@pytest.mark.parametrize("layers", SPLIT.values(), ids=SPLIT)
def test_chips_compute_pieces(layers: str) -> None:
    """On one core and four by turns: verified, as predicted, and beside onnxruntime."""
    chip = ("npu", "npu4")[[*SPLIT.values()].index(layers) % 2]
    model = model_of(text(layers), **used(layers))
    check_model(model, chip_of(chip, sram="2KiB"), options=PlanOptions(effort="O1"))


def test_scores_of_pieces_stay_on_chip() -> None:
    """Scores of 600 queries take 1.4 MB a head; what visits DRAM is far less."""
    shapes = "(float[1,2,600,16] q, float[1,2,16,600] k, float[1,2,600,16] v) => (y)"
    model = model_of(f"{shapes} {{ {SPLIT['plain']} }}")
    plan = check_model(model, chip_of(sram="64KiB"), options=PlanOptions()).compilation.plan
    assert plan.moved_bytes < 600 * 600 * 4
