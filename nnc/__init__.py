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
    from nnc.compilation import Result, compile, compile_model, graph_at
    from nnc.compiler.plan.options import PlanOptions
    from nnc.isa.chip.description import Chip
    from nnc.isa.chip.load import load_chip
    from nnc.isa.errors import NncError
    from nnc.isa.program import Program
    from nnc.isa.program_file.binary import load_program, save_program
    from nnc.runtime.session import Session

__all__ = [
    "Chip",
    "NncError",
    "PlanOptions",
    "Program",
    "Result",
    "Session",
    "__version__",
    "compile",
    "compile_model",
    "errors",
    "graph_at",
    "load_chip",
    "load_program",
    "save_program",
]

_HOMES = {
    "Chip": "nnc.isa.chip.description",
    "NncError": "nnc.isa.errors",
    "PlanOptions": "nnc.compiler.plan.options",
    "Program": "nnc.isa.program",
    "Result": "nnc.compilation",
    "Session": "nnc.runtime.session",
    "compile": "nnc.compilation",
    "compile_model": "nnc.compilation",
    "graph_at": "nnc.compilation",
    "load_chip": "nnc.isa.chip.load",
    "load_program": "nnc.isa.program_file.binary",
    "save_program": "nnc.isa.program_file.binary",
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
