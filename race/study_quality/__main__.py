"""``python -m race.study_quality``: a study's models against careful scripts, at equal time.

One thread each, of the study too (`OMP_NUM_THREADS=1 STYLOBATE_THREADS=1` before the command).

Examples
--------
``python -m race.study_quality``                          all tables, 30 seconds each
``python -m race.study_quality titanic air --time 10``    two of them
``python -m race.study_quality --drawn 8 --seed 3``       and eight questions drawn by seed
``python -m race.study_quality --list``                   what there is
"""

from __future__ import annotations

import argparse
import json
import warnings
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from race.study_quality.catalogue import FIXED, Asked, data_folder
from race.study_quality.contenders import CONTENDERS, Task, codes, metric_of
from race.study_quality.drawn import drawn
from race.study_quality.judging import (
    Bout,
    Entry,
    baseline_answers,
    noise_of,
    score,
    set_apart,
    units_of,
)
from race.study_quality.summary import line, summary

_ERRORS = 2.0


def parser() -> argparse.ArgumentParser:
    """Describe the command line."""
    p = argparse.ArgumentParser(prog="python -m race.study_quality", description=__doc__)
    p.formatter_class = argparse.RawDescriptionHelpFormatter
    p.add_argument("names", nargs="*", help="tables; all if none is named")
    p.add_argument("--time", type=float, default=30, help="seconds per table (default: 30)")
    p.add_argument("--drawn", type=int, default=6, help="questions drawn by seed (default: 6)")
    p.add_argument("--seed", type=int, default=0, help="of the questions drawn (default: 0)")
    p.add_argument("--contenders", default=",".join(CONTENDERS), help="with commas")
    p.add_argument("--json", type=Path, help="write every result there, one per line")
    p.add_argument("--list", action="store_true", help="list the tables, run nothing")
    return p


def bout(asked: Asked, folder: Path, seconds: float, names: Sequence[str]) -> Bout:
    """All contenders on one table, in turn."""
    frame = asked.rows(folder)
    train, test = set_apart(frame, asked)
    metric = metric_of(frame[asked.target])
    labels = frame[asked.target]
    every = codes(labels) if metric != "rmse" else labels.to_numpy(float)
    held = _positions(asked, frame, train, test)
    y, known = every[held[1]], every[held[0]]
    task = Task(asked, metric, seconds)
    told = baseline_answers(metric, known, len(test))
    answers: dict[str, Any] = {}
    entries = {name: _entered(name, train, test, task, y, answers) for name in names}
    found = Bout(
        asked.name, asked.traits, metric, len(frame), frame.shape[1] - 1, entries,
        score(metric, y, told), asked.null,
    )  # fmt: skip
    _compare(found, metric, y, told, answers, units_of(test, asked))
    return found


def _positions(asked: Asked, frame: Any, train: Any, test: Any) -> tuple[Any, Any]:
    """Places of both parts among all rows: the same division of the row numbers."""
    numbered = frame.assign(**{"row number": np.arange(len(frame))})
    first, second = set_apart(numbered, asked)
    return first["row number"].to_numpy(), second["row number"].to_numpy()


def _entered(
    name: str, train: Any, test: Any, task: Task, y: Any, answers: dict[str, Any]
) -> Entry:
    entry = Entry()
    if task.asked.hidden and name == "study":
        train = train.drop(columns=[task.asked.by])
    started = perf_counter()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            given, entry.said = CONTENDERS[name](train, task)
            entry.seconds = perf_counter() - started
            features = test.drop(columns=[task.asked.target])
            answers[name] = np.asarray(given(features), dtype=float)
        entry.score = score(task.metric, y, answers[name])
    except Exception as error:
        entry.failure = f"{type(error).__name__}: {error}"[:200]
    return entry


def _compare(
    found: Bout, metric: str, y: Any, told: Any, answers: dict[str, Any], units: Any
) -> None:
    """Differences to the first, and to the baseline, against their noise."""
    if not answers:
        return
    first = max(answers, key=lambda name: found.entries[name].score)
    for name, given in answers.items():
        found.entries[name].noise = noise_of(metric, y, answers[first], given, units)
    gap = found.entries[first].score - found.baseline
    noise = noise_of(metric, y, answers[first], told, units)
    found.clear_signal = bool(gap > _ERRORS * noise)
    if "study" in answers:
        mine = found.entries["study"].score - found.baseline
        error = noise_of(metric, y, answers["study"], told, units)
        found.study_helps = bool(mine > 0) if abs(mine) > _ERRORS * error else None
        found.below = bool(mine < -_ERRORS * error)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; gives the exit code."""
    p = parser()
    options = p.parse_args(arguments)
    folder = data_folder()
    if not folder.is_dir():
        p.error(f"there is no folder {folder}; STYLOBATE_DATA says where the tables are")
    questions = [*FIXED, *drawn(options.drawn, options.seed, folder)]
    known = {each.name: each for each in questions}
    for name in options.names:
        if name not in known:
            p.error(f"no table {name!r}; there are: {', '.join(known)}")
    if options.list:
        print("\n".join(f"{each.name:<28} {each.traits}" for each in questions))
        return 0
    found = []
    for name in options.names or known:
        made = bout(known[name], folder, options.time, options.contenders.split(","))
        found.append(made)
        print(line(made), flush=True)
        if options.json:
            with options.json.open("a") as file:
                file.write(json.dumps({**asdict(made), "time": options.time}) + "\n")
    print(summary(found))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
