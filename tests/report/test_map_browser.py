"""Pages of maps in a real browser: zoom, hover, selection, colours, files; silent and alone."""

from __future__ import annotations

import csv
import struct
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from sample_profiles import HOSTILE

from stylobate import map_rows
from stylobate.data.kinds.schema import Column
from stylobate.exploration.cells import Cells
from stylobate.exploration.maps.row_map import RowMap


@pytest.fixture(scope="module")
def penguins() -> RowMap:
    return map_rows("penguins", target="species", method="pca")


@pytest.fixture(scope="module")
def page_of_penguins(penguins: RowMap) -> str:
    return penguins.to_html()


def opened_map(open_page: Any, html: str, **options: Any) -> Any:
    page = open_page(html, **options)
    page.wait_for_selector("[data-scatter][data-ready]", timeout=30_000)
    return page


def sheet(page: Any, which: int) -> Any:
    return page.locator(f"[data-plane='{which}'] canvas").nth(1)


def frame(page: Any, which: int) -> dict[str, str]:
    """What the last frame of a map says of itself, after those under way."""
    page.evaluate(
        "() => new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)))"
    )
    return page.locator(f"[data-plane='{which}'] canvas").first.evaluate("c => ({...c.dataset})")


def drag(page: Any, which: int, start: tuple[float, float], end: tuple[float, float]) -> None:
    box = sheet(page, which).bounding_box()
    place = lambda at: (box["x"] + at[0] * box["width"], box["y"] + at[1] * box["height"])  # noqa: E731
    page.mouse.move(*place(start))
    page.mouse.down()
    page.mouse.move(*place(((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)))
    page.mouse.move(*place(end))
    page.mouse.up()


def pixel_of(page: Any, found: RowMap, which: int, row: int) -> tuple[float, float]:
    """Where a row is on the screen, by the rule of the page: both directions on one scale."""
    points = found.maps[which].points
    low, high = points.min(axis=0), points.max(axis=0)
    x, y = (points[row] - (low + high) / 2) / float((high - low).max())
    box = sheet(page, which).bounding_box()
    side = 0.92 * min(box["width"], box["height"])
    return (
        box["x"] + box["width"] / 2 + x * side, box["y"] + box["height"] / 2 - y * side,
    )  # fmt: skip


def test_all_rows_are_drawn_and_zooming_leaves_some_out(open_page, page_of_penguins) -> None:
    page = opened_map(open_page, page_of_penguins)
    assert [frame(page, k)["drawn"] for k in (0, 1)] == ["344", "344"]
    page.get_by_role("button", name="Zoom in, PCA", exact=True).click(click_count=4)
    zoomed = int(frame(page, 0)["drawn"])
    assert 0 < zoomed < 344
    assert frame(page, 1)["drawn"] == "344"
    page.get_by_role("button", name="Whole map, PCA", exact=True).click()
    assert frame(page, 0)["drawn"] == "344"
    sheet(page, 0).hover()
    page.mouse.wheel(0, -600)
    assert int(frame(page, 0)["drawn"]) < 344
    page.mouse.wheel(0, 4000)
    assert frame(page, 0)["drawn"] == "344"


def test_dragging_moves_the_map(open_page, page_of_penguins) -> None:
    page = opened_map(open_page, page_of_penguins)
    before = frame(page, 0)
    drag(page, 0, (0.2, 0.5), (0.9, 0.5))
    after = frame(page, 0)
    assert int(after["frames"]) > int(before["frames"])
    assert int(after["drawn"]) < 344


def test_two_fingers_zoom(open_page, page_of_penguins) -> None:
    page = opened_map(open_page, page_of_penguins)
    sheet(page, 0).evaluate(
        """canvas => {
          const box = canvas.getBoundingClientRect();
          canvas.setPointerCapture = () => {};
          const send = (type, id, x) => canvas.dispatchEvent(new PointerEvent(type, {
            pointerId: id, pointerType: "touch", bubbles: true,
            button: type === "pointermove" ? -1 : 0,
            clientX: box.left + x * box.width, clientY: box.top + 0.5 * box.height }));
          send("pointerdown", 1, 0.45); send("pointerdown", 2, 0.55);
          send("pointermove", 1, 0.2); send("pointermove", 2, 0.8);
          send("pointerup", 1, 0.2); send("pointerup", 2, 0.8);
        }"""
    )
    assert 0 < int(frame(page, 0)["drawn"]) < 344


def test_hovering_shows_the_row(open_page, penguins, page_of_penguins) -> None:
    page = opened_map(open_page, page_of_penguins)
    far = int(np.argmax(penguins.maps[0].points[:, 0]))  # alone at the right end
    page.mouse.move(*pixel_of(page, penguins, 0, far))
    tip = page.locator("[data-role='tooltip']")
    assert tip.is_visible()
    said = tip.inner_text()
    assert f"{far + 1}" in said
    cells = {each.column.name: each for each in penguins.cells}
    assert str(cells["species"].values[cells["species"].codes[far]]) in said
    assert "neighbours kept, PCA" in said
    page.mouse.move(5, 5)
    assert not tip.is_visible()


def test_a_rectangle_selects_on_both_maps(open_page, penguins, page_of_penguins) -> None:
    page = opened_map(open_page, page_of_penguins)
    assert "Nothing is selected" in page.locator("[data-role='selected']").inner_text()
    page.get_by_role("button", name="Rectangle").click()
    drag(page, 0, (0.5, 0.02), (0.98, 0.98))
    points = penguins.maps[0].points
    middle = (points[:, 0].min() + points[:, 0].max()) / 2
    right = points[:, 0] > middle
    told = page.locator("[data-role='selected']").inner_text()
    count = int(told.split(" of ")[0])
    assert abs(count - int(right.sum())) <= 2  # the rectangle ends on a pixel
    traits = page.locator("[data-role='traits'] li").all_inner_texts()
    assert any(line.startswith("species is Gentoo") for line in traits)
    assert any(line.startswith("higher flipper_length_mm") for line in traits)
    rows = page.locator("[data-role='table'] tbody tr")
    assert rows.count() == min(count, 50)
    assert frame(page, 1)["drawn"] == "344"  # the others are faint, not gone
    page.get_by_role("button", name="Clear selection").click()
    assert not page.locator("[data-role='table']").is_visible()


def test_a_lasso_selects(open_page, page_of_penguins) -> None:
    page = opened_map(open_page, page_of_penguins)
    page.get_by_role("button", name="Lasso").click()
    box = sheet(page, 0).bounding_box()
    page.mouse.move(box["x"] + 0.1 * box["width"], box["y"] + 0.05 * box["height"])
    page.mouse.down()
    for x, y in ((0.5, 0.05), (0.5, 0.95), (0.1, 0.95)):
        page.mouse.move(box["x"] + x * box["width"], box["y"] + y * box["height"], steps=3)
    page.mouse.up()
    count = int(page.locator("[data-role='selected']").inner_text().split(" of ")[0])
    assert 100 < count < 330


def test_effects_of_a_selection_are_those_of_the_table(
    open_page, penguins, page_of_penguins
) -> None:
    page = opened_map(open_page, page_of_penguins)
    page.keyboard.down("Shift")
    drag(page, 0, (0.5, 0.02), (0.98, 0.98))
    page.keyboard.up("Shift")
    traits = page.locator("[data-role='traits'] li").all_inner_texts()
    inside = penguins.maps[0].points[:, 0]
    inside = inside > (inside.min() + inside.max()) / 2
    mass = next(c for c in penguins.cells if c.column.name == "body_mass_g").numbers()
    a, b = mass[inside & ~np.isnan(mass)], mass[~inside & ~np.isnan(mass)]
    pooled = ((len(a) - 1) * a.var(ddof=1) + (len(b) - 1) * b.var(ddof=1)) / (len(a) + len(b) - 2)
    d = (a.mean() - b.mean()) / np.sqrt(pooled)
    line = next(line for line in traits if "body_mass_g" in line)
    assert float(line.split("d = ")[1].rstrip(")")) == pytest.approx(d, abs=0.1)


def test_colours_legends_and_hiding(open_page, page_of_penguins) -> None:
    page = opened_map(open_page, page_of_penguins)
    legend = page.locator("[data-role='legend']")
    assert legend.locator("button").all_inner_texts()[0].split() == ["Adelie", "152"]
    legend.get_by_role("button", name="Adelie").click()
    assert [frame(page, k)["drawn"] for k in (0, 1)] == ["192", "192"]
    assert legend.get_by_role("button", name="Adelie").get_attribute("aria-pressed") == "false"
    choice = page.get_by_label("Colour by")
    choice.select_option(label="body_mass_g")
    assert frame(page, 0)["drawn"] == "344"
    assert legend.locator(".ramp").is_visible()
    assert "missing" in legend.inner_text()
    for label in ("neighbours kept", "nothing", "sex", "year"):
        choice.select_option(label=label)
        assert frame(page, 0)["drawn"] == "344"


def test_pixels_change_with_colours_and_theme(open_page, page_of_penguins) -> None:
    page = opened_map(open_page, page_of_penguins)
    picture = """c => {
      const { data } = c.getContext("2d").getImageData(0, 0, c.width, c.height);
      return data.reduce((sum, v, k) => (sum + v * (k % 97)) % 1000003, 0);
    }"""
    canvas = page.locator("[data-plane='0'] canvas").first
    seen = {canvas.evaluate(picture)}
    page.get_by_label("Colour by").select_option(label="island")
    frame(page, 0)
    seen.add(canvas.evaluate(picture))
    page.get_by_role("button", name="Dark").click()
    frame(page, 0)
    seen.add(canvas.evaluate(picture))
    assert len(seen) == 3


def test_files_are_saved(open_page, penguins, page_of_penguins, tmp_path) -> None:
    page = opened_map(open_page, page_of_penguins, accept_downloads=True)
    assert page.get_by_role("button", name="Save the selected rows").is_disabled()
    page.get_by_role("button", name="Select what is shown, PCA", exact=True).click()
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Save the selected rows").click()
    waiting.value.save_as(tmp_path / "rows.csv")
    with (tmp_path / "rows.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert len(rows) == 344
    mass = next(c for c in penguins.cells if c.column.name == "body_mass_g").numbers()
    for row, value in zip(rows, mass, strict=True):
        assert float(row["body_mass_g"] or "nan") == pytest.approx(value, nan_ok=True)
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Save both maps").click()
    waiting.value.save_as(tmp_path / "map.png")
    data = (tmp_path / "map.png").read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">I", data[16:20])[0] > 1000


def test_everything_by_keyboard(open_page, page_of_penguins) -> None:
    page = opened_map(open_page, page_of_penguins)
    sheet(page, 0).focus()
    for _ in range(4):
        page.keyboard.press("+")
    page.keyboard.press("ArrowRight")
    drawn = int(frame(page, 0)["drawn"])
    assert drawn < 344
    assert page.locator("[data-role='tooltip']").count() == 1
    page.keyboard.press("Enter")
    count = int(page.locator("[data-role='selected']").inner_text().split(" of ")[0])
    assert abs(count - drawn) <= 6  # points cut by the edge are in view and not drawn
    page.keyboard.press("Escape")
    assert "Nothing is selected" in page.locator("[data-role='selected']").inner_text()
    page.keyboard.press("0")
    assert frame(page, 0)["drawn"] == "344"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_theme_is_the_readers(open_page, page_of_penguins, scheme: str) -> None:
    page = opened_map(open_page, page_of_penguins, color_scheme=scheme)
    corner = page.locator("[data-plane='0'] canvas").first.evaluate(
        "c => [...c.getContext('2d').getImageData(2, 2, 1, 1).data]"
    )
    assert (corner == [255, 255, 255, 255]) == (scheme == "light")


def test_a_phone(open_page, page_of_penguins) -> None:
    phone = {"viewport": {"width": 360, "height": 740}, "device_scale_factor": 2}
    page = opened_map(open_page, page_of_penguins, **phone)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert frame(page, 1)["drawn"] == "344"


def test_hostile_cells_stay_text(open_page) -> None:
    n = 60
    draw = np.random.default_rng(0)
    texts = [*HOSTILE, "</script><script>alert(1)</script>", "=1+1", "x" * 100_000]
    table = {
        "a": draw.normal(size=n),
        "</script><b>": draw.normal(size=n),
        "what": np.array([texts[i % len(texts)] for i in range(n)], dtype=object),
    }
    found = map_rows(table, target="what", method="pca", schema={"what": "nominal"})
    wild = Cells(
        Column("wild", "numeric", "as told", 4, 0),
        np.array([-np.inf, 1e-320, 1e308, np.inf]), np.arange(n) % 5 - 1,
    )  # fmt: skip
    found = replace(found, cells=(*found.cells, wild))
    html = found.to_html()
    assert "<script>alert" not in html
    page = opened_map(open_page, html)
    page.get_by_role("button", name="Select what is shown, PCA", exact=True).click()
    assert page.locator("[data-role='table'] tbody tr").count() == 50
    assert page.locator("[data-scatter] b").count() == 0
    for label in ("wild", "what"):
        page.get_by_label("Colour by").select_option(label=label)
        assert frame(page, 0)["drawn"] == str(n)


def test_a_hundred_thousand_points_stay_responsive(open_page, penguins) -> None:
    n = 100_000
    draw = np.random.default_rng(0)
    points = [draw.normal(size=(n, 2)) for _ in range(2)]
    group = Column("group", "nominal", "as told", 5, 0)
    names = np.array([f"g{k}" for k in range(5)], dtype=object)
    value = np.sort(draw.normal(size=n))
    cells = (
        Cells(group, names, draw.integers(0, 5, n)),
        Cells(Column("value", "numeric", "as told", n, 0), value, draw.permutation(n)),
    )
    maps = tuple(
        replace(plane, points=p, kept_by_row=draw.uniform(size=n))
        for plane, p in zip(penguins.maps, points, strict=True)
    )
    large = replace(
        penguins, rows=n, used_rows=n, row_numbers=np.arange(n), maps=maps, cells=cells,
        color="group", separation=None, outliers=(),
    )  # fmt: skip
    html = large.to_html()
    assert len(html) < 3_000_000  # 30 bytes a row
    page = opened_map(open_page, html)
    assert frame(page, 0)["drawn"] == str(n)
    sheet(page, 0).hover()
    for turn in range(12):  # every frame is one drawing, of the points in view
        page.mouse.wheel(0, -60 if turn < 6 else 60)
        assert 0 < int(frame(page, 0)["drawn"]) <= n
    looked = page.evaluate("performance.getEntriesByType('resource').length")
    assert looked == 0


def test_few_points_are_named(open_page) -> None:
    towns = ["Aa", "Bee", "</b>Cee", "Dee", "Eff"]
    sides = [[0, 3, 5, 4, 9], [3, 0, 4, 5, 7], [5, 4, 0, 3, 5], [4, 5, 3, 0, 8], [9, 7, 5, 8, 0]]
    found = map_rows({"town": towns} | dict(zip(towns, sides, strict=True)), method="pca")
    page = opened_map(open_page, found.to_html())
    assert [frame(page, which)["named"] for which in (0, 1)] == ["5", "5"]
    assert page.locator("[data-plane='0'] strong").inner_text() == "Classical scaling"


def test_many_points_are_not_named(open_page, page_of_penguins) -> None:
    assert "named" not in frame(opened_map(open_page, page_of_penguins), 0)
