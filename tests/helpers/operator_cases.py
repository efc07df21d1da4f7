"""Every operator as models of one node, in every form that it had from opset 7 to the newest."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import onnx
from onnx import helper, numpy_helper, parser

IMAGE = (2, 4, 6, 5)


@dataclass
class Case:
    """One node: shapes of its inputs, constant operands after them (None: absent), attributes, opsets."""

    op: str
    inputs: list[tuple[int, ...]] = field(default_factory=lambda: [IMAGE])
    consts: list[Any] = field(default_factory=list)
    attrs: dict[str, Any] = field(default_factory=dict)
    opsets: tuple[int, ...] = (7, 13, 20)
    outputs: int = 1
    dtype: Any = np.float32
    positive: bool = False

    def __str__(self) -> str:
        values = ((k, v.name if isinstance(v, onnx.GraphProto) else v) for k, v in self.attrs.items())
        text = ",".join(f"{k}={v}" for k, v in values)
        return f"{self.op}-{text}-{len(self.consts)}-{getattr(self.dtype, '__name__', self.dtype)}"


def ints(*values: int) -> Any:
    return np.array(values, np.int64)


def floats(*values: float) -> Any:
    return np.array(values, np.float32)


def body(text: str) -> onnx.GraphProto:
    """A graph of one node or several, in onnx's text."""
    return parser.parse_graph(text)


RNG = np.random.default_rng(0)


def weight(*shape: int) -> Any:
    return RNG.standard_normal(shape).astype(np.float32)


def box(*axes: range) -> Any:
    """Tuples of indices of all elements of a box."""
    return np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1)


def variance(count: int) -> Any:
    return (RNG.random(count) + 0.5).astype(np.float32)


BN = [weight(4), weight(4), weight(4), variance(4)]
_ROUND = {"mode": "circular", "axis": -1}
OLD, MID, ALL = (7,), (9, 11), (7, 9, 11, 13, 17, 20, 23)
UNARY = [
    "Abs",
    "Ceil",
    "Exp",
    "Floor",
    "Neg",
    "Reciprocal",
    "Relu",
    "Sigmoid",
    "Softplus",
    "Softsign",
    "Tanh",
]

EINSUMS: dict[str, list[tuple[int, ...]]] = {
    "bct,bcs->bts": [(2, 3, 5), (2, 3, 7)],
    "bts,bcs->bct": [(2, 5, 7), (2, 3, 7)],
    "td,edh->eth": [(5, 3), (4, 3, 6)],
    "etd,te->td": [(4, 5, 3), (5, 4)],
    "ij,jk": [(3, 4), (4, 5)],
    "ki,jk": [(3, 4), (5, 3)],
    "i,j->ji": [(3,), (4,)],
    "i,i": [(6,), (6,)],
    "ij,ij->i": [(3, 4), (3, 1)],
    "abc,ab->": [(2, 3, 4), (2, 3)],
    "...ij,...jk->...ik": [(2, 1, 3, 4), (1, 5, 4, 6)],
    "...i,ji->...j": [(2, 3, 4), (5, 4)],
    "bhwc,hkc->bhwk": [(1, 3, 4, 5), (3, 6, 5)],
    "nchw,ncpq->nhwpq": [(1, 2, 3, 4), (1, 2, 5, 2)],
    "ij,jk,kl->il": [(3, 4), (4, 5), (5, 2)],
    "b i d, b j d -> b i j": [(2, 3, 4), (2, 5, 4)],
    "...ii->...i": [(2, 4, 4)],
    "ii": [(4, 4)],
    "ijk->kj": [(2, 3, 4)],
    "...->...": [(2, 3)],
    "ij->": [(3, 4)],
    "iji,j->i": [(3, 4, 3), (4,)],
    ",ij->ij": [(), (3, 4)],
}

GROUPED = {"q_num_heads": 4, "kv_num_heads": 2}
PAST, NO_PAST = ([None, weight(1, 2, n, 4), weight(1, 2, n, 4)] for n in (3, 0))
"""A cache of keys and values, and none before the first token; no mask."""
HYPERBOLIC = ("Sinh", "Cosh", "Asinh", "Acosh", "Atanh")
BRANCHES = {
    "then_branch": body("one () => (float[4] a) { a = Constant<value = float[4] {1,2,3,4}>() }"),
    "else_branch": body("all () => (float[4] b) { k = Constant<value = float[4] {1,-2,0,4}>() b = Neg(k) }"),
}
SINCE_7 = (7, 11, 13, 16, 19, 21, 23)
BY_ROWS = {"batch_axis": 0, "time_axis": 1}
STEP = body("""step (int64 i, bool before) => (bool after, float[3] part) {
    after = Identity(before)  k = Cast<to=1>(i)
    w = Constant<value = float[3] {1,2,3}>()  part = Mul(k, w) }""")
ELEMENT = body("""step (float[4] h, float[4] e) => (float[4] next, float[4] part) {
    next = Add(h, e)  part = Mul(h, next) }""")
CASES = [
    Case("ReverseSequence", inputs=[(4, 3, 2)], consts=[ints(4, 1, 2)], opsets=(10,)),
    Case("ReverseSequence", inputs=[(4, 3, 2)], consts=[ints(3, 3, 3)], opsets=(10,)),
    Case("ReverseSequence", inputs=[(4, 3)], consts=[ints(2, 3, 0, 1)], attrs=BY_ROWS, opsets=(10,)),
    Case(
        "Scan",
        inputs=[(4,), (3, 4)],
        attrs={"body": ELEMENT, "num_scan_inputs": 1},
        outputs=2,
        opsets=(9, *SINCE_7[1:]),
    ),
    Case("Loop", inputs=[], consts=[np.array(2), np.array(True)], attrs={"body": STEP}, opsets=SINCE_7[1:]),
    Case(
        "LinearAttention",
        inputs=[(1, 3, 8)] * 3,
        attrs={"q_num_heads": 2, "kv_num_heads": 2, "update_rule": "linear"},
        outputs=2,
        opsets=(27,),
    ),
    Case("If", inputs=[()], attrs=BRANCHES, opsets=SINCE_7, dtype=np.bool_),
    *[Case(op, opsets=(7, 13, 22)) for op in UNARY],
    *[Case(op, opsets=(9, 22)) for op in ("Sign", "Erf")],
    *[Case(op, opsets=(7, 22)) for op in ("Sin", "Cos", "Elu", "LeakyRelu", "Selu", "HardSigmoid")],
    *[Case(op, positive=True) for op in ("Sqrt", "Log")],
    Case("Elu", attrs={"alpha": 0.7}),
    Case("Round", opsets=(11, 22)),
    Case("LeakyRelu", attrs={"alpha": 0.3}),
    Case("HardSigmoid", attrs={"alpha": 0.3, "beta": 0.4}),
    Case("Selu", attrs={"alpha": 1.1, "gamma": 1.2}),
    Case("Celu", opsets=(12, 20), attrs={"alpha": 0.6}),
    Case("ThresholdedRelu", opsets=(10, 22), attrs={"alpha": 0.4}),
    Case("HardSwish", opsets=(14, 22)),
    Case("Mish", opsets=(18, 22)),
    Case("Gelu", opsets=(20,)),
    Case("Gelu", opsets=(20,), attrs={"approximate": "tanh"}),
    Case("Swish", opsets=(24,), attrs={"alpha": 1.5}),
    Case("IsNaN", opsets=(9, 13, 20)),
    Case("IsInf", opsets=(10, 20)),
    Case("IsInf", opsets=(10, 20), attrs={"detect_negative": 0}),
    *[Case(op, opsets=(7, 22)) for op in ("Tan", "Asin", "Acos", "Atan")],
    *[Case(op, opsets=(9, 22), positive=op == "Acosh") for op in HYPERBOLIC],
    Case("Shrink", attrs={"lambd": 0.4, "bias": 0.2}, opsets=(9, 18, 20)),
    Case("Shrink", attrs={"lambd": 2.5, "bias": 1.5}, opsets=(9,), dtype=np.int32),
    Case("Not", dtype=np.bool_),
    Case("PRelu", consts=[weight(4, 1, 1)], opsets=(7, 9, 16)),
    Case("PRelu", consts=[weight(1)], opsets=(7, 9, 16)),
    # binary and variadic
    *[Case(op, inputs=[IMAGE, (4, 1, 5)]) for op in ("Add", "Sub", "Mul", "Div")],
    *[Case(op, consts=[np.float32(1.5)]) for op in ("Add", "Sub", "Mul", "Div")],
    Case("Pow", positive=True, consts=[np.float32(1.5)]),
    Case("Add", inputs=[(3,)], consts=[weight(1, 1, 1)]),
    Case("Div", inputs=[(5,)], consts=[np.array(3)], dtype=np.int64),
    Case("Pow", positive=True, consts=[ints(2)], opsets=(12, 15)),
    Case("Pow", positive=True, consts=[np.tile(ints(2, 3, 2, 1, 0), (6, 1))], opsets=(12, 15)),
    Case("Mod", inputs=[(9,)], consts=[np.array(4)], dtype=np.int64, opsets=(10, 13)),
    Case("Mod", consts=[np.float32(0.7)], attrs={"fmod": 1}, opsets=(10, 13)),
    *[Case(op, inputs=[IMAGE, (5,), IMAGE], opsets=(8, 13)) for op in ("Sum", "Max", "Min", "Mean")],
    *[Case(op, inputs=[IMAGE, (5,)], opsets=(8, 13)) for op in ("Sum", "Max", "Min", "Mean")],
    *[Case(op, opsets=(8, 13)) for op in ("Sum", "Max", "Min", "Mean")],
    *[Case(op, inputs=[IMAGE, (5,)], opsets=(9, 13)) for op in ("Less", "Greater")],
    *[Case(op, inputs=[IMAGE, (5,)], opsets=(12, 16)) for op in ("LessOrEqual", "GreaterOrEqual")],
    Case("Equal", inputs=[IMAGE, (5,)], dtype=np.int64),
    *[Case(op, inputs=[IMAGE, (5,)], dtype=np.bool_) for op in ("And", "Or", "Xor")],
    Case("Where", inputs=[IMAGE, IMAGE], consts=[], opsets=(9, 16), dtype="where"),
    *[
        Case(op, inputs=[IMAGE, (5,)], dtype=t, opsets=(18,))
        for op in ("BitwiseAnd", "BitwiseOr", "BitwiseXor")
        for t in (np.int32, np.uint8)
    ],
    Case("BitwiseAnd", consts=[np.uint64(2**64 - 2)], dtype=np.uint64, opsets=(18,)),
    Case("BitwiseNot", dtype=np.int16, opsets=(18,)),
    *[
        Case(
            "BitShift",
            consts=[np.uint8([1, 7, 0, 3, 2])],
            attrs={"direction": d},
            dtype=np.uint8,
            opsets=(11,),
        )
        for d in ("LEFT", "RIGHT")
    ],
    Case("BitCast", attrs={"to": onnx.TensorProto.INT32}, opsets=(26,)),
    Case("BitCast", attrs={"to": onnx.TensorProto.UINT16}, dtype=np.float16, opsets=(26,)),
    Case("Clip", attrs={"min": -0.3, "max": 0.4}, opsets=(7, 9)),
    Case("Clip", attrs={"max": 0.4}, opsets=(7, 9)),
    Case("Clip", consts=[np.float32(-0.3), np.float32(0.4)], opsets=(11, 12, 13, 20, 23)),
    Case("Clip", consts=[None, np.float32(0.4)], opsets=(11, 13)),
    Case("Clip", inputs=[IMAGE, (), ()], opsets=(11, 13)),
    Case("Clip", consts=[np.array(-1), np.array(1)], dtype=np.int64, opsets=(12, 13)),
    Case("Cast", attrs={"to": onnx.TensorProto.INT32}, opsets=(9, 13, 21)),
    Case("Cast", attrs={"to": onnx.TensorProto.FLOAT}, opsets=(9, 13)),
    Case("CastLike", inputs=[IMAGE], consts=[np.array(1, np.int32)], opsets=(15, 19)),
    # matrices
    Case("MatMul", inputs=[(2, 3, 4, 5), (3, 5, 6)], opsets=(7, 13)),
    Case("MatMul", inputs=[(5,), (3, 5, 6)]),
    Case("MatMul", inputs=[(3, 4, 5), (5,)]),
    Case("MatMul", inputs=[(5,), (5,)]),
    Case("Gemm", inputs=[(3, 4)], consts=[weight(4, 5), weight(5)], opsets=(7, 9, 11, 13)),
    Case("Gemm", inputs=[(3, 4)], consts=[weight(4, 5)], opsets=(11, 13)),
    Case("Gemm", inputs=[(3, 4)], consts=[weight(4, 5), weight(3, 1)]),
    Case(
        "Gemm",
        inputs=[(4, 3)],
        consts=[weight(5, 4), weight(5)],
        attrs={"transA": 1, "transB": 1, "alpha": 0.5},
    ),
    Case("Gemm", inputs=[(3, 4), (5, 4), (3, 5)], attrs={"transB": 1, "alpha": 0.5, "beta": 0.25}),
    *[
        Case("Einsum", inputs=mine, attrs={"equation": text}, opsets=(12, 20))
        for text, mine in EINSUMS.items()
    ],
    *[
        Case("Einsum", inputs=mine[:1], consts=[weight(*mine[1])], attrs={"equation": text}, opsets=(12,))
        for text, mine in EINSUMS.items()
        if len(mine) == 2
    ],
    *[Case("Det", inputs=[(2, rows, rows)], opsets=(11, 22)) for rows in (1, 2, 3, 5)],
    Case("Det", inputs=[(8, 8)], opsets=(11,)),
    *[Case("Trilu", attrs={"upper": u}, opsets=(14,)) for u in (0, 1)],
    *[Case("Trilu", consts=[np.array(k)], dtype=t, opsets=(14,)) for k, t in ((-2, np.int64), (9, np.bool_))],
    Case("EyeLike", [(3, 4)], attrs={"k": -1}, opsets=(9, 22)),
    # windows
    Case("Conv", consts=[weight(3, 4, 3, 2), weight(3)], attrs={"pads": [1, 0, 0, 2]}, opsets=(7, 11, 22)),
    Case("Conv", consts=[weight(8, 1, 3, 3)], attrs={"group": 4, "strides": [2, 1], "dilations": [1, 2]}),
    *[
        Case("Conv", consts=[weight(3, 4, 2, 4)], attrs={"auto_pad": m, "strides": [2, 3]})
        for m in ("SAME_UPPER", "SAME_LOWER", "VALID")
    ],
    Case("Conv", inputs=[(1, 4, 9)], consts=[weight(3, 4, 3)], attrs={"pads": [2, 1]}),
    Case("Conv", inputs=[(1, 2, 4, 5, 6)], consts=[weight(3, 2, 2, 3, 2)]),
    Case(
        "ConvTranspose", consts=[weight(4, 3, 3, 2), weight(3)], attrs={"strides": [2, 3]}, opsets=(7, 11, 22)
    ),
    Case("ConvTranspose", consts=[weight(4, 2, 3, 3), weight(4)], attrs={"group": 2, "pads": [1, 0, 1, 2]}),
    Case("ConvTranspose", consts=[weight(4, 3, 3, 3)], attrs={"strides": [2, 2], "output_padding": [1, 1]}),
    Case("ConvTranspose", consts=[weight(4, 3, 3, 3)], attrs={"strides": [2, 2], "output_shape": [12, 10]}),
    Case("ConvTranspose", consts=[weight(4, 3, 3, 3)], attrs={"strides": [2, 2], "output_shape": [14, 12]}),
    *[
        Case("ConvTranspose", consts=[weight(4, 3, 3, 3)], attrs={"strides": [2, 2], "auto_pad": m})
        for m in ("SAME_UPPER", "SAME_LOWER", "VALID")
    ],
    Case(
        "MaxPool",
        attrs={"kernel_shape": [3, 2], "strides": [2, 2], "pads": [1, 0, 0, 1]},
        opsets=(7, 8, 10, 12, 22),
    ),
    Case("MaxPool", attrs={"kernel_shape": [2, 2], "strides": [2, 3], "ceil_mode": 1}, opsets=(10, 12, 22)),
    Case(
        "MaxPool",
        inputs=[(1, 1, 2, 4)],
        opsets=(10, 12, 22),
        attrs={"kernel_shape": [2, 3], "strides": [2, 2], "pads": [0, 0, 1, 2], "ceil_mode": 1},
    ),
    Case("MaxPool", attrs={"kernel_shape": [2, 2], "dilations": [2, 1]}, opsets=(10, 12, 22)),
    Case("MaxPool", attrs={"kernel_shape": [3, 3], "strides": [2, 2], "auto_pad": "SAME_LOWER"}),
    Case("AveragePool", attrs={"kernel_shape": [3, 3], "pads": [1, 1, 1, 1]}, opsets=(7, 10, 11, 19, 22)),
    Case(
        "AveragePool",
        attrs={"kernel_shape": [3, 3], "pads": [1, 1, 1, 1], "count_include_pad": 1},
        opsets=(7, 19),
    ),
    Case("AveragePool", attrs={"kernel_shape": [3, 3], "strides": [2, 2], "auto_pad": "SAME_UPPER"}),
    Case(
        "AveragePool", attrs={"kernel_shape": [2, 2], "strides": [3, 3], "ceil_mode": 1}, opsets=(10, 19, 22)
    ),
    *[
        Case("LpPool", attrs={"kernel_shape": [3, 2], "pads": [1, 0, 0, 1], "p": p}, opsets=(7, 11, 18, 22))
        for p in (1, 2, 3)
    ],
    Case("LpPool", attrs={"kernel_shape": [3, 3], "strides": [2, 2], "auto_pad": "SAME_LOWER"}, opsets=(18,)),
    Case("LpPool", attrs={"kernel_shape": [2, 3], "strides": [3, 2], "dilations": [2, 1]}, opsets=(18, 22)),
    *[
        Case(
            "LpPool",
            inputs=[(1, 2, n)],
            attrs={"kernel_shape": [2], "strides": [3], "ceil_mode": 1},
            opsets=(18,),
        )
        for n in (7, 8)
    ],
    *[Case("GlobalLpPool", attrs={"p": p}, opsets=(7, 20)) for p in (1, 2, 3)],
    Case("GlobalAveragePool", opsets=(7, 22)),
    Case("GlobalMaxPool", opsets=(7, 22)),
    # normalisation
    Case("BatchNormalization", consts=BN, opsets=(7, 9, 14, 15), attrs={"epsilon": 1e-3}),
    Case("BatchNormalization", inputs=[(3, 4)], consts=BN, opsets=(9, 15)),
    Case("BatchNormalization", [IMAGE, *[(4,)] * 4], positive=True, opsets=(7, 9, 14, 15)),
    Case("BatchNormalization", consts=BN, attrs={"training_mode": 1}, opsets=(14, 15), outputs=3),
    Case("LpNormalization", opsets=(7, 22)),
    Case("LpNormalization", attrs={"axis": 1, "p": 1}, opsets=(7, 22)),
    Case("InstanceNormalization", consts=[weight(4), weight(4)], opsets=(7, 22)),
    Case("LayerNormalization", consts=[weight(5), weight(5)], opsets=(17,)),
    Case("LayerNormalization", consts=[weight(6, 5)], attrs={"axis": 2, "epsilon": 1e-3}, opsets=(17,)),
    Case("LayerNormalization", consts=[weight(6, 5)], attrs={"axis": -2}, opsets=(17,), outputs=3),
    Case("RMSNormalization", consts=[weight(5)], opsets=(23,)),
    Case("GroupNormalization", consts=[weight(4), weight(4)], attrs={"num_groups": 2}, opsets=(21, 23)),
    Case("GroupNormalization", [IMAGE, (4,), (4,)], attrs={"num_groups": 4, "epsilon": 0.1}, opsets=(21,)),
    Case("GroupNormalization", [(3, 6)], [weight(6), weight(6)], attrs={"num_groups": 2}, opsets=(21,)),
    # recurrent networks, of which random_recurrent.py draws all other forms
    Case("RNN", [(3, 2, 4)], [weight(1, 5, 4), weight(1, 5, 5)], {"hidden_size": 5}, (7, 14, 22), 2),
    Case("GRU", [(3, 2, 4)], [weight(1, 15, 4), weight(1, 15, 5)], {"hidden_size": 5}, (7, 14, 22), 2),
    Case("LSTM", [(3, 2, 4)], [weight(1, 20, 4), weight(1, 20, 5)], {"hidden_size": 5}, (7, 14, 22), 3),
    # compiled as the functions that onnx defines them by
    Case("Attention", [(1, 4, 5, 8), (1, 4, 6, 8), (1, 4, 6, 8)], opsets=(23,)),
    Case("Attention", [(2, 5, 16), (2, 6, 8), (2, 6, 8)], attrs=GROUPED | {"is_causal": 1}, opsets=(23,)),
    Case("Attention", [(1, 1, 16), (1, 1, 8), (1, 1, 8)], PAST, GROUPED, opsets=(23,), outputs=3),
    Case("Attention", [(1, 1, 16), (1, 1, 8), (1, 1, 8)], NO_PAST, GROUPED, opsets=(23,), outputs=3),
    Case(
        "RotaryEmbedding", [(1, 2, 4, 8)], [weight(9, 4), weight(9, 4), ints(8, 0, 1, 3)[None]], opsets=(23,)
    ),
    Case("RotaryEmbedding", [(2, 3, 12)], [weight(2, 3, 2), weight(2, 3, 2)], {"num_heads": 3}, opsets=(23,)),
    Case("CenterCropPad", consts=[ints(5, 8)], attrs={"axes": [2, 3]}, opsets=(18,)),
    *[Case(f"{name}Window", [], [np.int64(9)], opsets=(17, 20)) for name in ("Blackman", "Hamming", "Hann")],
    Case("NegativeLogLikelihoodLoss", [(3, 5)], [ints(1, 0, 4)], opsets=(12, 13, 22)),
    Case("SoftmaxCrossEntropyLoss", [(3, 5)], [ints(1, 0, 4)], {"reduction": "sum"}, opsets=(12, 13)),
    Case("CausalConvWithState", [(2, 4, 7)], [weight(4, 1, 3)], opsets=(27,), outputs=2),
    Case("SwiGLU", [(3, 4), (3, 4)], opsets=(28,)),
    Case("MeanVarianceNormalization", opsets=(9, 13)),
    Case("LRN", attrs={"size": 3, "alpha": 0.1, "beta": 0.6, "bias": 1.5}, opsets=(7, 13)),
    # reductions
    *[
        Case(op, attrs={"axes": [1, -1]}, opsets=(11, 13))
        for op in (
            "ReduceMean",
            "ReduceMax",
            "ReduceMin",
            "ReduceProd",
            "ReduceL1",
            "ReduceL2",
            "ReduceSumSquare",
        )
    ],
    *[
        Case(op, attrs={"axes": [2]}, opsets=(11, 13), positive=True)
        for op in ("ReduceLogSum", "ReduceLogSumExp")
    ],
    *[
        Case(op, consts=[ints(1, 2)], attrs={"keepdims": 0}, opsets=(18, 20))
        for op in (
            "ReduceMean",
            "ReduceMax",
            "ReduceMin",
            "ReduceProd",
            "ReduceL1",
            "ReduceL2",
            "ReduceSumSquare",
        )
    ],
    Case("ReduceMean", attrs={"axes": [2, 3], "keepdims": 0}, opsets=(7, 9)),
    Case("ReduceMean", opsets=ALL),
    Case("ReduceSum", attrs={"axes": [2]}, opsets=(7, 9, 11)),
    Case("ReduceSum", consts=[ints(-1)], opsets=(13, 17, 20)),
    *[Case(op, inputs=[()], opsets=(7, 13)) for op in ("ReduceSum", "ReduceMean", "ReduceL2")],
    Case("ReduceMax", inputs=[()], attrs={"keepdims": 0}),
    Case("ReduceSum", attrs={"noop_with_empty_axes": 1}, opsets=(13, 20)),
    *[
        Case(f"Reduce{name}", attrs={"noop_with_empty_axes": 1}, opsets=(18, 20), positive=name == "LogSum")
        for name in ("L1", "L2", "LogSum", "LogSumExp", "Max", "Mean", "Min", "Prod", "SumSquare")
    ],
    Case("ReduceL1", dtype=np.int64, attrs={"noop_with_empty_axes": 1}, opsets=(18,)),
    *[
        Case("CumSum", consts=[np.array(axis)], attrs={"exclusive": e, "reverse": r}, opsets=(11, 14))
        for axis, e, r in ((1, 0, 0), (-1, 1, 0), (2, 0, 1), (0, 1, 1))
    ],
    Case("CumSum", inputs=[(3, 5)], consts=[np.array(1)], dtype=np.int64, opsets=(11, 14)),
    *[Case(op, attrs={"axis": 1}, opsets=(7, 11, 13)) for op in ("ArgMax", "ArgMin")],
    *[
        Case(
            op, [(4, 9)], attrs={"axis": -1, "keepdims": 0, "select_last_index": s}, opsets=(12, 13), dtype=t
        )
        for op in ("ArgMax", "ArgMin")
        for s, t in ((0, np.int32), (1, np.int32), (1, np.float32))
    ],
    *[
        Case("CumProd", consts=[np.array(axis)], attrs={"exclusive": e, "reverse": r}, opsets=(26,))
        for axis, e, r in ((1, 0, 0), (-1, 1, 0), (2, 0, 1), (0, 1, 1))
    ],
    Case("Hardmax", opsets=(7, 11, 13)),
    *[Case("Hardmax", attrs={"axis": a}, opsets=(7, 11, 13)) for a in (0, 2)],
    Case("Softmax", opsets=ALL),
    *[Case("Softmax", attrs={"axis": a}, opsets=ALL) for a in (0, 1, 2, 3)],
    Case("Softmax", attrs={"axis": -2}, opsets=(11, 13)),
    Case("Softmax", inputs=[(1, 9, 1, 1)], opsets=ALL, attrs={"axis": 1}),
    *[Case("LogSoftmax", attrs={"axis": a}, opsets=(7, 11, 13)) for a in (1, 3)],
    # shapes
    Case("Reshape", consts=[ints(0, -1, 3)], opsets=(7, 13, 14, 21)),
    Case("Flatten", opsets=(7, 13)),
    Case("Flatten", attrs={"axis": -2}, opsets=(11, 13)),
    Case("Flatten", attrs={"axis": 0}),
    Case("Squeeze", inputs=[(1, 3, 1, 4)], attrs={"axes": [0]}, opsets=(7, 9)),
    Case("Squeeze", inputs=[(1, 3, 1, 4)], attrs={"axes": [-2]}, opsets=(11,)),
    Case("Squeeze", inputs=[(1, 3, 1, 4)], consts=[ints(-2)], opsets=(13, 21, 23)),
    Case("Squeeze", inputs=[(1, 3, 1, 4)], opsets=ALL),
    Case("Unsqueeze", attrs={"axes": [0, 3]}, opsets=(7, 9, 11)),
    Case("Unsqueeze", consts=[ints(-1, 0)], opsets=(13, 21, 23)),
    Case("Identity"),
    Case("Dropout", attrs={"ratio": 0.4}, opsets=(7, 10)),
    Case("Dropout", opsets=(12, 13), outputs=2),
    Case("Dropout", consts=[np.float32(0), np.array(True)], opsets=(12, 22), outputs=2),
    Case("Dropout", consts=[np.float32(0.4), np.array(False)], opsets=(12, 13, 22)),
    Case("Expand", inputs=[(3, 1)], consts=[ints(2, 1, 4)], opsets=(8, 13)),
    Case("Expand", consts=[ints(1, 1, 5)], opsets=(8, 13)),
    Case("Tile", consts=[ints(1, 2, 1, 3)], opsets=(7, 13)),
    # moves
    Case("Transpose", opsets=(7, 13)),
    Case("Transpose", attrs={"perm": [0, 2, 3, 1]}),
    Case("Slice", attrs={"axes": [2, 3], "starts": [1, -3], "ends": [9999, -1]}, opsets=(7, 9)),
    Case("Slice", attrs={"starts": [0, 1], "ends": [1, 3]}, opsets=(7, 9)),
    Case("Slice", consts=[ints(-1, 1), ints(-9999, 5), ints(2, 3), ints(-2, 2)], opsets=(10, 11, 13)),
    Case("Slice", consts=[ints(1), ints(2)], opsets=(10, 13, 20)),
    Case("Split", attrs={"axis": 1}, outputs=2, opsets=(7, 11, 13)),
    Case("Split", attrs={"axis": 1, "split": [1, 3]}, outputs=2, opsets=(7, 11)),
    Case("Split", attrs={"axis": -1}, consts=[ints(2, 3)], outputs=2, opsets=(13, 18)),
    Case("Split", attrs={"axis": 3, "num_outputs": 3}, outputs=3, opsets=(18, 20)),
    Case("Concat", inputs=[IMAGE, (2, 3, 6, 5)], attrs={"axis": 1}),
    Case("Concat", attrs={"axis": -1}, opsets=(11, 13)),
    Case("Pad", attrs={"pads": [0, 0, 1, 2, 0, 0, 0, 1], "value": 0.5}, opsets=(7, 9)),
    Case("Pad", attrs={"pads": [0, 0, 1, 2, 0, 0, 0, 1], "mode": "reflect"}, opsets=(7, 9)),
    Case("Pad", consts=[ints(0, 1, -1, 2, 0, 0, 0, 1), np.float32(-2)], opsets=(11, 13, 20)),
    Case("Pad", consts=[ints(1, 2, 0, 3), None, ints(-1, 0)], attrs={"mode": "edge"}, opsets=(18, 21)),
    Case("Pad", consts=[ints(0, 0, 2, 3, 0, 0, 1, 0)], attrs={"mode": "wrap"}, opsets=(19,)),
    Case("Gather", consts=[ints(2, -1, 0)], attrs={"axis": 1}, opsets=(11, 13)),
    Case("Gather", consts=[np.array(-2)], attrs={"axis": 2}, opsets=(11, 13)),
    Case("Gather", consts=[ints(1)], attrs={"axis": 3}, opsets=(11, 13)),
    Case("Gather", consts=[ints(1, -2, 3)], attrs={"axis": 2}, opsets=(13,)),
    Case("Gather", consts=[np.array([[0, 2], [4, 6]])], inputs=[(9,)], opsets=(13,)),
    Case("Gather", consts=[np.arange(6)[:, None] * 2 + np.arange(-14, -10)], inputs=[(14,)], opsets=(13,)),
    Case("Gather", consts=[ints(2, 3, 0, 1, 5)], inputs=[(6,)], opsets=(13,)),
    *[
        Case("GatherElements", consts=[index], attrs={"axis": axis}, opsets=(11, 13))
        for axis, index in (
            (1, np.arange(-4, 4).reshape(2, 4, 1, 1)),
            (-1, np.full(IMAGE, -2, np.int32)),
            (0, np.ones((7, 3, 6, 2), np.int64)),
        )
    ],
    Case("GatherND", consts=[ints(1, 3, -2)], opsets=(11, 13)),
    Case("GatherND", consts=[np.array([[1, -3], [0, 2], [-1, 3]])], opsets=(11, 13)),
    Case("GatherND", consts=[np.array([[4, 2], [4, 3], [0, 0], [0, 1]])], inputs=[(5, 4)], opsets=(13,)),
    Case("GatherND", consts=[np.stack([np.zeros((1, 3), int), np.arange(3)[None]], -1)], opsets=(12, 13)),
    Case("GatherND", consts=[np.array([[[3, 1]], [[-2, 0]]])], attrs={"batch_dims": 1}, opsets=(12, 13)),
    Case("ScatterND", consts=[np.array([[1]]), weight(1, 4, 6, 5)], opsets=(11, 13)),
    Case("ScatterND", consts=[box(range(2), range(1, 3)), weight(2, 2, 6, 5)], opsets=(11, 13)),
    Case(
        "ScatterND",
        consts=[box(range(2), range(-3, -1), range(6), range(1, 5)), weight(2, 2, 6, 4)],
        opsets=(16,),
    ),
    Case("ScatterND", consts=[np.array([[1, -3], [0, 2], [-1, 3]]), weight(3, 6, 5)], opsets=(11, 18)),
    Case("ScatterND", [(4, 5)], [ints(2, -1), weight()], opsets=(13,)),
    *[
        Case("ScatterND", consts=[np.array([[1], [0], [1]]), weight(3, 4, 6, 5)], attrs=attrs, opsets=(18,))
        for attrs in ({"reduction": how} for how in ("add", "mul", "max", "min"))
    ],
    *[Case("Scatter", consts=[np.array([[2, -1]]), weight(1, 2)], inputs=[(3, 4)], opsets=(9,))],
    *[
        Case("ScatterElements", consts=[index, weight(*index.shape)], attrs=attrs, opsets=(11, 13, 18))
        for index, attrs in (
            (np.arange(-4, 4).reshape(2, 4, 1, 1), {"axis": 1}),
            (np.tile(ints(3, -2), (2, 4, 6, 1)), {"axis": -1}),
            (np.tile(np.arange(5) % 2, (2, 2, 6, 1)), {}),
        )
    ],
    *[
        Case(
            "ScatterElements",
            consts=[np.tile(ints(3, -2, 0, 3), (2, 4, 6, 1)), weight(2, 4, 6, 4)],
            attrs={"axis": 3, "reduction": how},
            opsets=(18,),
        )
        for how in ("none", "add", "mul", "max", "min")
    ],
    Case("TensorScatter", [(2, 3, 5, 4), (2, 3, 2, 4)], opsets=(24,)),
    Case("TensorScatter", [(2, 3, 5, 4), (2, 3, 2, 4)], [ints(1, 1)], opsets=(24,)),
    Case("TensorScatter", [(2, 3, 5, 4), (2, 3, 2, 4)], [ints(3, 0)], opsets=(24,)),
    Case("TensorScatter", [(2, 5, 4), (2, 1, 4)], [ints(4, 2)], {"axis": 1}, opsets=(24,)),
    Case("TensorScatter", [(2, 3, 4, 5), (2, 3, 4, 3)], [ints(4, 7)], _ROUND, opsets=(24,)),
    Case("TensorScatter", [(1, 5, 4), (1, 3, 4)], [ints(-1)], {"mode": "circular"}, opsets=(24,)),
    *[
        Case(
            "ScatterND",
            consts=[box(range(1), range(2, 4)), weight(1, 2, 6, 5)],
            attrs={"reduction": how},
            opsets=(18,),
        )
        for how in ("none", "add", "mul", "max", "min")
    ],
    Case("DepthToSpace", attrs={"blocksize": 2}, opsets=(7, 11, 13)),
    Case("DepthToSpace", inputs=[(1, 8, 2, 3)], attrs={"blocksize": 2, "mode": "CRD"}, opsets=(11, 13)),
    Case("SpaceToDepth", inputs=[(1, 3, 4, 6)], attrs={"blocksize": 2}, opsets=(7, 13)),
    *[
        Case("SpaceToDepth", inputs=[(1, 3, 4, 6)], attrs={"blocksize": 2, "mode": "CRD"}, opsets=(28,))
        for _ in range(onnx.defs.onnx_opset_version() >= 28)
    ],
    # resize
    Case("Upsample", attrs={"scales": [1.0, 1.0, 2.0, 1.5]}, opsets=(7,)),
    Case("Upsample", attrs={"scales": [1.0, 1.0, 2.0, 3.0], "mode": "linear"}, opsets=(7,)),
    Case("Upsample", consts=[floats(1, 1, 2, 1.5)], opsets=(9,)),
    Case("Resize", consts=[floats(1, 1, 2, 1.5)], opsets=(10,)),
    Case("Resize", consts=[floats(1, 1, 2, 3)], attrs={"mode": "linear"}, opsets=(10,)),
    Case("Resize", consts=[floats(), floats(1, 1, 2, 1.5)], opsets=(11, 13, 18, 19)),
    *[
        Case(
            "Resize",
            consts=[floats(), floats(), ints(2, 4, 9, 7)],
            opsets=(11, 13, 19),
            attrs={"mode": m, "coordinate_transformation_mode": c, "nearest_mode": n},
        )
        for m, c, n in (
            ("nearest", "asymmetric", "floor"),
            ("nearest", "half_pixel", "round_prefer_ceil"),
            ("linear", "half_pixel", "floor"),
            ("linear", "align_corners", "floor"),
            ("linear", "pytorch_half_pixel", "floor"),
        )
    ],
    Case(
        "Resize", consts=[None, None, ints(12, 15)], attrs={"axes": [2, 3], "mode": "linear"}, opsets=(18, 19)
    ),
    Case("Resize", consts=[None, floats(2, 2)], attrs={"axes": [2, 3]}, opsets=(18, 19)),
    *[
        Case(
            "Resize",
            consts=[floats(), floats(), ints(2, 4, *size)],
            opsets=(11, 13, 19),
            attrs={"mode": "cubic", "coordinate_transformation_mode": c, **more},
        )
        for size in ((9, 7), (3, 11))
        for c in ("half_pixel", "pytorch_half_pixel", "align_corners", "asymmetric")
        for more in ({}, {"exclude_outside": 1, "cubic_coeff_a": -0.5})
    ],
    *[
        Case(
            "Resize",
            consts=[floats(), floats(1, 1, 0.6, 1.7)],
            attrs={"mode": mode, "coordinate_transformation_mode": "align_corners"},
            opsets=(11, 19),
        )
        for mode in ("linear", "cubic")
    ],
    Case("Resize", consts=[None, None, ints(12, 3)], attrs={"axes": [2, 3], "mode": "cubic"}, opsets=(18,)),
    Case("Resize", inputs=[(5, 7)], consts=[None, floats(1.7, 0.6)], attrs={"mode": "cubic"}, opsets=(18,)),
]

_STEPS = [floats(0.1, 0.2, 0.05, 0.4), np.array([3, 0, 7, 255], np.uint8)]
CASES += [
    Case("QuantizeLinear", consts=[np.float32(0.1), np.int8(-3)], opsets=(10, 13, 19, 21)),
    Case("QuantizeLinear", consts=[np.float32(0.05)], opsets=(10, 23)),
    Case("QuantizeLinear", consts=_STEPS, attrs={"axis": 1}, opsets=(13, 21)),
    Case("DequantizeLinear", consts=[np.float32(0.1), np.int8(-3)], dtype=np.int8, opsets=(10, 13, 19, 21)),
    Case("DequantizeLinear", consts=_STEPS, attrs={"axis": -3}, dtype=np.uint8, opsets=(13, 23)),
]

SIGNAL = (2, 9, 3, 1)
COMPLEX = (2, 9, 5, 2)
CASES += [
    *[
        Case("DFT", [shape], consts, attrs, opsets=(17,))
        for shape in (SIGNAL, COMPLEX)
        for consts, attrs in (([], {}), ([np.array(6)], {"axis": 2}), ([], {"inverse": 1, "axis": -2}))
    ],
    *[
        Case("DFT", [SIGNAL], consts, {"onesided": 1}, (17,))
        for consts in ([], [np.array(12)], [np.array(5)])
    ],
    *[Case("DFT", [COMPLEX], [None, axis], opsets=(20,)) for axis in (np.array(1), np.array(-2))],
    *[
        Case("DFT", [(2, 7, 2)], consts, {"onesided": 1, "inverse": 1}, (20,))
        for consts in ([], [np.array(12)], [np.array(13)])
    ],
    Case("DFT", [(6, 1)], [None, np.array(0)], opsets=(20,)),
    *[
        Case("STFT", [shape], [np.array(3), window, frame], {"onesided": side}, (17,))
        for shape, side in (((2, 30, 1), 1), ((2, 30, 1), 0), ((2, 30, 2), 0), ((2, 30), 1))
        for window, frame in ((None, np.array(8)), (variance(9), np.array(9)), (variance(8), None))
        if len(shape) == 3 or window is None
    ],
    *[
        Case("OneHot", [(3, 4)], [depth, floats(-1, 2.5)], {"axis": axis}, (11,), dtype=dtype)
        for depth, axis, dtype in (
            (np.array(6), -1, np.int64),
            (np.array(5, np.int32), 0, np.int32),
            (np.float32(3), 1, np.float32),
        )
    ],
    Case("AffineGrid", [(2, 2, 3)], [ints(2, 3, 4, 5)], opsets=(20,)),
    Case("AffineGrid", [(1, 3, 4)], [ints(1, 3, 2, 4, 5)], {"align_corners": 1}, opsets=(20,)),
]

_HALVES = {"kernel_shape": [2, 2], "strides": [2, 2]}
CASES += [
    *[
        Case("MaxPool", [shape], attrs={"kernel_shape": kernel, **attrs}, opsets=(8, 12, 22), outputs=2)
        for shape, kernel, attrs in (
            (IMAGE, [2, 3], {"strides": [2, 2], "pads": [0, 1, 1, 1]}),
            (IMAGE, [3, 2], {"storage_order": 1, "pads": [1, 0, 1, 0]}),
            ((2, 3, 11), [3], {"auto_pad": "SAME_LOWER", "strides": [2]}),
            ((1, 2, 5, 4, 3), [2, 2, 2], {"strides": [1, 2, 1]}),
            ((1, 2, 5, 4, 3), [2, 2, 2], {"storage_order": 1}),
        )
    ],
    Case(
        "MaxPool",
        attrs={"kernel_shape": [2, 2], "dilations": [3, 2], "ceil_mode": 1},
        opsets=(12,),
        outputs=2,
    ),
    *[
        Case("MaxUnpool", [(1, 2, 2, 3)], [np.array(index).reshape(1, 2, 2, 3), *size], _HALVES, (9, 11, 22))
        for index in ([0, 7, 4, 12, 15, 23, 24, 30, 29, 37, 44, 47],)
        for size in ([], [ints(1, 2, 4, 6)])
    ],
    Case("Col2Im", [(2, 12, 9)], [ints(4, 5), ints(2, 3)], opsets=(18,)),
    Case(
        "Col2Im",
        [(1, 6, 3)],
        [ints(5, 5), ints(3, 1)],
        {"dilations": [2, 1], "strides": [2, 2], "pads": [1, 0, 0, 1]},
        opsets=(18,),
    ),
]

_BOXES = floats(*(0.5, 1, 4, 3.5), *(2, 0, 2.2, 5), *(-1.5, -2, 7, 9)).reshape(3, 4)
_OFFSETS = weight(2, 2 * 6 * 2, 4, 4)
CASES += [
    *[
        Case(
            "GridSample",
            consts=[grid],
            attrs={"mode": mode, "padding_mode": padding, "align_corners": corners},
            opsets=opsets,
        )
        for grid in (weight(2, 3, 4, 2) * 1.3,)
        for padding in ("zeros", "border", "reflection")
        for corners in (0, 1)
        for mode, opsets in (
            ("bilinear", (16,)),
            ("bicubic", (16,)),
            ("nearest", (16, 20)),
            ("linear", (20, 22)),
            ("cubic", (20,)),
        )
    ],
    *[
        Case(
            "GridSample",
            [(1, 3, 3, 4, 5), (1, 2, 3, 2, 3)],
            [],
            {"mode": mode, "padding_mode": padding},
            (20,),
        )
        for mode in ("linear", "nearest")
        for padding in ("zeros", "reflection")
    ],
    *[
        Case(
            "RoiAlign",
            consts=[_BOXES, ints(1, 0, 1)],
            attrs={"output_height": 2, "output_width": 3, "sampling_ratio": 2, "spatial_scale": 0.8, **attrs},
            opsets=opsets,
        )
        for opsets, attrs in (
            ((10, 16), {}),
            ((16,), {"coordinate_transformation_mode": "output_half_pixel"}),
            ((10, 16), {"mode": "max"}),
        )
    ],
    Case(
        "DeformConv",
        consts=[weight(6, 2, 3, 2), _OFFSETS, weight(6)],
        attrs={"group": 2, "offset_group": 2},
        opsets=(19, 22),
    ),
]

CASES += [
    Case("TopK", attrs={"k": 3}, opsets=(7,), outputs=2),
    *[
        Case("TopK", consts=[ints(count)], attrs=attrs, opsets=(11, 13, 20), outputs=2)
        for count, attrs in (
            (4, {}),
            (1, {"axis": 1}),
            (3, {"axis": -2, "largest": 0}),
        )
    ],
    Case("TopK", [(3, 40)], [ints(30)], dtype=np.int64, opsets=(13,), outputs=2),
    Case("TopK", [(3, 40)], [ints(30)], {"largest": 0}, dtype=np.int32, opsets=(13,), outputs=2),
]
_CROP = {"coordinate_transformation_mode": "tf_crop_and_resize"}
_ROI = floats(0, 0, 0.2, -0.1, 1, 1, 0.7, 0.9)
CASES += [
    *[
        Case("Resize", consts=[None, *scales], attrs={"antialias": 1, "mode": mode, **attrs}, opsets=(18, 19))
        for mode in ("linear", "cubic")
        for scales in ([floats(1, 1, 0.6, 1.5)], [None, ints(2, 4, 4, 2)])
        for attrs in ({}, {"exclude_outside": 1}, {"coordinate_transformation_mode": "align_corners"})
    ],
    *[
        Case(
            "Resize",
            consts=[roi, floats(), ints(2, 4, *size)],
            attrs={**_CROP, "mode": mode, **attrs},
            opsets=(11, 18),
        )
        for mode in ("linear", "nearest", "cubic")
        for roi, size, attrs in (
            (_ROI, (3, 7), {"extrapolation_value": 9.0}),
            (_ROI, (4, 4), {}),
            (floats(0, 0, 1, 0, 1, 1, 0, 1), (1, 4), {}),
        )
    ],
    Case(
        "Resize",
        consts=[floats(), floats(), ints(2, 4, 9, 3)],
        attrs={"coordinate_transformation_mode": "tf_half_pixel_for_nn"},
        opsets=(11,),
    ),
]


def build(case: Case, opset: int) -> onnx.ModelProto:
    """The one-node model; before IR 4 its constants are inputs too, as old exporters wrote them."""
    kinds = [np.bool_, np.float32, np.float32] if case.dtype == "where" else [case.dtype] * 9
    shapes = [IMAGE, *case.inputs] if case.dtype == "where" else case.inputs
    infos = [
        helper.make_tensor_value_info(f"x{i}", helper.np_dtype_to_tensor_dtype(np.dtype(kinds[i])), shape)
        for i, shape in enumerate(shapes)
    ]
    names, consts = [info.name for info in infos], []
    for i, value in enumerate(case.consts):
        names.append("" if value is None else f"c{i}")
        if value is not None:
            consts.append(numpy_helper.from_array(np.asarray(value), f"c{i}"))
    old = opset < 9
    declared = [helper.make_tensor_value_info(c.name, c.data_type, c.dims) for c in consts] if old else []
    outputs = [f"y{i}" for i in range(case.outputs)]
    node = helper.make_node(case.op, names, outputs, name="node", **case.attrs)
    graph = helper.make_graph(
        [node], "one", infos + declared, [onnx.ValueInfoProto(name=name) for name in outputs], consts
    )
    opsets = [helper.make_opsetid("", opset)]
    model = helper.make_model(graph, opset_imports=opsets, ir_version=3 if old else 4 if opset < 12 else 10)
    model = onnx.shape_inference.infer_shapes(model)
    if not model.graph.output[0].type.tensor_type.HasField("shape"):  # of some functions onnx infers nothing
        model.graph.output[0].type.CopyFrom(infos[0].type)
    return model


def feeds_of(case: Case, model: onnx.ModelProto) -> dict[str, Any]:
    rng = np.random.default_rng(1)
    feeds = {}
    for info in model.graph.input:
        if not info.name.startswith("x"):
            continue
        shape = tuple(d.dim_value for d in info.type.tensor_type.shape.dim)
        dtype = helper.tensor_dtype_to_np_dtype(info.type.tensor_type.elem_type)
        if dtype.kind == "f":
            value = np.abs(rng.standard_normal(shape)) + 0.1 if case.positive else rng.standard_normal(shape)
        else:
            value = rng.integers(0, 2, shape) if dtype.kind == "b" else rng.integers(-9, 9, shape)
        feeds[info.name] = np.asarray(value).astype(dtype)
    return feeds
