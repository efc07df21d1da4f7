"""nnc: a neural-network compiler for NPUs and vector DSPs with software-managed memories.

>>> import nnc
>>> program = nnc.compile("model.onnx", chip="npu")
>>> nnc.save_program(program, "model.bin")
>>> session = nnc.Session(nnc.load_program("model.bin"))
>>> logits, = session.run(None, {"input": image})

Everything here is imported when it is first used: ``import nnc`` itself costs next to nothing, and running a
program imports onnx only to have bytes multiplied by onnxruntime, where that is installed.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from nnc.version import __version__

if TYPE_CHECKING:
    from nnc import errors
    from nnc.accuracies.measure import accuracy
    from nnc.accuracies.schema import AccuracyReport
    from nnc.compilation import Result, compile, compile_entries, compile_model, graph_at
    from nnc.compiler.plan.options import PlanOptions
    from nnc.explanations.explain import explain
    from nnc.hosted import HostedResult, compile_hosted
    from nnc.isa.chip.description import Chip
    from nnc.isa.chip.load import load_chip
    from nnc.isa.errors import NncError
    from nnc.isa.hosted import HostedProgram
    from nnc.isa.link import link
    from nnc.isa.program import Program
    from nnc.isa.program_file.binary import load_entries, load_hosted, load_program, save_program
    from nnc.isa.program_file.hosted import save_hosted
    from nnc.isa.program_file.linked import save_entries
    from nnc.runtime.entry_session import EntrySession
    from nnc.runtime.hosted_session import HostedSession
    from nnc.runtime.session import Session
    from nnc.sweeps.sweep import SweepResult, sweep

__all__ = [
    "AccuracyReport",
    "Chip",
    "EntrySession",
    "HostedProgram",
    "HostedResult",
    "HostedSession",
    "NncError",
    "PlanOptions",
    "Program",
    "Result",
    "Session",
    "SweepResult",
    "__version__",
    "accuracy",
    "compile",
    "compile_entries",
    "compile_hosted",
    "compile_model",
    "errors",
    "explain",
    "graph_at",
    "link",
    "load_chip",
    "load_entries",
    "load_hosted",
    "load_program",
    "save_entries",
    "save_hosted",
    "save_program",
    "sweep",
]

_HOMES = {
    "AccuracyReport": "nnc.accuracies.schema",
    "Chip": "nnc.isa.chip.description",
    "EntrySession": "nnc.runtime.entry_session",
    "HostedProgram": "nnc.isa.hosted",
    "HostedResult": "nnc.hosted",
    "HostedSession": "nnc.runtime.hosted_session",
    "NncError": "nnc.isa.errors",
    "PlanOptions": "nnc.compiler.plan.options",
    "Program": "nnc.isa.program",
    "Result": "nnc.compilation",
    "Session": "nnc.runtime.session",
    "SweepResult": "nnc.sweeps.sweep",
    "accuracy": "nnc.accuracies.measure",
    "compile": "nnc.compilation",
    "compile_entries": "nnc.compilation",
    "compile_hosted": "nnc.hosted",
    "compile_model": "nnc.compilation",
    "explain": "nnc.explanations.explain",
    "graph_at": "nnc.compilation",
    "link": "nnc.isa.link",
    "load_chip": "nnc.isa.chip.load",
    "load_entries": "nnc.isa.program_file.binary",
    "load_hosted": "nnc.isa.program_file.binary",
    "load_program": "nnc.isa.program_file.binary",
    "save_entries": "nnc.isa.program_file.linked",
    "save_hosted": "nnc.isa.program_file.hosted",
    "save_program": "nnc.isa.program_file.binary",
    "sweep": "nnc.sweeps.sweep",
}


def __getattr__(name: str) -> Any:
    """Import what is asked for (PEP 562)."""
    if name == "errors":
        return import_module("nnc.errors")
    if name not in _HOMES:
        raise AttributeError(f"module 'nnc' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
