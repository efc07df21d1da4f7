"""nnc quantize --weights: its options, what it does and what it prints."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from nnc.cli.classes import HeadedOption
from nnc.cli.names import Name
from nnc.cli.output import emit_json, human_bytes, plural, say, say_or_show
from nnc.cli.paths import model_files
from nnc.cli.progress import ShownProgress
from nnc.cli.quantize_mixed import MIXED_OPTIONS

if TYPE_CHECKING:
    from rich.table import Table

    from nnc.quantize.weights_only import QuantizedWeights

_HEADING = "Weights alone"
_BITS = {"int4": 4, "int8": 8}
_BLOCKS = ("16", "32", "64", "128", "256")
_SHOWN = 5
"""Products with the largest errors that are shown without -v."""
_FOR_WEIGHTS = frozenset({"block", "symmetric"})
_FOR_ALL = frozenset({
    "calibration", "random_count", "method", "activations", "per_channel", "reduce_range", "integer_io",
    "mean", "scale", "shapes", *MIXED_OPTIONS
})  # fmt: skip

weights_option = click.option(
    "--weights",
    type=Name(lambda: _BITS),
    cls=HeadedOption,
    heading=_HEADING,
    metavar="int4|int8",
    help="Quantise only the weights of MatMul and Gemm, without samples: each block has a scale of its own,"
    " that of the least squared error.",
)
block_option = click.option(
    "--block",
    type=Name(lambda: _BLOCKS),
    cls=HeadedOption,
    heading=_HEADING,
    metavar="|".join(_BLOCKS),
    default="32",
    show_default=True,
    help="Weights with a common scale, along what the product sums over.",
)
symmetric_option = click.option(
    "--symmetric/--asymmetric",
    default=True,
    cls=HeadedOption,
    heading=_HEADING,
    show_default=True,
    help="No zero points, or one for each block: smaller errors, half a byte or one more per block.",
)


def insist_on_one_way(*, has_weights: bool) -> None:
    """Do nothing if the options of the command that runs belong together.

    Args:
        has_weights: whether weights alone are quantised.

    Raises:
        OptionError: some are for the other way to quantise.
    """
    from nnc.isa.errors import OptionError

    context = click.get_current_context()
    wrong = [
        _as_given(option, context.params[str(option.name)])
        for option in context.command.params
        if option.name in (_FOR_ALL if has_weights else _FOR_WEIGHTS)
        and context.get_parameter_source(option.name) is ParameterSource.COMMANDLINE
    ]
    if not wrong:
        return
    options = ", ".join(wrong)
    if has_weights:
        raise OptionError(
            "weights alone are quantised without samples, whatever the activations and shapes are",
            where="--weights",
            found=options,
            remedy=f"leave {options} out, or leave --weights out to quantise activations, too",
        )
    raise OptionError(
        "blocks are for weights alone",
        where=options,
        found="no --weights",
        remedy=f"add --weights int4 or --weights int8, or leave {options} out",
    )


def _as_given(option: click.Parameter, value: object) -> str:
    """An option as it was written: of a pair, the one that means this value."""
    return option.secondary_opts[0] if value is False and option.secondary_opts else option.opts[0]


def quantize_weights(
    model: Path, output: Path, weights: str, block: int, symmetric: bool, *, as_json: bool, verbose: bool
) -> None:
    """Quantise the weights of a model's products, write the result and print what was done."""
    with ShownProgress("reading") as progress:
        from nnc.isa.files import write_whole
        from nnc.quantize import weights_only
        from nnc.quantize.block_rounding import BlockOptions

        options = BlockOptions(_BITS[weights], block, symmetric)
        after = weights_only.quantize_weights(model, options, progress)
        before = sum(file.stat().st_size for file in model_files(str(model)))
        write_whole(output, [after.data])
    if as_json:
        form = {"weights": weights, "block": block, "symmetric": symmetric}
        emit_json({"file": str(output), **form, **_json(after, before)})
        return
    symmetry = "symmetric" if symmetric else "asymmetric"
    count = f"{len(after.products):,} of {plural(len(after.products) + len(after.kept), 'product')}"
    say(f"{model.name}: weights of {count} quantised to {weights} in blocks of {block}, {symmetry}")
    for item in _report(after, before, verbose=verbose):
        say_or_show(item)
    say(f"model         {output}")


def _json(after: QuantizedWeights, before: int) -> dict[str, Any]:
    return {
        "bytes": len(after.data),
        "bytes_before": before,
        "products": len(after.products) + len(after.kept),
        "quantized": len(after.products),
        "weight_bytes": after.nbytes,
        "weight_bytes_before": after.nbytes_before,
        "mean_rel_error": after.mean_error,
        "max_rel_error": after.largest_error,
        "layers": [product.to_json() for product in _worst_first(after)],
        "kept": [item.to_json() for item in after.kept],
        "float_weights_kept": list(after.floats),
    }


def _report(after: QuantizedWeights, before: int, *, verbose: bool) -> Iterator[str | Table]:
    shown = _worst_first(after)[: None if verbose else _SHOWN]
    yield _table(after, len(shown))
    if len(shown) < len(after.products):
        yield f"              and {len(after.products) - len(shown):,} with smaller errors (-v)"
    if verbose:
        yield from (f"kept          {item.name}: {item.reason}" for item in after.kept)
    else:
        reasons = Counter(item.reason for item in after.kept)
        yield from (f"kept          {count:,}: {reason}" for reason, count in reasons.items())
    yield from (f"also floats   {name}: other operators read it" for name in after.floats)
    yield f"weights       {_shrunk(after.nbytes_before, after.nbytes)}"
    yield f"size          {_shrunk(before, len(after.data))}"
    yield (
        f"errors        mean {after.mean_error:.2%}, largest {after.largest_error:.2%}"
        " (root mean square, of that of the weights)"
    )


def _worst_first(after: QuantizedWeights) -> list[Any]:
    return sorted(after.products, key=lambda product: -product.error)


def _shrunk(before: int, after: int) -> str:
    how = f"{before / after:.2f} times smaller" if after <= before else f"{after / before:.2f} times larger"
    return f"{human_bytes(before)} before, {human_bytes(after)} after ({how})"


def _table(after: QuantizedWeights, count: int) -> Table:
    """The products with the largest errors."""
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("product", "weight", "K", "N", "before", "after", "error"):
        right = column not in ("product", "weight")
        table.add_column(column, justify="right" if right else "left", overflow="fold")
    for product in _worst_first(after)[:count]:
        sizes = f"{product.depth:,}", f"{product.channels:,}"
        nbytes = human_bytes(product.nbytes_before), human_bytes(product.nbytes)
        table.add_row(product.name, product.weight, *sizes, *nbytes, f"{product.error:.2%}")
    return table
