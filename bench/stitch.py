"""Cycles per picture on `pixel-dsp`: pictures of a batch side by side (method M4) beside one by one.

    python bench/stitch.py [SIZE …] [--batches 1,7,16,33]

One convolution, kernel 3, padded by 1, 8 to 8 channels, in float32 and quantised to 8 bits.  MAC: cycles of
the array without those to issue; all: predicted cycles of the program.  Lanes: share that computes outputs.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

import onnx
from processes import with_one_thread

import nnc
from nnc import models
from nnc.compilation import compile_model
from nnc.compiler.plan.options import PlanOptions
from nnc.isa.program import Program
from nnc.quantize.calibration import random_samples
from nnc.quantize.float_model import load_float_model
from nnc.quantize.quantiser import Options
from nnc.quantize.quantize import quantize
from nnc.report.work import UNITS, work_of

SIZES = (8, 14, 28, 56)
BATCHES = (1, 2, 3, 7, 16, 33)
ROW = "{:<9}{:<7}{:>6}{:>10}{:>10}{:>7}{:>11}{:>11}{:>7}{:>10}{:>7}"
HEAD = ("type", "size", "batch", "MAC off", "stitched", "x", "all off", "stitched", "x", "pictures", "lanes")


def quantised(model: onnx.ModelProto) -> onnx.ModelProto:
    """The network on 8-bit integers, calibrated on random pictures."""
    before = load_float_model(model, {})
    samples = random_samples(before.inputs, 1)
    return onnx.load_model_from_string(
        quantize(before, samples, Options(integer_io=True), "model", lambda *_: None).data
    )


def mac_cycles(program: Program) -> int:
    """Cycles of the MAC array."""
    return int(work_of(program).cycles[:, UNITS.index("MAC")].sum())


def compiled(model: onnx.ModelProto, stitch: str) -> dict[str, Any]:
    """Figures of one compilation."""
    result = compile_model(model, "pixel-dsp", options=PlanOptions(stitch=stitch))
    stitching = result.report.stitch
    return {
        "mac": mac_cycles(result.program),
        "all": result.report.network.cycles,
        "pictures": 0 if stitching is None else stitching["pictures"],
        "lanes": "-"
        if stitching is None or not stitching["utilisation"]
        else f"{stitching['utilisation']:.3f}",
    }


def row(dtype: str, size: int, batch: int) -> str:
    """A line of the table."""
    model = models.build("conv-8x8x8", image=size, batch=batch)
    if dtype == "int8":
        model = quantised(model)
    off, auto = compiled(model, "off"), compiled(model, "auto")
    return ROW.format(
        dtype,
        f"{size}x{size}",
        batch,
        round(off["mac"] / batch),
        round(auto["mac"] / batch),
        f"{off['mac'] / auto['mac']:.2f}",
        round(off["all"] / batch),
        round(auto["all"] / batch),
        f"{off['all'] / auto['all']:.2f}",
        auto["pictures"] or "-",
        auto["lanes"],
    )


def main(sizes: Sequence[int], batches: Sequence[int]) -> None:
    """Print the table."""
    print(f"nnc {nnc.__version__}, cycles per picture on pixel-dsp, --stitch off and auto")
    print(ROW.format(*HEAD))
    for dtype in ("int8", "float32"):
        for size in sizes:
            for batch in batches:
                print(row(dtype, size, batch), flush=True)


if __name__ == "__main__":
    with_one_thread()
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("sizes", nargs="*", type=int, default=SIZES, metavar="SIZE")
    parser.add_argument("--batches", default=",".join(map(str, BATCHES)))
    arguments = parser.parse_args()
    main(arguments.sizes, [int(text) for text in arguments.batches.split(",")])
