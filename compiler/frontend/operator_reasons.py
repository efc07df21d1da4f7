"""Why operators are not supported, where more can be said of them than that."""

from __future__ import annotations

from onnx import NodeProto

from nnc.compiler.frontend.domains import MICROSOFT, ONNX, domain_of

NO_RANDOM_NUMBERS = "the chip has no source of random numbers; export the model for inference"
_NO_TEXT = "text is not supported: prepare it outside of the network, which gets numbers"
_REASONS = {
    **dict.fromkeys(
        (
            *("Bernoulli", "Multinomial", "RandomNormal", "RandomNormalLike"),
            *("RandomUniform", "RandomUniformLike"),
        ),
        f"the result is random: {NO_RANDOM_NUMBERS}",
    ),
    **dict.fromkeys(
        ("RegexFullMatch", "StringConcat", "StringNormalizer", "StringSplit", "TfIdfVectorizer"), _NO_TEXT
    ),
    **dict.fromkeys(
        ("Compress", "NonMaxSuppression", "NonZero", "Unique"),
        "how many elements its result has is known only at run time",
    ),
    "ImageDecoder": "files of pictures are not supported: give the network pixels",
}


def unknown_operator(node: NodeProto) -> str:
    """Why a node without an importer cannot be compiled."""
    domain = domain_of(node)
    if domain not in (ONNX, MICROSOFT):
        return f"operators of the domain {node.domain} are not supported"
    general = "the operator is not supported"
    return _REASONS.get(node.op_type, general) if domain == ONNX else general
