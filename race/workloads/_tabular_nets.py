"""Networks for tables: contenders with their defaults, and the workload of any table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from importlib import import_module
from typing import Any

from race.goals import Faster
from race.workload import Contender, Data, Size, Workload
from race.workloads._tables import Task, parts, quality


def _answer(model: Any, data: Data, task: Task, change: Callable[[Any], Any] | None = None) -> Any:
    """Probabilities, or numbers, of the rows that are held out."""
    x, y, held, _ = parts(data, task)
    if change is not None:
        x, held = change(x), change(held)
    fitted = model.fit(x, y)
    return fitted.predict(held) if task.regression else fitted.predict_proba(held)


def _named(module: str, stem: str, task: Task, **parameters: Any) -> Any:
    kind = getattr(import_module(module), stem + ("Regressor" if task.regression else "Classifier"))
    return kind(**parameters)


def ours(data: Data, task: Task) -> Any:
    """Our network, on the frame as it is."""
    model = _named("stylobate.neural_network", "TabularNet", task, random_state=0)
    return _answer(model, data, task)


def boosting(data: Data, task: Task) -> Any:
    """Our boosting."""
    model = _named("stylobate.ensemble", "HistGradientBoosting", task, random_state=0)
    return _answer(model, data, task)


def _categories(frame: Any) -> Any:
    words = frame.select_dtypes(exclude="number").columns
    frame = frame.fillna(dict.fromkeys(words, "?"))
    return frame.astype(dict.fromkeys(words, "category"))


def lightgbm(data: Data, task: Task) -> Any:
    """LightGBM."""
    model = _named("lightgbm", "LGBM", task, verbose=-1, random_state=0)
    return _answer(model, data, task, _categories)


def pytabkit(data: Data, task: Task, kind: str) -> Any:
    """RealMLP or TabM of pytabkit."""
    model = _named("pytabkit", kind, task, device="cpu", random_state=0)
    return _answer(model, data, task, _categories)


def workload(
    name: str, title: str, make: Callable[[Size, int], Data], task: Task, sizes: Mapping[str, Size]
) -> Workload:
    """A race of networks on a table: the loss of held-out rows, and time."""

    def floor(size: Size) -> tuple[float, float]:
        """Ten epochs of the second hidden layer of eight members: three products."""
        rows = 0.75 * 10.0 * float(size["rows"])
        return 6.0 * rows * 8 * 128 * 128, 4.0 * rows * 14

    return Workload(
        name=name,
        title=title,
        sizes=sizes,
        make=make,
        contenders=(
            Contender("ours", "stylobate", partial(ours, task=task), "ours"),
            Contender("our boosting", "stylobate", partial(boosting, task=task), "reference"),
            Contender("lightgbm", "lightgbm", partial(lightgbm, task=task), "reference"),
            *(
                Contender(name, "pytabkit", partial(pytabkit, task=task, kind=kind))
                for name, kind in (("realmlp", "RealMLP_TD_"), ("tabm", "TabM_D_"))
            ),
        ),
        quality=partial(quality, task=task),
        tolerance=0.15,  # of the loss: other models
        floor=floor,
        goals=(Faster("pytabkit", 5.0),),
    )
