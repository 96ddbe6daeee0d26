"""Pages in a real browser. Each must open without a word on the console and ask for nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from sample_profiles import HOSTILE, numeric, profile_of, profile_with, table_profile, variable

from stylobate.datasets import load_penguins
from stylobate.exploration import explore
from stylobate.exploration.page import page
from stylobate.report import visible

PHONE = {"viewport": {"width": 360, "height": 740}, "device_scale_factor": 2}


def shown_names(opened: Any) -> list[str]:
    rows = opened.locator("#variables .scroll tbody tr:visible th")
    return [text.strip() for text in rows.all_inner_texts()]


def sort_by(opened: Any, heading: str) -> list[str]:
    opened.locator("#variables th").get_by_role("button", name=heading, exact=True).click()
    return shown_names(opened)


def test_columns_sort_by_number_and_by_text_in_both_directions(open_page) -> None:
    opened = open_page(page(table_profile()))
    assert sort_by(opened, "Name") == ["alpha", "beta", "delta9", "delta10", "Gamma"]
    assert sort_by(opened, "Name") == ["Gamma", "delta10", "delta9", "beta", "alpha"]
    assert sort_by(opened, "Missing") == ["delta10", "beta", "Gamma", "delta9", "alpha"]
    assert sort_by(opened, "Distinct") == ["delta10", "beta", "Gamma", "alpha", "delta9"]
    assert sort_by(opened, "Distinct") == ["delta9", "alpha", "Gamma", "beta", "delta10"]
    heads = opened.locator("#variables th[aria-sort]")
    assert heads.evaluate_all("all => all.map(th => th.ariaSort)").count("descending") == 1
    assert sort_by(opened, "#") == ["beta", "alpha", "Gamma", "delta10", "delta9"]


def test_cells_without_a_value_are_last_either_way(open_page) -> None:
    opened = open_page(page(table_profile()))
    assert sort_by(opened, "Max")[:2] == ["beta", "Gamma"]
    assert sort_by(opened, "Max")[:2] == ["Gamma", "beta"]


def test_every_heading_that_can_be_sorted_can_be_reached_by_keyboard(open_page) -> None:
    opened = open_page(page(table_profile()))
    opened.locator("#variables th button").first.focus()
    opened.keyboard.press("Tab")
    opened.keyboard.press("Enter")
    assert shown_names(opened)[0] == "alpha"


def test_search_narrows_rows_and_cards(open_page) -> None:
    opened = open_page(page(table_profile()))
    opened.get_by_label("Find a variable").first.fill("DELTA")
    assert shown_names(opened) == ["delta10", "delta9"]
    assert opened.locator("#variables .cards details:visible").count() == 2
    assert opened.locator("#variables output").inner_text() == "2 of 5 variables"
    opened.get_by_label("Find a variable").first.fill("")
    assert len(shown_names(opened)) == 5


def test_kinds_are_chosen_and_combined_with_search(open_page) -> None:
    opened = open_page(page(table_profile()))
    opened.get_by_role("checkbox", name="nominal 2").check()
    assert shown_names(opened) == ["alpha", "delta9"]
    opened.get_by_role("checkbox", name="text 1").check()
    assert shown_names(opened) == ["alpha", "delta10", "delta9"]
    opened.get_by_label("Find a variable").first.fill("9")
    assert shown_names(opened) == ["delta9"]


def test_a_name_leads_to_its_card_even_if_that_was_filtered_out(open_page) -> None:
    opened = open_page(page(table_profile()))
    assert opened.locator("#v-2").get_attribute("open") is None
    opened.locator("#variables table").get_by_role("link", name="Gamma").click()
    opened.locator("#v-2 .card").wait_for(state="visible")
    assert opened.locator("#v-2 svg.chart").is_visible()


def test_all_cards_that_show_are_opened_and_closed(open_page) -> None:
    opened = open_page(page(table_profile()))
    opened.get_by_role("checkbox", name="nominal 2").check()
    opened.get_by_role("button", name="Open all").click()
    assert opened.locator("#variables details[open]").count() == 2
    opened.get_by_role("button", name="Close all").click()
    assert opened.locator("#variables details[open]").count() == 0


def test_the_theme_follows_the_system_and_the_button(open_page) -> None:
    background = "getComputedStyle(document.body).backgroundColor"
    opened = open_page(page(table_profile()), color_scheme="dark")
    dark = opened.evaluate(background)
    opened.get_by_role("button", name="Light").click()
    light = opened.evaluate(background)
    assert light == "rgb(255, 255, 255)"
    assert dark != light
    opened.get_by_role("button", name="Dark").click()
    assert opened.evaluate(background) == dark


def everything() -> dict[str, Any]:
    listed = [variable(f"a_rather_long_name_of_column_{k}", "numeric", numeric=numeric(),
                       missing=k, missing_share=k / 100) for k in range(12)]  # fmt: skip
    return profile_with("plain") | {"variables": profile_with("plain")["variables"] + listed}


@pytest.mark.parametrize("made", [page(everything()), page(profile_with(40 * "unbroken"))])
def test_a_phone_never_scrolls_sideways(open_page, made: str) -> None:
    opened = open_page(made, **PHONE)
    opened.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
    assert opened.evaluate("document.documentElement.scrollWidth") == 360
    wide = opened.locator("#variables .scroll").first
    assert wide.evaluate("box => box.scrollWidth > box.clientWidth")  # scrolls in its own box


def test_print_is_black_on_white_and_without_controls(open_page) -> None:
    opened = open_page(page(everything()), color_scheme="dark")
    opened.emulate_media(media="print", color_scheme="dark")
    assert (
        opened.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    )
    assert not opened.locator("input:visible").count()
    assert not opened.locator("nav").is_visible()
    assert opened.locator("#variables svg .bar").first.is_visible()
    opened.emulate_media(media="screen")
    opened.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert opened.locator("details:not([open])").count() == 0
    opened.evaluate("dispatchEvent(new Event('afterprint'))")
    assert opened.locator("details[open]").count() == 0


@pytest.mark.parametrize("text", HOSTILE[:8])
def test_hostile_names_are_seen_and_never_run(open_page, text: str) -> None:
    opened = open_page(page(profile_with(text)))
    opened.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
    assert opened.locator("h1").inner_text() == visible(text)
    assert opened.locator("#variables tbody th").first.inner_text().strip() == visible(text)
    assert opened.locator("script").count() == opened.locator("style").count() == 1
    assert opened.locator("img, iframe, a:not([href^='#'])").count() == 0
    assert opened.locator("h1").is_visible()


def test_a_file_opens_from_the_disk(open_page, tmp_path: Path) -> None:
    path = tmp_path / "profile.html"
    path.write_text(page(table_profile()), encoding="utf-8")
    opened = open_page(path)
    assert sort_by(opened, "Name")[0] == "alpha"


def test_measures_are_switched(open_page) -> None:
    opened = open_page(page(profile_with("plain")))
    maps = opened.locator("#associations figure:visible")
    assert maps.count() == 1
    opened.locator("#associations select").select_option("cramers_v")
    assert maps.count() == 1
    assert maps.get_attribute("data-panel") == "cramers_v"


def test_long_lists_show_more_when_asked_and_cards_are_drawn_when_opened(open_page) -> None:
    listed = [variable(f"c{k}", "numeric", numeric=numeric()) for k in range(250)]
    opened = open_page(page(profile_of(listed)))
    assert len(shown_names(opened)) == 100
    opened.get_by_role("button", name="Show more (100 of 250)").first.click()
    assert len(shown_names(opened)) == 250
    assert opened.locator("svg.chart:not(.spark)").count() == 0
    opened.locator("#v-3 summary").click()
    opened.locator("#v-3 svg.chart").wait_for(state="visible")  # "toggle" comes after the click
    opened.get_by_label("Find a variable").first.fill("c249")
    assert shown_names(opened) == ["c249"]


def test_without_scripts_everything_is_there(browser) -> None:
    context = browser.new_context(java_script_enabled=False)
    opened = context.new_page()
    opened.set_content(page(table_profile()))
    assert opened.locator("#variables tbody tr:visible").count() >= 5
    assert not opened.locator("[data-theme-button]").is_visible()
    context.close()


def test_a_table_of_hostile_cells_is_explored_and_opened(open_page) -> None:
    """From rows to the page: names and cells are whatever they are."""
    size = 60
    columns = {
        HOSTILE[0]: [HOSTILE[at % 3] for at in range(size)],
        HOSTILE[1]: [float(at % 7) for at in range(size)],
        HOSTILE[5]: [HOSTILE[5] if at % 2 else None for at in range(size)],
        HOSTILE[9]: [at * at / 3 for at in range(size)],
    }
    made = explore(pd.DataFrame(columns), target=HOSTILE[1]).to_html()
    opened = open_page(made)
    opened.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
    assert shown_names(opened) == [visible(name) for name in columns]
    assert opened.locator("#target").is_visible()


def test_the_penguins_are_explored_and_opened(open_page, tmp_path: Path) -> None:
    path = tmp_path / "penguins.html"
    explore(load_penguins(as_frame=True).frame, target="species").to_html(path)
    opened = open_page(path, **PHONE)
    opened.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
    assert opened.evaluate("document.documentElement.scrollWidth") == 360
    assert opened.locator("#associations figure:visible svg").count() == 1
