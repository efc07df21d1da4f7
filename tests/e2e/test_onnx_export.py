"""Graphs of every level as ONNX models: they compute what the network computes and show M1."""

from __future__ import annotations

from collections import Counter
from typing import Any

import onnx
import pytest
from harness import (
    Array,
    assert_close,
    chip_of,
    compile_with_levers,
    finite_reference,
    random_inputs,
    random_networks_settings,
    reference,
)
from hypothesis import given, reject
from random_networks import networks
from test_groups import CASES, model_of
from test_random_networks import chips

from nnc import models
from nnc.compiler.errors import ElementTypeError
from nnc.compiler.export.to_onnx import to_bytes, to_onnx
from nnc.compiler.frontend.importer import import_model
from nnc.compiler.ir.graph import Graph
from nnc.compiler.pipeline import STAGES, stage_graph
from nnc.compiler.plan.options import PlanOptions
from nnc.compiler.plan.planner import no_progress
from nnc.isa.instruction import Phase

LEAST_TRAFFIC = PlanOptions(objective="traffic")
PUBLISHED = PlanOptions(objective="traffic", overlap="recompute")
"""M1 as published: parts share nothing, so that nothing but the outputs is put together."""


def assert_same(graph: Graph, feeds: dict[str, Array], expected: dict[str, Array]) -> onnx.ModelProto:
    """The exported graph is valid, shapes included, and computes the expected outputs."""
    model = to_onnx(graph)
    onnx.checker.check_model(model, full_check=True)
    found = reference(model, feeds)
    assert list(found) == list(expected)
    for name, value in expected.items():
        assert_close(found[name], value, name)
    return model


def exported(
    model: onnx.ModelProto, stage: str, sram: str, options: PlanOptions = LEAST_TRAFFIC, chip: str = "npu"
) -> tuple[Graph, onnx.ModelProto]:
    """The graph at a stage, and its export, which computes what the model computes."""
    feeds = random_inputs(model)
    graph = stage_graph(import_model(model), chip_of(chip, sram=sram), stage, no_progress, options)
    return graph, assert_same(graph, feeds, reference(model, feeds))


def properties(node: onnx.NodeProto) -> dict[str, str]:
    return {entry.key: entry.value for entry in node.metadata_props}


def cuts(graph: Graph) -> set[str]:
    """What the partitioned graph is made of: parts, slices of channels, chunks of sums."""
    found = set()
    for layer in graph.layers():
        where = graph.notes.part_of.get(layer.name)
        found |= {"parts"} if where is not None and where.part else set()
        found |= {"chunks"} if getattr(layer, "phase", Phase.WHOLE) is Phase.ADD else set()
        starts: Any = zip(*getattr(layer, "origins", ()), strict=True)
        found |= {f"axis {axis}" for axis, values in enumerate(starts) if len(set(values)) > 1}
    return found


@pytest.mark.parametrize(
    ("name", "options", "sram", "expected"),
    [
        ("lenet5", {"batch": 4}, "16KiB", {"parts"}),
        ("mlp-784-1152-10", {"width": 0.1}, "4KiB", {"axis 1", "chunks"}),
        ("vgg_first5", {"image": 32, "width": 0.25}, "64KiB", {"parts", "axis 1", "axis 2"}),
        ("vgg_first5", {"image": (8, 600), "width": 0.125}, "12KiB", {"parts", "axis 2", "axis 3"}),
        ("unet", {"image": 32, "width": 0.125}, "8KiB", {"parts", "axis 1", "axis 2", "chunks"}),
        ("unet_resize", {"image": 32, "width": 0.125}, "12KiB", {"parts", "axis 1", "axis 2"}),
        ("resnet18", {"image": 32, "width": 0.125}, "24KiB", {"parts", "axis 1"}),
        ("mobilenet_v2", {"image": 33, "width": 0.25}, "24KiB", {"parts", "axis 1", "axis 2"}),
        ("squeezenet", {"image": 33, "width": 0.25}, "24KiB", {"parts", "axis 1", "axis 2"}),
        ("googlenet", {"image": 32, "width": 0.125}, "24KiB", {"parts", "axis 1", "axis 2"}),
    ],
)
def test_networks_on_small_memories(
    name: str, options: dict[str, Any], sram: str, expected: set[str]
) -> None:
    model = models.build(name, **options)
    exported(model, "canonical", sram)
    graph, _ = exported(model, "partition", sram)
    assert expected <= cuts(graph)


@pytest.mark.parametrize("options", [LEAST_TRAFFIC, PUBLISHED], ids=["auto", "recompute"])
@pytest.mark.parametrize("name", CASES)
def test_layer_groups(name: str, options: PlanOptions) -> None:
    """M1's patterns, in parts that keep rows for the next one and in parts that share nothing."""
    graph, _ = exported(model_of(CASES[name]), "partition", CASES[name].sram, options)
    assert "parts" in cuts(graph) or options is PUBLISHED  # where tiles of single layers may cost less


@pytest.mark.parametrize("stage", STAGES)
def test_every_stage(stage: str) -> None:
    case = CASES["bottleneck"]
    graph, model = exported(model_of(case), stage, case.sram, chip="npu")
    whole = {entry.key: entry.value for entry in model.metadata_props}
    is_planned = stage not in ("import", "canonical")
    assert whole.pop("level") == graph.notes.level
    assert set(whole) == ({"predicted_cycles", "predicted_dram_bytes"} if is_planned else set())
    assert to_bytes(graph) == to_bytes(graph) == model.SerializeToString(deterministic=True)
    found = set().union(*(properties(node) for node in model.graph.node))
    known = {"layer", "kind", "origin"}
    known |= {"group", "group_kind", "group_cycles", "group_dram_bytes"} if is_planned else set()
    known |= {"part"} if stage in ("partition", "map", "place") else set()
    known |= {"core"} if stage in ("map", "place") else set()
    assert found == known


@random_networks_settings(12)
@given(model=networks(), chip=chips())
def test_random_networks(model: onnx.ModelProto, chip: tuple[str, dict[str, str]]) -> None:
    feeds = random_inputs(model)
    expected = finite_reference(model, feeds)
    name, memories = chip
    try:
        compilation, _ = compile_with_levers(model, name, **memories)
    except ElementTypeError:
        assert name == "nna"
        reject()  # products of other integers than bytes
    assert_same(compilation.imported, feeds, expected)
    assert_same(compilation.canonical, feeds, expected)
    assert_same(compilation.placed, feeds, expected)


# --- M1 to look at -----------------------------------------------------------------------------------------


def test_a_residual_bottleneck_is_slices_partial_networks_and_one_concat() -> None:
    case = CASES["bottleneck"]
    graph, model = exported(model_of(case), "partition", case.sram, PUBLISHED)
    (group,) = graph.notes.groups
    assert group.kind.value == "residual"
    assert group.parts > 1
    nodes = list(model.graph.node)
    copies = Counter((properties(n)["origin"], n.op_type) for n in nodes if properties(n)["kind"] == "conv")
    assert copies == {
        ("c1 (Conv)", "Conv"): group.parts,
        ("c1 (Conv)", "Relu"): group.parts,
        ("c2 (Conv)", "Conv"): group.parts,
        ("c2 (Conv)", "Relu"): group.parts,
        ("c3 (Conv)", "Conv"): group.parts,
        ("c3 (Conv)", "Add"): group.parts,
        ("c3 (Conv)", "Relu"): group.parts,
    }
    parts = {properties(n)["part"] for n in nodes if n.op_type == "Conv"}
    assert parts == {str(part) for part in range(group.parts)}
    (concat,) = [node for node in nodes if node.op_type == "Concat"]
    assert list(concat.output) == ["y"]
    assert len(concat.input) == group.parts
    rows = {node.input[0] for node in nodes if node.op_type == "Slice" and node.input[0] == "x"}
    assert rows == {"x"}
    assert {properties(n)["group_kind"] for n in nodes} == {"residual"}


def test_one_concat_per_output() -> None:
    case = CASES["inverse-y"]
    graph, model = exported(model_of(case), "partition", case.sram, PUBLISHED)
    joins = [node for node in model.graph.node if node.op_type == "Concat"]
    assert {tuple(node.output) for node in joins} == {("a",), ("b",)}
    (group,) = graph.notes.groups
    assert {len(node.input) for node in joins} == {group.parts}


def test_names_are_those_of_the_graph() -> None:
    case = CASES["u-net level"]
    graph, model = exported(model_of(case), "partition", case.sram)
    defined = {name for node in model.graph.node for name in node.output}
    tensors = {tensor for layer in graph.layers() for tensor in graph.outputs_of(layer.name)}
    assert tensors <= defined
    assert {layer.name for layer in graph.layers()} <= {node.name for node in model.graph.node}
    names = Counter(node.name for node in model.graph.node)
    assert max(names.values()) == 1
    shown = {info.name for info in (*model.graph.value_info, *model.graph.output)}
    assert shown == tensors
