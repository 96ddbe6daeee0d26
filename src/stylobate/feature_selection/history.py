"""The course of a selection as data: what was tried at every step, and what was done."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, overload

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array

Action = Literal["start", "add", "remove", "rank", "choose"]

CAVEAT = (
    "The columns were chosen by looking at y. Standard errors, p-values and intervals computed "
    "afterwards from the same rows take the choice for granted and are too optimistic: they no "
    "longer hold. Test the chosen model on rows that took no part, and select inside each fold "
    "when you cross-validate."
)
"""What has to be said wherever p-values could follow a selection."""


def _empty() -> Array:
    return np.empty(0)


@dataclass(frozen=True, slots=True, eq=False)
class SelectionStep:
    """One step of a selection.

    Attributes
    ----------
    step : int
        Number of the step, from 0.
    action : {"start", "add", "remove", "rank", "choose"}
        What was done. "rank": all features were scored at once.
    feature : int or None
        The column it was done to, if one.
    name : str or None
        Its name.
    n_features : int
        How many are selected after the step.
    score : float
        Of the selection after the step (higher is better, except criteria such as AIC).
    fold_scores : array of shape (n_folds,)
        The same per fold; empty without cross-validation.
    candidates : array of int
        The columns that could have been added, removed or ranked.
    candidate_scores : array of shape (n_candidates,)
        The score each would have given.
    support : tuple of int
        Numbers of the selected columns after the step.
    """

    step: int
    action: Action
    feature: int | None
    name: str | None
    n_features: int
    score: float
    fold_scores: Array = field(default_factory=_empty)
    candidates: NDArray[np.intp] = field(default_factory=lambda: np.empty(0, dtype=np.intp))
    candidate_scores: Array = field(default_factory=_empty)
    support: tuple[int, ...] = ()


@dataclass(frozen=True, eq=False)
class SelectionHistory(Sequence[SelectionStep]):
    """All steps of a selection, a sequence of `SelectionStep`.

    Parameters
    ----------
    steps : tuple of SelectionStep
        In order.
    score_name : str
        What the scores are.
    higher_is_better : bool
        False for criteria such as AIC.

    Examples
    --------
    >>> step = SelectionStep(0, "add", 2, "age", 1, 0.5)
    >>> history = SelectionHistory((step,), score_name="r2")
    >>> history.to_dict()["name"], len(history)
    (['age'], 1)
    >>> print(history)
    step  action  feature  n_features        r2
       0  add     age               1       0.5
    """

    steps: tuple[SelectionStep, ...]
    score_name: str = "score"
    higher_is_better: bool = True

    @overload
    def __getitem__(self, at: int) -> SelectionStep: ...

    @overload
    def __getitem__(self, at: slice) -> tuple[SelectionStep, ...]: ...

    def __getitem__(self, at: int | slice) -> SelectionStep | tuple[SelectionStep, ...]:
        return self.steps[at]

    def __len__(self) -> int:
        return len(self.steps)

    def __iter__(self) -> Iterator[SelectionStep]:
        return iter(self.steps)

    @property
    def scores(self) -> Array:
        """The score after every step."""
        return np.array([each.score for each in self.steps], dtype=float)

    def to_dict(self) -> dict[str, list[Any]]:
        """Columns of a table, one row per step; any data-frame library takes it."""
        names = SelectionStep.__dataclass_fields__
        return {name: [getattr(each, name) for each in self.steps] for name in names}

    def __str__(self) -> str:
        titles = ("step", "action", "feature", "n_features", self.score_name)
        rows = [
            (str(s.step), s.action, s.name or "", str(s.n_features), f"{s.score:.6g}")
            for s in self.steps
        ]
        widths = [
            max(least, *(len(row[i]) for row in (titles, *rows)))
            for i, least in enumerate((4, 6, 7, 10, 8))
        ]
        aligned = "><<>>"
        return "\n".join(
            "  ".join(
                f"{cell:{align}{width}}"
                for cell, align, width in zip(row, aligned, widths, strict=True)
            ).rstrip()
            for row in (titles, *rows)
        )

    def __repr__(self) -> str:
        return f"SelectionHistory of {len(self)} steps:\n{self}"


def ranking(scores: Array, support: NDArray[np.bool_], score_name: str) -> SelectionHistory:
    """The history of a filter: one step in which every feature gets a score."""
    finite = scores[support & np.isfinite(scores)]
    step = SelectionStep(
        0,
        "rank",
        None,
        None,
        int(support.sum()),
        float(finite.mean()) if len(finite) else float("nan"),
        candidates=np.arange(len(scores)),
        candidate_scores=np.asarray(scores, dtype=float),
        support=tuple(np.flatnonzero(support).tolist()),
    )
    return SelectionHistory((step,), score_name)
