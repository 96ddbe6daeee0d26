"""The gallery shows every picture there is."""

from __future__ import annotations

import re
from pathlib import Path

from stylobate import plot

GALLERY = (Path(__file__).parents[2] / "docs" / "gallery.md").read_text(encoding="utf-8")


def test_every_function_is_in_the_gallery():
    code = "\n".join(re.findall(r"^(?:>>>|\.\.\.) ?(.*)$", GALLERY, flags=re.MULTILINE))
    called = set(re.findall(r"\bplot\.(\w+)\(", code))
    assert called == set(plot.__all__)


def test_every_picture_of_the_gallery_is_drawn_by_a_line_above_it():
    pieces = re.split(r"!\[[^\]]+\]\(pictures/gallery-[\w-]+\.png\)", GALLERY)
    assert len(pieces) == len(plot.__all__) + 1
    assert all(re.search(r"figure = ", piece) for piece in pieces[:-1])
