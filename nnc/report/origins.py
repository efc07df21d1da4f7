"""Which nodes of the model a layer of the canonical network computes."""

from __future__ import annotations

from nnc.compiler.ir.graph import Graph


def nodes_of_layers(imported: Graph, canonical: Graph) -> dict[str, tuple[str, ...]]:
    """ONNX nodes by layer: where it comes from, and those that passes fused into it.

    Tensors keep their names in passes: what lies in the imported network above a layer's result, up to
    results of other layers, is done by this layer.
    """
    results = {canonical.output_of(layer.name) for layer in canonical.layers()}
    by_layer = {}
    for layer in canonical.layers():
        nodes = {layer.loc.node: None}
        todo = [canonical.output_of(layer.name)]
        seen = set(todo)
        while todo:
            producer = imported.producer(tensor) if (tensor := todo.pop()) in imported.types else None
            if producer is None:
                continue
            nodes[producer.loc.node] = None
            above = [t for t in imported.inputs_of(producer.name) if t is not None]
            todo += [t for t in above if t not in results and t not in seen]
            seen.update(above)
        by_layer[layer.name] = tuple(nodes)
    return by_layer
