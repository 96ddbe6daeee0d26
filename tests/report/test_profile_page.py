"""The page of a profile: all of it is there, and none of it is markup."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sample_profiles import HOSTILE, numeric, profile_of, profile_with, table_profile, variable
from test_elements import Reader

from stylobate.exploration.page import page
from stylobate.report import visible
from stylobate.report.elements import ATTRIBUTES, TAGS

_FRAME = {"html", "head", "meta", "style", "script", "body", "title"}
_FRAME_ATTRIBUTES = {"lang", "charset", "content", "http-equiv", "name", "viewbox"}


def check_harmless(made: str) -> Reader:
    """No element, attribute or link beyond those of the builder; one style and one script."""
    read = Reader(made)
    names = read.names
    assert set(names) <= TAGS | _FRAME
    assert [names.count(each) for each in ("style", "script", "h1", "main")] == [1, 1, 1, 1]
    for _, attributes in read.elements:
        assert set(attributes) <= ATTRIBUTES | _FRAME_ATTRIBUTES
        assert re.fullmatch(r"#[a-z0-9-]+", attributes.get("href", "#a"))
    made.encode()
    return read


@settings(max_examples=25)
@given(st.text(st.characters(), max_size=40))
def test_no_text_becomes_markup(text: str) -> None:
    check_harmless(page(profile_with(text), date=text))


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_changes_nothing_but_the_text(text: str) -> None:
    """Element by element, the page is that of a plain name."""
    read = check_harmless(page(profile_with(text), date=text))
    plain = Reader(page(profile_with("Q" * len(text)), date="Q" * len(text)))
    assert read.names == plain.names
    assert [set(a) for _, a in read.elements] == [set(a) for _, a in plain.elements]
    assert read.text.count(visible(text)) == plain.text.count("Q" * len(text))


@given(st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(),
    lambda inner: st.lists(inner, max_size=1), max_leaves=1,
))  # fmt: skip
@settings(max_examples=30)
def test_any_number_can_stand_in_a_profile(value: Any) -> None:
    numbers = numeric(min=value, mean=value, max=value, rank_error=value, kurtosis=value)
    numbers["quantiles"] = dict.fromkeys(numbers["quantiles"], value)
    numbers["histogram"] = {"edges": [0.0, value, 2.0], "counts": [1, value]}
    listed = [variable("a", "numeric", numeric=numbers, distinct=value, missing=3)]
    estimate = {"a": "a", "b": "a", "value": value, "low": value, "high": value, "p_value": value}
    trend = {"time": "t", "column": "a", "per": "day"}
    trend["points"] = [{"start": "2024-01-01", "mean": value, "low": value, "high": value}]
    made = page(profile_of(listed, associations=[estimate], trends=[trend], seconds=value))
    shapes = re.findall(r'(?: d| x| y|width|height|points)="([^"]*)"', made)
    assert not any(re.search("nan|inf", shape) for shape in shapes)


def test_parts_that_are_absent_are_left_out() -> None:
    read = check_harmless(page({"source": "x", "rows": 0, "columns": 0}))
    assert "Associations" not in read.text
    assert "Provenance" in read.text


def test_every_variable_has_a_row_and_a_card() -> None:
    read = Reader(page(table_profile()))
    for at in range(5):
        assert f"#v-{at}" in {a.get("href") for _, a in read.elements}
        assert f"v-{at}" in {a.get("id") for _, a in read.elements}


def test_warnings_lead_to_the_columns_they_quote() -> None:
    listed = [variable(name, "numeric", numeric=numeric()) for name in ("a", "a b", "it's")]
    text = "Mind 'a b', \"it's\" and 'a', but not a or 'c'."
    warnings = [{"level": "high", "topic": "x", "columns": ["a", "a b", "it's"], "text": text}]
    made = page(profile_of(listed, warnings=warnings))
    overview = made[made.index('<section id="overview"') : made.index('<section id="variables"')]
    assert re.findall(r'href="(#v-\d)"', overview) == ["#v-1", "#v-2", "#v-0"]
    assert "Mind a b, it's and a, but not a or 'c'." in Reader(overview).text


def test_columns_of_one_name_keep_their_own_cards() -> None:
    listed = [variable("same", "numeric", numeric=numeric()) for _ in range(3)]
    identifiers = [a["id"] for _, a in Reader(page(profile_of(listed))).elements if "id" in a]
    assert len(identifiers) == len(set(identifiers))


def test_estimates_carry_their_error() -> None:
    counts = {"values": [{"value": "x", "count": 7, "share": 0.7}], "others": 3}
    listed = [
        variable("a", "numeric", numeric=numeric(rank_error=0.01), distinct_exact=False,
                 distinct_error=0.02),
        variable("b", "nominal", counts=counts | {"exact": False, "error": 4}),
    ]  # fmt: skip
    text = Reader(page(profile_of(listed, sampled_rows=50))).text
    assert "≈ 100 ± 2.0%" in text
    assert "off by at most 1.0% of the rows" in text
    assert "off by at most 4" in text
    assert "50 sampled" in text


def wide(columns: int) -> dict[str, Any]:
    listed = [
        variable(f"column {at}", "numeric", numeric=numeric(), missing=at % 3, missing_share=0.01)
        for at in range(columns)
    ]
    names = [each["name"] for each in listed]
    pairs = [
        {"a": a, "b": b, "measure": m, "value": 0.5, "low": 0.45, "high": 0.55, "p_value": 0.01}
        for at, a in enumerate(names[:60])
        for b in names[:at]
        for m in ("pearson", "spearman")
    ]
    return profile_of(listed, associations=pairs)


def test_twenty_columns_stay_small() -> None:
    assert len(page(wide(20)).encode()) < 400_000


def test_a_page_lists_no_more_columns_than_a_browser_can_open() -> None:
    made = page(profile_of([variable(f"c{at}", "constant") for at in range(5003)]))
    assert "The first 5,000 of them are listed." in made
    assert made.count("<template>") == 5000


def test_thousands_of_columns_are_cut_and_it_is_said() -> None:
    made = page(wide(501))
    assert len(made) < 2_500_000
    assert "With 501 columns the cards are kept short" in made
    assert "the 40 with the strongest associations" in made
    assert "The 150 strongest of 3,540" in made
    assert made.count("<template>") == 501
