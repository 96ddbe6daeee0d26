"""A study's result in the terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from stylobate.report import number as shown_number
from stylobate.study.output.sentences import capital, left_out_words, short_source
from stylobate.study.page.words import SHORT
from stylobate.study.results import LeaderRow, Relations, StudyResult

_WIDTH = 100
_ROOMY = 110  # characters a line, from which settings are shown
_FILE = 300  # characters a line of a file, which is as wide as need be


def leaderboard_table(rows: Sequence[LeaderRow], label: str = "score", width: int = 80) -> Table:
    """The leaderboard, the best first; settings where there is room for them or need of them."""
    wide = width >= _ROOMY
    titles = Counter(row.title for row in rows)
    heads = ["", "model", SHORT.get(label, label), "95 % interval", "against best"]
    lines = [_cells(row, not wide and titles[row.title] > 1) for row in rows]
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    for k, head in enumerate(heads):
        widest = max((len(cells[k]) for cells in lines), default=0)
        # the model's name gives way first
        least = None if k == 1 else max(len(head), widest)
        table.add_column(
            head, no_wrap=True, min_width=least, justify="right" if k in (0, 2) else "left"
        )
    if wide:
        table.add_column("setting", overflow="ellipsis", no_wrap=True)
    for row, cells in zip(rows, lines, strict=True):
        style = "bold green" if row.is_chosen else "dim" if row.is_baseline else ""
        table.add_row(*cells, *([setting(row.params)] if wide else []), style=style)
    return table


def _cells(row: LeaderRow, twice: bool) -> list[str]:
    """The cells of a row; of a family with two (the best setting and the chosen one) also which."""
    return [
        f"{'→ ' if row.is_chosen else ''}{row.rank}",
        f"{row.title}\n  {setting(row.params)}" if twice else row.title,
        number(row.mean),
        _interval(row),
        row.verdict if row.difference is not None else "best",
    ]


def number(value: float) -> str:
    """A score as people read it: three decimals, or four digits.

    >>> number(0.82345), number(1234.5), number(46663.2)
    ('0.823', '1234', '46,663')
    """
    return f"{value:.3f}" if abs(value) < 10 else shown_number(value, 4)


def setting(params: dict[str, Any]) -> str:
    """Parameters in a few characters."""
    return ", ".join(
        f"{name}={value:.3g}" if isinstance(value, float) else f"{name}={value}"
        for name, value in params.items()
    )


def _interval(row: LeaderRow) -> str:
    if row.low is None or row.high is None:
        return ""
    return f"{number(row.low)} – {number(row.high)}"


def print_result(result: StudyResult, folder: Path | None, console: Console | None = None) -> None:
    """What a person wants to know, on standard output."""
    console = Console() if console is None else console
    if not console.is_terminal:  # a file has no width: nothing is cut off there
        console.width = max(console.width, _FILE)
    width = min(console.width, _WIDTH)
    question = result.question

    def say(text: str, style: str = "") -> None:
        console.print(Text(text, style=style), width=width, soft_wrap=not console.is_terminal)

    say(f"{short_source(question.source)}: predicting {question.target}", "bold")
    if result.verdict is not None:
        good = result.verdict.answer == "yes"
        say(result.verdict.words, "" if good else "bold yellow")
    if result.random_split is not None:
        say(result.random_split.words, "bold")
    left_out = {each.name: each.reason for each in result.data.columns if each.use == "left out"}
    noticed = f"Noticed: {result.split.noticed}." if result.split.noticed else ""
    for note in (f"{question.reason}.", noticed, result.split.how, left_out_words(left_out, ())):
        if note:
            say(capital(note))
    console.print()
    if result.leaderboard:
        console.print(leaderboard_table(result.leaderboard, question.metric.label, console.width))
        console.print()
    if result.choice is not None:
        say(
            f"Chosen: {result.choice.title} ({setting(result.choice.params) or 'as it is'})", "bold"
        )
        say(result.choice.reason)
    if result.holdout is not None:
        say(result.holdout.words)
    if result.relations is not None:
        say(tables_words(result.relations))
        if result.relations.words:
            say(result.relations.words, "bold")
    if result.reading is not None:
        for sentence in result.reading.words:
            say(sentence)
    if result.explanation is not None:
        say(result.explanation.words)
    if result.learning_curve is not None and result.learning_curve.words:
        say(result.learning_curve.words)
    headline = "" if result.verdict is None else result.verdict.words
    for warning in result.warnings:
        if warning.text in headline:  # said at the top
            continue
        say(f"{'Mind' if warning.severe else 'Note'}: {warning.text}",
            "yellow" if warning.severe else "")  # fmt: skip
    console.print()
    if result.status == "partial":
        say(f"Partial study: {result.reason}.", "bold yellow")
    if folder is not None:
        _print_files(result, folder, say)


def tables_words(relations: Relations) -> str:
    """One line about the tables: what each was to the facts.

    >>> from stylobate.study.results import RelatedTable
    >>> tables = (RelatedTable("orders", "facts"), RelatedTable("customers", "looked up"))
    >>> tables_words(Relations("orders", "orders.day", tables))
    'Tables: rows of orders; looked up: customers. Other rows count before orders.day.'
    """
    said = [f"rows of {relations.facts}"]
    for role in ("looked up", "aggregated", "earlier rows", "left out"):
        names = [each.name for each in relations.tables if each.role == role]
        said += [f"{role}: {', '.join(names)}"] if names else []
    moment = f" Other rows count before {relations.moment}." if relations.moment else ""
    return f"Tables: {'; '.join(said)}.{moment}"


def _print_files(result: StudyResult, folder: Path, say: Any) -> None:
    say(f"Report: {folder / 'report.html'}")
    if result.model is not None and result.status == "complete":
        model = folder / "model.stylobate"
        say(f"Model:  {model} (predict with: stylobate predict {model} SOURCE)")
    say(f"Data:   {folder / 'study.json'}")
