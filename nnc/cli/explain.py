"""nnc explain: why a plan is as it is, and what would flip its decisions."""

from __future__ import annotations

from pathlib import Path

import click

from nnc.cli.classes import HeadedCommand
from nnc.cli.logs import logged
from nnc.cli.options import Target, json_option, log_option, target_options
from nnc.cli.paths import ReadPath, model_files
from nnc.cli.progress import ShownProgress


@click.command("explain", cls=HeadedCommand, short_help="Say why a plan is as it is, and what would flip it.")
@click.argument("model", type=ReadPath(model_files), metavar="MODEL.onnx")
@click.argument("layers", metavar="[LAYER [LAYER2]]", nargs=-1)
@click.option(
    "--compilations",
    type=click.IntRange(min=0, max=10_000),
    default=40,
    show_default=True,
    help="Compile at most so often to find what flips a decision; 0: say only what decided.",
)
@click.option(
    "--prove", is_flag=True, help="Show what changes in the whole plan with the change that flips a decision."
)
@target_options
@json_option
@log_option
def command(
    model: Path,
    layers: tuple[str, ...],
    compilations: int,
    prove: bool,
    target: Target,
    as_json: bool,
    verbosity: int,
) -> None:
    """Say why a plan is as it is: which bound decided, by how much, and the smallest change that flips it.

    Two layers: why they are, or are not, in one group.  One layer: why its group ends where it does, is
    computed in so many parts, and on so many cores.  None: the five decisions that cost the network most
    beside its floors.  Nodes of the model stand for the layers that compute them.

    The change is that of one thing: the size of a memory, the rate of the DRAM, the number of cores, the
    objective, the effort, or fewer channels of a layer that was asked about (what must follow, follows).  It
    is found by compiling with others, and bisecting; both neighbours are shown.

    A model that is refused is explained, too: nodes with their neighbours and the forms that can be
    compiled, or the memory that would be enough.

    \b
    Examples:
      nnc explain model.onnx
      nnc explain model.onnx conv4 conv5 --chip npu4
      nnc explain model.onnx conv4 --prove
      nnc explain model.onnx --compilations 0
    """
    from nnc.cli.explain_text import explanation_text
    from nnc.cli.output import emit_json, say_or_show
    from nnc.explanations.explain import explain

    if len(layers) > 2:
        raise click.UsageError("A question is about two layers at the most.")
    with logged(verbosity), ShownProgress("compiling") as progress:
        explanation = explain(
            model,
            list(layers),
            target.chip,
            compilations=compilations,
            prove=prove,
            **target.arguments(progress),
        )
    if as_json:
        emit_json(explanation.model_dump(mode="json", by_alias=True))
        return
    for item in explanation_text(explanation, verbose=verbosity > 0):
        say_or_show(item)
