"""The index of terms names what exists, on pages that exist."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in (DOCS / "terms.md").read_text(encoding="utf-8").splitlines()
    if line.startswith("| ") and not line.startswith("| term")
]


def test_there_are_terms():
    assert len(ROWS) > 70
    assert all(len(row) == 3 and all(row) for row in ROWS)
    terms = [row[0] for row in ROWS]
    assert len(set(terms)) == len(terms)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0][:40])
def test_names_import_and_pages_are_there(row):
    names = re.findall(r"`([\w.]+)`", row[1])
    assert names
    for name in names:
        package, _, last = name.rpartition(".")
        module = import_module(f"stylobate.{package}")
        assert last in module.__all__, name
        assert getattr(module, last) is not None
    (page,) = re.findall(r"\]\(([\w-]+\.md)\)", row[2])
    assert (DOCS / page).is_file()
