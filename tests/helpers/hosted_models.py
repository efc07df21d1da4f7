"""Networks with parts that no chip computes: tails of detectors, preprocessing, shapes of run time."""

from __future__ import annotations

import numpy as np
import onnx
from pass_harness import model_of

BACKBONE = """
    c0 = Conv <strides=[2,2], pads=[1,1,1,1]> (image, w0)  r0 = Relu (c0)
    c1 = Conv <strides=[2,2], pads=[1,1,1,1]> (r0, w1)     r1 = Relu (c1)
    c2 = Conv <pads=[1,1,1,1]> (r1, w2)                    r2 = Relu (c2)
    c3 = Conv <strides=[2,2], pads=[1,1,1,1]> (r2, w3)     r3 = Relu (c3)
"""
BACKBONE_WEIGHTS = {"w0": (16, 3, 3, 3), "w1": (24, 16, 3, 3), "w2": (24, 24, 3, 3), "w3": (32, 24, 3, 3)}
SIZES = {"most": np.int64([20]), "overlap": np.float32([0.5]), "score": np.float32([0.4])}
"""Operands of NonMaxSuppression."""


def _centred(model: onnx.ModelProto) -> onnx.ModelProto:
    """Weights of both signs, so that scores differ."""
    for tensor in model.graph.initializer:
        values = onnx.numpy_helper.to_array(tensor)
        if values.ndim in (2, 4) and values.dtype == np.float32:
            scaled = (values - 1) * np.sqrt(12 / values[0].size, dtype=np.float32)
            tensor.CopyFrom(onnx.numpy_helper.from_array(scaled, tensor.name))
    return model


def yolo_like() -> onnx.ModelProto:
    """Boxes of two scales, decoded, then suppressed: the tail's shapes are known only at run time."""
    text = f"""(float[1,3,64,64] image) => (float[n,4] chosen, int64[n,3] picks) {{ {BACKBONE}
        b2 = Conv (r2, wb2)  s2 = Conv (r2, ws2)  b3 = Conv (r3, wb3)  s3 = Conv (r3, ws3)
        fb2 = Reshape (b2, four)  fb3 = Reshape (b3, four)  fs2 = Reshape (s2, five)  fs3 = Reshape (s3, five)
        b = Concat <axis=2> (fb2, fb3)  s = Concat <axis=2> (fs2, fs3)
        bt = Transpose <perm=[0,2,1]> (b)  boxes = Sigmoid (bt)  scores = Sigmoid (s)
        picks = NonMaxSuppression (boxes, scores, most, overlap, score)
        place = Gather <axis=1> (picks, two)  flat = Squeeze (boxes, zero)  chosen = Gather (flat, place)
    }}"""
    weights = {**BACKBONE_WEIGHTS, "wb2": (4, 24, 1, 1), "ws2": (5, 24, 1, 1)}
    weights |= {"wb3": (4, 32, 1, 1), "ws3": (5, 32, 1, 1)}
    values = {"four": [1, 4, -1], "five": [1, 5, -1], "two": np.int64(2), "zero": [0]}
    return _centred(model_of(text, weights, **values, **SIZES))


def ssd_like() -> onnx.ModelProto:
    """Softmax over classes, offsets from anchors, the best scores of all, then suppression."""
    text = f"""(float[1,3,64,64] image) => (float[n,4] chosen, float[n] values) {{ {BACKBONE}
        l = Conv (r3, wl)  lt = Transpose <perm=[0,2,3,1]> (l)  lr = Reshape (lt, four)
        c = Conv (r3, wc)  ct = Transpose <perm=[0,2,3,1]> (c)  cr = Reshape (ct, three)
        p = Softmax <axis=2> (cr)  scores = Transpose <perm=[0,2,1]> (p)
        o = Mul (lr, tenth)  boxes = Add (o, anchors)
        picks = NonMaxSuppression (boxes, scores, most, overlap, low)
        place = Gather <axis=1> (picks, two)  flat = Squeeze (boxes, zero)  chosen = Gather (flat, place)
        values = GatherND (scores, picks)
    }}"""
    rng = np.random.default_rng(3)
    corner = rng.uniform(0, 0.7, (1, 64, 2)).astype(np.float32)
    anchors = np.concatenate([corner, corner + rng.uniform(0.1, 0.3, (1, 64, 2))], axis=2).astype(np.float32)
    weights = {**BACKBONE_WEIGHTS, "wl": (4, 32, 1, 1), "wc": (3, 32, 1, 1)}
    values = {"four": [1, -1, 4], "three": [1, -1, 3], "two": np.int64(2), "zero": [0]}
    values |= {"tenth": np.float32(0.1), "anchors": anchors, "low": np.float32([0.4])}
    return _centred(model_of(text, weights, **values, **SIZES))


def rcnn_like() -> onnx.ModelProto:
    """Proposals, then a head of its own on each: products in shapes that only the host knows."""
    text = f"""(float[1,3,64,64] image) => (float[n,5] classes) {{ {BACKBONE}
        b = Conv (r3, wb)  s = Conv (r3, ws)  fb = Reshape (b, four)  scores0 = Reshape (s, flat)
        bt = Transpose <perm=[0,2,1]> (fb)  boxes = Sigmoid (bt)  scores = Sigmoid (scores0)
        picks = NonMaxSuppression (boxes, scores, most, overlap, score)
        place = Gather <axis=1> (picks, two)  all = Squeeze (boxes, zero)  chosen = Gather (all, place)
        scaled = Mul (chosen, size)  batch = Gather <axis=1> (picks, none)
        regions = RoiAlign <output_height=4, output_width=4, spatial_scale=0.125> (r3, scaled, batch)
        rows = Reshape (regions, lists)  hidden = MatMul (rows, wh)  act = Relu (hidden)
        classes = MatMul (act, wk)
    }}"""
    weights = {**BACKBONE_WEIGHTS, "wb": (4, 32, 1, 1), "ws": (1, 32, 1, 1), "wh": (512, 32), "wk": (32, 5)}
    values = {"four": [1, 4, -1], "flat": [1, 1, -1], "two": np.int64(2), "zero": [0], "none": np.int64(0)}
    values |= {"size": np.float32(64), "lists": [-1, 512]}
    return _centred(model_of(text, weights, **values, **SIZES))


def preprocessed() -> onnx.ModelProto:
    """A pass of the host before the chip's, and one behind it; a second input goes around the host."""
    text = """(int64[40] ids, float[1,16] x) => (float[1,8] y, int64[2,k] where) {
        u, first, inverse, count = Unique <sorted=1> (ids)
        n = Shape (u)  f = Cast <to=1> (n)  scale = Reciprocal (f)
        h = MatMul (x, a)  g = Mul (h, scale)  y = MatMul (g, b)
        up = Relu (y)  where = NonZero (up)
    }"""
    return _centred(model_of(text, {"a": (16, 12), "b": (12, 8)}))


MODELS = {"yolo": yolo_like, "ssd": ssd_like, "rcnn": rcnn_like, "preprocessed": preprocessed}
