"""The planner's options by the words of the command line."""

from __future__ import annotations

import inspect
from dataclasses import fields

import pytest

import nnc
from nnc.cli.options import Target
from nnc.isa.errors import OptionError
from nnc.models import digits
from nnc.option_words import OptionWords, plan_options

SMALL = ["memory.sram.bytes=36KiB"]


def test_words_are_those_of_the_command_line_and_of_the_object() -> None:
    words = set(OptionWords.__annotations__)
    assert words == {field.name for field in fields(Target)} - {
        "chip",
        "overrides",
        "shapes",
        "states",
        "dims",
    }
    assert words == {field.name for field in fields(nnc.PlanOptions)} - {"fused"}


@pytest.mark.parametrize(
    ("words", "options"),
    [
        ({}, nnc.PlanOptions()),
        ({"objective": "traffic", "effort": 1}, nnc.PlanOptions("traffic", effort="O1")),
        ({"effort": "0"}, nnc.PlanOptions(effort="O0")),
        ({"effort": "O3"}, nnc.PlanOptions(effort="O3")),
        ({"overlap": "keep", "split": "even"}, nnc.PlanOptions(overlap="keep", split="even")),
        ({"stitch": 4, "conv_buffers": "m3"}, nnc.PlanOptions(stitch="4", conv_buffers="m3")),
        ({"stitch": "off"}, nnc.PlanOptions(stitch="off")),
        ({"fc_oram": "64KiB"}, nnc.PlanOptions(fc_oram=65536)),
        ({"fc_oram": "2880"}, nnc.PlanOptions(fc_oram=2880)),
        ({"fc_oram": 2880}, nnc.PlanOptions(fc_oram=2880)),
        ({"softmax": "f16"}, nnc.PlanOptions(softmax="f16")),
    ],
)
def test_words_mean_what_they_do_on_the_command_line(words: OptionWords, options: nnc.PlanOptions) -> None:
    assert plan_options(None, words) == options


def test_functions_take_words() -> None:
    by_words = nnc.compile(digits.MODEL, overrides=SMALL, objective="traffic", effort=1)
    by_object = nnc.compile(digits.MODEL, overrides=SMALL, options=nnc.PlanOptions("traffic", effort="O1"))
    assert by_words.issued == by_object.issued != nnc.compile(digits.MODEL, overrides=SMALL).issued
    options = nnc.compile_model(digits.MODEL, overrides=SMALL, objective="traffic", effort="1").report.options
    assert options is not None and (options.objective, options.effort) == ("traffic", "O1")
    whole = nnc.graph_at(digits.MODEL, "group", effort=0)
    assert all(len(group.layers) == 1 for group in whole.notes.groups)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ({"objective": "trafic"}, "did you mean traffic?"),
        ({"objectiv": "traffic"}, "did you mean objective?"),
        ({"efort": 1}, "did you mean effort?"),
        ({"effort": 4}, "O0, O1, O2, O3"),
        ({"effort": True}, "bool"),
        ({"effort": 10**5000}, "many digits"),
        ({"stitch": -(10**5000)}, "many digits"),
        ({"fc_oram": 10**5000}, "number of bytes"),
        ({"stitch": 0}, "from 1 on"),
        ({"softmax": "f64"}, "f32, f16, i8"),
        ({"fc_oram": "much"}, "'64KiB'"),
        ({"fc_oram": 0}, "number of bytes"),
        ({"objective": "traffic", "options": nnc.PlanOptions()}, "given twice"),
        ({"effort": 1, "options": nnc.PlanOptions(effort="O1")}, "effort, beside options"),
    ],
)
def test_wrong_words(words: dict[str, object], said: str) -> None:
    for function in (nnc.compile, nnc.compile_model):
        with pytest.raises(OptionError) as caught:
            function(digits.MODEL, **words)  # type: ignore[arg-type]
        assert said in str(caught.value)


@pytest.mark.parametrize("function", [nnc.compile, nnc.compile_model, nnc.graph_at])
def test_help_names_every_argument(function: object) -> None:
    """In the signature that `help` shows, and in words."""
    assert callable(function)
    stated = set(inspect.signature(function).parameters)
    assert set(OptionWords.__annotations__) | {"chip", "overrides", "shapes", "options", "progress"} <= stated
    text = inspect.getdoc(function) or ""
    assert [name for name in stated if name not in text] == []
