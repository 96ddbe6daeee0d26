"""The page of tiers says what the code says."""

from __future__ import annotations

from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_the_page_of_tiers_is_that_of_the_code():
    loader = SourceFileLoader("tiers", str(ROOT / "scripts" / "tiers"))
    module = module_from_spec(spec_from_loader("tiers", loader))
    loader.exec_module(module)
    assert (ROOT / "docs" / "tiers.md").read_text() == module.page(), "run scripts/tiers"
