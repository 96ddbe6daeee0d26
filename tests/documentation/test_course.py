"""Lessons have the same parts, run as notebooks, and cover the items of the lecture notes."""

from __future__ import annotations

import ast
import importlib
import json
import os
import re
import runpy
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
COURSE = ROOT / "docs" / "course"
LESSONS = sorted(page for page in COURSE.glob("*.md") if ">>>" in page.read_text(encoding="utf-8"))
NOTES = Path(os.environ.get("STYLOBATE_DATA", ROOT.parent / "shared" / "data")).parent / "seeds"
PARTS = (
    "**The idea.**",
    "**The formula.**",
    "## Ten lines",
    "## The picture",
    "## Exercise",
    "## In the notes",
)
DECLARED = {"stylobate", "numpy", "scipy", "matplotlib", *sys.stdlib_module_names}
NUMBERED = (
    "figure",
    "table",
    "definition",
    "theorem",
    "proposition",
    "algorithm",
    "problem",
    "example",
)

notebooks = runpy.run_path(str(ROOT / "scripts" / "notebooks"))
tables = runpy.run_path(str(ROOT / "scripts" / "course_tables"))
ITEMS, TERMS = tables["read"]("notes-table"), tables["read"]("terms")


def lesson_id(page: Path) -> str:
    return page.stem


@pytest.mark.parametrize("page", LESSONS, ids=lesson_id)
def test_a_lesson_has_its_parts_in_order(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    places = [text.find(part) for part in PARTS]
    assert min(places) > 0
    assert places == sorted(places)
    assert len(re.findall(r"!\[[^\]]{20,}\]\(\.\./pictures/course-[\w-]+\.png\)", text)) == 1
    answer = text[places[4] : places[5]]
    assert re.search(r"^Answer: ", answer, flags=re.MULTILINE)
    assert ">>>" in answer, "the answer of an exercise is checked"


def test_the_index_lists_every_lesson_once() -> None:
    index = (COURSE / "index.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\d+\. \[([^\]]+)\]\(([\w-]+\.md)\)", index, flags=re.MULTILINE)
    assert sorted(name for _, name in listed) == [page.name for page in LESSONS]
    assert all(tables["title"](name) == text for text, name in listed)


ADDED = (notebooks["SHOW_PICTURES"], "figure")  # lines of a notebook that are not the page's


def lines_of(book: dict) -> list[str]:
    """The lines of code that come from the page."""
    cells = ("".join(cell["source"]) for cell in book["cells"] if cell["cell_type"] == "code")
    return [line for cell in cells if cell not in ADDED for line in cell.splitlines()]


def code_of(page: Path) -> str:
    return "\n".join(lines_of(notebooks["notebook"](page)))


@pytest.mark.parametrize("page", LESSONS, ids=lesson_id)
def test_lessons_import_what_is_declared(page: Path) -> None:
    imported = set()
    for node in ast.walk(ast.parse(code_of(page))):
        if isinstance(node, ast.Import):
            imported |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            imported.add((node.module or "").partition(".")[0])
    assert imported <= DECLARED
    assert "as_frame" not in code_of(page), "frames need pandas, which is not declared"


def check_notebook(book: dict) -> None:
    """What the schema of nbformat 4.5 asks of a notebook and its cells."""
    assert set(book) == {"cells", "metadata", "nbformat", "nbformat_minor"}
    assert (book["nbformat"], book["nbformat_minor"]) == (4, 5)
    assert {"name", "display_name"} <= set(book["metadata"]["kernelspec"])
    ids = [cell["id"] for cell in book["cells"]]
    assert len(set(ids)) == len(ids)
    assert all(re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", each) for each in ids)
    for cell in book["cells"]:
        text = {"id", "cell_type", "metadata", "source"}
        code = cell["cell_type"] == "code"
        assert set(cell) == text | ({"outputs", "execution_count"} if code else set())
        assert all(isinstance(line, str) for line in cell["source"])
        for output in cell.get("outputs", []):
            picture = {"output_type", "data", "metadata", "execution_count"}
            assert set(output) in ({"output_type", "name", "text"}, picture)


@pytest.mark.parametrize("page", LESSONS, ids=lesson_id)
def test_notebooks_hold_all_of_a_lesson(page: Path) -> None:
    book = json.loads(json.dumps(notebooks["notebook"](page)))
    check_notebook(book)
    text = page.read_text(encoding="utf-8")
    assert len(lines_of(book)) == len(re.findall(r"^(?:>>>|\.\.\.)", text, flags=re.MULTILINE))
    outputs = [each for cell in book["cells"] for each in cell.get("outputs", [])]
    assert sum(map(notebooks["is_picture"], outputs)) == 1
    compile(code_of(page), page.name, "exec")


RUN = (
    f"ADDED = {ADDED!r}"
    + """
import ast, contextlib, io, json, sys

book = json.load(open(sys.argv[1], encoding="utf-8"))
space = {"__name__": "__main__"}
for cell in book["cells"]:
    if cell["cell_type"] != "code" or "".join(cell["source"]) in ADDED:
        continue
    shown = io.StringIO()
    source = "".join(cell["source"])
    body = ast.parse(source).body
    with contextlib.redirect_stdout(shown):
        for statement in body:
            module = ast.Interactive([statement])
            exec(compile(module, sys.argv[1], "single"), space)
    expected = "".join("".join(output["text"]) for output in cell["outputs"])
    assert shown.getvalue().split() == expected.split(), (source, shown.getvalue(), expected)
"""
)


@pytest.mark.sampled(10)
@pytest.mark.parametrize("page", LESSONS, ids=lesson_id)
def test_notebooks_run(page: Path, tmp_path: Path) -> None:
    """Some of them: their lines are those of the pages, which run anyway."""
    name = page.stem
    path = os.pathsep.join(each for each in sys.path if each)
    environment = {**os.environ, "MPLBACKEND": "agg", "PYTHONPATH": path}
    script = [
        sys.executable,
        str(ROOT / "scripts" / "notebooks"),
        "--into",
        str(tmp_path),
        str(page),
    ]
    subprocess.run(script, env=environment, capture_output=True, check=True)
    file = tmp_path / f"{name}.ipynb"
    links = re.findall(r"\]\(([^):]+\.md)\)", file.read_text(encoding="utf-8"))
    assert links
    assert all((tmp_path / link).exists() for link in links)
    run = [sys.executable, "-c", RUN, str(file)]
    done = subprocess.run(run, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]


def test_jupyter_shows_what_the_page_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    """All of them are run so by `scripts/notebooks --run`, where CI has the extra "notebooks"."""
    pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(each for each in sys.path if each))
    book = notebooks["notebook"](COURSE / "ten-scores.md")
    assert notebooks["differences"](book) == []
    first = next(cell for cell in book["cells"] if cell.get("outputs"))  # a text
    first["outputs"][0]["text"] = ["something else\n"]
    (found,) = notebooks["differences"](book)
    assert "expected 'something else\\n'" in found


@pytest.mark.parametrize("name", tables["PAGES"])
def test_tables_are_what_their_data_say(name: str) -> None:
    written = (COURSE / name).read_text(encoding="utf-8")
    assert written == tables["PAGES"][name](), "run scripts/course_tables"


def test_items_without_a_page_have_a_reason() -> None:
    without = [item for item in ITEMS if not item["where"]]
    assert all(item["remark"] for item in without)
    assert len(ITEMS) > 500
    assert {item["remark"] for item in without} <= {"a photograph from history", "history"}


def test_terms_name_what_exists() -> None:
    for term in TERMS:
        module, _, name = term["name"].rpartition(".")
        assert hasattr(importlib.import_module(module), name), term["name"]
    names = [term["term"] for term in TERMS]
    assert names == sorted(set(names), key=str.lower)


def test_links_of_the_course_lead_somewhere() -> None:
    for page in COURSE.glob("*.md"):
        for link in re.findall(r"\]\(([^)]+\.md(?:#[\w-]+)?)\)", page.read_text(encoding="utf-8")):
            name, _, anchor = link.partition("#")
            assert (COURSE / name).exists(), (page.name, link)
            assert not anchor or anchor in tables["anchors"](name), (page.name, link)


def numbered(text: str, kind: str) -> set[str]:
    """Numbers of the items of one kind, as their captions and headings give them."""
    if kind == "figure":  # some have no caption but a number
        found = re.findall(r"(?:Figure|Fig\.) ?(\d+(?:\.\d+)?)", text)
    else:
        found = re.findall(rf"^\W*{kind.capitalize()} (\d+(?:\.\d+)?)", text, flags=re.MULTILINE)
    return set(found)


@pytest.mark.skipif(not NOTES.exists(), reason="the lecture notes are not at hand")
@pytest.mark.parametrize(("letter", "number"), [("A", 0), ("B", 1), ("D", 3)])
def test_no_numbered_item_of_the_notes_is_missing(letter: str, number: int) -> None:
    (file,) = NOTES.glob(f"{number:03}_*.txt")
    text = file.read_text(encoding="utf-8")
    for kind in NUMBERED:
        listed = {
            item["number"] for item in ITEMS if item["set"] == letter and item["kind"] == kind
        }
        assert listed == numbered(text, kind), (letter, kind)


def contents(text: str) -> list[str]:
    """Numbers of sections in a table of contents, which ends where they begin anew."""
    found: list[str] = []
    for number in re.findall(r"^\s*(\d+(?:\.\d+)*)[\t ]+\S[^\n]*?\t\d+\s*$", text, re.MULTILINE):
        place = [int(part) for part in number.split(".")]
        if found and place <= [int(part) for part in found[-1].split(".")]:
            break
        found.append(number)
    return found


@pytest.mark.skipif(not NOTES.exists(), reason="the lecture notes are not at hand")
@pytest.mark.parametrize(
    ("letter", "number", "at_least"), [("A", 0, 18), ("B", 1, 85), ("D", 3, 130)]
)
def test_no_section_of_the_contents_is_missing(letter: str, number: int, at_least: int) -> None:
    (file,) = NOTES.glob(f"{number:03}_*.txt")
    sections = contents(file.read_text(encoding="utf-8"))
    assert len(sections) >= at_least
    listed = [i["number"] for i in ITEMS if i["set"] == letter and i["kind"] == "section"]
    chapters = [each for each in listed if "." not in each and each not in sections]
    assert [each for each in listed if each not in chapters] == sections


@pytest.mark.skipif(not NOTES.exists(), reason="the lecture notes are not at hand")
def test_no_section_of_the_set_without_numbered_items_is_missing() -> None:
    """Set C numbers nothing but its sections: `1.`, `1.1.`, … at the start of a line."""
    (file,) = NOTES.glob("002_*.txt")
    headings = re.findall(
        r"^(\d+(?:\.\d+)*)\. [A-Z].*$", file.read_text(encoding="utf-8"), re.MULTILINE
    )
    listed = [i["number"] for i in ITEMS if i["set"] == "C" and i["kind"] == "section"]
    assert len(headings) > 50
    assert listed == headings


def test_items_are_listed_once() -> None:
    keys = Counter((i["set"], i["kind"], i["number"], i["section"]) for i in ITEMS)
    assert max(keys.values()) == 1
