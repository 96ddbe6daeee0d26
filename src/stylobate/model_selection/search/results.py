"""``cv_results_``: scores and times of all settings in scikit-learn's layout."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.data.words import user_stacklevel
from stylobate.exceptions import StylobateWarning
from stylobate.model_selection.fits.task import NOT_MADE, Outcome


def search_results(
    candidates: Sequence[Mapping[str, Any]],
    outcomes: Sequence[Outcome],
    more: Mapping[str, Sequence[Any]],
    *,
    train_score: bool,
) -> dict[str, Any]:
    """Arrays by name.

    Parameters
    ----------
    candidates : sequence of dict
        The settings.
    outcomes : sequence of Outcome
        Candidate by candidate and there split by split.
    more : mapping of str to sequence
        Further columns, which come first.
    train_score : bool
        Whether to add the scores of the training parts.
    """
    n = len(candidates)
    results: dict[str, Any] = {name: np.asarray(values) for name, values in more.items()}
    for name in ("fit_time", "score_time"):
        times = np.array([getattr(o, name) for o in outcomes], dtype=float).reshape(n, -1)
        results[f"mean_{name}"] = np.nanmean(times, axis=1)
        results[f"std_{name}"] = np.nanstd(times, axis=1)
    results |= parameter_columns(candidates)
    results["params"] = list(candidates)
    made = [o.way != NOT_MADE and not o.stopped for o in outcomes]
    whole = np.asarray(np.array(made, dtype=bool).reshape(n, -1).all(axis=1))
    for name in outcomes[0].test:
        results |= _score_columns(f"test_{name}", [o.test[name] for o in outcomes], whole)
        means = results[f"mean_test_{name}"]
        results[f"rank_test_{name}"] = ranks(means)
        if train_score:
            results |= _score_columns(f"train_{name}", [o.train[name] for o in outcomes], whole)
    return results


def parameter_columns(candidates: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """A masked array for each parameter: its value, or nothing where a setting lacks it."""
    names: dict[str, None] = {}
    for params in candidates:
        names.update(dict.fromkeys(params))
    columns = {}
    for name in names:
        given = {k: params[name] for k, params in enumerate(candidates) if name in params}
        column = np.ma.MaskedArray(
            np.empty(len(candidates), dtype=_dtype(list(given.values()))), mask=True
        )
        for k, value in given.items():
            column[k] = value  # which takes the mask off
        columns[f"param_{name}"] = column
    return columns


def _dtype(values: list[Any]) -> Any:
    """That of numbers and truth values; texts, sequences and anything else are objects."""
    try:
        found = np.array(values)
    except ValueError:  # sequences of different lengths
        return np.dtype(object)
    return found.dtype if found.ndim == 1 and found.dtype.kind != "U" else np.dtype(object)


def _score_columns(name: str, scores: Sequence[Any], whole: NDArray[np.bool_]) -> dict[str, Array]:
    """Scores of each split, their means and spreads; of settings given up there is no mean."""
    table = np.array(scores, dtype=np.float64).reshape(len(whole), -1)
    with np.errstate(invalid="ignore"):  # infinite scores have no spread
        means, stds = table.mean(axis=1), table.std(axis=1)
    if not np.isfinite(means[whole]).all():
        warnings.warn(
            f"One or more of the {name.partition('_')[0]} scores are non-finite: {means}",
            StylobateWarning,
            stacklevel=user_stacklevel(),
        )
    columns = {f"split{k}_{name}": table[:, k] for k in range(table.shape[1])}
    return columns | {f"mean_{name}": means, f"std_{name}": stds}


def ranks(means: Array) -> NDArray[np.int32]:
    """1 for the largest; equal means share a rank, and NaN comes last.

    >>> import numpy as np
    >>> ranks(np.array([0.5, np.nan, 0.7, 0.5]))
    array([2, 4, 1, 2], dtype=int32)
    """
    known = np.isfinite(means) | np.isinf(means)
    if not known.any():
        return np.ones(len(means), dtype=np.int32)
    ascending = np.sort(means[known])
    above = len(ascending) - np.searchsorted(ascending, means[known], side="right")
    found = np.full(len(means), len(ascending) + 1)
    found[known] = above + 1
    return found.astype(np.int32)
