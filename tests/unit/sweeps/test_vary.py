"""Keys with their values, as the command line says them."""

from __future__ import annotations

import pytest

from nnc.isa.errors import NncError, OptionError
from nnc.sweeps.vary import Vary, make_vary, parse_varies, parse_vary, text_of_value


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("cores=1,2,4", (1, 2, 4)),
        ("memory.sram.bytes=64KiB..512KiB*2", (65536, 131072, 262144, 524288)),
        ("memory.sram.bytes=64KiB..100KiB+16KiB", (65536, 81920, 98304)),
        ("memory.sram.bytes=64KiB , 1MiB", (65536, 2**20)),
        ("dram.latency=0..20+10", (0, 10, 20)),
        ("dram.latency=64..150*1.5", (64, 96, 144)),
        ("energy.dram=0.5..2*2", (0.5, 1, 2)),
        ("cores=3..3+1", (3,)),
        ("objective=traffic,cycles", ("traffic", "cycles")),
        ("dma.broadcast=true,false", (True, False)),
        ('compute.arrays.i8=["16x64","32x32"],["64x16"]', ('["16x64","32x32"]', '["64x16"]')),
        ("stitch=auto,4", ("auto", 4)),
        ("dim.tokens=16,64", (16, 64)),
    ],
)
def test_grammar(text: str, values: tuple[object, ...]) -> None:
    vary = parse_vary(text)
    assert vary == Vary(text.partition("=")[0], values)  # type: ignore[arg-type]
    assert list(map(type, vary.values)) == list(map(type, values))
    assert make_vary(vary.key, text.partition("=")[2]) == make_vary(vary.key, list(values)) == vary  # type: ignore[arg-type]


def test_texts_are_those_of_set() -> None:
    assert [*map(text_of_value, (True, 4, 0.5, "a"))] == ["true", "4", "0.5", "a"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "a key with values"),
        ("cores", "a key with values"),
        ("=1", "a key with values"),
        ("cores=", "a key with values"),
        ("cores=1,,2", "a value is missing"),
        ("cores=1,1", "comes twice"),
        ("bytes=1KiB,1024", "comes twice"),
        ("cores=1..4", "no step"),
        ("cores=4..1+1", "begins above its end"),
        ("cores=1..4+0", "never ends"),
        ("cores=1..4*1", "never ends"),
        ("cores=0..4*2", "never ends"),
        ("cores=1..4*0.5", "never ends"),
        ("bytes=1..1TiB*2", "no step"),
        ("bytes=1.5KiB..4KiB*2", "no number and no size"),
        ("bytes=1..4GiB+1", "too many values"),
    ],
)
def test_what_is_wrong_is_told(text: str, said: str) -> None:
    with pytest.raises(NncError, match=said) as caught:
        parse_vary(text)
    assert caught.value.remedy


def test_a_key_comes_once() -> None:
    assert parse_varies(["a=1", "b=2,3"]) == {"a": (1,), "b": (2, 3)}
    with pytest.raises(OptionError, match="varied twice"):
        parse_varies(["a=1", "a=2"])
