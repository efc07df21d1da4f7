"""Random networks on random memories: equal to onnxruntime, clean, and as predicted."""

from __future__ import annotations

import onnx
from harness import (
    check_compiled,
    compile_with_levers,
    finite_reference,
    random_inputs,
    random_networks_settings,
    with_intermediates,
)
from hypothesis import given, reject
from hypothesis import strategies as st
from random_networks import networks
from untidy import untidy

from nnc.compiler.errors import ElementTypeError
from nnc.compiler.pipeline import Compilation
from nnc.compiler.plan.options import OBJECTIVES, OVERLAPS, SOFTMAX_TYPES, SPLITS, PlanOptions

SIZES = ["1KiB", "2KiB", "4KiB", "8KiB", "16KiB", "64KiB"]
EFFORTS_DRAWN = ("O1", "O1", "O2")
CHIPS = {
    "npu": ("sram",),
    "npu-banked": ("bank1", "bank2"),
    "nna": ("oram", "fram", "wram"),
    "vdsp12": ("sm", "am"),
    "far-sm": ("sm", "am"),
    "three-memories": ("sram", "fram", "wram"),
    "far-results": ("sram", "acc"),
    "pixels": ("sram",),
}


def chips() -> st.SearchStrategy[tuple[str, dict[str, str]]]:
    """A chip with random sizes of its memories."""
    size = st.sampled_from(SIZES)
    return st.sampled_from(sorted(CHIPS)).flatmap(
        lambda name: st.tuples(st.just(name), st.fixed_dictionaries(dict.fromkeys(CHIPS[name], size)))
    )


def options() -> st.SearchStrategy[PlanOptions]:
    """Any objective, overlap, split and effort; mostly with layers fused into groups."""
    fused = st.sampled_from([True, True, True, False])
    return st.builds(
        PlanOptions,
        objective=st.sampled_from(sorted(OBJECTIVES)),
        overlap=st.sampled_from(OVERLAPS),
        split=st.sampled_from(SPLITS),
        fused=fused,
        softmax=st.sampled_from(SOFTMAX_TYPES),
        effort=st.sampled_from(EFFORTS_DRAWN),
    )


@random_networks_settings(25)
@given(model=networks(), chip=chips(), options=options(), every_tensor=st.booleans(), is_untidy=st.booleans())
def test_random_network(
    model: onnx.ModelProto,
    chip: tuple[str, dict[str, str]],
    options: PlanOptions,
    every_tensor: bool,
    is_untidy: bool,
) -> None:
    model = with_intermediates(model) if every_tensor else model
    check_network(model, chip, options, written=untidy(model) if is_untidy else model)


def check_network(
    model: onnx.ModelProto,
    chip: tuple[str, dict[str, str]],
    options: PlanOptions,
    written: onnx.ModelProto | None = None,
) -> Compilation:
    """Where a memory is too small for the finest cut, the remedy of the error is followed.

    Where a chip has no unit for an element type, another network is drawn.  `written`: the model in another
    form, which is compiled.
    """
    feeds = random_inputs(model)
    expected = finite_reference(model, feeds)
    name, memories = chip
    try:
        compilation, _ = compile_with_levers(written or model, name, options, **memories)
    except ElementTypeError:
        assert name == "nna"
        reject()  # products of other integers than bytes
    check_compiled(compilation, feeds, expected)
    return compilation
