"""Golden texts of every canonical pass: a small graph before and after."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from block_models import with_blocks
from golden_networks import parsed
from onnx import numpy_helper, parser

from nnc.compiler.frontend.importer import import_model
from nnc.compiler.ir.dump.formats import to_text
from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.layers import Elementwise, Loc
from nnc.compiler.ir.verify.levels import verify_graph
from nnc.compiler.passes.base import Pass
from nnc.compiler.passes.canonical_passes import CANONICAL_PASSES
from nnc.compiler.passes.drop_dead import DROP_DEAD
from nnc.compiler.passes.flatten_in_pixels import FLATTEN_IN_PIXELS
from nnc.compiler.passes.fold_affine import FOLD_AFFINE
from nnc.compiler.passes.fold_factors import FOLD_FACTORS
from nnc.compiler.passes.fold_shuffles import FOLD_SHUFFLES
from nnc.compiler.passes.for_memory.hold_weights import HOLD_WEIGHTS
from nnc.compiler.passes.for_memory.split_block_sums import SPLIT_BLOCK_SUMS
from nnc.compiler.passes.for_memory.split_contractions import SPLIT_CONTRACTIONS
from nnc.compiler.passes.for_memory.split_folds import SPLIT_FOLDS
from nnc.compiler.passes.for_memory.split_joined import SPLIT_JOINED
from nnc.compiler.passes.for_memory.split_keys import SPLIT_KEYS
from nnc.compiler.passes.for_memory.split_norms import SPLIT_NORMS
from nnc.compiler.passes.for_memory.split_recurrences import SPLIT_RECURRENCES
from nnc.compiler.passes.for_memory.split_softmax import SPLIT_SOFTMAX
from nnc.compiler.passes.free_views import FREE_VIEWS
from nnc.compiler.passes.fuse_activation import FUSE_ACTIVATION
from nnc.compiler.passes.fuse_clamp import FUSE_CLAMP
from nnc.compiler.passes.fuse_conversions import FUSE_CONVERSIONS
from nnc.compiler.passes.fuse_qdq import FUSE_QDQ
from nnc.compiler.passes.fuse_residual import FUSE_RESIDUAL
from nnc.compiler.passes.join_copies import JOIN_COPIES
from nnc.compiler.passes.merge_affine import MERGE_AFFINE
from nnc.compiler.passes.merge_axes import MERGE_AXES
from nnc.compiler.passes.merge_cells import MERGE_CELLS
from nnc.compiler.passes.merge_functions import MERGE_FUNCTIONS
from nnc.compiler.passes.merge_norms import MERGE_NORMS
from nnc.compiler.passes.merge_pads import MERGE_PADS
from nnc.compiler.passes.merge_views import MERGE_VIEWS
from nnc.compiler.passes.nest_concats import NEST_CONCATS
from nnc.compiler.passes.pictures_apart import PICTURES_APART
from nnc.compiler.passes.pool_early import POOL_EARLY
from nnc.compiler.passes.read_operands import READ_OPERANDS
from nnc.compiler.passes.reorder_flattened_weights import REORDER_FLATTENED_WEIGHTS
from nnc.compiler.passes.share_constants import SHARE_CONSTANTS
from nnc.compiler.passes.share_heads import SHARE_HEADS
from nnc.compiler.passes.share_layers import SHARE_LAYERS
from nnc.compiler.passes.sink_concats import SINK_CONCATS
from nnc.compiler.passes.split_functions import SPLIT_FUNCTIONS
from nnc.compiler.passes.split_products import SPLIT_PRODUCTS
from nnc.compiler.passes.split_stacks import SPLIT_STACKS
from nnc.compiler.passes.split_sums import SPLIT_SUMS
from nnc.compiler.passes.stitch.stitch_pictures import STITCH
from nnc.compiler.passes.subsample import SUBSAMPLE
from nnc.compiler.passes.trim_kernels import TRIM_KERNELS
from nnc.compiler.passes.turn_products import TURN_PRODUCTS
from nnc.compiler.passes.unsigned_products import UNSIGNED_PRODUCTS
from nnc.compiler.target.target import ANY_CHIP, Target
from nnc.isa.functions import Function

Golden = Callable[[str, str], None]


def conv(text: str, **values: object) -> Graph:
    """A network from its text, with 4 × 2 × 3 × 3 weights `w`, vectors `a` … `d` of 4, a matrix `m`."""
    shapes = {"w": (4, 2, 3, 3), "a": (4,), "b": (4,), "c": (4,), "d": (4,), "m": (64, 5)}
    used = {name: shape for name, shape in shapes.items() if f"{name}," in text or f"{name})" in text}
    return import_model(parsed(text, used, **values))


def dead() -> Graph:
    graph = conv("g (float[1,2,6,6] x) => (float[1,4,4,4] y) { y = Conv <kernel_shape=[3,3]> (x, w) }")
    unused = Elementwise(name="unused", loc=Loc("unused", "Relu"), function=Function.RELU)
    graph.add(unused, ["y"], ["unused"], [graph.types["y"]])
    graph.add_constant("forgotten", np.ones(3, np.float32))
    return graph


def copies() -> Graph:
    """Two copies of a convolution, each with the same batch norm folded into weights of its own."""
    graph = conv(
        """g (float[1,2,6,6] left, float[1,2,6,6] right) => (float[2,4,4,4] y) {
            h = Conv <kernel_shape=[3,3]> (left, w)
            i = Conv <kernel_shape=[3,3]> (right, w)
            j = BatchNormalization (h, a, b, c, d)
            k = BatchNormalization (i, a, b, c, d)
            y = Concat <axis=0> (j, k)
        }"""
    )
    FOLD_AFFINE.apply(graph, ANY_CHIP)
    return graph


def apart() -> Graph:
    """A batch whose pictures have the first convolution for themselves."""
    return conv(
        """g (float[2,2,6,6] x) => (float[2,4,2,2] y) {
            h = Conv <kernel_shape=[3,3]> (x, w)
            y = MaxPool <kernel_shape=[3,3]> (h)
        }"""
    )


def quantised() -> Graph:
    """Two convolutions, the second with an addition; a pool and a function; a softmax, which stays real."""
    text = """g (float[1,2,6,6] x) => (float[1,4,6,6] y) {
            xq = QuantizeLinear (x, s, z)
            xd = DequantizeLinear (xq, s, z)
            wd = DequantizeLinear <axis=0> (k, ws)
            bd = DequantizeLinear <axis=0> (kb, bs)
            h = Conv <kernel_shape=[3,3], pads=[1,1,1,1]> (xd, wd, bd)
            r = Relu (h)
            rq = QuantizeLinear (r, rs, z)
            rd = DequantizeLinear (rq, rs, z)
            p = MaxPool <kernel_shape=[3,3], pads=[1,1,1,1]> (rd)
            pq = QuantizeLinear (p, rs, z)
            pd = DequantizeLinear (pq, rs, z)
            w2 = DequantizeLinear (k2, s, wz)
            i = Conv <kernel_shape=[1,1]> (pd, w2)
            iq = QuantizeLinear (i, is, iz)
            id = DequantizeLinear (iq, is, iz)
            sum = Add (id, pd)
            aq = QuantizeLinear (sum, as, z)
            ad = DequantizeLinear (aq, as, z)
            t = Sigmoid (ad)
            tq = QuantizeLinear (t, ts, z)
            td = DequantizeLinear (tq, ts, z)
            y = Softmax <axis=1> (td)
        }"""
    steps = {"s": 1 / 32, "rs": 0.5, "is": 0.75, "as": 1.25, "ts": 1 / 256}
    values: dict[str, object] = {name: np.float32(value) for name, value in steps.items()}
    values |= {
        "k": np.arange(72, dtype=np.int8).reshape(4, 2, 3, 3) - 36,
        "k2": np.arange(16, dtype=np.int8).reshape(4, 4, 1, 1) - 8,
        "kb": np.arange(4, dtype=np.int32) * 1000,
        "ws": np.array([0.5, 0.25, 0.125, 1], np.float32) / 64,
        "bs": np.array([0.5, 0.25, 0.125, 1], np.float32) / 2048,
        "z": np.uint8(0),
        "iz": np.uint8(100),
        "wz": np.int8(0),
    }
    return import_model(parsed(text, {}, **values))


def signed_products() -> Graph:
    """The network of fuse-qdq with signed activations, after that pass, for an array of unsigned bytes."""
    graph = quantised()
    FUSE_QDQ.apply(graph, ANY_CHIP)
    return graph


def in_pixels() -> Graph:
    """Pixels of three channels, so that four make two of them and two are padding."""
    return conv(
        """g (float[1,2,6,6] x) => (float[1,5] y) {
            h = Conv <kernel_shape=[3,3]> (x, w)
            f = Flatten (h)
            y = MatMul (f, m)
        }"""
    )


def large_pools() -> Graph:
    """A global average of quantised integers, and one of real numbers."""
    graph = conv(
        """g (float[1,4,6,6] x) => (float[1,4,1,1] y, float[1,4,1,1] z) {
            xq = QuantizeLinear (x, s, o)
            xd = DequantizeLinear (xq, s, o)
            p = GlobalAveragePool (xd)
            pq = QuantizeLinear (p, s, o)
            y = DequantizeLinear (pq, s, o)
            z = GlobalAveragePool (x)
        }""",
        s=np.float32(0.25),
        o=np.int8(3),
    )
    FUSE_QDQ.apply(graph, ANY_CHIP)
    return graph


def quantised_scores() -> Graph:
    """Codes before a softmax whose result is rounded."""
    return conv(
        """g (float[1,2,4,4] x) => (uint8[1,2,4,4] y) {
            i = QuantizeLinear (x, step, zero)
            s = DequantizeLinear (i, step, zero)
            p = Softmax <axis=3> (s)
            y = QuantizeLinear (p, share)
        }""",
        step=np.float32(0.05),
        zero=np.uint8(128),
        share=np.float32(1 / 255),
    )


def channels_by_channels() -> Graph:
    """Attention across the channels of a picture; one operand has vectors of length one."""
    return conv(
        """g (float[1,2,10,8] x) => (float[1,4,8,6] y) {
            q = Conv <kernel_shape=[3,3]> (x, w)
            k = Cos (q)
            qf = Reshape (q, flat)
            kf = Reshape (k, flat)
            n = ReduceL2 (kf, last)
            u = Div (kf, n)
            t = Transpose <perm=[0,2,1]> (u)
            g = MatMul (qf, t)
            s = Softmax <axis=2> (g)
            v = MatMul (s, qf)
            y = Reshape (v, whole)
        }""",
        flat=np.array([1, 4, 48]),
        last=np.array([2]),
        whole=np.array([1, 4, 8, 6]),
    )


def long_blocks() -> Graph:
    """A product with weights of few bits in four blocks, and an activation in its epilogue."""
    model = parser.parse_model(
        """<ir_version: 9, opset_import: ["": 20]> g (float[3,64] x) => (float[3,8] y) {
            s = MatMul (x, w)  y = Relu (s) }"""
    )
    model.graph.initializer.append(numpy_helper.from_array(np.zeros((64, 8), np.float32), "w"))
    graph = import_model(with_blocks(model, 1))
    FUSE_ACTIVATION.apply(graph, ANY_CHIP)
    return graph


def many_keys() -> Graph:
    """Attention with a mask; of 80 keys, 32 and their values take half the memory."""
    return conv(
        """g (float[2,80,4] q, float[2,4,80] k, float[2,80,4] v) => (float[2,80,4] y) {
            s = MatMul (q, k)
            n = Add (s, mask)
            p = Softmax <axis=2> (n)
            y = MatMul (p, v)
        }""",
        mask=np.triu(np.full((80, 80), -np.inf, np.float32), 1),
    )


def normalised_groups() -> Graph:
    """Pictures of two groups of channels, too large to be normalised at once."""
    return conv(
        """g (float[1,4,6,6] x) => (float[1,4,6,6] y) {
            r = Reshape (x, groups)
            n = InstanceNormalization (r, s, o)
            y = Reshape (n, whole)
        }""",
        s=np.ones(2, np.float32),
        o=np.float32([1, 2]),
        groups=np.array([1, 2, -1]),
        whole=np.array([1, 4, 6, 6]),
    )


def large_vocabulary() -> Graph:
    return conv("g (float[2,200] x) => (float[2,200] y) { y = Softmax (x) }")


def recurrent() -> Graph:
    return conv(
        """g (float[1,8] x) => (float[1,8] y) {
            h = MatMul (x, square)
            i = Tanh (h)
            j = MatMul (i, square)
            k = Tanh (j)
            y = MatMul (k, square)
        }""",
        square=np.arange(64, dtype=np.float32).reshape(8, 8),
    )


def long_sequence() -> Graph:
    return conv(
        "g (float[100,1,3] x) => (float[100,1,1,2] y) { y = LSTM <hidden_size=2> (x, inputs, states) }",
        inputs=np.arange(24, dtype=np.float32).reshape(1, 8, 3),
        states=np.arange(16, dtype=np.float32).reshape(1, 8, 2),
    )


def cross_stage() -> Graph:
    """Both halves of a tensor and what is made of one, side by side."""
    graph = conv(
        """g (float[1,4,6,6] x) => (float[1,4,6,6] y) {
            h = Conv <kernel_shape=[3,3], pads=[1,1,1,1]> (x, v)
            i = Slice (h, n0, n2, n1)
            j = Slice (h, n2, n4, n1)
            k = Sin (j)
            all = Concat <axis=1> (i, j, k)
            s = Conv <kernel_shape=[1,1]> (all, u, b)
            y = Relu (s)
        }""",
        v=np.arange(144, dtype=np.float32).reshape(4, 4, 3, 3),
        u=np.arange(24, dtype=np.float32).reshape(4, 6, 1, 1),
        **{f"n{n}": np.array([n]) for n in (0, 1, 2, 4)},
    )
    FUSE_ACTIVATION.apply(graph, ANY_CHIP)
    return graph


def skipping() -> Graph:
    """A block that halves a picture: its skip takes every other pixel."""
    return conv(
        """g (float[1,2,6,6] x) => (float[1,4,3,3] y) {
            h = Conv <kernel_shape=[3,3], strides=[2,2], pads=[1,1,1,1]> (x, w)
            s = Conv <kernel_shape=[1,1], strides=[2,2]> (x, v, b)
            y = Add (h, s)
        }""",
        v=np.arange(8, dtype=np.float32).reshape(4, 2, 1, 1),
    )


def dense_block() -> Graph:
    """A function of two tensors that two more concats begin with."""
    graph = conv(
        """g (float[1,2,6,6] x) => (float[1,4,6,6] i, float[1,6,6,6] l, float[1,8,6,6] y) {
            h = Sin (x)
            j = Concat <axis=1> (x, h)
            i = Tanh (j)
            o = Cos (x)
            k = Concat <axis=1> (x, h, o)
            l = Sin (k)
            n = Concat <axis=1> (x, h, o, x)
            y = Relu (n)
        }"""
    )
    NEST_CONCATS.apply(graph, ANY_CHIP)
    return graph


def batch_on_pixels() -> Graph:
    """Four pictures, three of them in the first stitch, on lanes along pixels."""
    return conv(
        """g (float[4,2,5,5] x) => (float[4,4,2,2] y) {
            h = Conv <kernel_shape=[3,3], pads=[1,1,1,1]> (x, w)
            y = MaxPool <kernel_shape=[2,2], strides=[2,2]> (h)
        }"""
    )


def attention() -> Graph:
    """Two heads of three tokens; queries, keys and values of one product."""
    return conv(
        """g (float[3,6] x) => (float[2,3,2] y) {
            t = MatMul (x, qkv)
            r = Reshape (t, heads)
            p = Transpose <perm=[1,2,0,3]> (r)
            queries = Gather <axis=0> (p, zero)
            keys = Gather <axis=0> (p, one)
            values = Gather <axis=0> (p, two)
            scaled = Mul (queries, half)
            turned = Transpose <perm=[0,2,1]> (keys)
            scores = MatMul (scaled, turned)
            y = MatMul (scores, values)
        }""",
        qkv=np.arange(72, dtype=np.float32).reshape(6, 12),
        heads=np.array([3, 3, 2, 2]),
        zero=np.array(0),
        one=np.array(1),
        two=np.array(2),
        half=np.float32(0.5),
    )


BEFORE: dict[Pass, Callable[[], Graph]] = {
    SPLIT_STACKS: lambda: conv(
        """g (float[1,4,6,6] x, float[1,2,4,1,1] gates) => (float[1,4,6,6] y) {
            h = Sin (x)
            i = Unsqueeze (x, at)
            j = Unsqueeze (h, at)
            s = Concat <axis=1> (i, j)
            p = Mul (s, gates)
            y = ReduceSum <keepdims=0> (p, at)
        }""",
        at=np.array([1]),
    ),
    DROP_DEAD: dead,
    MERGE_FUNCTIONS: lambda: conv(
        """g (float[1,2,6,6] x) => (float[1,4,4,4] y) {
            h = Conv <kernel_shape=[3,3]> (x, w)
            s = Sigmoid (h)
            y = Mul (h, s)
        }"""
    ),
    MERGE_CELLS: lambda: conv(
        """g (float[1,2] i, float[1,2] o, float[1,2] f, float[1,2] g, float[1,2] before) => (float[1,2] y) {
            forget = Sigmoid (f)
            kept = Mul (forget, before)
            take = Sigmoid (i)
            new = Tanh (g)
            taken = Mul (take, new)
            state = Add (kept, taken)
            show = Sigmoid (o)
            shown = Tanh (state)
            y = Mul (show, shown)
        }"""
    ),
    TRIM_KERNELS: lambda: conv(
        """g (float[1,2,1,6] x) => (float[1,4,1,6] y) {
            p = MaxPool <kernel_shape=[5,3], pads=[2,1,2,1]> (x)
            y = Conv <kernel_shape=[3,3], pads=[1,1,1,1]> (p, w)
        }"""
    ),
    MERGE_PADS: lambda: conv(
        """g (float[1,2,6,6] x) => (float[1,4,7,6] y) {
            p = Pad (x, pads)
            y = Conv <kernel_shape=[3,3], pads=[1,0,0,1]> (p, w)
        }""",
        pads=np.array([0, 0, 0, 1, 0, 0, 2, 0]),
    ),
    FOLD_AFFINE: lambda: conv(
        """g (float[1,2,6,6] x) => (float[1,4,4,4] y) {
            h = Conv <kernel_shape=[3,3]> (x, w)
            y = BatchNormalization (h, a, b, c, d)
        }"""
    ),
    SHARE_CONSTANTS: copies,
    SHARE_LAYERS: lambda: conv(
        """g (float[4,6] x, bool[4,1] mask) => (float[4,6] y, float[4,6] z, float[4,6] s) {
            p = Where (mask, x, zero)
            q = Where (mask, x, null)
            t = Where (mask, x, one)
            r = Neg (q)
            s = Neg (p)
            y = Add (p, r)
            z = Mul (q, t)
        }""",
        zero=np.zeros((1, 6), np.float32),
        null=np.zeros((1, 6), np.float32),
        one=np.ones((1, 6), np.float32),
    ),
    JOIN_COPIES: lambda: conv(
        """g (float[1,2,6,6] left, float[1,2,6,6] right) => (float[2,4,6,6] y) {
            h = Conv <kernel_shape=[3,3], pads=[1,1,1,1]> (left, w)
            i = Conv <kernel_shape=[3,3], pads=[1,1,1,1]> (right, w)
            j = Conv <kernel_shape=[1,1]> (h, v)
            k = Conv <kernel_shape=[1,1]> (i, v)
            y = Concat <axis=0> (j, k)
        }""",
        v=np.ones((4, 4, 1, 1), np.float32),
    ),
    MERGE_AXES: lambda: conv(
        """g (float[4,6,6] x, float[4,2,3,2,1] h) => (float[4,6,6] y) {
            v = Reshape (x, five)
            s = Add (v, h)
            t = Reshape (s, three)
            y = MatMul (t, x)
        }""",
        five=np.array([4, 2, 3, 2, 3]),
        three=np.array([4, 6, 6]),
    ),
    MERGE_NORMS: lambda: conv(
        """g (float[1,6,8] x) => (float[1,6,8] y) {
            u = ReduceMean (x, last)
            o = Sub (x, u)
            q = Pow (o, two)
            v = ReduceMean (q, last)
            e = Add (v, small)
            r = Sqrt (e)
            n = Div (o, r)
            h = Mul (n, s)
            y = Add (h, t)
        }""",
        last=np.array([2]),
        two=np.float32(2),
        small=np.float32(0.001),
        s=np.arange(8, dtype=np.float32),
        t=np.ones(8, np.float32),
    ),
    MERGE_AFFINE: lambda: conv(
        """g (float[1,4,6,6] x) => (float[1,4,6,6] y) {
            h = BatchNormalization (x, a, b, c, d)
            i = Mul (h, e)
            y = Add (i, f)
        }""",
        e=np.arange(4, dtype=np.float32).reshape(4, 1, 1),
        f=np.ones((1, 4, 1, 1), np.float32),
    ),
    SPLIT_NORMS: normalised_groups,
    SPLIT_SOFTMAX: large_vocabulary,
    FUSE_CONVERSIONS: quantised_scores,
    SHARE_HEADS: lambda: conv(
        """g (float[1,4,6,2] q, float[1,2,1,2,6] k) => (float[1,4,6,6] y) {
            e = Expand (k, twice)
            r = Reshape (e, heads)
            y = MatMul (q, r)
        }""",
        twice=np.array([1, 2, 2, 2, 6]),
        heads=np.array([1, 4, 2, 6]),
    ),
    SPLIT_KEYS: many_keys,
    TURN_PRODUCTS: lambda: conv(
        """g (float[1,4,6,6] x) => (float[1,4,36] y, float[1,5,36] z) {
            r = Reshape (x, pixels)
            q = Transpose <perm=[0,2,1]> (r)
            g = MatMul (q, r)
            s = Softmax <axis=2> (g)
            t = Transpose <perm=[0,2,1]> (s)
            y = MatMul (r, t)
            n = LayerNormalization <axis=-1> (y, ones)
            columns = Transpose <perm=[0,2,1]> (n)
            mixed = MatMul (columns, tokens)
            biased = Add (mixed, biases)
            z = Transpose <perm=[0,2,1]> (biased)
        }""",
        pixels=np.array([1, 4, 36]),
        ones=np.ones(36, np.float32),
        tokens=np.arange(20, dtype=np.float32).reshape(4, 5),
        biases=np.arange(5, dtype=np.float32),
    ),
    PICTURES_APART: apart,
    HOLD_WEIGHTS: recurrent,
    SPLIT_RECURRENCES: long_sequence,
    FUSE_QDQ: quantised,
    FOLD_FACTORS: attention,
    FUSE_RESIDUAL: lambda: conv(
        """g (float[1,2,6,6] x, float[1,4,4,4] skip) => (float[1,4,4,4] y) {
            h = Conv <kernel_shape=[3,3]> (x, w, b)
            y = Add (h, skip)
        }"""
    ),
    FUSE_ACTIVATION: lambda: conv(
        """g (float[1,2,6,6] x) => (float[1,4,4,4] y) {
            h = Conv <kernel_shape=[3,3]> (x, w)
            y = LeakyRelu <alpha=0.125> (h)
        }"""
    ),
    FUSE_CLAMP: lambda: conv(
        """g (float[1,4,6,6] x) => (float[1,4,6,6] y) {
            h = BatchNormalization (x, a, b, c, d)
            y = Relu (h)
        }"""
    ),
    UNSIGNED_PRODUCTS: signed_products,
    SPLIT_PRODUCTS: attention,
    MERGE_VIEWS: lambda: conv(
        """g (float[1,4,6,8] x) => (float[4,12,4] y) {
            h = Relu (x)
            r = Reshape (h, s)
            t = Transpose <perm=[0,2,1,3]> (r)
            i = Reshape (t, v)
            j = Transpose <perm=[0,3,2,1]> (i)
            k = Reshape (j, z)
            y = Relu (k)
        }""",
        s=np.array([12, 2, 4, 2]),
        v=np.array([1, 4, 12, 4]),
        z=np.array([4, 12, 4]),
    ),
    FOLD_SHUFFLES: lambda: conv(
        """g (float[1,2,6,6] x) => (float[1,4,4,4] y) {
            h = Conv <kernel_shape=[3,3]> (x, w, b)
            r = Reshape (h, s)
            t = Transpose <perm=[0,2,1,3,4]> (r)
            k = Reshape (t, z)
            y = Softmax <axis=1> (k)
        }""",
        s=np.array([1, 2, 2, 4, 4]),
        z=np.array([1, 4, 4, 4]),
    ),
    FLATTEN_IN_PIXELS: in_pixels,
    REORDER_FLATTENED_WEIGHTS: lambda: conv(
        """g (float[1,2,6,6] x) => (float[1,5] y) {
            h = Conv <kernel_shape=[3,3]> (x, w)
            f = Flatten (h)
            y = MatMul (f, m)
        }"""
    ),
    SINK_CONCATS: lambda: conv(
        """g (float[1,2,6,6] x) => (float[1,6,3,3] y) {
            h = Conv <kernel_shape=[3,3], pads=[1,1,1,1]> (x, w)
            j = Concat <axis=1> (h, x)
            y = MaxPool <kernel_shape=[2,2], strides=[2,2]> (j)
        }"""
    ),
    POOL_EARLY: lambda: conv(
        """g (float[1,2,6,6] x) => (float[1,4,3,3] y) {
            h = Conv (x, v, b)
            y = AveragePool <kernel_shape=[2,2], strides=[2,2]> (h)
        }""",
        v=np.ones((4, 2, 1, 1), np.float32),
    ),
    SPLIT_JOINED: cross_stage,
    SPLIT_SUMS: lambda: conv(
        f"""g (float[1,2,3,3] x) => (float[1,2,3,3] y) {{
            {" ".join(f"t{n} = {function} (x)" for n, function in enumerate(("Abs", "Neg", "Sin") * 3))}
            y = Sum ({", ".join(f"t{n}" for n in range(9))})
        }}"""
    ),
    SUBSAMPLE: skipping,
    SPLIT_CONTRACTIONS: channels_by_channels,
    SPLIT_BLOCK_SUMS: long_blocks,
    SPLIT_FOLDS: large_pools,
    STITCH: batch_on_pixels,
    NEST_CONCATS: lambda: conv(
        """g (float[1,2,6,6] x) => (float[1,4,6,6] y, float[1,6,6,6] z) {
            h = Sin (x)
            i = Cos (x)
            y = Concat <axis=1> (h, i)
            z = Concat <axis=1> (h, i, x)
        }"""
    ),
    READ_OPERANDS: lambda: conv(
        """g (float[1,2,6,6] x) => (float[1,2,6,3] y, float[1,4,2,2] z)
            <int64[2] first = {2, 3}, int64[2] end = {4, 6}, int64[2] axes = {1, 3}> {
            h = Sin (x)
            i = Cos (x)
            j = Concat <axis=1> (h, i)
            y = Slice (j, first, end, axes)
            k = MaxPool <kernel_shape=[6,1]> (h)
            l = Concat <axis=2> (x, k)
            z = Conv <kernel_shape=[3,3], strides=[3,2]> (l, w)
        }"""
    ),
    SPLIT_FUNCTIONS: dense_block,
    FREE_VIEWS: lambda: conv(
        """g (float[1,2,6,6] x) => (float[1,4,8,4] y, float[2,36] z) {
            h = Conv <kernel_shape=[3,3]> (x, w)
            r = Relu (h)
            joined = Concat <axis=2> (h, r)
            y = Relu (joined)
            z = Reshape (x, shape)
        }""",
        shape=np.array([2, 36]),
    ),
}
TARGETS: dict[Pass, Target] = {
    UNSIGNED_PRODUCTS: Target(unsigned_products=True),
    FLATTEN_IN_PIXELS: Target(pixel_channels=3),
    SPLIT_FOLDS: Target(memory_bytes=512),
    SPLIT_CONTRACTIONS: Target(memory_bytes=2048),
    SPLIT_BLOCK_SUMS: Target(memory_bytes=256),
    SPLIT_KEYS: Target(memory_bytes=2048),
    SPLIT_NORMS: Target(memory_bytes=512),
    SPLIT_SOFTMAX: Target(memory_bytes=512),
    SPLIT_RECURRENCES: Target(memory_bytes=4400, weight_bytes=4400),
    HOLD_WEIGHTS: Target(memory_bytes=512),
    SPLIT_JOINED: Target(memory_bytes=1024),
    SUBSAMPLE: Target(burst=8),
    STITCH: Target(map="pixels", pictures=3, lanes=(64, 32, 16)),
    PICTURES_APART: Target(apart="h"),
}
"""For passes that do nothing without a target."""
GOLDEN_FILES = [f"pass.{step.name}.txt" for step in BEFORE]


def test_every_pass_has_a_case() -> None:
    assert set(BEFORE) == {step for step, _ in CANONICAL_PASSES}


@pytest.mark.parametrize("step", BEFORE, ids=lambda step: step.name)
def test_pass(golden: Golden, step: Pass) -> None:
    graph = BEFORE[step]()
    before = to_text(graph)
    step.apply(graph, TARGETS.get(step, ANY_CHIP))
    verify_graph(graph)
    golden(f"pass.{step.name}.txt", f"{before}\n--- after {step.name} ---\n\n{to_text(graph)}")
