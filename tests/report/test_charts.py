"""Charts: what is drawn is what was given, and no number whatever breaks a drawing."""

from __future__ import annotations

import re
from itertools import pairwise
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stylobate.report import Html, charts, number, percent
from stylobate.report.charts.scales import Scale

finite = st.floats(allow_nan=False, allow_infinity=False)


def drawn(made: Html) -> ElementTree.Element:
    root = ElementTree.fromstring(str(made))
    for element in root.iter():
        for name, value in element.attrib.items():
            if name not in ("aria-label", "class", "title"):
                assert not re.search(r"nan|inf|None|e\+", value), (element.tag, name, value)
    return root


def test_bars_are_as_high_as_their_counts() -> None:
    root = drawn(charts.histogram([0, 1, 2, 3], [10, 20, 5], title="x"))
    heights = [float(rect.attrib["height"]) for rect in root.iter("rect")]
    assert heights[1] / heights[0] == pytest.approx(2, rel=0.01)
    assert heights[0] / heights[2] == pytest.approx(2, rel=0.01)


def test_bins_of_unequal_width_are_drawn_by_density() -> None:
    root = drawn(charts.histogram([0, 1, 3], [10, 10], title="x"))
    one, two = root.iter("rect")
    areas = [float(r.attrib["height"]) * (float(r.attrib["width"]) + 0.8) for r in (one, two)]
    assert areas[0] == pytest.approx(areas[1], rel=0.02)


def test_the_density_line_has_the_area_of_the_bars() -> None:
    flat = ([0.0, 10.0], [0.1, 0.1])
    root = drawn(charts.histogram([0, 5, 10], [30, 30], title="x", density=flat))
    top = float(next(root.iter("rect")).attrib["y"])
    (line,) = (p for p in root.iter("path") if p.attrib.get("class") == "line")
    assert float(line.attrib["d"].split()[1].split("L")[0]) == pytest.approx(top, abs=0.2)


def test_bars_that_share_one_path_are_the_same_bars() -> None:
    root = drawn(charts.histogram([0, 1, 2, 3], [10, 0, 5], title="x", detailed=False))
    (bars,) = (p for p in root.iter("path") if p.attrib.get("class") == "bar")
    assert bars.attrib["d"].count("M") == 2


def test_heat_maps_put_similar_rows_together() -> None:
    pairs = {(0, 3): 0.9, (1, 4): 0.8, (2, 5): -0.9, (0, 1): 0.1, (1, 2): 0.1}
    order = charts.similar_together(6, pairs)
    assert sorted(order) == list(range(6))
    for a, b in ((0, 3), (1, 4), (2, 5)):
        assert abs(order.index(a) - order.index(b)) == 1


def test_heat_maps_fill_the_lower_triangle() -> None:
    root = drawn(charts.heat_map(["a", "b", "c"], {(0, 2): -0.5, (1, 0): 1.0}, title="x"))
    cells = {r.find("title").text: r.attrib for r in root.iter("rect")}
    assert cells["a × c: −0.5"]["fill-opacity"] == "0.50"
    assert cells["a × c: −0.5"]["class"] == "down"
    assert float(cells["a × c: −0.5"]["y"]) > float(cells["b × a: 1"]["y"])


@given(st.lists(finite, min_size=1, max_size=12))
def test_scales_keep_their_promise_for_all_doubles(values: list[float]) -> None:
    scale = Scale.over(values, 10.0, 90.0)
    places = [scale(value) for value in sorted(values)]
    assert all(10.0 <= place <= 90.0 for place in places)
    assert places == sorted(places)
    assert 1 <= len(scale.ticks()) <= 20
    assert all(scale.low <= tick <= scale.high or abs(tick) < 1e-9 * abs(scale.high - scale.low)
               or tick == pytest.approx(scale.low) or tick == pytest.approx(scale.high)
               for tick in scale.ticks())  # fmt: skip


@settings(max_examples=40)
@given(st.lists(finite, min_size=2, max_size=12, unique=True), st.data())
def test_any_histogram_can_be_drawn(edges: list[float], data: st.DataObject) -> None:
    edges = sorted(edges)
    size = len(edges) - 1
    counts = data.draw(st.lists(st.integers(0, 10**12), min_size=size, max_size=size))
    line = data.draw(st.lists(st.floats(0, 1e300), min_size=3, max_size=3))
    box = charts.Box(edges[0], edges[0], edges[size // 2], edges[-1], edges[-1])
    spread = [edges[0], edges[size // 2], edges[-1]]
    drawn(charts.histogram(edges, counts, title="x", density=(spread, line), box=box))
    drawn(charts.overlay(edges, [counts, counts], title="x"))
    drawn(charts.spark_bars(counts, title="x"))


@settings(max_examples=40)
@given(st.lists(st.tuples(st.text(max_size=12), finite, finite, finite), min_size=1, max_size=40))
def test_any_line_can_be_drawn(rows: list[tuple[str, float, float, float]]) -> None:
    drawn(charts.band([charts.Point(*row) for row in rows], title="x"))
    drawn(charts.spark_line([row[1] for row in rows], title="x"))
    _, value, low, high = rows[0]
    drawn(charts.interval_mark(value, low, high, start=-1.0))


@given(st.lists(st.floats(0, 1), min_size=1, max_size=9))
def test_pieces_of_a_bar_are_side_by_side(shares: list[float]) -> None:
    root = drawn(charts.stacked_bar(shares, labels=[f"c{k}" for k in range(len(shares))]))
    ends = [re.match(r"M([\d.]+) 0H([\d.]+)v", p.attrib["d"]).groups() for p in root.iter("path")]
    assert all(one[1] == other[0] for one, other in pairwise(ends))
    assert sum(float(b) - float(a) for a, b in ends) == pytest.approx(
        160 * min(sum(shares), 1.0), abs=0.2
    )


def test_dates_are_placed_by_time() -> None:
    days = ["2024-01-01", "2024-01-02", "2024-01-11"]
    root = drawn(charts.band([charts.Point(day, 1.0) for day in days], title="x"))
    xs = [float(circle.attrib["cx"]) for circle in root.iter("circle")]
    assert (xs[2] - xs[1]) / (xs[1] - xs[0]) == pytest.approx(9, rel=0.02)


@given(st.floats() | st.integers() | st.none() | st.booleans() | st.text())
def test_anything_can_stand_where_a_number_should(value: object) -> None:
    assert isinstance(number(value), str)
    assert isinstance(percent(value), str)


@given(st.floats(1e-4, 1e8))
def test_numbers_are_read_back_to_four_digits(value: float) -> None:
    assert float(number(value).replace(",", "")) == pytest.approx(value, rel=5.1e-4)
