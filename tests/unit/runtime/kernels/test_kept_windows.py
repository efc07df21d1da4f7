"""Convolutions of one source share their gathered windows, until something writes to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from kernel_harness import execute, roomy_chip

from nnc.isa.instruction import Instruction
from nnc.isa.instructions import Broadcast, Conv, Copy, Load
from nnc.isa.operand import DRAM, Operand
from nnc.isa.program import Issued, Program, Tensor, TensorRole
from nnc.isa.types import DType
from nnc.runtime.kernels import kept_windows, products
from nnc.runtime.kernels.core_state import CoreState, note_writes
from nnc.runtime.machine import Machine
from nnc.runtime.memory import Memories

SHAPE, KERNEL = (1, 9, 8, 5), (3, 3, 5, 4)
SOURCE = Operand.dense("sram", 0, DType.F32, SHAPE)
OTHER = Operand.dense("sram", 4096, DType.F32, SHAPE)
WEIGHTS = [Operand.dense("sram", 8192 + 1024 * n, DType.F32, KERNEL) for n in range(2)]
RESULTS = [Operand.dense("sram", 16384 + 4096 * n, DType.F32, (1, 9, 8, 4)) for n in range(2)]


def conv(n: int, **fields: object) -> Conv:
    values = {"stride": (1, 1), "dilation": (1, 1), "pad_begin": (1, 1), "groups": 1, **fields}
    return Conv(dst=RESULTS[n], src=SOURCE, weight=WEIGHTS[n], **values)  # type: ignore[arg-type]


def alone(source: np.ndarray, weight: np.ndarray, instruction: Conv) -> np.ndarray:
    """The result of one convolution on a machine of its own."""
    return execute(
        lambda ops: Conv(
            dst=ops["dst"],
            src=ops["src"],
            weight=ops["weight"],
            stride=instruction.stride,
            dilation=instruction.dilation,
            pad_begin=instruction.pad_begin,
            groups=1,
        ),
        {"src": source, "weight": weight},
        {"dst": (RESULTS[0].shape, np.float32)},
    )["dst"]


def run(instructions: Sequence[Instruction], monkeypatch: pytest.MonkeyPatch) -> tuple[list[np.ndarray], int]:
    """Both results of instructions on core 0, and how often windows were gathered."""
    gathered = 0
    plain = kept_windows.KeptWindows.matrices

    def counted(self: kept_windows.KeptWindows, *args: object) -> tuple[list[np.ndarray], bool]:
        nonlocal gathered
        matrices, is_new = plain(self, *args)  # type: ignore[arg-type]
        gathered += is_new
        return matrices, is_new

    monkeypatch.setattr(kept_windows.KeptWindows, "matrices", counted)
    issued = tuple(Issued(0, instruction) for instruction in instructions)
    machine = Machine(
        Program(roomy_chip(), (), np.zeros(0, np.uint8), issued, 0), poison=True, race_free=True
    )
    for _ in range(2):
        for seed, operand in enumerate((SOURCE, OTHER, *WEIGHTS)):
            machine.view(operand)[...] = values(seed, operand.shape)
        machine.run()
    return [machine.view(result).copy() for result in RESULTS], gathered


def values(seed: int, shape: tuple[int, ...]) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def test_the_second_of_two_blocks_of_weights_gathers_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    results, gathered = run([conv(0), conv(1)], monkeypatch)
    assert gathered == 1
    for n in range(2):
        np.testing.assert_array_equal(results[n], alone(values(0, SHAPE), values(2 + n, KERNEL), conv(n)))


def test_an_overwritten_source_is_gathered_again(monkeypatch: pytest.MonkeyPatch) -> None:
    results, gathered = run([conv(0), Copy(dst=SOURCE, src=OTHER), conv(1)], monkeypatch)
    assert gathered == 2
    np.testing.assert_array_equal(results[1], alone(values(1, SHAPE), values(3, KERNEL), conv(1)))


def test_other_windows_of_the_source_are_gathered(monkeypatch: pytest.MonkeyPatch) -> None:
    wide = conv(1, dilation=(2, 2), pad_begin=(2, 2))
    results, gathered = run([conv(0), wide], monkeypatch)
    assert gathered == 2
    np.testing.assert_array_equal(results[1], alone(values(0, SHAPE), values(3, KERNEL), wide))


def test_windows_of_bytes_and_of_real_numbers_are_two_kinds(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first block of weights is large enough for products of integers, the second is not."""
    least = 9 * 8 * 45 * 3
    monkeypatch.setattr(products, "LEAST_MACS", least)
    source = Operand.dense("sram", 0, DType.U8, SHAPE)
    rng = np.random.default_rng(0)
    image = rng.integers(0, 256, SHAPE).astype(np.uint8)
    blocks, issued = [], []
    for number, lanes in enumerate((3, 2)):
        weight = Operand.dense("sram", 8192 + 1024 * number, DType.I8, (*KERNEL[:3], lanes))
        result = Operand.dense("sram", 16384 + 4096 * number, DType.I32, (*RESULTS[0].shape[:3], lanes))
        values = rng.integers(-128, 128, weight.shape).astype(np.int8)
        blocks.append((weight, values, result))
        instruction = replace(conv(0), src=source, weight=weight, dst=result, src_zero=9)
        issued.append(Issued(0, instruction))
    program = Program(roomy_chip(), (), np.zeros(0, np.uint8), tuple(issued), 0)
    machines = [Machine(program, race_free=True, blas_only=only) for only in (True, False)]
    for machine in machines:
        machine.view(source)[...] = image
        for weight, values, _ in blocks:
            machine.view(weight)[...] = values
        machine.run()
    for _, _, result in blocks:
        plain, fast = (machine.view(result) for machine in machines)
        np.testing.assert_array_equal(plain, fast)


@pytest.mark.parametrize("sent", [True, False])
def test_a_broadcast_overwrites_the_source_of_its_receivers(sent: bool) -> None:
    """Core 1 convolves twice; in between, core 0 sends other data to both, or loads them for itself."""
    tensor = Tensor("x", TensorRole.BOUNDARY, Operand.dense(DRAM, 0, DType.F32, SHAPE))
    program = Program(roomy_chip(), (tensor,), np.zeros(0, np.uint8), (), tensor.block.nbytes)
    transfer = (
        Broadcast(dst=SOURCE, src=tensor.block, cores=3) if sent else Load(dst=SOURCE, src=tensor.block)
    )
    states = {core: CoreState() for core in range(2)}
    kept = states[1].windows
    assert kept.matrices("key", SOURCE, lambda arena: [arena.take((2,), np.float32)])[1]
    note_writes(transfer, 0, Memories(program), states)
    assert kept.matrices("key", SOURCE, lambda arena: [arena.take((2,), np.float32)])[1] is sent
