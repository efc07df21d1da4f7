"""What is done with a case of each kind, and what must hold of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
import onnx

import nnc
from bench.fuzz.model_mutations import WEIGHTS_FILE
from bench.fuzz.outcomes import WrongError
from bench.fuzz.workers import LARGE, REFERENCE, Enter
from nnc.check.outputs import check_outputs
from nnc.check.reference import Reference, Way
from nnc.compiler.frontend.errors import ModelTooLargeError
from nnc.compiler.frontend.importer import import_model
from nnc.io.inputs import random_inputs
from nnc.io.program_text import read_text
from nnc.isa.assembly.assembler import assemble
from nnc.isa.assembly.disassembler import disassemble, needs_constants_file
from nnc.isa.chip.load import chip_text, load_chip, preset_names
from nnc.isa.errors import NncError
from nnc.isa.program import Program
from nnc.isa.program_file.binary import decode, encode, load_program
from nnc.models.builder import NetBuilder
from nnc.runtime.errors import ExecutionError
from nnc.runtime.session import Session

Values = Mapping[str, Any]
JITTER = 7
LARGE_BYTES = 1 << 26
"""Of all tensors of a model: above, compiling and running it may take more than the limits of a case."""
NEAR_OVERFLOW = 1e30
"""Floats above are near an overflow."""


def judge_model(path: Path, enter: Enter) -> None:
    """Compile for a chip that the bytes of the file choose; verify, run, and compare with onnxruntime."""
    (path.parent / WEIGHTS_FILE).write_bytes(bytes(range(256)) * 32)
    enter("compile")
    names = preset_names()
    chip = load_chip(names[crc32(path.read_bytes()) % len(names)])
    if sum(type_.nbytes for type_ in import_model(path).types.values()) > LARGE_BYTES:
        enter(LARGE)
    result = nnc.compile_model(path, chip)
    assert result.report.instructions
    feeds, outputs = _run_compiled(result.program, enter)
    enter(REFERENCE)
    try:
        verdict = check_outputs(path, feeds, outputs, chip=chip)
        is_wrong = not verdict.ok and _is_settled(path, feeds)
    except NncError:
        return  # the reference does not take the model
    if is_wrong and verdict.reference.startswith("onnxruntime"):
        worst = max(verdict.judged, key=lambda error: error.max_rel)
        operators = sorted({node.op_type for node in onnx.load(path, load_external_data=False).graph.node})
        kinds = operators if len(operators) < 4 else [*operators[:3], "…"]
        raise WrongError(f"another result than onnxruntime's: {', '.join(kinds)}\n{chip.name}: {worst}")


def _is_settled(path: Path, feeds: Values) -> bool:
    """Whether a result that differs is wrong: all tensors are finite and far from the largest floats.

    Else the order of sums decides whether they overflow, and onnxruntime itself gives several answers: its
    convolutions multiply padding by infinite weights or leave it out.
    """
    model = onnx.load(path)
    proto = onnx.shape_inference.infer_shapes(model)
    declared = {info.name for info in model.graph.output}
    inner = [info for info in proto.graph.value_info if info.name not in declared]
    model.graph.output.extend(inner)
    constants = [onnx.numpy_helper.to_array(tensor) for tensor in model.graph.initializer]
    names = [info.name for info in model.graph.output]
    answer = Reference(path, model, names, changed=True).run(feeds, Way.LITERAL)
    tensors = [*constants, *answer.outputs.values()]
    with np.errstate(all="ignore"):
        return all(
            bool((np.abs(tensor.astype(np.float64)) < NEAR_OVERFLOW).all())
            for tensor in tensors
            if tensor.dtype.kind == "f"
        )


def judge_chip(path: Path, enter: Enter) -> None:
    """Load the chip, compile a small network for it, run it, and compare with onnxruntime."""
    enter("load")
    chip = load_chip(str(path))
    enter("compile")
    result = nnc.compile_model(small_network(), chip)
    feeds, outputs = _run_compiled(result.program, enter)
    for name, value in _expected(feeds).items():
        if not np.allclose(outputs[name], value, rtol=1e-3, atol=1e-4):
            raise WrongError(f"another result than onnxruntime's\n{outputs[name]}\ninstead of\n{value}")


def judge_program(path: Path, enter: Enter) -> None:
    """Load, turn into text and back, verify and run; run without verification, too."""
    enter("load")
    program = load_program(path)
    enter("round trip")
    check_round_trip(program)
    _check_program(program, enter)


def judge_text(path: Path, enter: Enter) -> None:
    """Assemble, turn into bytes and text and back, verify and run; run without verification, too."""
    enter("assemble")
    program = read_text(path)
    enter("round trip")
    check_round_trip(program)
    _check_program(program, enter)


def check_round_trip(program: Program) -> None:
    """Binary and text of a program give the same program again.

    Raises:
        WrongError: they do not.
    """
    data = encode(program)
    if encode(decode(data)) != data:
        raise WrongError("a program file does not give the program again")
    if not needs_constants_file(program) and encode(assemble(disassemble(program))) != data:
        raise WrongError("program text does not give the program again")


def _check_program(program: Program, enter: Enter) -> None:
    """A program that the verifier accepts gives the same outputs with any timing; others may be refused."""
    enter("run without verification")
    _unless_refused(lambda: _outputs(program, verify=False))
    enter("verify")
    session = Session(program, poison=True)
    feeds = random_inputs(program, 0)
    enter("run")
    try:
        outputs = session.run(None, feeds)
        enter("run with jitter")
        delayed = Session(program, poison=True, jitter=JITTER).run(None, feeds)
    except ExecutionError:
        raise  # an index that is data is out of range: the verifier does not look at values
    except NncError as error:
        raise WrongError(f"verified, but it does not run: {error}") from error
    for info, first, second in zip(session.get_outputs(), outputs, delayed, strict=True):
        if first.tobytes() != second.tobytes():
            raise WrongError(f"verified, but other timing gives another output\n{info.name}")


def _outputs(program: Program, *, verify: bool) -> list[Any]:
    session = Session(program, verify=verify, poison=True)
    return session.run(None, random_inputs(program, 0))


def _unless_refused(function: Callable[[], object]) -> None:
    """Call a function whose errors with a code do not matter, unless they say that it is a bug."""
    try:
        function()
    except nnc.errors.InternalError:
        raise
    except NncError:
        return


def _run_compiled(program: Program, enter: Enter) -> tuple[Values, Values]:
    """Inputs and outputs of a program that was just compiled: it breaks no rule, and it runs.

    Raises:
        WrongError: the verifier or the chip refuse it.
    """
    enter("run")
    try:
        session = Session(program, poison=True, blas_only=True)
        feeds = random_inputs(program, 0)
        outputs = session.run(None, feeds)
    except (ModelTooLargeError, ExecutionError):
        raise  # data: an index out of range, an integer divided by zero
    except NncError as error:
        raise WrongError(f"what was compiled does not run: {error}") from error
    return feeds, {info.name: value for info, value in zip(session.get_outputs(), outputs, strict=True)}


@cache
def small_network() -> onnx.ModelProto:
    """Convolutions, a residual connection and a fully connected layer on an image of 3 × 12 × 12."""
    net = NetBuilder("small", (1, 3, 12, 12), width=1, seed=1)
    x = net.relu(net.conv(net.input, 8, 3, pad=1))
    x = net.relu(net.add(x, net.conv(x, 8, 3, pad=1)))

    return net.finish(net.dense(net.flatten(net.global_average_pool(x)), 10))


def _expected(feeds: Values) -> Values:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(small_network().SerializeToString(), options)
    names = [info.name for info in session.get_outputs()]
    return dict(zip(names, session.run(names, dict(feeds)), strict=True))


def presets() -> list[str]:
    """The texts of all preset chips."""
    return [chip_text(name) for name in preset_names()]
