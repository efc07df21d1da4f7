"""nnc quantize: a float32 model becomes an 8-bit one, or its weights alone become integers of 4 or 8 bits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from nnc.cli.classes import HeadedCommand
from nnc.cli.names import Name
from nnc.cli.options import (
    Shapes,
    json_option,
    pixel_options,
    shape_option,
    verbose_option,
)
from nnc.cli.output import emit_json, human_bytes, plural, say, say_or_show
from nnc.cli.paths import ReadPath, WrittenPath, model_files, sample_files
from nnc.cli.progress import ShownProgress
from nnc.cli.quantize_mixed import (
    Mixing,
    insist_on_mixed,
    mixed_json,
    mixed_report,
    mixer,
    mixing_options,
)
from nnc.cli.quantize_weights import (
    block_option,
    insist_on_one_way,
    quantize_weights,
    symmetric_option,
    weights_option,
)

if TYPE_CHECKING:
    from rich.table import Table

    from nnc.quantize.calibration import Samples
    from nnc.quantize.float_model import FloatModel
    from nnc.quantize.parameters import QuantizedTensor
    from nnc.quantize.quantize import Quantized


@click.command("quantize", cls=HeadedCommand, short_help="Quantise a model, or its weights alone.")
@click.argument("model", type=ReadPath(model_files), metavar="MODEL.onnx")
@click.option(
    "-o",
    "--output",
    type=WrittenPath(),
    metavar="Q.onnx",
    required=True,
    help="Where to write the quantised model.",
)
@click.option(
    "--calibration",
    type=ReadPath(sample_files),
    metavar="DIR|FILE.npz",
    help="Samples of what the network will see: a folder of pictures (.png, .jpg) of the input's size, or"
    " an archive with an array per input whose first axis counts samples.",
)
@click.option(
    "--random",
    "random_count",
    type=click.IntRange(min=1, max=10_000),
    metavar="N",
    help="N random samples in place of real ones: for measuring traffic and cycles. Accuracy means nothing"
    " then.",
)
@click.option(
    "--method",
    type=Name(lambda: ("minmax", "entropy", "percentile")),
    metavar="minmax|entropy|percentile",
    default="minmax",
    show_default=True,
    help="The range of an activation: all that occurs (minmax), what loses least information (entropy), or"
    " all but the outermost (percentile).",
)
@click.option(
    "--activations",
    type=Name(lambda: ("s8", "u8")),
    metavar="s8|u8",
    default="s8",
    show_default=True,
    help="Type of activations, with a zero point each; weights are always s8, symmetric.",
)
@click.option(
    "--per-channel/--per-tensor",
    default=True,
    show_default=True,
    help="A scale for each output channel of weights, or one for all.",
)
@click.option(
    "--reduce-range",
    is_flag=True,
    help="7 bits for weights: for processors whose products of u8 × s8 saturate. No chip of nnc needs it.",
)
@click.option(
    "--integer-io",
    is_flag=True,
    help="Inputs and outputs are integers, too, with the scale and zero point of the report: a quarter of"
    " their bytes, and nothing to convert on the chip.",
)
@pixel_options
@shape_option
@json_option
@verbose_option
@mixing_options
@weights_option
@block_option
@symmetric_option
def command(
    model: Path,
    output: Path,
    calibration: Path | None,
    random_count: int | None,
    method: str,
    activations: str,
    per_channel: bool,
    reduce_range: bool,
    integer_io: bool,
    mean: tuple[float, ...],
    scale: tuple[float, ...],
    shapes: Shapes,
    as_json: bool,
    verbose: bool,
    weights: str | None,
    block: str,
    symmetric: bool,
    mixing: Mixing,
) -> None:
    """Quantise a float32 model: weights and activations of 8 bits, a quarter of the bytes.

    The float model runs on samples of what it will see; the range of each of its tensors gives a scale and a
    zero point: value = (integer - zero) * scale.  A hundred samples of all kinds that occur are usually
    enough.  They must be prepared as in use: the same --mean and --scale as for nnc run.

    The result is an ONNX model with QuantizeLinear and DequantizeLinear around its operators; nnc compile
    and onnxruntime run it in 8-bit integers.  The report shows scales and zero points (-v: of every tensor),
    the sizes of both models, and the largest error of the outputs, quantised beside float, on the samples.

    Layers that must not lose anything stay in float32 with --float.  --mixed chooses them: those go back that
    alone do most harm for their bytes, until the network loses no more than --max-loss on the samples; the
    report has loss and DRAM bytes beside those of 8 bits and of float everywhere.  16-bit activations are not
    offered: no chip multiplies integers of 16 bits, so they would gain nothing over --float.

    With --weights, only weights change, and no samples are needed: those of MatMul and Gemm become integers
    of 4 or 8 bits in blocks (MatMulNBits), a seventh of the bytes of float32, or two.  Activations stay
    float32 or float16, and so does all else in the model.  The report shows how many products were quantised,
    why others were not, and the errors of the weights.

    \b
    Examples:
      nnc quantize model.onnx --calibration pictures/ --scale 0.00390625 -o model.int8.onnx
      nnc quantize model.onnx --calibration samples.npz -o model.int8.onnx --activations u8
      nnc quantize model.onnx --random 8 -o model.int8.onnx --shape input=1,3,224,224
      nnc quantize model.onnx --calibration pictures/ -o model.mixed.onnx --float conv1 --float linear
      nnc quantize model.onnx --calibration cal.npz --mixed --max-loss 0.5% -o m.onnx
      nnc quantize model.onnx --weights int4 -o model.w4.onnx
      nnc quantize model.onnx --weights int8 --block 64 --asymmetric -o model.w8.onnx -v
    """
    insist_on_one_way(has_weights=weights is not None)
    if weights is not None:
        quantize_weights(model, output, weights, int(block), symmetric, as_json=as_json, verbose=verbose)
        return
    if (calibration is None) == (random_count is None):
        raise click.UsageError("Give one of --calibration DIR|FILE.npz, --random N, --weights int4|int8.")
    insist_on_mixed(mixing)
    options = method, activations, per_channel, reduce_range, integer_io, mixing.floats
    given = _Given(calibration, random_count or 1, (mean, scale), shapes, mixing)
    _quantize_all(model, output, given, options, as_json=as_json, verbose=verbose)


class _Given(NamedTuple):
    """What a network is calibrated on: samples in files, or so many random ones, and how they are read."""

    calibration: Path | None
    random_count: int
    scaling: tuple[tuple[float, ...], tuple[float, ...]]
    shapes: Shapes
    mixing: Mixing


def _quantize_all(
    model: Path,
    output: Path,
    given: _Given,
    options: tuple[str, str, bool, bool, bool, tuple[str, ...]],
    *,
    as_json: bool,
    verbose: bool,
) -> None:
    """Quantise weights and activations, write the result and print what was done.

    Args:
        options: the fields of `nnc.quantize.quantize.Options` in their order.
    """
    from nnc.io.pictures import PixelScaling
    from nnc.isa.files import write_whole
    from nnc.quantize import quantize
    from nnc.quantize.calibration import random_samples, read_samples
    from nnc.quantize.float_model import load_float_model
    from nnc.quantize.quantiser import Options

    with ShownProgress("reading") as progress:
        quantize.insist_on_onnxruntime()
        before = load_float_model(model, dict(given.shapes))
        scaling = PixelScaling(*given.scaling)
        if given.calibration is not None:
            samples = read_samples(given.calibration, before.inputs, scaling)
        else:
            samples = random_samples(before.inputs, given.random_count)
        search = mixer(before, samples, given.mixing, scaling, progress) if given.mixing.mixed else None
        choose = None if search is None else search.choose
        asked = Options(*options)
        after = quantize.quantize(before, samples, asked, str(model), progress, choose=choose)
        write_whole(output, [after.data])
    is_random = given.calibration is None
    mixed = None if search is None else search.mixed
    if as_json:
        data = _json(before, after, samples, output, is_random=is_random)
        emit_json({**data, "mixed": None if mixed is None else mixed_json(mixed)})
        return
    say(f"{model.name} quantised on {plural(samples.count, 'sample')}: {samples.source}")
    for item in _report(before, after, verbose=verbose):
        say_or_show(item)
    if mixed is not None:
        for item in mixed_report(mixed, given.mixing.chip):
            say_or_show(item)
    if is_random:
        say("              on random data: say nothing of accuracy")
    say(f"model     {output}")


def _json(
    before: FloatModel, after: Quantized, samples: Samples, output: Path, *, is_random: bool
) -> dict[str, Any]:
    return {
        "file": str(output),
        "samples": samples.count,
        "source": samples.source,
        "random": is_random,
        "bytes": len(after.data),
        "bytes_before": before.nbytes,
        "errors": [
            {"output": e.output, "max_abs_error": e.absolute, "max_rel_error": e.relative}
            for e in after.errors
        ],
        "integers": list(after.integers),
        "float": list(after.floats),
        "tensors": [tensor.to_json() for tensor in after.tensors],
        "remarks": list(after.remarks),
    }


def _report(before: FloatModel, after: Quantized, *, verbose: bool) -> Iterator[str | Table]:
    if after.tensors:
        yield _every_tensor(after.tensors) if verbose else _kinds(after.tensors)
    if after.floats:
        yield f"float         {len(after.floats)} of the layers: {', '.join(after.floats)}"
    if verbose:
        yield from (f"remark        {remark}" for remark in after.remarks)
    if after.integers:
        yield f"integers      {', '.join(after.integers)}"
    ratio = before.nbytes / len(after.data)
    yield (
        f"size          {human_bytes(before.nbytes)} before, {human_bytes(len(after.data))} after"
        f" ({ratio:.2f} times smaller)"
    )
    for error in after.errors:
        yield (
            f"largest error {error.output}: {error.absolute:.3g},"
            f" {error.relative:.2%} of the largest magnitude on the samples"
        )


def _kinds(tensors: Sequence[QuantizedTensor]) -> Table:
    """A row per kind and type: how many, and from where to where their scales and zero points go."""
    table = _table("tensors", "type", "count", "scales", "scale", "zero point")
    for kind, dtype in dict.fromkeys((tensor.kind, tensor.dtype) for tensor in tensors):
        rows = [tensor for tensor in tensors if (tensor.kind, tensor.dtype) == (kind, dtype)]
        scales = [scale for tensor in rows for scale in tensor.scales]
        zeros = [zero for tensor in rows for zero in tensor.zeros]
        table.add_row(kind, dtype, f"{len(rows):,}", f"{len(scales):,}", _span(scales), _span(zeros))
    return table


def _every_tensor(tensors: Sequence[QuantizedTensor]) -> Table:
    table = _table("tensor", "kind", "type", "scales", "scale", "zero point")
    for tensor in tensors:
        count = f"{len(tensor.scales):,}"
        table.add_row(
            tensor.name, tensor.kind, tensor.dtype, count, _span(tensor.scales), _span(tensor.zeros)
        )
    return table


def _table(*columns: str) -> Table:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in columns:
        right = column in ("count", "scales")
        table.add_column(column, justify="right" if right else "left", overflow="fold")
    return table


def _span(values: Sequence[float]) -> str:
    """``0.0123``, or ``0.0123 … 4.56`` from the least to the largest."""
    low, high = min(values), max(values)
    return f"{low:.4g}" if low == high else f"{low:.4g} … {high:.4g}"
