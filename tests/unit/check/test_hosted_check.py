"""A run with a host is right if its outputs are, or else if all that the chip hands over is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy.typing as npt
import onnx
import pytest
from hosted_models import yolo_like

from nnc.check.hosted import HostedCheck, check_hosted
from nnc.hosted import compile_hosted
from nnc.io.inputs import random_inputs
from nnc.isa.hosted import HostedProgram
from nnc.runtime.hosted_session import HostedSession

Arrays = dict[str, npt.NDArray[Any]]


class Ran:
    """A detector that ran once."""

    def __init__(self, folder: Path) -> None:
        self.model = folder / "yolo.onnx"
        onnx.save(yolo_like(), self.model)
        self.hosted: HostedProgram = compile_hosted(self.model, "npu", effort=0).hosted
        session = HostedSession(self.hosted)
        self.feed = random_inputs(self.hosted, 0)
        self.outputs = dict(zip(self.hosted.outputs, session.run(None, self.feed), strict=True))
        self.tensors = session.tensors

    def check(self, outputs: Arrays, tensors: Arrays) -> HostedCheck:
        return check_hosted(
            self.model, self.hosted, self.feed, {**self.outputs, **outputs}, {**self.tensors, **tensors}
        )


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Ran:
    return Ran(tmp_path_factory.mktemp("hosted"))


def test_outputs_that_agree(ran: Ran) -> None:
    checked = ran.check({}, {})
    assert checked.verdict.ok and checked.decided == ()
    assert {output.name for output in checked.verdict.outputs} == {"chosen", "picks"}


def test_what_the_host_decided_otherwise(ran: Ran) -> None:
    """With a box less, as if a score had been a last bit lower."""
    checked = ran.check({"chosen": ran.outputs["chosen"][:-1], "picks": ran.outputs["picks"][:-1]}, {})
    assert checked.verdict.ok and set(checked.decided) == {"chosen", "picks"}
    assert {output.name for output in checked.verdict.outputs} == ran.tensors.keys() == {"boxes", "scores"}
    assert checked.to_json()["decided_by_host"] == ["chosen", "picks"]


@pytest.mark.parametrize("name", ["boxes", "scores"])
def test_what_the_chip_did_wrong(ran: Ran, name: str) -> None:
    wrong = ran.tensors[name].copy()
    wrong.flat[3] += 1e-2
    checked = ran.check({"chosen": ran.outputs["chosen"][:-1]}, {name: wrong})
    assert not checked.verdict.ok and checked.decided == ()
