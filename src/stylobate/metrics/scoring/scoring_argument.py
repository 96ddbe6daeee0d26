"""What ``scoring=`` may be."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from stylobate.exceptions import InvalidParameterError
from stylobate.metrics.scoring.names import get_scorer
from stylobate.metrics.scoring.scorers import BuiltInScore, ManyScorers


def check_scoring(
    estimator: Any = None,
    scoring: Any = None,
    *,
    allow_none: bool = False,
    raise_exc: bool = True,
) -> Any:
    """The scorer that ``scoring`` stands for.

    Parameters
    ----------
    estimator : object, optional
        The estimator to be scored.
    scoring : str, callable, list, tuple, set or dict of them, or None, default=None
        A name (`get_scorer_names`), a scorer, several of them, or the estimator's own `score`.
    allow_none : bool, default=False
        Whether an estimator without `score` is fine; the answer is None then.
    raise_exc : bool, default=True
        For compatibility: errors of a scorer are always raised here.

    Returns
    -------
    callable or None
        ``scorer(estimator, X, y, sample_weight=None)``; of several scorers one that returns a
        dictionary.

    Examples
    --------
    >>> from stylobate.linear_model import Ridge
    >>> check_scoring(Ridge(), "r2")
    make_scorer(r2_score, response_method='predict')
    """
    if isinstance(scoring, str):
        return get_scorer(scoring)
    if callable(scoring):
        _refuse_metric(scoring)
        return scoring
    if isinstance(scoring, list | tuple | set | Mapping):
        return ManyScorers(_named(scoring))
    if scoring is not None:
        raise InvalidParameterError(
            "scoring must be a name among stylobate.metrics.get_scorer_names(), a callable, a "
            f"collection of them or None, got {scoring!r}."
        )
    if estimator is not None and hasattr(estimator, "score"):
        return BuiltInScore()
    if allow_none or estimator is None:
        return None
    raise InvalidParameterError(
        "If no scoring is specified, the estimator passed should have a 'score' method. The "
        f"estimator {estimator!r} does not; name a scoring."
    )


def _named(scoring: Any) -> dict[str, Callable[..., Any]]:
    """Several scorings by name."""
    if isinstance(scoring, Mapping):
        if not scoring or not all(isinstance(name, str) for name in scoring):
            raise InvalidParameterError(
                f"scoring, if a dictionary, must have names as keys and hold at least one scorer, "
                f"got {dict(scoring)!r}."
            )
        return {name: check_scoring(scoring=each) for name, each in scoring.items()}
    names = list(scoring)
    if not names or not all(isinstance(name, str) for name in names):
        raise InvalidParameterError(
            f"scoring, if a collection, must hold at least one name and names only, got {names!r}; "
            "use a dictionary for scorers of your own."
        )
    if len(set(names)) < len(names):
        raise InvalidParameterError(f"scoring holds a name twice: {names!r}.")
    return {name: get_scorer(name) for name in names}


def _refuse_metric(scoring: Callable[..., Any]) -> None:
    """A metric takes (y_true, y_pred), a scorer (estimator, X, y): the mistake is common."""
    module = getattr(scoring, "__module__", None)
    if hasattr(scoring, "__code__") and str(module).startswith(
        ("stylobate.metrics.", "sklearn.metrics.")
    ):
        raise InvalidParameterError(
            f"scoring value {scoring!r} looks like it is a metric function rather than a scorer. A "
            "scorer should require an estimator as its first parameter. Use make_scorer to convert "
            "a metric to a scorer."
        )
