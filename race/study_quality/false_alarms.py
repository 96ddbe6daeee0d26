"""``python -m race.study_quality.false_alarms``: how often a study notices what is not there.

Tables whose columns were drawn independently, or shuffled one by one, hold no order of time, no
groups, no repetition and no leak: whatever is noticed there is a false alarm. Shuffled rows are in
no order of time either way, but dates in equal steps stay a series, which is no alarm: such tables
are left out.
"""

from __future__ import annotations

import argparse
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from race.study_quality.catalogue import data_folder
from race.study_quality.contenders import plain
from race.study_quality.drawn import POOL

_ALARMS = ("time order", "groups", "repeats", "copy of the target", "leak")
_MOST_ROWS = 3000


def drawn_table(draw: np.random.Generator) -> dict[str, Any]:
    """Independent columns of every kind under names that say nothing, and a target."""
    n = int(draw.integers(60, 1500))
    makers = [
        lambda: draw.normal(size=n),
        lambda: draw.lognormal(size=n).round(2),
        lambda: draw.integers(0, 50, n),
        lambda: draw.poisson(3.0, n),
        lambda: draw.choice([f"kind {k}" for k in range(int(draw.integers(2, 60)))], n),
        lambda: draw.choice(["yes", "no"], n),
        lambda: np.datetime64("2020-01-01") + draw.integers(0, 900, n).astype("m8[D]"),
        lambda: np.where(draw.random(n) < 0.1, np.nan, draw.uniform(size=n).round(3)),
    ]
    chosen = draw.integers(0, len(makers), int(draw.integers(3, 13)))
    table = {f"column {place}": makers[k]() for place, k in enumerate(chosen)}
    target = draw.normal(size=n) if draw.random() < 0.5 else draw.choice(["a", "b"], n)
    return {**table, "target": target}


def shuffled_tables(folder: Path, times: int, seed: int) -> Iterator[tuple[dict[str, Any], str]]:
    """Real tables with every column shuffled by itself, and each a column to predict."""
    draw = np.random.default_rng(seed)
    for read in POOL:
        frame = read(folder).dropna(axis=1, how="all")
        for _ in range(times):
            seed_of_rows = int(draw.integers(1_000_000))
            some = frame.sample(min(len(frame), _MOST_ROWS), random_state=seed_of_rows)
            columns = {name: draw.permutation(plain(some[name])) for name in some.columns}
            names = [n for n in columns if 1 < some[n].nunique() <= 8 or some[n].dtype.kind == "f"]
            yield columns, names[int(draw.integers(len(names)))]


def alarms(table: dict[str, Any], target: str) -> list[str]:
    """What a study would notice of a table in which there is nothing."""
    from stylobate.exceptions import StylobateError
    from stylobate.exploration import explore
    from stylobate.study.question.question import ask
    from stylobate.study.table.checks import copies_of_target
    from stylobate.study.table.structure import noticed
    from stylobate.study.table.table import read_study_table

    try:
        held = read_study_table(table, np.inf, 0.2, 0)
        asked = ask(held, target)
    except StylobateError:  # nothing that can be predicted
        return []
    found = noticed(held, asked)
    names = [name for name in table if name != target]
    copies = copies_of_target(held.columns, names, asked, np.arange(len(asked.y)))
    try:
        seen = explore(table, target, progress=False).target
    except StylobateError:
        seen = None
    leaks = [s for s in ([] if seen is None else seen.suspects) if s.topic == "leakage"]
    said = (found.order, found.name, found.groups is not None and not found.name, copies, leaks)
    return [name for name, each in zip(_ALARMS, said, strict=True) if each]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; gives the exit code."""
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--tables", type=int, default=300, help="drawn at random (default: 300)")
    p.add_argument("--times", type=int, default=10, help="each real table is shuffled so often")
    p.add_argument("--seed", type=int, default=0)
    options = p.parse_args(arguments)
    draw = np.random.default_rng(options.seed)
    independent = [(drawn_table(draw), "target") for _ in range(options.tables)]
    sources = {
        "drawn": iter(independent),
        "shuffled": shuffled_tables(data_folder(), options.times, options.seed),
    }
    for title, tables in sources.items():
        counts: Counter[str] = Counter()
        n = 0
        for table, target in tables:
            n += 1
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                counts.update(alarms(table, target))
        listed = ", ".join(f"{name} {counts[name]}" for name in _ALARMS)
        print(f"{title}: of {n} tables {listed}", flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
