"""Every example in a docstring of the installed package, and in every page, runs and is right."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import re
import runpy
from itertools import islice
from pathlib import Path

import pytest

import stylobate

OPTIONS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
ROOT = Path(__file__).parents[2]
MODULES = ["stylobate", *(m.name for m in pkgutil.walk_packages(stylobate.__path__, "stylobate."))]
SOURCE = Path(stylobate.__file__).parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])


def has_examples(name: str) -> bool:
    """Whether its source shows one, so that modules without are no cases."""
    spot = SOURCE.joinpath(*name.split("."))
    file = spot / "__init__.py" if spot.is_dir() else spot.with_suffix(".py")
    return file.exists() and ">>>" in file.read_text(encoding="utf-8")


SHOWN = [name for name in MODULES if has_examples(name)]


def test_modules_can_be_imported() -> None:
    for name in MODULES:
        importlib.import_module(name)


@pytest.mark.parametrize("name", SHOWN)
def test_docstring_examples(name: str) -> None:
    failed, _ = doctest.testmod(importlib.import_module(name), optionflags=OPTIONS)
    assert failed == 0


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_pages(page: Path, tmp_path: Path) -> None:
    """Examples are run by what draws the pictures, so that each is run once."""
    assert runpy.run_path(str(ROOT / "scripts" / "pictures"))["draw"](page, tmp_path) == 0
    drawn = {picture.name for picture in tmp_path.iterdir()}
    assert drawn == set(
        re.findall(r"\]\((?:\.\./)?pictures/([^)]+)\)", page.read_text(encoding="utf-8"))
    )


def test_there_are_examples() -> None:
    finder = doctest.DocTestFinder(exclude_empty=True)
    found = (test for name in SHOWN for test in finder.find(importlib.import_module(name)))
    assert sum(len(test.examples) for test in islice(found, 100)) > 50
    assert any(">>>" in page.read_text(encoding="utf-8") for page in PAGES)
