"""onnx's own backend tests through the whole line: compile, verify, run, compare with the expected outputs.

    python bench/onnx_suite.py [--chip npu] [--set KEY=VALUE …] [--filter TEXT] [--json FILE]

Every tensor of a node test is an input of the network, also what determines shapes (axes, pads, sizes).  So
a model is compiled up to three times, until nnc takes it: as it is; with the values of all inputs but the
first as constants; and, if its operator is one that compilers compute themselves, with those of all inputs.

Tests are counted by class of operator (core, second, foldable, data-dependent shape, outside of what an NPU
does), those of other kinds (pytorch, simple) by kind:

    passed    outputs equal the expected ones within the tolerance of the test, or within one last place of
              the largest magnitude: tests may expect the rounding errors of sums that are exactly zero
    refused   nnc says with a code why it does not compile the model
    crashed   any other exception, or an error that is a bug of nnc: there must be none
    wrong     the program breaks a rule of the verifier, or its outputs differ

Two tests (`OTHERWISE`) contradict the text of the specification: onnxruntime's outputs are expected there.

The exit status is 1 if a test crashed or is wrong.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import traceback
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import numpy_helper
from onnx.backend.test.case.test_case import TestCase
from onnx.backend.test.loader import load_model_tests
from onnx.backend.test.runner import Runner
from operator_classes import GROUPS, group_of
from processes import with_one_thread

from nnc.check.compare import compare
from nnc.check.outputs import HALF_TOLERANCE
from nnc.check.reference import Reference, Way
from nnc.compiler.frontend.importer import import_model
from nnc.compiler.pipeline import run_pipeline
from nnc.isa.chip.description import Chip
from nnc.isa.chip.load import load_chip
from nnc.isa.errors import InternalError, NncError
from nnc.runtime.errors import VerificationError
from nnc.runtime.session import Session

KINDS = ("node", "simple", "pytorch-converted", "pytorch-operator")
STATES = ("passed", "refused", "crashed", "wrong")
WORSE = STATES[2:]
ROW = "{:<20}{:>8}{:>8}{:>8}{:>8}{:>8}"
REASON = 100
"""Characters of a reason that are shown."""
OTHERWISE = frozenset(
    {
        "test_resize_downsample_scales_linear_align_corners",
        "test_resize_downsample_scales_cubic_align_corners",
    }
)
"""Tests whose expected outputs are not those of the specification's text, but of its reference code.

The text: x_original = x_resized · (length_original − 1) / (length_resized − 1), with "`length_resized` as the
length of the resized tensor", which is floor(4 · 0.6) = 2: the last element of the result is the last one of
the source, as align_corners says.  The reference code divides by 4 · 0.6 − 1, although no tensor has such a
length; the text calls it `output_width` and needs it for half_pixel_symmetric alone.  onnxruntime follows the
text, and so does nnc.
"""
ONE_PLACE = {"float16": HALF_TOLERANCE, "float32": 2.0**-23}
"""The distance of two numbers next to each other, as a share of their magnitude."""
Values = dict[str, Any]


@dataclass(frozen=True)
class Outcome:
    """What became of a test: its class, one of `STATES`, and why it did not pass."""

    name: str
    group: str
    state: str
    reason: str = ""


@dataclass(frozen=True)
class DataSet:
    """Inputs by name and the expected outputs, in the order of the network's."""

    feeds: Values
    expected: list[Any]


def tests(kinds: Sequence[str], part: str) -> list[TestCase]:
    """The tests of the kinds whose names contain a text."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # what the tests compute overflows on purpose
        return [case for kind in kinds for case in load_model_tests(kind=kind) if part in case.name]


def groups(cases: Sequence[TestCase]) -> dict[str, str]:
    """The class of every test by its name: that of the operator furthest out.

    The function that an operator stands for, expanded, counts as the operator.
    """
    by_name: dict[str, str] = {}
    for case in sorted(cases, key=lambda case: "_expanded" in case.name):
        base = re.sub(r"_expanded.*", "", case.name)
        if case.model is None:
            by_name[case.name] = case.kind
        else:
            own = max((group_of(node) for node in case.model.graph.node), key=GROUPS.index, default="core")
            by_name[case.name] = by_name.get(base, own)
    return by_name


def load(case: TestCase) -> tuple[onnx.ModelProto, list[DataSet]]:
    """A test's model and its data; those that are no node tests are files."""
    model, pairs = case.model, list(case.data_sets or [])
    if model is None:
        folder = Path(case.model_dir or "")
        model = onnx.load(folder / "model.onnx")
        pairs = [(tensors(d, "input"), tensors(d, "output")) for d in sorted(folder.glob("test_data_set_*"))]
    constants = {tensor.name for tensor in model.graph.initializer}
    names = [info.name for info in model.graph.input if info.name not in constants]
    arrays = [([array(value) for value in ins], [array(value) for value in outs]) for ins, outs in pairs]
    return model, [DataSet(dict(zip(names, ins, strict=False)), outs) for ins, outs in arrays]


def array(value: Any) -> Any:
    """The array that a value is, if it is a tensor."""
    return numpy_helper.to_array(value) if isinstance(value, onnx.TensorProto) else value


def tensors(folder: Path, stem: str) -> list[Any]:
    """The tensors input_0.pb, input_1.pb … of a data set."""
    files = sorted(folder.glob(f"{stem}_*.pb"), key=lambda file: int(file.stem.rpartition("_")[2]))
    return [onnx.TensorProto.FromString(file.read_bytes()) for file in files]


def specialisations(data: DataSet, group: str) -> Iterator[Values]:
    """The inputs that become constants: none; all but the first; all, if that is what compilers do."""
    yield {}
    later = dict(list(data.feeds.items())[1:])
    if later:
        yield later
    if data.feeds and group in ("foldable", "data-dependent"):
        yield data.feeds


def run_case(case: TestCase, group: str, chip: Chip, every: bool) -> Outcome:
    """Compile a test in the ways above until one is not refused (or in all of them: the worst counts)."""
    model, sets = load(case)
    if case.name in OTHERWISE:
        sets = [DataSet(data.feeds, by_onnxruntime(model, data.feeds)) for data in sets]
    worst = ("refused", "it has no data")
    for number, values in enumerate(specialisations(sets[0], group)):
        outcome = attempt(model, sets, values, chip, (case.rtol, case.atol))
        if number == 0 or worst[0] == "refused" or outcome[0] in WORSE:
            worst = outcome
        if worst[0] in WORSE or (worst[0] == "passed" and not every):
            break
    return Outcome(case.name, group, *worst)


def attempt(
    model: onnx.ModelProto,
    sets: Sequence[DataSet],
    values: Values,
    chip: Chip,
    tolerances: tuple[float, float],
) -> tuple[str, str]:
    """State and reason of one compilation of a test."""
    try:
        program = run_pipeline(import_model(model, values=values), chip).program
        session = Session(program, poison=True)
        outputs = [info.name for info in model.graph.output]
        answers = [
            session.run(outputs, {i.name: d.feeds[i.name] for i in session.get_inputs()}) for d in sets
        ]
    except VerificationError as error:
        return "wrong", one_line(error)
    except InternalError as error:
        return "crashed", one_line(error)
    except NncError as error:
        return "refused", one_line(error)
    except Exception as error:  # whatever it is: it must not happen
        frame = traceback.extract_tb(error.__traceback__)[-1]
        where = f"{Path(frame.filename).name}:{frame.lineno}"
        return "crashed", f"{type(error).__name__} in {where}: {one_line(error)}"
    try:
        for data, results in zip(sets, answers, strict=True):
            if not all(map(equal_rounded, data.expected, results)):
                Runner.assert_similar_outputs(data.expected, results, *tolerances)
    except AssertionError as error:
        return "wrong", one_line(error)
    return "passed", ""


def by_onnxruntime(model: onnx.ModelProto, feeds: Values) -> list[Any]:
    """The outputs of onnxruntime without its optimisations."""
    names = [info.name for info in model.graph.output]
    answer = Reference(Path("test"), model, names, changed=True).open(Way.LITERAL)(feeds)
    return [answer.outputs[name] for name in names]


def equal_rounded(expected: Any, result: Any) -> bool:
    """Whether an output is of half or single precision and equal but for rounding."""
    if not isinstance(expected, np.ndarray) or expected.dtype.name not in ONE_PLACE:
        return False
    return compare("", result, expected).agrees(ONE_PLACE[expected.dtype.name])


def one_line(error: Exception) -> str:
    """An error without its line breaks, and without the name of the test."""
    text = " ".join(str(error).split())
    return re.sub(r"\S+ \((\w+)\):", r"\1:", text)


def report(outcomes: Sequence[Outcome], listed: Sequence[str]) -> None:
    """Print the counts by class, the reasons of refusals, and the tests that are to be listed."""
    print(ROW.format("class", "tests", *STATES))
    order = [name for name in (*GROUPS, *KINDS) if any(o.group == name for o in outcomes)]
    for name in (*order, "all"):
        counts = Counter(o.state for o in outcomes if name in (o.group, "all"))
        print(ROW.format(name, counts.total(), *(counts[state] for state in STATES)))
    for state in STATES:
        of_state = [o for o in outcomes if o.state == state]
        if state in listed and of_state:
            print(f"\n{state}:")
            for outcome in of_state:
                print(f"  {outcome.name}" + f"  {outcome.reason[: 2 * REASON]}".rstrip())
        elif state == "refused" and of_state:
            print("\nrefused, by reason:")
            for reason, count in Counter(o.reason[:REASON] for o in of_state).most_common():
                print(f"  {count:>5}  {reason}")


def main(arguments: Sequence[str]) -> int:
    """Run the tests and print the report; 1 if any crashed or is wrong."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--chip", default="npu", help="preset or TOML file (default: npu)")
    parser.add_argument(
        "--set", action="append", default=[], metavar="KEY=VALUE", help="override of the chip"
    )
    parser.add_argument("--kinds", default=",".join(KINDS), help="kinds of tests (default: all)")
    parser.add_argument("--filter", default="", metavar="TEXT", help="only tests whose names contain TEXT")
    parser.add_argument("--every", action="store_true", help="compile every test in all ways")
    parser.add_argument(
        "--list", default="crashed,wrong", metavar="STATES", help="states whose tests are listed"
    )
    parser.add_argument("--json", metavar="FILE", help="write all outcomes to a file")
    options = parser.parse_args(arguments)
    chip = load_chip(options.chip, options.set)
    cases = tests(options.kinds.split(","), options.filter)
    classes = groups(cases)
    with np.errstate(all="ignore"):
        outcomes = [run_case(case, classes[case.name], chip, options.every) for case in cases]
    report(outcomes, options.list.split(","))
    if options.json:
        Path(options.json).write_text(json.dumps([asdict(o) for o in outcomes], indent=1) + "\n")
    return int(any(o.state in ("crashed", "wrong") for o in outcomes))


if __name__ == "__main__":
    with_one_thread()
    sys.exit(main(sys.argv[1:]))
