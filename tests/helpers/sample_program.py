"""A program with something in every section."""

from __future__ import annotations

import numpy as np
from hypothesis import HealthCheck, settings
from isa_strategies import CHIP

from nnc.isa.functions import Function
from nnc.isa.instruction import Engine
from nnc.isa.instructions import Elementwise, Fill, Load, Store
from nnc.isa.operand import Operand
from nnc.isa.program import GroupInfo, Issued, Note, Program, Tensor, TensorRole, Wait
from nnc.isa.types import DType

QUICK = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))


def sample(constants: int = 64) -> Program:
    """A program of two cores with something in every section."""
    src = Operand.dense("dram", 0, DType.F32, (1, 4, 4))
    tile = Operand.dense("am", 0, DType.F32, (1, 4, 4))
    out = Operand("am", 64, DType.F32, (1, 4, 4), (64, 4, 16))
    note = Note(0, 1, "conv1")
    return Program(
        chip=CHIP,
        tensors=(
            Tensor("x", TensorRole.INPUT, src),
            Tensor("the result", TensorRole.OUTPUT, Operand.dense("dram", 1024, DType.F32, (1, 4, 4))),
        ),
        constants=np.arange(constants, dtype=np.uint32).astype(np.uint8),
        issued=(
            Issued(0, Load(dst=tile, src=src), (), note),
            Issued(
                0,
                Elementwise(dst=out, srcs=(tile, tile), function=Function.ADD, params=(0.1, -0.0)),
                (Wait(0, Engine.READ, 0),),
                note,
            ),
            Issued(1, Fill(dst=tile, value=1e-5), (Wait(0, Engine.COMPUTE, 0),), Note(1, 0, "pad")),
            Issued(0, Store(dst=src, src=out), (Wait(0, Engine.COMPUTE, 0), Wait(1, Engine.READ, 0)), note),
        ),
        dram_bytes=1 << 20,
        groups=(
            GroupInfo("residual", ("conv1", "add 1"), 2, "saves 10 bytes"),
            GroupInfo("single", ("pad",), 1),
            GroupInfo("single", (), 0),
        ),
        facts={"floor_bytes": 128, "predicted_cycles": 2**40},
    )
