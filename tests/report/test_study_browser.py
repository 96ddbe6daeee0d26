"""Pages of studies in a real browser: silent, asking for nothing, readable everywhere."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from sample_profiles import HOSTILE
from sample_studies import numbers_study, partial_study, study_with

from stylobate.report import visible
from stylobate.study.page import study_page

PHONE = {"viewport": {"width": 360, "height": 740}, "device_scale_factor": 2}


def models(opened: Any) -> list[str]:
    rows = opened.locator("#leaderboard tbody tr th strong")
    return [text.strip() for text in rows.all_inner_texts()]


def test_the_leaderboard_sorts(open_page) -> None:
    opened = open_page(study_page(study_with()))
    assert models(opened)[0] == "gradient boosting"
    opened.locator("#leaderboard th").get_by_role("button", name="Accuracy").click()
    assert models(opened)[0] == "most frequent class"
    opened.locator("#leaderboard th").get_by_role("button", name="Model").click()
    assert models(opened) == sorted(models(opened), key=str.lower)


def test_settings_open_and_columns_are_found(open_page) -> None:
    opened = open_page(study_page(study_with()))
    assert not opened.locator("#tried .card").first.is_visible()
    opened.get_by_role("button", name="Open all").click()
    assert opened.locator("#tried .card").first.is_visible()
    opened.get_by_label("Find a column").fill("AGE")
    assert opened.locator("#data tbody tr:visible").filter(has_text="numeric").count() == 1
    opened.get_by_role("checkbox", name="left out 2").check()
    assert opened.locator("#data output").inner_text() == "0 of 8 columns"


def test_links_lead_to_sections(open_page) -> None:
    opened = open_page(study_page(study_with()))
    opened.get_by_role("link", name="Reproduce").click()
    assert opened.url.endswith("#reproducing")
    for _ in range(100):  # it glides there
        if opened.evaluate("scrollY") > 500:
            break
        opened.wait_for_timeout(50)
    assert opened.evaluate("scrollY") > 500


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_theme_is_the_readers(open_page, scheme: str) -> None:
    opened = open_page(study_page(study_with()), color_scheme=scheme)
    background = opened.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (background == "rgb(255, 255, 255)") == (scheme == "light")
    ink = opened.locator(".answer").evaluate("e => getComputedStyle(e).color")
    assert ink != background
    line = opened.locator("#quality svg .outline").first.evaluate("e => getComputedStyle(e).stroke")
    assert line not in ("none", background)


@pytest.mark.parametrize(
    "made",
    [study_with(), numbers_study(), partial_study(), study_with(30 * "unbroken")],
    ids=["classes", "numbers", "partial", "long"],
)
def test_a_phone_never_scrolls_sideways(open_page, made: Any) -> None:
    opened = open_page(study_page(made), **PHONE)
    opened.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
    assert opened.evaluate("document.documentElement.scrollWidth") == 360


def test_paper_is_white_complete_and_as_wide_as_the_page(open_page) -> None:
    opened = open_page(study_page(study_with()), color_scheme="dark",
                       viewport={"width": 680, "height": 960})  # fmt: skip
    opened.emulate_media(media="print", color_scheme="dark")
    assert (
        opened.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    )
    assert not opened.locator("nav").is_visible()
    assert not opened.locator("input:visible").count()
    opened.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert opened.locator("details:not([open])").count() == 0
    assert opened.evaluate("document.documentElement.scrollWidth") <= 680
    avoided = opened.locator("#quality figure").first.evaluate(
        "e => getComputedStyle(e).breakInside"
    )
    assert avoided == "avoid"


def test_a_page_prints_to_a_few_sheets(open_page, tmp_path: Path) -> None:
    opened = open_page(study_page(study_with()))
    opened.pdf(path=tmp_path / "study.pdf", format="A4", print_background=True)
    sheets = (tmp_path / "study.pdf").read_bytes().count(b"/Type /Page\n")
    assert 3 <= sheets <= 15


@pytest.mark.parametrize("text", HOSTILE[:8])
def test_hostile_text_is_seen_and_never_run(open_page, text: str) -> None:
    opened = open_page(study_page(study_with(text)))
    opened.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
    assert visible(text) in opened.locator("h1").inner_text()
    assert visible(text) in opened.locator("#mistakes tbody tr").first.inner_text()
    assert opened.locator("script").count() == opened.locator("style").count() == 1
    assert opened.locator("img, iframe, a:not([href^='#'])").count() == 0


def test_a_file_opens_from_the_disk(open_page, tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    path.write_text(study_page(study_with()), encoding="utf-8")
    assert len(models(open_page(path))) == 6


def test_without_scripts_everything_is_there(browser) -> None:
    context = browser.new_context(java_script_enabled=False)
    opened = context.new_page()
    opened.set_content(study_page(study_with()))
    assert opened.locator("#leaderboard tbody tr:visible").count() == 6
    context.close()


def test_sections_turn_like_slides(open_page) -> None:
    opened = open_page(study_page(study_with()))
    sections = opened.locator("main > section")
    count = sections.count()
    opened.get_by_role("button", name="Slides").click()
    assert opened.locator("main > section:visible").count() == 1
    assert opened.locator("main > section:visible").get_attribute("id") == "answer"
    opened.keyboard.press("ArrowRight")
    assert opened.locator("main > section:visible").get_attribute("id") == "quality"
    assert opened.locator("[data-slides] output").inner_text() == f"2 of {count}"
    for _ in range(count + 3):  # the last one stays
        opened.get_by_role("button", name="Next section").click()
    assert opened.locator("main > section:visible").get_attribute("id") == "reproducing"
    opened.keyboard.press("Escape")
    assert opened.locator("main > section:visible").count() == count


def test_a_table_that_goes_on_has_a_shade_at_its_edge(open_page) -> None:
    opened = open_page(study_page(study_with()), **PHONE)
    box = opened.locator("#leaderboard .scroll")
    assert box.evaluate("e => e.scrollWidth > e.clientWidth")
    assert box.evaluate("e => getComputedStyle(e).backgroundImage").count("radial-gradient") == 2
