"""Templates and bindings: groups that are alike have one shape, and the steps of one serve the other."""

from __future__ import annotations

from fusion_networks import network_of
from pass_harness import graph_of

from nnc.compiler.ir.graph import TensorType
from nnc.compiler.ir.layers import Elementwise, Loc
from nnc.compiler.pipeline import canonicalise
from nnc.compiler.plan.network.plan_network import PlanNetwork
from nnc.compiler.plan.step import Compute, Load, Steps, Store, Tile
from nnc.compiler.plan.steps.shape import shape_of_group, shape_of_layer
from nnc.compiler.plan.steps.template import Binding, Template
from nnc.isa.types import DType

CHAIN = """(float[1,4,12,8] x) => (y) {
    a = Conv <pads=[1,1,1,1]> (x, w)
    b = Relu (a)
    c = Conv <pads=[1,1,1,1]> (b, v)
    d = Conv <pads=[1,1,1,1]> (c, u)
    y = Conv (d, t)
}"""


def network() -> PlanNetwork:
    shapes = {"w": (4, 4, 3, 3), "v": (4, 4, 3, 3), "u": (4, 4, 3, 3), "t": (4, 4, 3, 3)}
    return network_of(canonicalise(graph_of(CHAIN, shapes)))


def steps_of(binding: Binding) -> Steps:
    """A load, a computation and a store, as a layer in tiles has them."""
    (layer,), (x, *_, y), (loc,) = binding.stems, binding.tensors, binding.locs
    type_ = TensorType(DType.F32, (4,))
    source = Tile.dense(f"{layer}/0.0", x, (0,), type_, (0,), "sram")
    out = Tile.dense(f"{layer}/p0", y, (0,), type_, (0,), "sram")
    made = Elementwise(name=f"{layer}/p0", loc=loc, function="relu")
    return (
        Load(part=0, core=0, loc=loc, tile=source),
        Compute(part=0, core=0, layer=made, out=out, ins=(source,)),
        Store(part=0, core=0, loc=loc, tile=out),
    )


def test_layers_that_differ_in_names_alone_have_one_shape_and_share_steps() -> None:
    found = [shape_of_layer(network(), position) for position in range(4)]
    shapes, bindings = zip(*found, strict=True)
    assert len(set(shapes[1:3])) == 1
    assert shapes[0] != shapes[3], "the last layer has no padding"
    mine, other = bindings[1:3]
    assert mine != other and len(mine.tensors) == len(other.tensors)
    template = Template(steps_of(mine), mine)
    assert template.bound(mine) == steps_of(mine)
    assert template.bound(other) == steps_of(other) != steps_of(mine)


def test_tiles_that_steps_share_are_shared_by_the_steps_of_other_bindings() -> None:
    mine, other = (shape_of_layer(network(), position)[1] for position in (1, 2))
    load, compute, store = Template(steps_of(mine), mine).bound(other) or ()
    assert isinstance(load, Load) and isinstance(compute, Compute) and isinstance(store, Store)
    assert load.tile is compute.ins[0] and store.tile is compute.out


def test_a_group_knows_who_else_reads_and_makes_what_it_touches() -> None:
    """The same layers at the end of a network are not what they are in its middle."""
    one, other = (shape_of_group(network(), at, at)[0] for at in (1, 2))
    last = shape_of_group(network(), 3, 3)[0]
    assert one == other != last


def test_a_name_is_a_stem_and_a_tail_and_those_of_a_group_differ() -> None:
    loc, type_ = Loc("a", "Conv"), TensorType(DType.F32, (4,))
    stems = {"a/w0": "a", "y/x/p0.in": "y/x", "y/x/p0.in.k1": "y/x"}
    tiles = [Tile.dense(name, "x", (0,), type_, (0,), "sram") for name in (*stems, "a/w0.k1")]
    steps = tuple(Load(part=0, core=0, loc=loc, tile=tile) for tile in tiles)
    template = Template(steps, Binding(("a", "y/x"), ("x",), (loc,)), stems)
    renamed = template.bound(Binding(("b", "z/x"), ("x",), (loc,))) or ()
    assert [tile.name for step in renamed for tile in step.tiles if tile] == [
        "b/w0",
        "z/x/p0.in",
        "z/x/p0.in.k1",
        "b/w0.k1",
    ]
    ends = {"y/x/p0.in": "y/x/p0.in", "y/x/p0.in.k1": "y"}
    apart = Template(steps[1:3], Binding(("y/x/p0.in", "y"), ("x",), (loc,)), ends)
    assert apart.bound(Binding(("z", "z"), ("x",), (loc,))) is not None
    assert apart.bound(Binding(("z/x/p0.in.k1", "z"), ("x",), (loc,))) is None, "two names are the same"
