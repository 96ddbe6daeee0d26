"""What the races of networks on tables share: a table in two parts, and models of several kinds."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from race.workload import Data, Size
from race.workloads._study_tables import found_or


class Task(NamedTuple):
    """What is to be predicted."""

    target: str
    regression: bool = False


ADULT = Task("income")


def _alike_adult(n_rows: int, generator: Any) -> Data:
    """Ages, hours, sums that are mostly zero, schools and trades; two classes."""
    age, hours = generator.integers(17, 80, n_rows), generator.integers(1, 99, n_rows)
    school, trade = generator.integers(1, 16, n_rows), generator.integers(0, 14, n_rows)
    gain = np.where(
        generator.random(n_rows) < 0.08, generator.choice([3103, 7298, 15024], n_rows), 0
    )
    score = 0.3 * school + 0.03 * hours - ((age - 50) / 15.0) ** 2 + (gain > 5000) * 4 - 4
    score = score + np.sin(trade)
    income = np.where(score + generator.logistic(size=n_rows) > 0, ">50K", "<=50K")
    trades = np.array([f"trade {k}" for k in range(14)])[trade]
    return {"age": age, "hours": hours, "education": school, "gain": gain, "trade": trades,
            "income": income}  # fmt: skip


make_adult = found_or("adult", "STYLOBATE_ADULT", _alike_adult, drop=("split",))


def parts(data: Data, task: Task = ADULT) -> tuple[Any, Any, Any, Any]:
    """A frame and targets to learn from, and others to be judged by: every fourth row.

    Classes are numbered; numbers to predict are in units of their standard deviation.
    """
    import pandas as pd

    frame = pd.DataFrame({name: values for name, values in data.items() if name != task.target})
    given = np.asarray(data[task.target])
    if task.regression:
        y = given / given.std()
    else:
        y = np.unique(given, return_inverse=True)[1].reshape(-1)
    held = np.arange(len(y)) % 4 == 0
    return frame[~held], y[~held], frame[held], y[held]


def make_numbers(size: Size, seed: int) -> Data:
    """The same as numbers of one scale, zeros and ones for categories, in float32."""
    from stylobate.preprocessing import TableEncoder

    x, y, held, truth = parts(make_adult(size, seed))
    encoder = TableEncoder(scale=True).set_output(transform="default").fit(x)
    made = [np.asarray(encoder.transform(each), dtype=np.float32) for each in (x, held)]
    return {"X": made[0], "y": y, "held": made[1], "truth": truth}


def quality(answer: Any, data: Data, task: Task = ADULT) -> float:
    """The log-loss of the rows that are held out, or the root of their mean squared error."""
    truth = data["truth"] if "truth" in data else parts(data, task)[3]
    if task.regression:
        return float(np.sqrt(np.mean((np.asarray(answer).reshape(-1) - truth) ** 2)))
    chosen = np.asarray(answer)[np.arange(len(truth)), truth]
    return float(-np.log(np.maximum(chosen, 1e-7)).mean())
