"""Networks that could not be planned in reasonable time are refused before they are."""

from __future__ import annotations

import pytest
from bad_models import parse

from nnc.compilation import compile_model
from nnc.compiler.errors import CapacityError
from nnc.compiler.frontend.importer import import_model
from nnc.compiler.target.network_size import check_size
from nnc.isa.chip.load import load_chip
from nnc.isa.limits import MEMORY_FILLS


@pytest.mark.parametrize("shape", ["1000,1000,1000", "1,1000000000"])
def test_a_thousand_million_elements(shape: str) -> None:
    model = parse(f"g (float[{shape}] x) => (y) {{ y = Relu(x) }}")
    with pytest.raises(CapacityError) as caught:
        compile_model(model)
    assert caught.value.found == "8000000000 bytes"
    assert "dram.bytes=8000000000" in caught.value.remedy
    graph = import_model(model)
    check_size(graph, load_chip("npu", ["dram.bytes=8000000000"]))
    with pytest.raises(CapacityError) as caught:
        compile_model(model, "npu", overrides=["dram.bytes=8000000000", "memory.sram.bytes=32KiB"])
    assert caught.value.expected == f"at most {MEMORY_FILLS.most} times"
    assert "memory.sram.bytes" in caught.value.remedy


def test_what_nobody_reads_takes_no_memory() -> None:
    text = "g (float[1000,1000,1000] x, float[1000,1000,1000] z, float[2] s) => (y) { y = Relu(s) }"
    check_size(import_model(parse(text)), load_chip("npu"))
