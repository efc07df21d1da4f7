"""stitch: pictures of a batch side by side in one wide picture, where lanes run along pixels (method M4).

before:  y = conv(x [16, 8, 8, 8], pad 1)                       128 vectors of 64 lanes per tap and channel
after:   p = pad(x as [1, 8, 8, 16, 8]): 16 pictures, pitch 9   each with a border of zeros that two share
         y = conv(p as [1, 8, 3, 1153])                         18 vectors: all rows are one run of pixels
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import prod

from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.annotations import StitchedLayer, Stitching
from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.required import required
from nnc.compiler.passes.base import Pass
from nnc.compiler.passes.stitch.pitch import filling
from nnc.compiler.passes.stitch.region import Region, Windowed, find_region
from nnc.compiler.passes.stitch.stitched_layers import StitchWriter
from nnc.compiler.target import layer_work
from nnc.compiler.target.target import Target


def _run(graph: Graph, target: Target) -> None:
    region = find_region(graph) if target.pictures else None
    if region is None:
        return
    pictures = min(target.pictures, region.batch)
    figures = tuple(stitched_figures(graph, region, target, pictures))
    stitches = [*_stitches(graph, region, pictures)]
    for tensor in region.exits:
        _leave(graph, tensor, [writer.unstitched(tensor) for writer in stitches])
    for name in reversed(region.layers):
        if name in graph:
            graph.remove(name)
    graph.annotate(replace(graph.notes, stitch=Stitching(pictures, figures)))


def _stitches(graph: Graph, region: Region, pictures: int) -> Iterator[StitchWriter]:
    """The layers of a region, written for so many pictures after the other."""
    for number, first in enumerate(range(0, region.batch, pictures)):
        writer = StitchWriter(graph, region, number, first, min(pictures, region.batch - first))
        for name in region.layers:
            writer.write(graph.layer(name))
        yield writer


def _leave(graph: Graph, tensor: str, batches: list[str]) -> None:
    """Let a tensor of the network be the pictures of all stitches."""
    last = batches[0]
    if len(batches) > 1:
        loc = required(graph.producer(tensor)).loc
        joined = ir.Concat(name=graph.fresh(f"{tensor}.unstitched"), loc=loc, axis=0)
        last = graph.output_of(graph.add(joined, batches, [joined.name], [graph.types[tensor]]).name)
    graph.take_over_output(required(graph.producer(last)).name, tensor)


def stitched_figures(graph: Graph, region: Region, target: Target, pictures: int) -> Iterator[StitchedLayer]:
    """What each convolution and pool of a stitch gains, by the chip's price for runs of pixels."""
    for name in region.layers:
        layer = graph.layer(name)
        if not isinstance(layer, Windowed):
            continue
        source, out = required(graph.inputs_of(name)[0]), graph.output_of(name)
        shape, merged = graph.types[out].shape, layer.stride == (1, 1)
        pitch = region.pitch // region.scales[out]
        lanes = target.lanes_of(graph.types[source].dtype)
        alone_merged = merged and not any((*layer.pad_begin, *layer.pad_end)) and prod(layer.kernel) == 1
        filled = filling(pictures, shape[2], shape[3], pitch, lanes, merged=merged, alone_merged=alone_merged)
        yield StitchedLayer(
            layer=name,
            pictures=pictures,
            pitch=region.pitch // region.scales[source],
            width=graph.types[source].shape[3],
            merged=merged,
            vectors=filled.vectors,
            unstitched=filled.alone,
            utilisation=filled.utilisation,
            macs=pictures * layer_work.macs(graph, layer) // region.batch
            if isinstance(layer, ir.Conv)
            else 0,
        )


STITCH = Pass("stitch", _run)
