"""Every argument of every public function is checked: a wrong one is an NncError that says what is wanted."""

from __future__ import annotations

import inspect
import operator
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import nnc
from nnc import models
from nnc.compiler.plan.planner import no_progress
from nnc.isa.errors import OptionError
from nnc.models import digits

DATA = {
    "AccuracyReport",
    "Chip",
    "HostedProgram",
    "HostedResult",
    "NncError",
    "Program",
    "Result",
    "SweepResult",
    "errors",
    "__version__",
}
"""What is public but no function: data that functions give, and take back."""
ELSEWHERE = {"sweep"}
"""Starts processes of its own: tests/unit/sweeps gives it wrong arguments."""


SMALL = models.build("conv-8x8x8")
"""For a function that compiles in each of its calls."""


class Stranger:
    """Of no type that anything takes; messages must not show what it holds."""

    def __repr__(self) -> str:
        return "SECRET"


WRONG: list[Any] = [
    *(Stranger(), None, 3, -1, 10**5000, 2.5, float("nan"), True, "SECRET", b"SECRET", "a\0b", ""),
    *([Stranger()], [3], ["SECRET"], [None], (), [[1], [2, 3]], {1: 2}, {"SECRET": "SECRET"}, {"image": 3}),
    *(
        {"image": [Stranger()]},
        {"image": [2.5]},
        {"image": [1, 1, 10**30, 16]},
        {"image": None},
        {Stranger(): []},
    ),
    *({"image": [[1], [2, 3]]}, {"image": "SECRET"}, iter([3]), np.zeros(3), Path("SECRET"), object()),
    *(lambda *_: None,),
]


@pytest.fixture(scope="module")
def calls(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Callable[..., Any], dict[str, Any]]]:
    """Every public function with sound arguments, all that it has."""
    program = nnc.compile(digits.MODEL, options=nnc.PlanOptions(effort="O0"))
    path = tmp_path_factory.mktemp("calls") / "p.bin"
    nnc.save_program(program, path)
    linked = nnc.link({"only": program})
    compiling = {
        "overrides": (),
        "shapes": None,
        "states": None,
        "dims": None,
        "options": nnc.PlanOptions(effort="O0"),
        "progress": no_progress,
    }
    model = {"model": str(digits.MODEL), "chip": "npu"}
    session = nnc.Session(program)
    run = {"output_names": None, "input_feed": {"image": np.zeros((1, 1, 16, 16), np.float32)}}
    entries = nnc.EntrySession(linked)
    hosted = nnc.compile_hosted(digits.MODEL, options=nnc.PlanOptions(effort="O0")).hosted
    hosted_path = path.with_name("hosted.bin")
    nnc.save_hosted(hosted, hosted_path)
    return {
        "accuracy": (nnc.accuracy, _accuracy_arguments(compiling)),
        "compile": (nnc.compile, {**model, **compiling}),
        "compile_entries": (
            nnc.compile_entries,
            {**model, "entries": {"only": {}}, "buckets": None, **compiling},
        ),
        "compile_hosted": (nnc.compile_hosted, {**model, "host": "auto", **compiling}),
        "load_hosted": (nnc.load_hosted, {"path": hosted_path}),
        "save_hosted": (nnc.save_hosted, {"hosted": hosted, "path": hosted_path}),
        "HostedSession": (
            nnc.HostedSession,
            {"hosted": hosted, "verify": False, "jitter": None, "name": "p"},
        ),
        "HostedSession.run": (nnc.HostedSession(hosted).run, run),
        "compile_model": (nnc.compile_model, {**model, **compiling, "verify_each": False}),
        "explain": (
            nnc.explain,
            {**model, "model": SMALL, "layers": [], "compilations": 0, "prove": False} | compiling,
        ),
        "graph_at": (nnc.graph_at, {**model, "stage": "import", **compiling}),
        "load_chip": (nnc.load_chip, {"name": "npu", "overrides": ()}),
        "load_program": (nnc.load_program, {"path": path, "entry": "", "mapped": False}),
        "load_entries": (nnc.load_entries, {"path": path, "mapped": False}),
        "link": (nnc.link, {"programs": {"only": program}}),
        "save_entries": (nnc.save_entries, {"programs": linked, "path": path}),
        "EntrySession": (nnc.EntrySession, {"programs": linked, "verify": False}),
        "EntrySession.run": (entries.run, {**run, "entry": "only", "pad": None, "rows": None}),
        "save_program": (nnc.save_program, {"program": program, "path": path}),
        "PlanOptions": (nnc.PlanOptions, {}),
        "Session": (nnc.Session, {"program": program, "verify": False, "jitter": None, "name": "p"}),
        "Session.run": (session.run, {**run, "rows": None}),
        "Session.restore": (session.restore, {"saved": session.state()}),
    }


def _accuracy_arguments(compiling: Mapping[str, Any]) -> dict[str, Any]:
    data = {"image": np.zeros((1, 1, 16, 16), np.float32)}
    models = {"float_model": str(digits.MODEL), "quantised_model": str(digits.INT8_MODEL), "data": data}
    judged = {"labels": [0], "metric": "top1", "scored": None, "chip_samples": 0}
    return {**models, "chip": "npu", **judged, "mean": (0.0,), "scale": (1.0,), **compiling}


def test_all_public_functions_are_called(calls: Mapping[str, Any]) -> None:
    assert {name.partition(".")[0] for name in calls} == set(nnc.__all__) - DATA - ELSEWHERE
    methods = {name for name, _ in inspect.getmembers(nnc.Session, inspect.isfunction) if name[0] != "_"}
    assert methods == {"run", "get_inputs", "get_outputs", "reset", "restore", "state"}


NAMES = (
    *("compile", "compile_model", "graph_at", "load_chip", "load_program", "save_program"),
    *("compile_entries", "load_entries", "link", "save_entries", "EntrySession", "EntrySession.run"),
    *("PlanOptions", "Session", "Session.run", "Session.restore", "explain"),
)


@pytest.mark.parametrize("name", NAMES)
def test_wrong_arguments_are_errors_of_ours(
    name: str, calls: Mapping[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Or they are right: nothing else comes out, and no value gets into a message about types."""
    monkeypatch.chdir(tmp_path)
    function, sound = calls[name]
    stated = inspect.signature(function).parameters
    function(**sound)
    refused: dict[str, int] = {}
    for parameter in {**sound, **{key: None for key, p in stated.items() if p.kind != p.VAR_KEYWORD}}:
        for value in WRONG:
            try:
                function(**{**sound, parameter: value})
            except nnc.NncError as error:
                refused[parameter] = refused.get(parameter, 0) + 1
                if "wrong type" in error.message:
                    assert "SECRET" not in str(error)
                    assert error.found and error.expected and error.remedy
    assert (
        all(refused[parameter] > len(WRONG) / 2 for parameter in refused) and refused.keys() >= sound.keys()
    )


@pytest.mark.parametrize(
    ("call", "message", "type_"),
    [
        (lambda _: nnc.compile(None), "model", "NoneType"),
        (lambda _: nnc.compile(3), "model", "int"),
        (lambda _: nnc.compile(digits.MODEL, shapes=3), "shapes", "int"),
        (lambda _: nnc.compile(digits.MODEL, shapes={"image": 3}), "a value of shapes", "int"),
        (lambda _: nnc.compile(digits.MODEL, options=3), "options", "int"),
        (lambda _: nnc.compile(digits.MODEL, overrides=[3]), "an item of overrides", "int"),
        (lambda _: nnc.compile(digits.MODEL, overrides="cores=2"), "overrides", "str"),
        (lambda _: nnc.load_program(None), "path", "NoneType"),
        (lambda session: session.run(None, None), "input_feed", "NoneType"),
        (lambda session: session.run(None, {1: 2}), "a key of input_feed", "int"),
        (lambda session: session.run("probabilities", {}), "output_names", "str"),
        (lambda _: nnc.PlanOptions(stitch=4), "stitch", "int"),
        (lambda _: nnc.PlanOptions(fc_oram="64KiB"), "fc_oram", "str"),
        (lambda _: nnc.PlanOptions(fc_oram=True), "fc_oram", "bool"),
        (lambda _: nnc.PlanOptions(objective=None), "objective", "NoneType"),
    ],
)
def test_messages_name_the_argument_and_its_type(
    call: Callable[[nnc.Session], object], message: str, type_: str, calls: Mapping[str, Any]
) -> None:
    with pytest.raises(OptionError) as caught:
        call(calls["Session.run"][0].__self__)
    assert caught.value.message == f"{message} has a wrong type"
    assert caught.value.found == type_
    function = caught.value.remedy.removeprefix("give what help(nnc.").removesuffix(") says")
    assert callable(operator.attrgetter(function)(nnc))


def test_calls_that_do_not_fit_a_function(calls: Mapping[str, Any]) -> None:
    run = calls["Session.run"][0]
    for call in (lambda: run({1: 2}), lambda: nnc.compile(), lambda: nnc.compile("m.onnx", chips="npu")):
        with pytest.raises(OptionError, match="does not fit"):
            call()


def test_what_is_as_good_as_a_plain_value_is_taken() -> None:
    shape = np.array([1, 1, 16, 16])
    nnc.graph_at(digits.MODEL, "import", shapes={"image": shape.tolist()})
    nnc.graph_at(digits.MODEL, "import", shapes={"image": tuple(shape)})
    nnc.graph_at(digits.MODEL.read_bytes(), "import", overrides={"cores=1": 0}.keys())
    assert nnc.PlanOptions(fc_oram=np.int64(64)).fc_oram == 64
