"""Random edits of sound programs: which of them the verifier lets pass, and what these compute.

    python bench/mutations.py [--edits 2000] [--seed 0]

An edit changes one number or enumeration of an instruction, of its note or of the tensor table, gives an
operand the place of another one, or changes constants.  What verifies is run; its outputs are compared with
those of the program before.  Exit status 1 if more than 1 % of all edits are wrong without a word.
"""

from __future__ import annotations

import argparse
import dataclasses
import sys
from collections import Counter
from collections.abc import Callable
from enum import Enum
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt
from onnx import TensorProto, helper, numpy_helper, parser
from processes import with_one_thread
from program_edits import EDITS, random_edit

from nnc import models
from nnc.compilation import Arguments, compile_model
from nnc.isa.errors import NncError
from nnc.isa.program import Program
from nnc.models.builder import NetBuilder
from nnc.runtime.session import Session
from nnc.runtime.verifier.verify import verify

DIGITS = Path(__file__).resolve().parents[1] / "models" / "digits" / "digits_cnn.int8.onnx"
Array = npt.NDArray[Any]
MOST_SILENT = 0.01
TOLERANCE = 1e-4
"""Of the largest magnitude of an output: less is the rounding of another order of sums."""


class Outcome(Enum):
    """What becomes of an edited program."""

    FOUND = "found"
    REFUSED = "refused"  # verified clean, and refused by the machine in words
    SAME = "same"
    SILENT = "silent"  # verified clean, and other outputs


@dataclasses.dataclass(frozen=True)
class Subject:
    """A sound program with inputs, and the outputs and states that it gives for them."""

    program: Program
    feeds: dict[str, Array]
    expected: list[Array]

    @classmethod
    def of(cls, program: Program, seed: int = 0) -> Subject:
        """The program on random inputs."""
        generator = np.random.default_rng(seed)
        feeds = {
            tensor.name: generator.uniform(-4, 4, tensor.block.shape).astype(tensor.block.dtype.numpy)
            for tensor in program.given_inputs
        }
        return cls(program, feeds, _results(Session(program, poison=True), program, feeds))

    def outcome(self, edited: Program) -> Outcome:
        """What becomes of an edited version of the program."""
        if verify(edited):
            return Outcome.FOUND
        try:
            session = Session(edited, poison=True, verify=False)
            outputs = _results(session, self.program, self.feeds)
        except NncError:
            return Outcome.REFUSED
        return Outcome.SAME if all(map(_same, outputs, self.expected)) else Outcome.SILENT


def _results(session: Session, program: Program, feeds: dict[str, Array]) -> list[Array]:
    """The outputs of a second run, which reads what the first one left, and the states after it."""
    for _ in range(2 if program.states else 1):
        outputs = session.run([tensor.name for tensor in program.given_outputs], feeds)
    kept = session.state().tensors
    return [*outputs, *(kept[state.input] for state in program.states)]


def _same(value: Array, expected: Array) -> bool:
    if value.shape != expected.shape or value.dtype != expected.dtype:
        return False
    if np.array_equal(value, expected, equal_nan=expected.dtype.kind == "f"):
        return True
    real = expected.astype(np.float64)
    difference = np.abs(value.astype(np.float64) - real).max(initial=0)  # NaN for a number is wrong
    return bool(difference <= TOLERANCE * np.abs(real).max(initial=0))


def pools() -> Any:
    """Maximum and average pools between convolutions, 12 channels of 22×20."""
    net = NetBuilder("pools", (1, 12, 22, 20), width=1, seed=5)
    x = net.relu(net.conv(net.input, 12, 3, pad=1))
    x = net.conv(net.pool(x, 3, 2, pad=1), 16, 3, pad=1)
    return net.finish(net.pool(net.relu(x), 2, 2, kind="AveragePool"))


def block() -> Any:
    """relu(conv 5×5(a) + a) with a = relu(conv 3×3(x)), 8 channels of 20×20: two layers, two tilings."""
    net = NetBuilder("block", (1, 8, 20, 20), width=1, seed=3)
    x = net.relu(net.conv(net.input, 8, 3, pad=1))
    return net.finish(net.relu(net.add(x, net.conv(x, 8, 5, pad=2))))


def attention() -> Any:
    """A token that looks at those before, which a state keeps, and a hidden tensor that is replaced."""
    return parser.parse_model(
        """<ir_version: 9, opset_import: ["" : 18]>
        attention (float[1,"past",16] past, float[1,1,16] x, float[1,1,16] h)
            => (float[1,"total",16] present, float[1,1,16] y, float[1,1,16] next) {
          new = Add(x, h)
          present = Concat<axis = 1>(past, new)
          keys = Transpose<perm = [0, 2, 1]>(present)
          scores = MatMul(x, keys)
          weights = Softmax<axis = 2>(scores)
          y = MatMul(weights, present)
          next = Tanh(y)
        }"""
    )


def blocks() -> Any:
    """Two products by weights of 4 bits in blocks, with zero points and without."""
    random, nodes, constants = np.random.default_rng(4), [], []
    tensor = "x"
    for number, (depth, columns) in enumerate([(32, 48), (48, 16)]):
        packed = random.integers(0, 256, (columns, depth // 16, 8), np.uint8)
        scales = random.random(columns * depth // 16, np.float32) / 32 + 0.01
        zeros = random.integers(0, 256, (columns, -(-depth // 32)), np.uint8)
        values = {"packed": packed, "scales": scales} | ({"zeros": zeros} if number else {})
        constants += [numpy_helper.from_array(value, f"{name}{number}") for name, value in values.items()]
        operands, sizes = [f"{name}{number}" for name in values], {"K": depth, "N": columns}
        fields: dict[str, Any] = {**sizes, "bits": 4, "block_size": 16, "domain": "com.microsoft"}
        nodes.append(helper.make_node("MatMulNBits", [tensor, *operands], [f"y{number}"], **fields))
        tensor = f"y{number}"
    ports = [("x", [6, 32]), (tensor, [6, 16])]
    infos = [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in ports]
    graph = helper.make_graph(nodes, "blocks", infos[:1], infos[1:], constants)
    opsets = [helper.make_opsetid("", 18), helper.make_opsetid("com.microsoft", 1)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=9)


ATTENTION: Arguments = {"shapes": {"past": (1, 12, 16)}, "states": {"past": "present", "h": "next"}}
SUBJECTS: dict[str, tuple[Callable[[], Any], str, tuple[str, ...], Arguments]] = {
    "block npu 8 KiB": (block, "npu", ("memory.sram.bytes=8KiB",), {}),
    "block vdsp12": (block, "vdsp12", ("memory.sm.bytes=8KiB", "memory.am.bytes=32KiB", "cores=2"), {}),
    "pools npu 16 KiB": (pools, "npu", ("memory.sram.bytes=16KiB",), {}),
    "lenet5 npu": (lambda: models.build("lenet5"), "npu", (), {}),
    "digits int8 npu 32 KiB": (lambda: DIGITS, "npu", ("memory.sram.bytes=32KiB",), {}),
    "blocks npu": (blocks, "npu", (), {}),
    "attention npu": (attention, "npu", (), ATTENTION),
}


def subject(name: str) -> Subject:
    """The subject of that name, compiled."""
    build, chip, settings, arguments = SUBJECTS[name]
    words: Arguments = {"overrides": settings, **arguments}
    return Subject.of(compile_model(build(), chip, **words).program)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--edits", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    random = Random(arguments.seed)
    subjects = {name: subject(name) for name in SUBJECTS}
    counts: Counter[tuple[str, Outcome]] = Counter()
    for number in range(arguments.edits):
        name = list(subjects)[number % len(subjects)]
        kind, what, edited = random_edit(subjects[name].program, random)
        outcome = subjects[name].outcome(edited)
        counts[kind, outcome] += 1
        if outcome is Outcome.SILENT:
            print(f"silent: {name}: {kind}: {what}")
    print("kind       edits" + "".join(f"{outcome.value:>9}" for outcome in Outcome))
    for kind in EDITS:
        row = [counts[kind, outcome] for outcome in Outcome]
        print(f"{kind:<10}{sum(row):>6}" + "".join(f"{count:>9}" for count in row))
    silent = sum(counts[kind, Outcome.SILENT] for kind in EDITS)
    print(f"wrong without a word: {silent} of {arguments.edits}, {silent / arguments.edits:.2%}")
    return int(silent > MOST_SILENT * arguments.edits)


if __name__ == "__main__":
    with_one_thread()
    sys.exit(main())
