"""The live view fits the screen, and a table in a file is never cut off."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from stylobate import Study
from stylobate.cli.study_text import leaderboard_table, print_result
from stylobate.cli.study_view import StudyView
from stylobate.study.events import Event


@pytest.fixture(scope="module")
def told():
    events: list[Event] = []
    result = Study("penguins", "species", models=["lda", "logistic", "tree"], time=20).run(
        events.append
    )
    return events, result


def console(width: int, height: int, **more) -> Console:
    return Console(
        file=io.StringIO(), width=width, height=height, color_system=None, legacy_windows=False,
        **{"force_terminal": True, **more},
    )  # fmt: skip


@pytest.mark.parametrize(("width", "height"), [(80, 24), (200, 50), (60, 12), (80, 9), (40, 30)])
def test_the_view_is_never_higher_than_the_screen(width, height, told):
    """Of a higher one, pieces would stay above the result."""
    screen = console(width, height)
    view = StudyView("penguins → species", screen)
    view._live = object()  # type: ignore[assignment]
    for event in told[0]:
        view(event)
        lines = screen.render_lines(view.render(), pad=False)
        assert len(lines) < height
        text = ["".join(piece.text for piece in line) for line in lines]
        assert text[-1].startswith("Ctrl-C stops")
        assert str(event.stage) in "\n".join(text)


def test_a_terminal_that_cannot_be_drawn_on_gets_lines(told, monkeypatch):
    monkeypatch.setenv("TERM", "dumb")
    screen = console(80, 24)
    with StudyView("penguins → species", screen) as view:
        for event in told[0]:
            view(event)
    assert "tuning: other settings" in screen.file.getvalue()


def test_two_rows_of_a_family_say_which_setting_they_are(told):
    rows = [row for row in told[1].leaderboard if not row.is_baseline]
    twice = [rows[0], rows[0].__class__(**{f: getattr(rows[0], f) for f in rows[0].__slots__})]
    screen = console(80, 24)
    screen.print(leaderboard_table([*twice, *rows[1:]], "accuracy", 80))
    text = screen.file.getvalue()
    key, value = next(iter(rows[0].params.items()))
    assert text.count(f"{key}={value:.3g}" if isinstance(value, float) else f"{key}={value}") == 2


def test_numbers_are_not_cut_off_where_it_is_narrow_or_a_file(told):
    for screen in (console(64, 24), console(80, 24, force_terminal=False)):
        print_result(told[1], None, screen)
        text = screen.file.getvalue()
        for row in told[1].leaderboard:
            assert f"{row.low:.3f} – {row.high:.3f}" in text
    careful = Study("titanic", "survived", cost=(1, 5), models=["logistic"], time=10, cv=3).run()
    screen = console(80, 24, force_terminal=False)
    print_result(careful, None, screen)
    assert "…" not in screen.file.getvalue()
