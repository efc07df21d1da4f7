"""Running programs in the manner of onnxruntime: names and arrays in, arrays out."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np
import numpy.typing as npt

from nnc.isa.argument_types import typed
from nnc.isa.errors import InputError, OptionError
from nnc.isa.notebook import html_table
from nnc.isa.program import Program, Tensor
from nnc.isa.timing.timeline import Timeline
from nnc.isa.types import DType
from nnc.runtime.machine import Machine
from nnc.runtime.measure.ledger import Ledger, make_ledger
from nnc.runtime.measure.report import Report, make_report
from nnc.runtime.states import SavedState, SessionStates
from nnc.runtime.verifier.verify import check

_ONNX_TYPES = {
    DType.F16: "float16",
    DType.F32: "float",
    DType.F64: "double",
    DType.I8: "int8",
    DType.U8: "uint8",
    DType.I16: "int16",
    DType.U16: "uint16",
    DType.I32: "int32",
    DType.U32: "uint32",
    DType.I64: "int64",
    DType.U64: "uint64",
    DType.BOOL: "bool",
    DType.BF16: "bfloat16",
    DType.E4M3: "float8e4m3fn",
    DType.E5M2: "float8e5m2",
    DType.I4: "int4",
    DType.U4: "uint4",
    DType.E4M3FNUZ: "float8e4m3fnuz",
    DType.E5M2FNUZ: "float8e5m2fnuz",
    DType.E8M0: "float8e8m0",
    DType.E2M1: "float4e2m1",
    DType.I2: "int2",
    DType.U2: "uint2",
}


@dataclass(frozen=True)
class TensorInfo:
    """An input or output of a program: `shape` in elements, `type` in ONNX's words such as tensor(float)."""

    name: str
    shape: tuple[int, ...]
    type: str


def _info(tensor: Tensor) -> TensorInfo:
    return TensorInfo(tensor.name, tensor.block.shape, f"tensor({_ONNX_TYPES[tensor.block.dtype]})")


class Session:
    """A program on a simulated chip, ready to run many times.

    >>> session = Session(program)
    >>> logits, = session.run(None, {"input": image})

    Threads may share a session: its runs take turns, and outputs are copies that belong to their run.  Runs
    in parallel need a session each; sessions may share a program.  States of the program stay from run to
    run.  Timeline, ledger and report follow from the program alone: they are the same for every run.  A copy
    of a session (copy, deepcopy, pickle) is the program bound anew with the same options, to memories of its
    own.
    """

    @typed
    def __init__(
        self,
        program: Program,
        *,
        verify: bool = True,
        poison: bool = False,
        jitter: int | None = None,
        blas_only: bool = False,
        name: str = "program",
    ) -> None:
        """Verify the program and bind it to a chip, once for all runs.

        Args:
            program: stays unchanged.
            verify: insist first that the program breaks no rule.
            poison: fill the memories with 0xFF at first, so that a read of bytes nobody wrote gives NaN.
            jitter: seed of a random timing of transfers and computation; None: the chip's.  A sound program
                gives the same values with any; cycles are those of the jittered run.
            blas_only: multiply bytes by BLAS, even if onnxruntime is installed, whose products of integers
                are faster and the same: what is compared with onnxruntime should not come from it.
            name: what the verifier's error calls the program.

        Without `verify`, and with `jitter`, every instruction acts on the memories from its begin to its
        completion, so that a missing wait shows in the results.  What is verified has none to show, and runs
        faster with each instruction acting at once, in the order of issue; the values are the same.

        Raises:
            VerificationError: the program breaks a rule.
            OptionError: the seed is negative.
            ProgramTooLargeError, ProgramInvalidError, ExecutionError: as `Machine`.
        """
        if jitter is not None and jitter < 0:
            raise OptionError(
                "a seed is negative",
                where="jitter",
                expected="0, 1, 2 …",
                remedy="give a seed of 0 or more, or None for the timing of the chip",
            )
        if verify:
            check(program, name)
        self.program = program
        self.verified = verify
        self.jitter = jitter
        self._bind = partial(
            type(self), verify=verify, poison=poison, jitter=jitter, blas_only=blas_only, name=name
        )
        self._running = threading.Lock()
        race_free = verify and jitter is None
        with np.errstate(all="ignore"):  # binding computes tables of functions, beyond where they are defined
            self.machine = Machine(
                program, poison=poison, race_free=race_free, jitter=jitter, blas_only=blas_only
            )
        self._inputs = {t.name: t for t in program.given_inputs}
        self._outputs = {t.name: t for t in program.given_outputs}
        self._states = SessionStates(program, self.machine.view)

    def __reduce__(self) -> tuple[Any, ...]:
        """How copies are made: kernels are bound to the memories of one session, which none can share."""
        return self._bind, (self.program,)

    def __repr__(self) -> str:
        figures = "; ".join(f"{name} {value}" for name, value in self._summary())
        return f"<Session on {self.program.chip.name}: {figures}>"

    def _repr_html_(self) -> str:
        return html_table(f"session on {self.program.chip.name}", self._summary())

    def _summary(self) -> list[tuple[str, str]]:
        """The program, and what a run of it takes."""
        report = self.report
        return [
            *self.program.summary(),
            ("cycles of a run", f"{report.cycles:,}"),
            ("DRAM bytes of a run", f"{report.dram_bytes:,}"),
            ("verified", "yes" if self.verified else "no"),
        ]

    @property
    def position(self) -> int:
        """Rows, most often tokens, that the states hold."""
        return self._states.position

    @property
    def added_rows(self) -> int:
        """Rows that a run adds to each state that has rows; 0 if none has."""
        return self._states.rows

    def reset(self) -> None:
        """Let all states be zero and hold no rows, as they are at first."""
        with self._running:
            self._states.reset()

    def state(self) -> SavedState:
        """Copies of all states, which `restore` takes, also that of another session."""
        with self._running:
            return self._states.save()

    @typed
    def restore(self, saved: SavedState) -> None:
        """Let the states be those that were saved.

        Raises:
            InputError: they are not of this program, or of another one of the same model and length.
        """
        with self._running:
            self._states.restore(saved)

    def get_inputs(self) -> list[TensorInfo]:
        """The inputs that a run needs, in the order of the tensor table; states are none of them."""
        return [_info(tensor) for tensor in self._inputs.values()]

    def get_outputs(self) -> list[TensorInfo]:
        """The outputs, in the order of the tensor table; states are none of them."""
        return [_info(tensor) for tensor in self._outputs.values()]

    @typed
    def run(
        self,
        output_names: Sequence[str] | None,
        input_feed: Mapping[str, npt.ArrayLike],
        *,
        rows: int | None = None,
    ) -> list[npt.NDArray[Any]]:
        """Write the inputs into DRAM, execute, and copy the outputs; one run at a time.

        Outputs are the same in every run, but in the last bits of floats they depend on the BLAS of numpy,
        which adds in another order with another number of threads: `threadpoolctl.threadpool_limits(1)`
        around the run gives those of ``nnc run``.

        Args:
            output_names: which outputs to return, in this order; None: all.
            input_feed: an array per input, of exactly its shape and element type.
            rows: of those that a run adds to states, how many count, the first ones; None: all.  Others are
                of padded tokens.

        Raises:
            InputError: a name, shape or element type is wrong; states are full, or of another position.
            ExecutionError: an index value in the inputs is out of range.
        """
        names = list(self._outputs) if output_names is None else list(output_names)
        check_names("output", names, self._outputs, complete=False)
        check_names("input", list(input_feed), self._inputs, complete=True)
        arrays = {name: checked_array(input_feed[name], t) for name, t in self._inputs.items()}
        with self._running:
            new_rows = self._states.rows if rows is None else rows
            self._states.begin(new_rows)
            for name, tensor in self._inputs.items():
                self.machine.view(tensor.block)[...] = arrays[name]
            self.machine.run()
            self._states.finish(new_rows)
            return [self.machine.view(self._outputs[name].block).copy() for name in names]

    @property
    def timeline(self) -> Timeline:
        """When every instruction of every stream issues and completes, in cycles."""
        return self.machine.timing[1]

    @cached_property
    def ledger(self) -> Ledger:
        """DRAM bytes by cause."""
        return make_ledger(self.program, self.machine.order)

    @cached_property
    def report(self) -> Report:
        """Cycles, utilisation, stalls and DRAM traffic of a run: those of any."""
        return make_report(self.program, *self.machine.timing, self.ledger)


def check_names(kind: str, names: list[str], tensors: Mapping[str, object], *, complete: bool) -> None:
    """Insist that names are known, and with `complete` that all are there.

    Raises:
        InputError: one is unknown, or missing.
    """
    unknown = [name for name in names if name not in tensors]
    missing = [name for name in tensors if name not in names] if complete else []
    if unknown or missing:
        raise InputError(
            f"unknown {kind}" if unknown else f"missing {kind}",
            where=(unknown or missing)[0],
            found=", ".join(names) or "no name",
            expected=", ".join(tensors),
            remedy=f"use the names that are expected: Session.get_{kind}s() lists them with their shapes",
        )


def as_array(name: str, value: npt.ArrayLike) -> npt.NDArray[Any]:
    """The value for an input as an array.

    Raises:
        InputError: it is none.
    """
    try:
        return np.asarray(value)
    except Exception as error:  # of any kind: objects may say themselves how they become arrays
        raise InputError(
            "the value is no array",
            where=f"input {name}",
            found=f"{type(value).__qualname__}: {error}"[:400],
            remedy="give a numpy array, or lists of numbers that are all of the same length",
        ) from error


def checked_array(value: npt.ArrayLike, tensor: Tensor) -> npt.NDArray[Any]:
    """The value as an array of the tensor's shape and type.

    Raises:
        InputError: it has others.
    """
    array = as_array(tensor.name, value)
    shape, dtype = tensor.block.shape, tensor.block.dtype.numpy
    if array.shape != shape:
        raise InputError(
            "wrong shape",
            where=f"input {tensor.name}",
            found=str(list(array.shape)),
            expected=str(list(shape)),
            remedy="shapes are fixed at compile time: reshape the array, or compile again with --shape",
        )
    if array.dtype != dtype:
        raise InputError(
            "wrong element type",
            where=f"input {tensor.name}",
            found=str(array.dtype),
            expected=str(dtype),
            remedy=f"convert it with array.astype(numpy.{dtype.name})",
        )
    return array
