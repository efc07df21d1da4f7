"""nnc/page/layout.py"""

from __future__ import annotations

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from nnc.page.layout import Box, draw_layers


def apart(a: Box, b: Box) -> bool:
    return a.right <= b.left or b.right <= a.left or a.top <= b.bottom or b.top <= a.bottom


@given(
    st.lists(st.integers(0, 5), max_size=30),
    st.lists(st.tuples(st.integers(0, 29), st.integers(0, 29)), max_size=60),
)
def test_boxes_lie_apart_and_inside_their_groups(homes: list[int], pairs: list[tuple[int, int]]) -> None:
    groups = {group: [n for n, home in enumerate(homes) if home == group] for group in range(6)}
    drawing = draw_layers(groups, pairs)
    assert set(drawing.layers) == set(range(len(homes)))
    assert set(drawing.groups) == set(homes)
    assert all(apart(a, b) for a, b in combinations(drawing.layers.values(), 2))
    assert all(apart(a, b) for a, b in combinations(drawing.groups.values(), 2))
    for layer, home in enumerate(homes):
        box, around = drawing.layers[layer], drawing.groups[home]
        assert around.left <= box.left < box.right <= around.right
        assert around.bottom <= box.bottom < box.top <= around.top


def test_a_layer_stands_behind_those_that_it_reads() -> None:
    drawing = draw_layers({0: [0, 1, 2, 3]}, [(0, 1), (0, 2), (1, 3), (2, 3)])
    boxes = drawing.layers
    assert boxes[0].right <= boxes[1].left == boxes[2].left and boxes[2].right <= boxes[3].left
    assert boxes[0].middle == boxes[3].middle  # between the two branches


def test_groups_run_left_to_right_and_line_by_line() -> None:
    drawing = draw_layers({group: [group] for group in range(60)}, [])
    boxes = [drawing.groups[group] for group in range(60)]
    starts = [(-box.top, box.left) for box in boxes]
    assert starts == sorted(starts)
    assert len({box.top for box in boxes}) > 1
