"""Random networks that put the elements of pictures elsewhere: shuffles of channels, pixels, windows, rolls.

Between such moves stand the blocks of ``random_shared_tensors``; every tensor may be read again later.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import onnx
from hypothesis import assume
from hypothesis import strategies as st
from random_net import MOST_ELEMENTS, Draw, Value, ints
from random_shared_tensors import BLOCKS, MOST_CHANNELS, Block, SharedNet

from nnc.compiler.ir.required import required

CHANNELS = [4, 6, 8, 10, 12, 16, 18, 24]


@st.composite
def rearranged_networks(draw: Draw) -> onnx.ModelProto:
    """Two to seven blocks on a picture, at least every other of which moves elements."""
    shape = (draw(st.sampled_from([1, 1, 1, 2])), draw(st.sampled_from(CHANNELS)), draw(ints(4, 18)))
    net = SharedNet(
        np.random.default_rng(draw(ints(0, 999))), values=[Value("x", (*shape, draw(ints(4, 18))))]
    )
    for _ in range(draw(ints(2, 7))):
        result = draw(st.sampled_from(MOVES if draw(st.booleans()) else BLOCKS))(net, draw)
        if result is not None:
            net.values.append(result)
    if len(net.values) == 1:
        last = net.relu(net.values[0])
        assume(last is not None)
        net.values.append(required(last))
    return net.model(net.values[0])


def _reshaped(net: SharedNet, x: Value, shape: Sequence[int]) -> Value:
    return net.append("Reshape", [x.name, net.constant(shape, np.int64)], shape)


def _turned(
    net: SharedNet, x: Value, split: Sequence[int], order: Sequence[int], shape: Sequence[int]
) -> Value:
    """Reshape, transpose, reshape."""
    apart = _reshaped(net, x, split)
    turned = net.append("Transpose", [apart.name], [split[axis] for axis in order], perm=list(order))
    return _reshaped(net, turned, shape)


def _factors(n: int, most: int) -> list[int]:
    return [f for f in range(2, most + 1) if n % f == 0]


def _grouped(net: SharedNet, draw: Draw, x: Value) -> Value | None:
    """A convolution in groups, or depthwise; x itself if its channels have no factor."""
    groups = [*_factors(x.shape[1], 8), x.shape[1]]
    group = draw(st.sampled_from(groups))
    channels = group * draw(ints(1, max(1, min(4, MOST_CHANNELS // group))))
    return net.conv(x, channels, draw(st.sampled_from([1, 1, 3])), group=group)


def _shuffle(net: SharedNet, draw: Draw) -> Value | None:
    """Channels of groups dealt out, as ShuffleNet has it; in groups, or not, before and behind."""
    x = net.any(draw, lambda value: bool(_factors(value.shape[1], 8)))
    if x is not None and draw(st.booleans()):
        x = _grouped(net, draw, x)
    if x is None or not _factors(x.shape[1], 8):
        return x
    groups, (n, c, h, w) = draw(st.sampled_from(_factors(x.shape[1], 8))), x.shape
    x = _turned(net, x, (n, groups, c // groups, h, w), (0, 2, 1, 3, 4), x.shape)
    match draw(ints(0, 4)):
        case 0:
            return x
        case 1:
            net.values.append(x)
            return _grouped(net, draw, x)
        case 2:
            return net.conv(x, draw(st.sampled_from(CHANNELS)), draw(st.sampled_from([1, 3])))
        case 3:
            x = net.conv(x, c, 3, draw(st.sampled_from([1, 2])), group=c)
        case _:
            x = net.relu(x)
    return None if x is None else _grouped(net, draw, x)


def _unit(net: SharedNet, draw: Draw) -> Value | None:
    """ShuffleNetV2: one half as it is beside a convolution of the other, shuffled and cut in halves again."""
    x = net.any(draw, lambda value: value.shape[1] % 2 == 0)
    if x is None:
        return None
    half, (n, _, h, w) = x.shape[1] // 2, x.shape
    halves = [f"{x.name}.h{len(net.nodes)}.{side}" for side in "ab"]
    sizes = net.constant([half, half], np.int64)
    node = onnx.helper.make_node("Split", [x.name, sizes], halves, name=halves[0], axis=1)
    net.nodes.append(node)
    made = net.conv(Value(halves[1], (n, half, h, w)), half, draw(st.sampled_from([1, 3])))
    if made is None:
        return net.relu(Value(halves[0], (n, half, h, w)))
    joined = net.append(
        "Concat", [halves[0], net.relu(made).name if draw(st.booleans()) else made.name], x.shape, axis=1
    )
    return _turned(net, joined, (n, 2, half, h, w), (0, 2, 1, 3, 4), x.shape)


def _pixels(net: SharedNet, draw: Draw) -> Value | None:
    """Channels to pixels or back."""
    if draw(st.booleans()):
        x = net.any(draw, lambda value: value.shape[1] % 4 == 0)
        if x is None:
            return None
        n, c, h, w = x.shape
        mode = draw(st.sampled_from(["DCR", "CRD"]))
        return net.op("DepthToSpace", [x.name], (n, c // 4, 2 * h, 2 * w), blocksize=2, mode=mode)
    x = net.any(draw, lambda v: v.shape[2] % 2 == v.shape[3] % 2 == 0 and 4 * v.shape[1] <= MOST_CHANNELS)
    if x is None:
        return None
    n, c, h, w = x.shape
    return net.op("SpaceToDepth", [x.name], (n, 4 * c, h // 2, w // 2), blocksize=2)


def _windows(net: SharedNet, draw: Draw) -> Value | None:
    """Windows of tokens and back, as Swin has them; or patches as tokens, as ViT has them."""
    x = net.any(draw, lambda value: bool(_factors(value.shape[2], 5) and _factors(value.shape[3], 5)))
    if x is None:
        return None
    n, c, h, w = x.shape
    a, b = draw(st.sampled_from(_factors(h, 5))), draw(st.sampled_from(_factors(w, 5)))
    split = (n, c, h // a, a, w // b, b)
    if draw(ints(0, 2)) == 0:
        tokens = _turned(net, x, split, (0, 2, 4, 1, 3, 5), (n, h * w // (a * b), c * a * b))
        size = draw(st.sampled_from([4, 6]))
        patches = net.op(
            "MatMul",
            [tokens.name, net.weight(tokens.shape[2], size, fan_in=tokens.shape[2])],
            (*tokens.shape[:2], size),
        )
        if patches is None:
            return None
        turned = net.append("Transpose", [patches.name], (n, size, patches.shape[1]), perm=[0, 2, 1])
        return _reshaped(net, turned, (n, size, h // a, w // b))
    tokens = _turned(net, x, split, (0, 2, 4, 3, 5, 1), (n * h * w // (a * b), a * b, c))
    if draw(st.booleans()):
        tokens = net.append("MatMul", [tokens.name, net.weight(c, c, fan_in=c)], tokens.shape)
    else:
        tokens = net.append("Softmax", [tokens.name], tokens.shape, axis=draw(st.sampled_from([1, 2])))
    return _turned(net, tokens, (n, h // a, w // b, a, b, c), (0, 5, 1, 3, 2, 4), x.shape)


def _attention(net: SharedNet, draw: Draw) -> Value | None:
    """Pixels of one place in their patches as tokens, as MobileViT has them, and attention by heads."""
    x = net.any(draw, lambda value: value.shape[2] % 2 == value.shape[3] % 2 == 0 and value.shape[1] % 2 == 0)
    if x is None:
        return None
    n, c, h, w = x.shape
    heads, count = draw(st.sampled_from(_factors(c, 4))), h * w // 4
    if n * 4 * heads * count * count > MOST_ELEMENTS:
        return None
    y = _turned(net, x, (n * c * h // 2, 2, w // 2, 2), (0, 2, 1, 3), (n, c, count, 4))
    y = _turned(net, y, y.shape, (0, 3, 2, 1), (n * 4, count, c))
    query, key, value = _projected(net, draw, y, heads)
    turned = net.append("Transpose", [key.name], (*key.shape[:2], *key.shape[:1:-1]), perm=[0, 1, 3, 2])
    scores = (n * 4, heads, count, count)
    product = net.append("MatMul", [query.name, turned.name], scores)
    match draw(ints(0, 3)):
        case 0:
            product = net.append("Mul", [product.name, net.constant(0.5, np.float32)], scores)
        case 1:
            product = net.append("Add", [product.name, net.weight(heads, count, count)], scores)
        case _:
            pass
    weights = net.append("Softmax", [product.name], scores, axis=3)
    seen = net.append("MatMul", [weights.name, value.name], value.shape)
    y = _turned(net, seen, seen.shape, (0, 2, 1, 3), y.shape)
    y = net.append("MatMul", [y.name, net.weight(c, c, fan_in=c)], y.shape)
    y = _turned(net, y, (n, 4, count, c), (0, 3, 2, 1), (n * c * h // 2, w // 2, 2, 2))
    return _turned(net, y, y.shape, (0, 2, 1, 3), x.shape)


def _projected(net: SharedNet, draw: Draw, y: Value, heads: int) -> list[Value]:
    """Queries, keys and values by heads: three products, or one whose result is taken apart."""
    batch, count, c = y.shape
    split, shape = (batch, count, heads, c // heads), (batch, heads, count, c // heads)
    if draw(st.booleans()):
        three = [net.append("MatMul", [y.name, net.weight(c, c, fan_in=c)], y.shape) for _ in range(3)]
    else:
        one = net.append("MatMul", [y.name, net.weight(c, 3 * c, fan_in=c)], (batch, count, 3 * c))
        names = [f"{one.name}.{part}" for part in "qkv"]
        sizes = net.constant([c] * 3, np.int64)
        net.nodes.append(onnx.helper.make_node("Split", [one.name, sizes], names, name=names[0], axis=2))
        three = [Value(name, y.shape) for name in names]
    apart = [_reshaped(net, part, split) for part in three]
    return [net.append("Transpose", [part.name], shape, perm=[0, 2, 1, 3]) for part in apart]


def _roll(net: SharedNet, draw: Draw) -> Value | None:
    """What leaves a picture on one side comes in on the other."""
    x, axis = net.any(draw), draw(st.sampled_from([1, 2, 3]))
    if x is None or x.shape[axis] < 2:
        return None
    at, extent = draw(ints(1, x.shape[axis] - 1)), x.shape[axis]
    pieces = []
    for first, end in ((at, extent), (0, at)):
        bounds = [net.constant([n], np.int64) for n in (first, end, axis)]
        pieces.append(
            net.append("Slice", [x.name, *bounds], (*x.shape[:axis], end - first, *x.shape[axis + 1 :]))
        )
    return net.append("Concat", [piece.name for piece in pieces], x.shape, axis=axis)


MOVES: Sequence[Block] = [_shuffle, _shuffle, _shuffle, _unit, _unit, _pixels, _windows, _attention, _roll]
