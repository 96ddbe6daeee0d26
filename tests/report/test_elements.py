"""Whatever goes in as text comes out as text."""

from __future__ import annotations

import base64
import hashlib
import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sample_profiles import HOSTILE

from stylobate.exceptions import InvalidParameterError
from stylobate.report import Html, document, section, tag, visible

texts = st.text(st.characters()) | st.sampled_from(HOSTILE)


class Reader(HTMLParser):
    """Elements, attributes and text of a page, as a parser that is not ours sees them."""

    def __init__(self, source: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(source)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data


@given(texts)
def test_text_and_attributes_are_only_ever_text(text: str) -> None:
    made = str(tag("p", text, tag("em", text), title=text, data_v=text, aria_label=text))
    read = Reader(made)
    assert [name for name, _ in read.elements] == ["p", "em"]
    assert read.elements[0][1] == dict.fromkeys(("title", "data-v", "aria-label"), visible(text))
    assert read.text == 2 * visible(text)
    made.encode()  # lone surrogates are gone


@given(texts)
def test_a_whole_page_holds_a_title_as_text(text: str) -> None:
    read = Reader(document(text, section("part", text, text), subtitle=text))
    names = [name for name, _ in read.elements]
    assert names == Reader(document("a", section("part", "a", "a"), subtitle="a")).names
    assert read.text.count(visible(text)) >= 4 or not text


Reader.names = property(lambda self: [name for name, _ in self.elements])  # type: ignore[attr-defined]


@given(texts)
def test_the_constructor_escapes_too(text: str) -> None:
    assert Reader(str(Html(text))).elements == []
    assert Reader(str(Html(text))).text == visible(text)


@given(st.text(st.characters()))
def test_nothing_invisible_is_left(text: str) -> None:
    shown = visible(text)
    assert not re.search("[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u200b\ufeff]", shown)
    assert visible(shown) == shown


def test_emoji_and_persian_keep_their_joiners() -> None:
    assert visible("👩‍👧 می‌خواهم é 你好") == "👩‍👧 می‌خواهم é 你好"


@pytest.mark.parametrize(
    "make",
    [
        lambda: tag("script", "1"),
        lambda: tag("iframe"),
        lambda: tag("p", onclick="x"),
        lambda: tag("p", style="x"),
        lambda: tag("a", src="x"),
        lambda: tag("a", href="javascript:1"),
        lambda: tag("a", href="http://x.test"),
        lambda: tag("a", href="#A b"),
        lambda: tag("p", id='x" y'),
    ],
)
def test_what_could_act_is_refused(make) -> None:
    with pytest.raises(InvalidParameterError, match="tag:"):
        make()


def test_the_policy_lets_in_our_style_and_script_only() -> None:
    made = document("x")
    read = Reader(made)
    policy = next(a["content"] for _, a in read.elements if "http-equiv" in a)
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules["default-src"] == "'none'"
    for name, rule in (("style", "style-src"), ("script", "script-src")):
        (inside,) = re.findall(f"<{name}>(.*?)</{name}>", made, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(inside.encode()).digest()).decode()
        assert rules[rule] == f"'sha256-{digest}'"
        assert f"</{name}" not in inside
    assert set(rules) == {"default-src", "style-src", "script-src", "base-uri", "form-action"}


def test_nothing_in_style_or_script_points_elsewhere() -> None:
    made = document("x")
    assert not re.search(r"https?:|url\(|@import|\bfetch\b|XMLHttp|eval\(|innerHTML", made)
