"""Colours of the pages: text stands out from what is behind it, in light, dark and print."""

from __future__ import annotations

import re

import pytest

from stylobate.report.document import asset

Colour = tuple[float, float, float]

PAIRS = [
    ("ink", "paper"), ("ink", "sheet"), ("ink", "track"), ("soft", "paper"), ("soft", "sheet"),
    ("accent", "paper"), ("accent", "sheet"), ("accent", "accent-soft"), ("warm", "paper"),
    ("warm", "warm-soft"), ("paper", "warm"), ("paper", "up"), ("paper", "down"),
]  # fmt: skip


def themes() -> dict[str, dict[str, Colour]]:
    blocks = re.findall(r"([^{}]*)\{\s*color-scheme: (?:light|dark);([^}]*)\}", asset("style.css"))
    found = {}
    for at, (_, body) in enumerate(blocks):
        named = re.findall(r"--([a-z-]+): #([0-9a-f]{6})", body)
        found[f"theme {at}"] = {
            name: tuple(int(code[k : k + 2], 16) / 255 for k in (0, 2, 4)) for name, code in named
        }
    return found  # type: ignore[return-value]


def luminance(colour: Colour) -> float:
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in colour]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: Colour, other: Colour) -> float:
    """Relative contrast of the Web Content Accessibility Guidelines 2.2."""
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_there_are_light_dark_twice_and_print() -> None:
    found = themes()
    assert len(found) == 4
    assert found["theme 1"] == found["theme 2"]  # by preference and by choice
    assert all(set(colours) == set(found["theme 0"]) for colours in found.values())


@pytest.mark.parametrize("theme", ["theme 0", "theme 1", "theme 2", "theme 3"])
@pytest.mark.parametrize(("text", "behind"), PAIRS)
def test_text_stands_out(theme: str, text: str, behind: str) -> None:
    colours = themes()[theme]
    assert contrast(colours[text], colours[behind]) >= 4.5


@pytest.mark.parametrize("theme", ["theme 0", "theme 1", "theme 3"])
def test_text_stands_out_from_the_darkest_shade(theme: str) -> None:
    colours = themes()[theme]
    share = max(map(int, re.findall(r"var\(--fill\) (\d+)%", asset("style.css")))) / 100
    shade = tuple(
        share * a + (1 - share) * b for a, b in zip(colours["fill"], colours["paper"], strict=True)
    )
    assert contrast(colours["ink"], shade) >= 4.5  # type: ignore[arg-type]
