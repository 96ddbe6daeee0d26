"""The pictures of the guide come from the code of its pages, and are small."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PICTURES = ROOT / "docs" / "pictures"


def linked(*pages: Path) -> set[str]:
    texts = (page.read_text(encoding="utf-8") for page in pages)
    link = r"\]\((?:\.\./)?pictures/([^)]+)\)"
    return {name for text in texts for name in re.findall(link, text)}


def test_every_picture_is_there_small_and_shown():
    there = {picture.name for picture in PICTURES.iterdir()}
    assert there == linked(*ROOT.glob("docs/**/*.md"))
    assert all(picture.stat().st_size < 60_000 for picture in PICTURES.iterdir())


def test_the_script_draws_the_pictures_of_a_page(tmp_path):
    """That every page draws its own is seen where its examples run, in `test_examples.py`."""
    page = ROOT / "docs" / "densities.md"
    script = [
        sys.executable,
        str(ROOT / "scripts" / "pictures"),
        "--into",
        str(tmp_path),
        str(page),
    ]
    path = os.pathsep.join(each for each in sys.path if each)
    environment = {**os.environ, "MPLBACKEND": "agg", "PYTHONPATH": path}
    done = subprocess.run(script, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert {picture.name for picture in tmp_path.iterdir()} == linked(page)
