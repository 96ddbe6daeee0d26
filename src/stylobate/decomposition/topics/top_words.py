"""The words that stand out in each topic."""

from __future__ import annotations

from typing import Any

import numpy as np

from stylobate.exceptions import InvalidDataError, InvalidParameterError


def top_words(model: Any, names: Any = None, n: int = 10) -> list[list[str]]:
    """The n words of largest weight of each topic or component, the largest first.

    Parameters
    ----------
    model : estimator with ``components_``, or array of shape (n_topics, n_words)
        `LatentDirichletAllocation`, `NMF`, `TruncatedSVD` …, fitted.
    names : array-like of shape (n_words,), optional
        Words, as ``vectorizer.get_feature_names_out()`` gives them; None: the names of the columns
        the model was fitted on, else ``x0``, ``x1`` …
    n : int in [1, inf), default=10
        How many.

    Returns
    -------
    list of n_topics lists of str

    Examples
    --------
    >>> top_words([[0.1, 3.0, 2.0], [5.0, 0.2, 0.0]], ["tea", "ship", "sea"], n=2)
    [['ship', 'sea'], ['tea', 'ship']]
    """
    if n < 1:
        raise InvalidParameterError(f"top_words: n must be at least 1, got {n!r}.")
    weights = np.atleast_2d(np.asarray(getattr(model, "components_", model)))
    if names is None:
        names = getattr(model, "feature_names_in_", None)
    if names is None:
        names = [f"x{j}" for j in range(weights.shape[1])]
    words = [str(name) for name in names]
    if len(words) != weights.shape[1]:
        raise InvalidDataError(
            f"top_words: {len(words)} names for {weights.shape[1]} columns of the model."
        )
    ranked = np.argsort(-weights, axis=1, kind="stable")[:, :n]
    return [[words[j] for j in row] for row in ranked]
