"""Integers drawn without repetition."""

from __future__ import annotations

from typing import Any

from stylobate.arrays import Array
from stylobate.datasets.generators.draws import distinct_integers
from stylobate.exceptions import InvalidParameterError
from stylobate.utils.rows import check_random_state

__all__ = ["check_random_state", "sample_without_replacement"]


def sample_without_replacement(
    n_population: int, n_samples: int, method: str = "auto", random_state: Any = None
) -> Array:
    """Distinct integers in [0, n_population).

    Parameters
    ----------
    n_population, n_samples : int in [0, inf)
        How many there are, and how many are drawn.
    method : {"auto"}, default="auto"
        The way is chosen by the share that is drawn.
    random_state : int, RandomState or None, default=None
        Draws them.

    Returns
    -------
    array of shape (n_samples,)

    Examples
    --------
    >>> sorted(sample_without_replacement(5, 5, random_state=0).tolist())
    [0, 1, 2, 3, 4]
    """
    if method != "auto":
        raise InvalidParameterError(
            f"sample_without_replacement: method must be 'auto', got {method!r}; the way is chosen "
            "by the share that is drawn."
        )
    if n_population < 0 or not 0 <= n_samples <= n_population:
        raise InvalidParameterError(
            "n_population should be greater than 0 and not less than n_samples, got "
            f"n_samples={n_samples} of n_population={n_population}."
        )
    if n_samples == 0:
        return distinct_integers(None, 1, 0)
    return distinct_integers(check_random_state(random_state), n_population, n_samples)
