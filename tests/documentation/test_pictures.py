"""The pictures of the guide come from the code of its pages, and are small."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PICTURES = ROOT / "docs" / "pictures"


def linked() -> set[str]:
    pages = (page.read_text(encoding="utf-8") for page in ROOT.glob("docs/**/*.md"))
    return {name for page in pages for name in re.findall(r"\]\(pictures/([^)]+)\)", page)}


def test_every_picture_is_there_small_and_shown():
    there = {picture.name for picture in PICTURES.iterdir()}
    assert there == linked()
    assert all(picture.stat().st_size < 60_000 for picture in PICTURES.iterdir())


def test_pages_draw_their_pictures(tmp_path):
    script = [sys.executable, str(ROOT / "scripts" / "pictures"), "--into", str(tmp_path)]
    path = os.pathsep.join(each for each in sys.path if each)
    environment = {**os.environ, "MPLBACKEND": "agg", "PYTHONPATH": path}
    done = subprocess.run(script, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert {picture.name for picture in tmp_path.iterdir()} == linked()
