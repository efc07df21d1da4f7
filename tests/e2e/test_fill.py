"""Fill steps: from a layer of one value to the bytes on the simulated chip, with hazards and prediction."""

from __future__ import annotations

import numpy as np
import pytest
from harness import assert_predicted, chip_of

from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.graph import Graph, TensorType
from nnc.compiler.pipeline import run_pipeline
from nnc.compiler.plan import step as steps
from nnc.isa.functions import Function
from nnc.isa.instruction import Engine
from nnc.isa.instructions import Fill, Load
from nnc.isa.types import DType
from nnc.runtime.session import Session
from nnc.runtime.verifier.redundant_waits import redundant_waits
from nnc.runtime.verifier.verify import check

TYPE = TensorType(DType.F32, (1, 8, 24, 10))
LOC = ir.Loc("here", "Test")


def filled(value: float) -> Graph:
    """y = relu(x) + f, where f is the value everywhere; f is an output too."""
    graph = Graph("filled")
    graph.add_input("x", TYPE)
    fill = ir.Fill(name="fill", loc=LOC, value=value, dtype=TYPE.dtype, shape=TYPE.shape)
    graph.add(fill, [], ["f"], [TYPE])
    add = ir.Elementwise(name="add", loc=LOC, function=Function.ADD, params=())
    graph.add(add, ["x", "f"], ["y"], [TYPE])
    graph.add_output("y")
    graph.add_output("f")
    return graph


@pytest.mark.parametrize("chip", ["npu", "npu-banked", "vdsp12", "far-results", "three-memories"])
@pytest.mark.parametrize("value", [0.0, -3.5, float("-inf")])
def test_fill_steps_fill(chip: str, value: float) -> None:
    """In tiles: the memories hold a quarter of a tensor.  Verified, predicted, and right twice in a row."""
    sizes = dict.fromkeys(chip_of(chip).memory, "4KiB")
    compilation = run_pipeline(filled(value), chip_of(chip, **sizes), verify_each=True)
    fills = [i for i in compilation.program.issued if isinstance(i.instruction, Fill)]
    planned = [s for g in compilation.plan.groups for s in g.steps if isinstance(s, steps.Fill)]
    assert len(fills) == len(planned) > 1
    assert {item.instruction.engine for item in fills} == {Engine.READ}
    check(compilation.program)
    assert redundant_waits(compilation.program) == []
    session = Session(compilation.program, poison=True)
    x = np.random.default_rng(0).standard_normal(TYPE.shape).astype(np.float32)
    for _ in range(2):
        y, f = session.run(["y", "f"], {"x": x})
        assert (f == value).all()
        np.testing.assert_array_equal(y, x + np.float32(value))
    assert_predicted(compilation, session)
    loaded = sum(
        i.instruction.dst.nbytes for i in compilation.program.issued if isinstance(i.instruction, Load)
    )
    assert loaded == 2 * TYPE.nbytes, "x and f are read once; a fill reads nothing"
