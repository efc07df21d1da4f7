"""ONNX's operators by what they ask of a compiler for NPUs. What is not listed is second."""

from __future__ import annotations

import onnx

GROUPS = ("core", "foldable", "second", "data-dependent", "outside")
"""From the most to the least common in networks that run on an NPU."""

OPERATORS = {
    "core": """
        Conv ConvTranspose Gemm MatMul AveragePool MaxPool LpPool GlobalAveragePool GlobalMaxPool
        GlobalLpPool Add Sub Mul Div Pow Mod Min Max Mean Sum Abs Neg Sign Ceil Floor Round Sqrt
        Reciprocal Exp Log Erf Sin Cos Equal Greater GreaterOrEqual Less LessOrEqual And Or Xor Not
        IsNaN IsInf Where Clip Cast Identity Dropout Celu Elu Gelu HardSigmoid HardSwish Hardmax
        LeakyRelu LogSoftmax Mish PRelu Relu Selu Shrink Sigmoid Softmax Softplus Softsign Swish Tanh
        ThresholdedRelu BatchNormalization GroupNormalization InstanceNormalization LayerNormalization
        LRN RMSNormalization ArgMax ArgMin ReduceL1 ReduceL2 ReduceLogSum ReduceLogSumExp ReduceMax
        ReduceMean ReduceMin ReduceProd ReduceSum ReduceSumSquare Concat Split Slice Transpose Reshape
        Flatten Squeeze Unsqueeze Expand Tile Pad Gather DepthToSpace SpaceToDepth Resize Upsample
        QuantizeLinear DequantizeLinear QLinearConv QLinearMatMul ConvInteger MatMulInteger
        DynamicQuantizeLinear
    """,
    "foldable": """
        Shape Size Constant ConstantOfShape Range EyeLike CastLike BlackmanWindow HannWindow
        HammingWindow AffineGrid MelWeightMatrix
    """,
    "data-dependent": """
        NonZero Unique Compress NonMaxSuppression
    """,
    "outside": """
        If Loop Scan Optional OptionalGetElement OptionalHasElement StringNormalizer StringConcat
        StringSplit RegexFullMatch TfIdfVectorizer ImageDecoder Adam Adagrad Momentum Gradient Bernoulli
        Multinomial RandomNormal RandomNormalLike RandomUniform RandomUniformLike SequenceAt
        SequenceConstruct SequenceEmpty SequenceErase SequenceInsert SequenceLength SequenceMap
        SplitToSequence ConcatFromSequence ReverseSequence
    """,
}
CLASS_OF = {operator: name for name, operators in OPERATORS.items() for operator in operators.split()}


def group_of(node: onnx.NodeProto) -> str:
    """The class of an operator."""
    return CLASS_OF.get(node.op_type, "second") if node.domain in ("", "ai.onnx") else "outside"
