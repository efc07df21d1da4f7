"""The rule of every kind of layer against brute force: which elements does each output element read?"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from region_cases import CASES
from region_model import NAME, Case, Draw, Index, Shape, numbered, within
from region_sampling import resize_axes, resize_layer, resize_taps_of_onnxruntime

from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.regions.operand_boxes import RULES, Boxes, Need, needed
from nnc.isa.functions import Coordinates, Nearest, PadMode, PoolFunction, ResizeMode
from nnc.isa.resample import resize_taps

Box = tuple[Index, Index]


@st.composite
def boxes_in(draw: Draw, shape: Shape) -> list[Box]:
    """One to three boxes, none empty."""
    found = []
    for _ in range(draw(st.integers(1, 3))):
        low = tuple(draw(st.integers(0, extent - 1)) for extent in shape)
        high = tuple(draw(st.integers(a + 1, n)) for a, n in zip(low, shape, strict=True))
        found.append((low, high))
    return found


def elements(box: Box) -> Iterable[Index]:
    return product(*(range(a, b) for a, b in zip(*box, strict=True)))


def hull_of(indices: Iterable[Index]) -> Box | None:
    found = list(indices)
    if not found:
        return None
    table = np.array(found).reshape(len(found), -1)
    return tuple(table.min(axis=0).tolist()), tuple((table.max(axis=0) + 1).tolist())


def cut(box: Box, shape: Shape) -> Box:
    """A box cut to the tensor; one wholly outside keeps the nearest element."""
    low = tuple(min(max(a, 0), n - 1) for a, n in zip(box[0], shape, strict=True))
    high = tuple(max(min(b, n), a + 1) for a, b, n in zip(low, box[1], shape, strict=True))
    return low, high


def row(boxes: Boxes, part: int) -> Box:
    return tuple(boxes.low[part].tolist()), tuple(boxes.high[part].tolist())


def check(case: Case, slot: int, box: Box, need: Need, part: int) -> None:
    """One box of one operand: all that is read is inside, and the box is the hull of the window."""
    shape = case.shapes[slot]
    assert shape is not None
    part_box = row(need.boxes, part)
    read = hull_of(i for y in elements(box) for i in case.reads(slot, y))
    window = hull_of(i for y in elements(box) for i in case.window(slot, y))
    if read is not None:
        assert within(read[0], shape) and within(tuple(i - 1 for i in read[1]), shape)
        assert window is not None
        assert all(a <= b for a, b in zip(part_box[0], read[0], strict=True))
        assert all(a >= b for a, b in zip(part_box[1], read[1], strict=True))
    if window is not None:
        assert part_box == cut(window, shape)
    elif isinstance(case.layer, ir.Concat):
        assert part_box == ((0,) * len(shape),) * 2  # an operand that the box does not touch
    else:  # between the contributions of a transposed convolution: one element, any
        assert isinstance(case.layer, ir.ConvTranspose) and slot == 0
        assert within(part_box[0], shape) and all(b <= n for b, n in zip(part_box[1], shape, strict=True))
        assert 1 in need.boxes.extents[part, 2:]
    if slot in case.padded:
        check_padding(case, slot, box, need, part)
    else:
        assert not need.before[part].any() and not need.after[part].any()


def check_padding(case: Case, slot: int, box: Box, need: Need, part: int) -> None:
    """A tile with these pads computes what the whole layer computes there, axis by axis."""
    layer, shape = case.layer, case.shapes[slot]
    assert isinstance(layer, ir.SpatialMacLayer | ir.Pool) and shape is not None
    assert not need.before[part, :2].any() and not need.after[part, :2].any()
    for axis in range(len(layer.kernel)):
        first, last = box[0][axis + 2], box[1][axis + 2]
        low, high = (int(side[part, axis + 2]) for side in (need.boxes.low, need.boxes.high))
        before, after = int(need.before[part, axis + 2]), int(need.after[part, axis + 2])
        begin, stride, dilation = layer.pad_begin[axis], layer.stride[axis], layer.dilation[axis]
        reach, held = (layer.kernel[axis] - 1) * dilation, high - low
        if isinstance(layer, ir.ConvTranspose):
            assert (held - 1) * stride + reach + 1 - before - after == last - first
            for y, k in product(range(first, last), range(layer.kernel[axis])):
                whole = [x for x in range(shape[axis + 2]) if x * stride + k * dilation - begin == y]
                tile = [x + low for x in range(held) if x * stride + k * dilation - before == y - first]
                assert whole == tile
            continue
        if isinstance(layer, ir.Conv):
            assert before + held + after == (last - first - 1) * stride + reach + 1
        else:
            assert after >= 0
        assert before >= 0
        end = shape[axis + 2] + layer.pad_end[axis]
        for y, k in product(range(first, last), range(layer.kernel[axis])):
            whole_position = y * stride + k * dilation - begin
            tile_position = (y - first) * stride + k * dilation - before
            if before >= (last - first - 1) * stride + reach + 1:  # wholly in the padding: no data for sure
                assert tile_position < 0 and not 0 <= whole_position < shape[axis + 2]
                continue
            assert whole_position == tile_position + low
            if isinstance(layer, ir.Pool):  # positions beyond pad_end do not count, those within do
                assert (-begin <= whole_position < end) == (-before <= tile_position < held + after)


@pytest.mark.parametrize("kind", CASES, ids=lambda kind: kind.kind)
@settings(max_examples=60, deadline=None, derandomize=True)
@given(data=st.data())
def test_rule_gives_the_hull_of_what_is_read(kind: type[ir.Layer], data: st.DataObject) -> None:
    case = data.draw(CASES[kind])
    assert type(case.layer) is kind
    boxes = data.draw(boxes_in(case.out))
    for slot, shape in enumerate(case.shapes):
        if shape is not None:
            need = needed(case.layer, slot, Boxes.of(*boxes), case.shapes, case.out)
            for part, box in enumerate(boxes):
                check(case, slot, box, need, part)


def test_every_kind_with_a_rule_is_tested() -> None:
    assert set(CASES) == set(RULES)
    concrete = {kind for kind in vars(ir).values() if isinstance(kind, type) and "kind" in vars(kind)}
    assert concrete - set(RULES) == {ir.Join, ir.AsStrided}  # in partitioned graphs only


def test_join_has_no_rule() -> None:
    with pytest.raises(KeyError):
        needed(ir.Join(**NAME, origins=((0,),)), 0, Boxes.whole((2,)), [(2,)], (2,))


@settings(max_examples=100, deadline=None, derandomize=True)
@given(data=st.data())
def test_gaps_at_the_padding_are_all_that_a_window_adds(data: st.DataObject) -> None:
    """Taps beyond the border are dropped, the gap up to the first tap inside is kept: less than one step."""
    case = data.draw(st.one_of(CASES[ir.Conv], CASES[ir.Pool]))
    layer = case.layer
    assert isinstance(layer, ir.Conv | ir.Pool)
    (box,) = data.draw(boxes_in(case.out))[:1]
    read = hull_of(i for y in elements(box) for i in case.reads(0, y))
    assume(read is not None)
    assert read is not None
    found = row(needed(layer, 0, Boxes.of(box), case.shapes, case.out).boxes, 0)
    for axis, step in enumerate(zip(layer.stride, layer.dilation, strict=True), start=2):
        assert read[0][axis] - found[0][axis] < max(step)
        assert found[1][axis] - read[1][axis] < max(step)


@settings(max_examples=100, deadline=None, derandomize=True)
@given(data=st.data())
def test_reshape_of_several_axes_to_several_adds_at_most_the_run_between(data: st.DataObject) -> None:
    """Between the first and the last needed element in row-major order every element may be asked for."""
    total = data.draw(st.sampled_from([12, 24, 36, 48]))
    pairs = [(a, total // a) for a in range(2, total) if total % a == 0 and total // a > 1]
    shape, out = data.draw(st.sampled_from(pairs)), data.draw(st.sampled_from(pairs))
    ((low, high),) = data.draw(boxes_in(out))[:1]
    flat = numbered(out)[tuple(slice(a, b) for a, b in zip(low, high, strict=True))]
    every = flat if shape == out else np.arange(flat.min(), flat.max() + 1)
    layer = ir.Reshape(**NAME, shape=out, order=(0, 1))
    found = row(needed(layer, 0, Boxes.of((low, high)), [shape], out).boxes, 0)
    assert found == hull_of(zip(*(i.tolist() for i in np.unravel_index(every.ravel(), shape)), strict=True))


@pytest.mark.parametrize("mode", ResizeMode, ids=lambda mode: mode.value)
@pytest.mark.parametrize("coordinates", Coordinates, ids=lambda mode: mode.value)
def test_taps_of_resize_equal_onnxruntime(mode: ResizeMode, coordinates: Coordinates) -> None:
    """Every axis of the list, every rounding: exactly the elements that have a weight."""
    roundings = list(Nearest) if mode is ResizeMode.NEAREST else [Nearest.FLOOR]
    for nearest, (length, size, scale) in product(roundings, resize_axes()):
        layer = resize_layer(mode, coordinates, nearest, (length,), (size,), (scale or size / length,))
        expected = resize_taps_of_onnxruntime(mode, coordinates, nearest, length, size, scale)
        first, last = resize_taps(layer, 0, np.arange(size))
        assert list(zip(first.tolist(), last.tolist(), strict=True)) == [
            (taps[0], taps[-1]) for taps in expected
        ]


# --- empty boxes -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", CASES, ids=lambda kind: kind.kind)
@settings(max_examples=15, deadline=None, derandomize=True)
@given(data=st.data())
def test_nothing_is_needed_for_an_empty_box(kind: type[ir.Layer], data: st.DataObject) -> None:
    """An empty box beside another (at the very end of the output too) changes nothing for the other."""
    case = data.draw(CASES[kind])
    assume(case.out)
    (box,) = data.draw(boxes_in(case.out))[:1]
    for slot, shape in enumerate(case.shapes):
        if shape is not None:
            alone = needed(case.layer, slot, Boxes.of(box), case.shapes, case.out)
            both = needed(case.layer, slot, Boxes.of((case.out, case.out), box), case.shapes, case.out)
            assert row(both.boxes, 0) == ((0,) * len(shape),) * 2
            assert not both.before[0].any() and not both.after[0].any()
            assert row(both.boxes, 1) == row(alone.boxes, 0)
            assert np.array_equal(both.before[1], alone.before[0])
            assert np.array_equal(both.after[1], alone.after[0])


def test_hull_ignores_empty_boxes() -> None:
    one = Boxes.of(((2, 3), (4, 5)), ((0, 0), (0, 0)), ((1, 1), (2, 2)), ((7, 0), (7, 4)))
    other = Boxes.of(((3, 1), (6, 4)), ((5, 5), (6, 7)), ((9, 9), (9, 12)), ((0, 0), (0, 0)))
    hull = one.hull(other)
    assert [row(hull, part) for part in range(3)] == [
        ((2, 1), (6, 5)),
        ((5, 5), (6, 7)),
        ((1, 1), (2, 2)),
    ]
    assert hull.empty.tolist() == [False, False, False, True]


# --- answers worked out by hand ----------------------------------------------------------------------------


def conv(kernel: int, stride: int, pads: tuple[int, int], dilation: int = 1) -> ir.Conv:
    return ir.Conv(
        **NAME,
        kernel=(kernel,),
        stride=(stride,),
        dilation=(dilation,),
        pad_begin=(pads[0],),
        pad_end=(pads[1],),
    )


@pytest.mark.parametrize(
    ("layer", "rows", "expected"),
    [
        (conv(3, 1, (1, 1)), (0, 4), ((0, 5), 1, 0)),
        (conv(3, 1, (1, 1)), (4, 8), ((3, 8), 0, 1)),
        (conv(3, 2, (0, 1)), (1, 4), ((2, 8), 0, 1)),
        (conv(1, 1, (1, 1)), (0, 1), ((0, 1), 1, -1)),  # wholly in the padding before
        (conv(1, 1, (1, 1)), (9, 10), ((7, 8), 1, -1)),  # … and after: no window reaches the element
    ],
)
def test_rows_of_a_convolution(
    layer: ir.Conv, rows: tuple[int, int], expected: tuple[tuple[int, int], int, int]
) -> None:
    length = (8 + layer.pad_begin[0] + layer.pad_end[0] - layer.kernel[0]) // layer.stride[0] + 1
    out = Boxes.of(((0, 0, rows[0]), (1, 2, rows[1])))
    need = needed(layer, 0, out, [(1, 3, 8), (2, 3, *layer.kernel)], (1, 2, length))
    held = (int(need.boxes.low[0, 2]), int(need.boxes.high[0, 2]))
    assert (held, int(need.before[0, 2]), int(need.after[0, 2])) == expected


def test_ceil_window_beyond_pad_end_is_no_padding() -> None:
    layer = ir.Pool(
        **NAME,
        function=PoolFunction.AVERAGE,
        kernel=(3,),
        stride=(2,),
        dilation=(1,),
        pad_begin=(0,),
        pad_end=(1,),
        count_pad=True,
        ceil=True,
    )
    need = needed(layer, 0, Boxes.of(((0, 0, 2), (1, 1, 3))), [(1, 1, 5)], (1, 1, 3))
    assert row(need.boxes, 0) == ((0, 0, 4), (1, 1, 5))
    assert (need.before[0, 2], need.after[0, 2]) == (0, 1)  # the window's third position counts for nothing


def test_transposed_weight_across_the_border_of_a_group() -> None:
    """Channels 3 … 5 of two groups of four: the last of one and the first two of the other."""
    layer = ir.ConvTranspose(
        **NAME, kernel=(1,), stride=(1,), dilation=(1,), pad_begin=(0,), pad_end=(0,), groups=2
    )
    shapes = [(1, 2, 5), (2, 4, 1)]
    across = needed(layer, 1, Boxes.of(((0, 3, 0), (1, 6, 5))), shapes, (1, 8, 5))
    assert row(across.boxes, 0) == ((0, 0, 0), (2, 4, 1))
    inside = needed(layer, 1, Boxes.of(((0, 5, 0), (1, 7, 5))), shapes, (1, 8, 5))
    assert row(inside.boxes, 0) == ((1, 1, 0), (2, 3, 1))


def test_linear_resize_of_some_channels_needs_those_channels_alone() -> None:
    shape, out = (2, 6, 4, 4), (2, 6, 8, 8)
    layer = resize_layer(
        ResizeMode.LINEAR, Coordinates.HALF_PIXEL, Nearest.FLOOR, shape, out, (1.0, 1.0, 2.0, 2.0)
    )
    need = needed(layer, 0, Boxes.of(((0, 2, 2, 0), (1, 4, 4, 8))), [shape], out)
    assert row(need.boxes, 0) == ((0, 2, 0, 0), (1, 4, 3, 4))


def test_constant_padding_keeps_the_nearest_element() -> None:
    layer = ir.Pad(
        **NAME,
        mode=PadMode.CONSTANT,
        value=0.0,
        begin=(4,),
        end=(4,),
        origin=(0,),
        src_origin=(0,),
        src_extent=(3,),
    )
    need = needed(layer, 0, Boxes.of(((0,), (2,)), ((9,), (11,)), ((3,), (6,))), [(3,)], (11,))
    assert [row(need.boxes, part) for part in range(3)] == [((0,), (1,)), ((2,), (3,)), ((0,), (2,))]
