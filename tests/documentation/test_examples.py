"""Every example in a docstring of the installed package, and in every page, runs and is right."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import re
import runpy
from pathlib import Path

import pytest

import stylobate

OPTIONS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
ROOT = Path(__file__).parents[2]
MODULES = ["stylobate", *(m.name for m in pkgutil.walk_packages(stylobate.__path__, "stylobate."))]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])


@pytest.mark.parametrize("name", [name for name in MODULES if not name.endswith("_core")])
def test_docstring_examples(name: str) -> None:
    failed, _ = doctest.testmod(importlib.import_module(name), optionflags=OPTIONS)
    assert failed == 0


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_pages(page: Path, tmp_path: Path) -> None:
    """Examples are run by what draws the pictures, so that each is run once."""
    assert runpy.run_path(str(ROOT / "scripts" / "pictures"))["draw"](page, tmp_path) == 0
    drawn = {picture.name for picture in tmp_path.iterdir()}
    assert drawn == set(re.findall(r"\]\(pictures/([^)]+)\)", page.read_text(encoding="utf-8")))


def test_there_are_examples() -> None:
    finder = doctest.DocTestFinder(exclude_empty=True)
    examples = sum(
        len(test.examples)
        for name in MODULES
        if not name.endswith("_core")
        for test in finder.find(importlib.import_module(name))
    )
    assert examples > 50
    assert any(">>>" in page.read_text(encoding="utf-8") for page in PAGES)
