"""Why a naive Bayes model decides as it does: what each column adds to each class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array


@dataclass(frozen=True, slots=True, eq=False)
class Explanation:
    r"""Log likelihoods of every row, column and class, which with the priors add up to the score.

    .. math:: \log p(x, c) = \log \pi_c + \sum_{j \text{ observed}} \log p(x_j \mid c)

    Parameters
    ----------
    classes : array of shape (k,)
    names : tuple of p str
    log_prior : array of shape (k,)
    contributions : array of shape (n, p, k)
        log p(xⱼ | c); 0 where the value is missing or was never seen.

    Examples
    --------
    >>> parts = np.array([[[-1.0, -2.0]]])
    >>> why = Explanation(np.array(["a", "b"]), ("x",), np.log([0.5, 0.5]), parts)
    >>> why.log_odds("a", "b").round(6)
    array([[1.]])
    >>> print(why)
                a       b
    prior  -0.693  -0.693
    x      -1.000  -2.000
    sum    -1.693  -2.693
    share   0.731   0.269
    """

    classes: NDArray[Any]
    names: tuple[str, ...]
    log_prior: Array
    contributions: Array

    @property
    def scores(self) -> Array:
        """Log p(x, c) (n × k)."""
        return np.asarray(self.log_prior + self.contributions.sum(axis=1))

    def log_odds(self, label: Any, against: Any) -> Array:
        """By how much each column favours one class over another (n × p)."""
        known = self.classes.tolist()
        one, other = known.index(label), known.index(against)
        return np.asarray(self.contributions[:, :, one] - self.contributions[:, :, other])

    def row(self, i: int) -> str:
        """One row as a table: columns of X down, classes across."""
        labels = [str(label) for label in self.classes.tolist()]
        score = self.scores[i]
        share = np.exp(score - score.max())
        lines = [
            ("prior", self.log_prior),
            *zip(self.names, self.contributions[i], strict=True),
            ("sum", score),
            ("share", share / share.sum()),
        ]
        left = max(len(name) for name, _ in lines)
        cells = [[f"{value:.3f}" for value in values] for _, values in lines]
        width = 2 + max(len(cell) for row in [labels, *cells] for cell in row)
        head = " " * left + "".join(f"{label:>{width}}" for label in labels)
        body = [
            f"{name:<{left}}" + "".join(f"{cell:>{width}}" for cell in row)
            for (name, _), row in zip(lines, cells, strict=True)
        ]
        return "\n".join([head, *body])

    def __str__(self) -> str:
        return self.row(0)
