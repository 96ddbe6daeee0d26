"""Nested cross-validation: the honest score of a search."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np

from stylobate.base import clone
from stylobate.base.parameters import brief
from stylobate.exceptions import InvalidParameterError
from stylobate.model_selection.fits.records import CrossValidated
from stylobate.model_selection.search.summary import shown
from stylobate.model_selection.validation.cross_validation import cross_validate


class NestedCrossValidated(dict[str, Any]):
    """What `nested_cross_validate` returns: arrays by name, which print as a table."""

    @property
    def chosen(self) -> Counter[tuple[tuple[str, str], ...]]:
        """How often each setting was chosen, by its parameters as text."""
        return Counter(
            tuple((name, shown(value)) for name, value in sorted(params.items()))
            for params in self["best_params"]
        )

    def summary(self) -> str:
        """The score of each outer split, and what was chosen there.

        Inner − outer is the mean difference of the score by which a setting was chosen and the
        one that had no part in that.
        """
        names = [name for name in self if name.startswith("test_")]
        lines = []
        for name in names:
            scores = np.asarray(self[name])
            error = scores.std(ddof=1) / np.sqrt(len(scores)) if len(scores) > 1 else np.nan
            lines.append(
                f"{name.removeprefix('test_')}: {scores.mean():.4g} ± {error:.2g} over "
                f"{len(scores)} outer splits"
            )
        main = np.asarray(self[names[0]])
        inner = np.asarray(self["best_score"], dtype=float)
        if len(names) == 1:
            lines.append(
                f"inner − outer: {np.mean(inner - main):.2g} on average, by which a search flatters"
            )
        lines.append("split  outer   inner   setting")
        for k, params in enumerate(self["best_params"]):
            words = ", ".join(f"{name}={shown(value)}" for name, value in params.items())
            lines.append(f"{k:>5}  {main[k]:<7.4g} {inner[k]:<7.4g} {words}")
        return "\n".join(lines)


def nested_cross_validate(
    search: Any,
    X: Any,
    y: Any = None,
    *,
    cv: Any = None,
    groups: Any = None,
    scoring: Any = None,
    n_jobs: int | None = None,
    verbose: int = 0,
    params: Any = None,
    return_estimator: bool = False,
    return_train_score: bool = False,
    return_indices: bool = False,
    error_score: Any = np.nan,
    store: Any = None,
    progress: bool | None = None,
    target: Any = None,
    features: Any = None,
    weight: str | None = None,
) -> NestedCrossValidated:
    """The score of a whole search on rows that had no part in its choice.

    The best mean score of a search is the largest of many, so it flatters. Here the search is
    repeated inside every outer training part, and what it chose is scored on the outer test part.

    Parameters
    ----------
    search : GridSearchCV or another search
        Ours or scikit-learn's: after `fit` it has ``best_params_``. Its own ``cv`` makes the inner
        splits.
    X, y : array-like
        Rows and targets.
    cv : int, splitter, iterable or None, default=None
        The outer splits; None is 5 folds.
    groups, n_jobs, verbose, params, return_estimator, return_train_score, return_indices
        As of `cross_validate`, for the outer splits.
    scoring : str, callable, list, tuple, dict or None, default=None
        The outer scores; None is that of the search.
    error_score : "raise" or number, default=nan
        As of `cross_validate`.
    store : str, path or None, default=None
        A directory that keeps the inner fits of a search of ours, so that the call goes on where
        it was stopped.
    progress : bool or None, default=None
        Whether to show the progress of the outer splits.
    target, features, weight
        As of `cross_validate`: X may be rows that are read in batches, where numbers of folds,
        inner and outer, mean `HashKFold`.

    Returns
    -------
    dict of arrays of shape (n_splits,)
        As of `cross_validate`, and of each outer split ``best_params`` (list of dicts),
        ``best_score`` (the inner score) and ``best_index``; `summary()` prints them.

    Examples
    --------
    >>> from stylobate.datasets import load_diabetes
    >>> from stylobate.linear_model import Ridge
    >>> from stylobate.model_selection import GridSearchCV, nested_cross_validate
    >>> X, y = load_diabetes(return_X_y=True)
    >>> search = GridSearchCV(Ridge(), {"alpha": [0.01, 0.1, 1.0]}, cv=5)
    >>> found = nested_cross_validate(search, X, y, cv=3)
    >>> found["test_score"].round(2), [each["alpha"] for each in found["best_params"]]
    (array([0.46, 0.5 , 0.51]), [0.1, 0.1, 0.1])

    References
    ----------
    Cawley & Talbot (2010), On over-fitting in model selection and subsequent selection bias in
    performance evaluation, JMLR 11.
    """
    found = cross_validate(
        _searching(search, store),
        X,
        y,
        groups=groups,
        scoring=scoring,
        cv=cv,
        n_jobs=n_jobs,
        verbose=verbose,
        params=params,
        return_train_score=return_train_score,
        return_estimator=True,
        return_indices=return_indices,
        error_score=error_score,
        progress=progress,
        target=target,
        features=features,
        weight=weight,
    )
    return _with_choices(found, return_estimator=return_estimator)


def _searching(search: Any, store: Any) -> Any:
    """The search, with the store of the inner fits."""
    known: Mapping[str, Any] = search.get_params() if hasattr(search, "get_params") else {}
    if "refit" not in known or not known["refit"]:
        raise InvalidParameterError(
            "nested_cross_validate: search must be a search with refit, such as GridSearchCV, got "
            f"{brief(search)}."
        )
    if store is None:
        return search
    if "store" not in known:
        raise InvalidParameterError(
            f"nested_cross_validate: {type(search).__name__} keeps no store; use "
            "stylobate.model_selection's search of that name, or leave store out."
        )
    return clone(search).set_params(store=store)


def _with_choices(found: CrossValidated, *, return_estimator: bool) -> NestedCrossValidated:
    searches = found.pop("estimator")
    results = NestedCrossValidated(found)
    if return_estimator:
        results["estimator"] = searches
    results["best_params"] = [{} if each is None else each.best_params_ for each in searches]
    results["best_score"] = np.array(
        [np.nan if each is None else getattr(each, "best_score_", np.nan) for each in searches]
    )
    results["best_index"] = np.array(
        [-1 if each is None else each.best_index_ for each in searches], dtype=np.intp
    )
    return results
