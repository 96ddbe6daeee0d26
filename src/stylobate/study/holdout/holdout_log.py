"""How often the locked rows were asked: counted by their log, and never less after damage.

The log is that of the metered hold-out. If it was damaged, cut short or removed, what is left of it
and what finished studies of the same folder remember say how often the rows were asked at least.
"""

from __future__ import annotations

import json
import os
import warnings
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.data.column_table import ColumnTable
from stylobate.exceptions import BudgetSpentError, StylobateError
from stylobate.model_selection.fits.fingerprints import fingerprint
from stylobate.study.question.question import Asked
from stylobate.study.results import StudyWarning
from stylobate.study.search.store import StudyStore

BUDGET = 1000  # questions a hold-out answers; every study asks one
_LOG, _DAMAGED, _QUESTIONS = "hold-out log", "hold-out log damaged", "hold-out questions"
_AFTER, _MODEL = "after damage", "hold-out model"


@dataclass(frozen=True, slots=True)
class QuestionCount:
    """How often the rows have been asked; at least so often if the log is damaged."""

    questions: int
    damaged: bool = False

    @property
    def words(self) -> str:
        """A sentence for more than one question; nothing else is worth one."""
        if self.damaged:
            return (
                f"The log of questions to these rows is damaged: they have been asked at least "
                f"{self.questions} times, perhaps more, which makes them less telling."
            )
        if self.questions > 1:
            return (
                f"These rows have now been asked {self.questions} times, which makes them less "
                "telling."
            )
        return ""


def count_question(
    asked: Asked, model: Any, table: ColumnTable, y: Any, log: Path | None, store: StudyStore
) -> QuestionCount:
    """Ask the metered hold-out, which counts, unless this very study has asked about it before.

    Parameters
    ----------
    asked : Asked
    model : fitted pipeline
        That never saw the locked rows.
    table, y
        Columns and targets of the locked rows.
    log : path or None
        Where questions are counted.
    store : StudyStore
        What this study remembers; other studies' are looked for beside it.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        said = np.asarray(model.predict(table))
    name = fingerprint(store.fingerprint, said)
    known = store.facts.get(_QUESTIONS)
    if known is not None and store.facts.get(_MODEL, name) == name:
        return QuestionCount(int(known), bool(store.facts.get(_DAMAGED)))
    remembered = 0 if log is None else _remembered(log)
    found = _ask(asked, said, y, log, name, remembered)
    if log is not None:
        store.remember(_LOG, log.name)
    if found.damaged:
        store.remember(_DAMAGED, True)
    store.remember(_MODEL, name)
    store.remember(_QUESTIONS, found.questions)
    return found


def damage_warning(found: QuestionCount, log: Path | None) -> StudyWarning | None:
    """A warning if the log is not what it was."""
    if not found.damaged or log is None:
        return None
    text = (
        f"The file that counts questions to the locked rows, {log.name}, is damaged, cut short or "
        f"gone. They have been asked at least {found.questions} times, perhaps more, so their "
        "score may be too good; restore the file, or lock other rows away (--seed)."
    )
    return StudyWarning("hold-out", text, severe=True)


def _ask(
    asked: Asked, said: NDArray[Any], y: NDArray[Any], log: Path | None, name: str, remembered: int
) -> QuestionCount:
    """One log counts for all metrics and for either positive class, so it is asked about labels."""
    from stylobate.model_selection import Holdout

    classes = asked.question.task != "regression"
    scoring = "accuracy" if classes else "neg_mean_absolute_error"
    if classes:
        y, said = asked.labelled(y), asked.labelled(said.astype(np.intp))
    rows = np.arange(len(y), dtype=np.float64).reshape(-1, 1)
    holdout = None
    try:
        holdout = Holdout(
            rows, y, budget=BUDGET, mechanism="plain", scoring=scoring, random_state=0, path=log
        )
        mine = [each.number for each in holdout.log if each.name == name]
        if mine:  # and was killed before it could remember
            return QuestionCount(mine[0])
        holdout.ask(said, name)
    except BudgetSpentError:  # it is told, in words, how often they were asked
        assert holdout is not None
        return QuestionCount(int(holdout.asked) + 1)
    except (StylobateError, OSError):  # a log that cannot be used must not lose the study
        return QuestionCount(_after_damage(log, name, remembered), damaged=True)
    if holdout.asked <= remembered:  # lines are gone that were there
        return QuestionCount(remembered + 1, damaged=True)
    return QuestionCount(int(holdout.asked))


def _after_damage(log: Path | None, name: str, remembered: int) -> int:
    """How often at least, from what is left of a log; the question is added to it."""
    assert log is not None
    raw = b""
    with suppress(OSError):
        raw = log.read_bytes()
    lines = [line for line in raw.splitlines() if line.strip()]
    entries = [entry for line in lines if isinstance(entry := _parsed(line), dict)]
    questions = [entry for entry in entries if type(entry.get("number")) is int]
    for entry in questions:  # asked after the damage, and killed before it could remember
        if entry.get("name") == name and entry.get("kind") == _AFTER:
            return int(entry["number"])
    # the first line is no question; a log is made in order to ask one
    before: int = max(1, len(lines) - 1, remembered, *(entry["number"] for entry in questions))
    entry = json.dumps({"number": before + 1, "name": name, "kind": _AFTER})
    with suppress(OSError), log.open("ab") as file:
        file.write(b"\n" * (not raw.endswith(b"\n")) + entry.encode() + b"\n")
        file.flush()
        os.fsync(file.fileno())
    return before + 1


def _remembered(log: Path) -> int:
    """The most questions that a study of the same folder remembers of a log."""
    most = 0
    for path in log.parent.glob("*.jsonl"):
        facts: dict[str, Any] = {}
        with suppress(OSError):
            for line in path.read_bytes().splitlines():
                entry = _parsed(line) if line.startswith(b'{"fact"') else None
                if isinstance(entry, dict) and isinstance(entry.get("fact"), str):
                    facts[entry["fact"]] = entry.get("value")
        count = facts.get(_QUESTIONS)
        if facts.get(_LOG) == log.name and type(count) is int:
            most = max(most, count)
    return most


def _parsed(line: bytes) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None
