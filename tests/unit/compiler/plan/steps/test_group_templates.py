"""Templates and bindings: groups that are alike have one shape, and the steps of one serve the other."""

from __future__ import annotations

from fusion_networks import network_of
from pass_harness import graph_of

from nnc.compiler.ir.graph import TensorType
from nnc.compiler.ir.layers import Elementwise
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
    (layer,), (x, *_, y), (loc,) = binding.layers, binding.tensors, binding.locs
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


def test_names_that_are_made_in_several_ways_are_not_clear() -> None:
    loc = steps_of(shape_of_layer(network(), 1)[1])[0]
    assert isinstance(loc, Load)
    binding = Binding(("a", "b"), (), (), (loc.loc,))
    assert binding.name([(False, 0, 0, "/p0"), (False, 0, 1, "/p0")]) is None
    assert binding.name([(True, 0, 0, "/p0")]) == "b/a/p0"
