"""The verifier of graphs: blocks on chip, what lies in them, and DRAM, broken on purpose."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from graph_damage import Break, edited, noted, renoted
from stage_graphs import at, cases, caught, chip, load_of, move

from nnc.compiler.ir.annotations import Place
from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.verify.levels import verify_graph
from nnc.isa.instruction import Phase

# --- contents of blocks ------------------------------------------------------------------------------------


def lie_on(tensor: str, other: str) -> Break:
    """Let a tile take the very elements of another one (of its shape)."""
    return edited("storage", lambda table: table.update({tensor: table[other]}))


def sums(graph: Graph) -> tuple[str, str]:
    """A partial sum and its continuation."""
    node = next(layer for layer in graph.layers() if getattr(layer, "phase", None) is Phase.ADD)
    return str(graph.inputs_of(node.name)[-1]), graph.output_of(node.name)


def test_a_result_may_take_the_place_of_an_operand_that_nobody_else_reads() -> None:
    graph = at("partition")
    source = load_of(graph, "c/p0")
    lie_on("c/p0", source)(graph)
    verify_graph(graph)


def test_a_tile_that_is_read_again_must_not_be_overwritten() -> None:
    graph = at("partition")
    source = load_of(graph, "b/p0")
    assert source == load_of(graph, "c/p0")
    lie_on("b/p0", source)(graph)
    caught(graph, f"layer c/p0 .elementwise.: {source}, which it reads, has been overwritten")


def test_weights_must_not_be_loaded_over_the_input() -> None:
    graph = at("partition")
    features, weights = load_of(graph, "a/p0"), load_of(graph, "a/p0", 1)
    move(weights, buffer=graph.storage[features].buffer)(graph)
    caught(graph, "which it reads, has been overwritten")


def test_a_window_cannot_work_in_place() -> None:
    graph = at("partition")
    features = load_of(graph, "a/p0")
    move("a/p0", buffer=graph.storage[features].buffer)(graph)
    caught(graph, f"layer a/p0 .conv.: it overwrites {features} while reading it")


def test_partial_sums_are_updated_in_their_own_place_only() -> None:
    graph = at("partition", "chunked")
    earlier, later = sums(graph)
    assert graph.storage[earlier] == graph.storage[later]
    move(later, offset=1)(graph)
    caught(graph, f"it overwrites {earlier} while reading it")


# --- placed ------------------------------------------------------------------------------------------------


def displace(tensor: str, **changes: Any) -> Break:
    return renoted("places", lambda table: table.update({tensor: replace(table[tensor], **changes)}))


def put_on(tensor: str, other: str) -> Break:
    """Give a tile the address of another one."""
    return lambda graph: displace(tensor, address=graph.notes.places[other].address)(graph)


@cases(
    ("a/p0: the tile has no place", renoted("places", lambda table: table.pop("a/p0"))),
    (
        "ghost: a place for what is no tile",
        renoted("places", lambda table: table.update(ghost=Place("sram", 0, 4, 0, 0))),
    ),
    ("a/p0: the place has 5 bytes", displace("a/p0", nbytes=5)),
    ("a/p0: chip npu has no memory dream", displace("a/p0", memory="dream")),
    ("a/p0: bytes 576 to .* of sram, which has 576", displace("a/p0", address=576)),
    ("a/p0: bytes -64 to", displace("a/p0", address=-64)),
    ("a/p0: its block begins at 8, which is no multiple of 64", displace("a/p0", address=8)),
    ("a/p0: alive from step 0 on, but issued in", displace("a/p0", first=0)),
    ("a/p0: alive until step 0, but read in", displace("a/p0", last=0)),
    ("it overlaps .*, which is alive, at sram", lambda g: put_on("a/p0", load_of(g, "a/p0"))(g)),
    (
        "it overlaps .*, which is alive, at sram",
        lambda g: put_on(load_of(g, "a/p0", 1), load_of(g, "a/p0"))(g),
    ),
)
def test_places(message: str, damage: Break) -> None:
    graph = at("place")
    damage(graph)
    caught(graph, message, chip())


def test_tiles_of_a_block_lie_where_the_block_is() -> None:
    graph = at("place", "chunked")
    _, later = sums(graph)
    displace(later, address=graph.notes.places[later].address + 4)(graph)
    caught(graph, f"{later}: its block .* begins at", chip())


def first_piece(graph: Graph) -> Any:
    return next(piece for piece in graph.notes.pieces if piece.constant == "w")


def beyond(graph: Graph) -> None:
    piece = first_piece(graph)
    renoted("pieces", lambda table: table.update({piece._replace(low=(9, 0, 0, 0)): 0}))(graph)


@cases(
    (
        "the part of w that it reads is not packed",
        lambda g: renoted("pieces", lambda table: table.pop(first_piece(g)))(g),
    ),
    ("packed at dram.0x0, over", renoted("pieces", lambda table: table.update(dict.fromkeys(table, 0)))),
    ("it ends at .*, beyond 8 bytes of constants", noted(constant_bytes=8)),
    ("w: a packed piece .* at .9, 0, 0, 0.", beyond),
    ("a: the buffer has no address", renoted("buffers", lambda table: table.pop("a"))),
    ("a: the buffer lies at dram.0 to", renoted("buffers", lambda table: table.update(a=0))),
    (
        "a: the buffer lies at .*, outside",
        lambda g: renoted("buffers", lambda table: table.update(a=g.notes.dram_bytes))(g),
    ),
    (
        "the buffer overlaps (a|x), which is alive",
        renoted("buffers", lambda table: table.update(x=table["a"])),
    ),
    ("the buffer overlaps", renoted("buffers", lambda table: table.update(a=table["d"]))),
    ("B of DRAM: the chip has", noted(dram_bytes=2**40)),
)
def test_dram(message: str, damage: Break) -> None:
    graph = at("place")
    damage(graph)
    caught(graph, message, chip())


def test_tables_of_row_gathers_are_packed_whole() -> None:
    graph = at("place", "table")
    noted(pieces={})(graph)
    caught(graph, "the part of t that it reads is not packed", chip())
