"""onnx's own backend tests through the whole line: compile, verify, run, compare with the expected outputs.

    python bench/onnx_suite.py [--chip npu] [--set KEY=VALUE …] [--filter TEXT] [--list crashed,wrong] [--json FILE]

Every tensor of a node test is an input of the network, also what determines shapes (axes, pads, sizes).  So
a model is compiled up to three times, until nnc takes it: as it is; with the values of all inputs but the
first as constants; and, if its operator is one that compilers compute themselves, with those of all inputs.

Tests are counted by class of operator (core, second, foldable, data-dependent shape, outside of what an NPU
does), those of other kinds (pytorch, simple) by kind:

    passed    outputs equal the expected ones within the tolerance of the test
    refused   nnc says with a code why it does not compile the model
    crashed   any other exception, or an error that is a bug of nnc: there must be none
    wrong     the program breaks a rule of the verifier, or its outputs differ

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
from processes import with_one_thread

from nnc.compiler.frontend.importer import import_model
from nnc.compiler.pipeline import run_pipeline
from nnc.isa.chip import Chip
from nnc.isa.chip_file import load_chip
from nnc.isa.errors import InternalError, NncError, VerificationError
from nnc.runtime.session import Session
from nnc.runtime.verify import check

KINDS = ("node", "simple", "pytorch-converted", "pytorch-operator")
STATES = ("passed", "refused", "crashed", "wrong")
CORE = frozenset(
    "Conv ConvTranspose Gemm MatMul AveragePool MaxPool LpPool GlobalAveragePool GlobalMaxPool GlobalLpPool"
    " Add Sub Mul Div Pow Mod Min Max Mean Sum Abs Neg Sign Ceil Floor Round Sqrt Reciprocal Exp Log Erf Sin Cos"
    " Equal Greater GreaterOrEqual Less LessOrEqual And Or Xor Not IsNaN IsInf Where Clip Cast Identity Dropout"
    " Celu Elu Gelu HardSigmoid HardSwish Hardmax LeakyRelu LogSoftmax Mish PRelu Relu Selu Shrink Sigmoid Softmax"
    " Softplus Softsign Swish Tanh ThresholdedRelu BatchNormalization GroupNormalization InstanceNormalization"
    " LayerNormalization LRN RMSNormalization ArgMax ArgMin ReduceL1 ReduceL2 ReduceLogSum ReduceLogSumExp"
    " ReduceMax ReduceMean ReduceMin ReduceProd ReduceSum ReduceSumSquare Concat Split Slice Transpose Reshape"
    " Flatten Squeeze Unsqueeze Expand Tile Pad Gather DepthToSpace SpaceToDepth Resize Upsample QuantizeLinear"
    " DequantizeLinear QLinearConv QLinearMatMul ConvInteger MatMulInteger DynamicQuantizeLinear".split()
)
FOLDABLE = frozenset(
    "Shape Size Constant ConstantOfShape Range EyeLike CastLike BlackmanWindow HannWindow HammingWindow AffineGrid"
    " MelWeightMatrix".split()
)
DATA_DEPENDENT = frozenset("NonZero Unique Compress NonMaxSuppression".split())
OUTSIDE = frozenset(
    "If Loop Scan Optional OptionalGetElement OptionalHasElement StringNormalizer StringConcat StringSplit"
    " RegexFullMatch TfIdfVectorizer ImageDecoder Adam Adagrad Momentum Gradient Bernoulli Multinomial RandomNormal"
    " RandomNormalLike RandomUniform RandomUniformLike SequenceAt SequenceConstruct SequenceEmpty SequenceErase"
    " SequenceInsert SequenceLength SequenceMap SplitToSequence ConcatFromSequence ReverseSequence".split()
)
ROW = "{:<20}{:>8}{:>8}{:>8}{:>8}{:>8}"
REASON = 100
"""Characters of a reason that are shown."""
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


def tests(kinds: Sequence[str], part: str) -> Iterator[TestCase]:
    """The tests of the kinds whose names contain a text."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # what the tests compute overflows on purpose
        return iter([case for kind in kinds for case in load_model_tests(kind=kind) if part in case.name])


def groups(cases: Sequence[TestCase]) -> dict[str, str]:
    """The class of every test by its name.  An expanded function counts as the function."""
    found: dict[str, str] = {}
    for case in sorted(cases, key=lambda case: "_expanded" in case.name):
        base = re.sub(r"_expanded.*", "", case.name)
        if case.kind != "node":
            found[case.name] = case.kind
        elif base in found:
            found[case.name] = found[base]
        else:
            nodes = case.model.graph.node
            kinds = {group_of(node) for node in nodes}
            found[case.name] = next(g for g in (*GROUPS[::-1], "core") if g in kinds or g == "core")
    return found


GROUPS = ("core", "foldable", "second", "data-dependent", "outside")


def group_of(node: onnx.NodeProto) -> str:
    """The class of an operator."""
    if node.domain not in ("", "ai.onnx") or node.op_type in OUTSIDE:
        return "outside"
    classes = (("core", CORE), ("foldable", FOLDABLE), ("data-dependent", DATA_DEPENDENT))
    return next((name for name, operators in classes if node.op_type in operators), "second")


def load(case: TestCase) -> tuple[onnx.ModelProto, list[DataSet]]:
    """A test's model and its data; those that are no node tests are files."""
    if case.model is not None:
        model, pairs = case.model, case.data_sets
    else:
        folder = Path(case.model_dir)
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
    worst = Outcome(case.name, group, "refused", "no data")
    for number, values in enumerate(specialisations(load(case)[1][0], group)):
        state, reason = attempt(case, values, chip)
        if number == 0 or worst.state == "refused" or STATES.index(state) > 1:
            worst = Outcome(case.name, group, state, reason)
        if state in ("crashed", "wrong") or (state == "passed" and not every):
            break
    return worst


def attempt(case: TestCase, values: Values, chip: Chip) -> tuple[str, str]:
    """State and reason of one compilation of a test."""
    model, sets = load(case)
    try:
        program = run_pipeline(import_model(model, values=values), chip).program
        check(program)
        session = Session(program, poison=True)
        for data in sets:
            feeds = {info.name: data.feeds[info.name] for info in session.get_inputs()}
            found = session.run([info.name for info in model.graph.output], feeds)
            Runner.assert_similar_outputs(data.expected, found, case.rtol, case.atol)
    except AssertionError as error:
        is_compilers = "nnc" in traceback.extract_tb(error.__traceback__)[-1].filename
        return ("crashed", where(error)) if is_compilers else ("wrong", one_line(error))
    except VerificationError as error:
        return "wrong", one_line(error)
    except InternalError as error:
        return "crashed", one_line(error)
    except NncError as error:
        return "refused", one_line(error)
    except Exception as error:  # whatever it is: it must not happen
        return "crashed", where(error)
    return "passed", ""


def one_line(error: Exception) -> str:
    """An error without its line breaks, and without the name of the test."""
    text = " ".join(str(error).split())
    return re.sub(r"\S+ \((\w+)\):", r"\1:", text)


def where(error: Exception) -> str:
    """An exception and the line that raised it."""
    frames = traceback.extract_tb(error.__traceback__)
    own = next((f for f in reversed(frames) if "site-packages" not in f.filename), frames[-1])
    return f"{type(error).__name__} in {Path(own.filename).name}:{own.lineno}: {one_line(error)}"


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
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="override of the chip")
    parser.add_argument("--kinds", default=",".join(KINDS), help="kinds of tests (default: all)")
    parser.add_argument("--filter", default="", metavar="TEXT", help="only tests whose names contain TEXT")
    parser.add_argument("--every", action="store_true", help="compile every test in all ways")
    parser.add_argument("--list", default="crashed,wrong", metavar="STATES", help="states whose tests are listed")
    parser.add_argument("--json", metavar="FILE", help="write all outcomes to a file")
    options = parser.parse_args(arguments)
    chip = load_chip(options.chip, options.set)
    cases = list(tests(options.kinds.split(","), options.filter))
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
