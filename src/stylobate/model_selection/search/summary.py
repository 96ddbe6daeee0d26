"""The table of a search: its settings, the best first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.base.parameters import brief
from stylobate.exceptions import InvalidParameterError
from stylobate.model_selection.fits.task import ONE
from stylobate.model_selection.search.one_standard_error import standard_error

_WIDEST = 28  # characters of a value


@dataclass(frozen=True, eq=False)
class SearchSummary:
    """Settings of a search by rank.

    Attributes
    ----------
    title : str
        What was searched.
    names : tuple of str
        The parameters that were set.
    index : array of int of shape (n_settings,)
        Places in ``cv_results_``, the best first.
    params : list of dict
        The settings in that order.
    rank : array of int
    mean, std_error : arrays of float
        Mean test score, and its standard error over the splits.
    fit_time : array of float
        Mean seconds of a fit.
    chosen : int or None
        Place in ``cv_results_`` of the setting that was chosen.
    n_rows : int
        How many are printed.
    """

    title: str
    names: tuple[str, ...]
    index: NDArray[np.intp]
    params: list[dict[str, Any]]
    rank: NDArray[np.intp]
    mean: NDArray[np.float64]
    std_error: NDArray[np.float64]
    fit_time: NDArray[np.float64]
    chosen: int | None
    n_rows: int

    @classmethod
    def of(cls, search: Any, n_rows: int | None, metric: str | None) -> SearchSummary:
        """The summary of a fitted search."""
        results = search.cv_results_
        name = _metric(search, metric)
        rank = np.asarray(results[f"rank_test_{name}"])
        latest = -np.asarray(results.get("iter", np.zeros(len(rank))))
        order = np.lexsort((np.arange(len(rank)), rank, latest))
        grown = results.get("n_resources")
        more = [{} if grown is None else {"resources": int(grown[k])} for k in order]
        params = [first | results["params"][k] for first, k in zip(more, order, strict=True)]
        names = tuple(dict.fromkeys(each for setting in params for each in setting))
        count = len(order) if n_rows is None else min(int(n_rows), len(order))
        kind, inner = type(search).__name__, type(search.estimator).__name__
        scored = "" if name == ONE else f" by {name}"
        early = ", interrupted" if search.interrupted_ else ""
        sizes = f"{len(order)} settings, {search.n_splits_} splits"
        title = f"{kind} of {inner}: {sizes}{scored}{early}"
        return cls(
            title,
            names,
            order,
            params,
            rank[order],
            np.asarray(results[f"mean_test_{name}"])[order],
            standard_error(results, name)[order],
            np.asarray(results["mean_fit_time"])[order],
            getattr(search, "best_index_", None),
            count,
        )

    def rows(self) -> list[list[str]]:
        """Cells as text, below their headings."""
        table = [["rank", *self.names, "mean ± SE", "fit time", ""]]
        for k in range(self.n_rows):
            values = [_shown(self.params[k], name) for name in self.names]
            score = f"{self.mean[k]:.4g} ± {self.std_error[k]:.2g}"
            mark = "← chosen" if self.index[k] == self.chosen else ""
            table.append([str(self.rank[k]), *values, score, f"{_seconds(self.fit_time[k])}", mark])
        return table

    def __str__(self) -> str:
        table = self.rows()
        widths = [max(map(len, column)) for column in zip(*table, strict=True)]
        lines = ["  ".join(_padded(row, widths)).rstrip() for row in table]
        lines = [self.title, "─" * max(map(len, [self.title, *lines])), *lines, *self._rest()]
        return "\n".join(lines)

    __repr__ = __str__

    def _rest(self) -> list[str]:
        left = len(self.index) - self.n_rows
        return [f"… and {left} more settings; summary(None) shows all"] if left else []

    def _repr_html_(self) -> str:
        head, *body = self.rows()
        cells = "".join(f"<th>{escape(each)}</th>" for each in head)
        lines = [
            "<tr>" + "".join(f"<td>{escape(each)}</td>" for each in row) + "</tr>" for row in body
        ]
        rest = "".join(f"<p>{escape(each)}</p>" for each in self._rest())
        caption = f"<caption>{escape(self.title)}</caption>"
        return f"<table>{caption}<tr>{cells}</tr>{''.join(lines)}</table>{rest}"


def _metric(search: Any, metric: str | None) -> str:
    known = [
        name.removeprefix("rank_test_")
        for name in search.cv_results_
        if name.startswith("rank_test_")
    ]
    if metric is None:
        return str(search.refit) if search.refit in known else known[0]
    if metric not in known:
        raise InvalidParameterError(
            f"summary: metric must be one of {', '.join(map(repr, known))}, got {metric!r}."
        )
    return metric


def _padded(row: Sequence[str], widths: Sequence[int]) -> list[str]:
    first, *values, mark = row
    middle = [each.ljust(width) for each, width in zip(values, widths[1:-1], strict=True)]
    return [first.rjust(widths[0]), *middle, mark]


def _shown(params: dict[str, Any], name: str) -> str:
    if name not in params:
        return "–"
    return shown(params[name])


def shown(value: Any) -> str:
    """A value in few characters.

    >>> shown(np.float64(0.1)), shown("auto"), shown(1e-20)
    ('0.1', 'auto', '1e-20')
    """
    value = value.item() if isinstance(value, np.generic) else value
    if isinstance(value, float):
        return f"{value:.4g}"
    return value if isinstance(value, str) else brief(value, _WIDEST)


def _seconds(value: float) -> str:
    return f"{value:.3g} s" if value >= 1 else f"{value * 1e3:.3g} ms"
