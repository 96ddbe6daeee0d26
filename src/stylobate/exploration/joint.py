"""Joint probability tables: means, variances, covariance, information."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from stylobate.arrays import Array
from stylobate.decision import JointTable as DecisionTable
from stylobate.exceptions import InvalidDataError


class JointTable(DecisionTable):
    r"""A joint distribution p(x, y) of finitely many values, and everything that follows from it.

    .. math:: \mathrm{cov}(X, Y) = \sum_{x,y} p(x,y)\,(x - \mu_X)(y - \mu_Y)

    Means, variances, covariance and correlation need numbers as values; entropies and independence
    do not.

    Parameters
    ----------
    probabilities : array-like or data frame of shape (n_x, n_y)
        Non-negative, of sum 1: a row for each value of x, a column for each value of y.
    x, y : sequences, optional
        The values; 0, 1, … by default.

    Examples
    --------
    Two coins that like to fall the same way:

    >>> table = JointTable([[0.4, 0.1], [0.1, 0.4]])
    >>> table.mean.tolist(), round(table.covariance, 4), round(table.correlation, 4)
    ([0.5, 0.5], 0.15, 0.6)
    >>> table.covariance_matrix.round(4).tolist()
    [[0.25, 0.15], [0.15, 0.25]]
    >>> table.is_independent()
    False
    """

    @classmethod
    def from_frame(cls, frame: Any, a: str, b: str) -> Self:
        """The shares of the pairs of values in two columns; rows that lack one take no part.

        >>> import pandas as pd
        >>> rows = pd.DataFrame({"a": [0, 0, 1, 1], "b": [0, 1, 1, None]})
        >>> JointTable.from_frame(rows, "a", "b").probabilities.round(3).tolist()
        [[0.333, 0.333], [0.0, 0.333]]
        """
        import narwhals as nw

        table = nw.from_native(frame, eager_only=True)
        missing = [name for name in (a, b) if name not in table.columns]
        if missing:
            raise InvalidDataError(
                f"joint_table: there is no column {missing[0]!r}; the table has "
                f"{', '.join(map(repr, table.columns[:12]))}."
            )
        first, second = table[a].to_list(), table[b].to_list()
        kept = [pair for pair in zip(first, second, strict=True) if not _absent(*pair)]
        if not kept:
            raise InvalidDataError(f"joint_table: no row has a value of both {a!r} and {b!r}.")
        return cls.from_data([one for one, _ in kept], [other for _, other in kept])

    @property
    def mean(self) -> Array:
        """(E X, E Y)."""
        x, y = self._numbers()
        return np.array([self.p_x @ x, self.p_y @ y])

    @property
    def covariance_matrix(self) -> Array:
        """[[var X, cov], [cov, var Y]]: X P Xᵀ of the notes, with the means taken off first."""
        x, y = self._numbers()
        total = float(self.probabilities.sum())
        x, y = x - self.p_x @ x / total, y - self.p_y @ y / total
        cross = float(x @ self.probabilities @ y)
        return np.array([[self.p_x @ x**2, cross], [cross, self.p_y @ y**2]])

    @property
    def variance(self) -> Array:
        """(var X, var Y)."""
        return np.diag(self.covariance_matrix).copy()

    @property
    def covariance(self) -> float:
        """E (X − E X)(Y − E Y)."""
        return float(self.covariance_matrix[0, 1])

    @property
    def correlation(self) -> float:
        """Covariance over both standard deviations; NaN if one of them is 0."""
        matrix = self.covariance_matrix
        scale = float(np.sqrt(matrix[0, 0] * matrix[1, 1]))
        return float(np.clip(matrix[0, 1] / scale, -1.0, 1.0)) if scale > 0 else float("nan")

    @property
    def given_x(self) -> Array:
        """p(y | x) in each row; NaN where x has probability 0."""
        return _shares(self.probabilities, self.p_x[:, None])

    @property
    def given_y(self) -> Array:
        """p(x | y) in each column; NaN where y has probability 0."""
        return _shares(self.probabilities, self.p_y[None, :])

    @property
    def mean_given_x(self) -> Array:
        """E (Y | x) for each x.

        >>> JointTable([[0.3, 0.1], [0.2, 0.4]], y=[10, 20]).mean_given_x.round(2).tolist()
        [12.5, 16.67]
        """
        return np.asarray(self.given_x @ self._numbers("y")[1])

    @property
    def mean_given_y(self) -> Array:
        """E (X | y) for each y."""
        return np.asarray(self._numbers("x")[0] @ self.given_y)

    def is_independent(self, tolerance: float = 1e-12) -> bool:
        """Whether p(x, y) = p(x) p(y) in every cell, up to rounding.

        Uncorrelated is not independent:

        >>> table = JointTable([[0, 0.25], [0.5, 0], [0, 0.25]], x=[-1, 0, 1])
        >>> table.covariance, table.is_independent()
        (0.0, False)
        """
        apart = self.probabilities - np.outer(self.p_x, self.p_y)
        return bool(np.abs(apart).max() <= tolerance)

    @property
    def entropies(self) -> dict[str, float]:
        """H(X), H(Y) and H(X, Y) in nats."""
        return {
            "x": _entropy(self.p_x),
            "y": _entropy(self.p_y),
            "joint": _entropy(self.probabilities.reshape(-1)),
        }

    @property
    def mutual_information(self) -> float:
        r""":math:`\sum p(x,y) \log\frac{p(x,y)}{p(x)p(y)}`, in nats.

        >>> float(JointTable([[0.5, 0], [0, 0.5]]).mutual_information / np.log(2))
        1.0
        """
        i, j = np.nonzero(self.probabilities)
        shares = self.probabilities[i, j]
        logs = np.log(shares) - np.log(self.p_x[i]) - np.log(self.p_y[j])  # products may underflow
        return max(float(shares @ logs), 0.0)

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON; moments are None where the values are no numbers."""
        found: dict[str, Any] = {
            "x": self.x.tolist(),
            "y": self.y.tolist(),
            "probabilities": self.probabilities.tolist(),
            "mean": None,
            "covariance": None,
            "entropies": self.entropies,
            "mutual_information": self.mutual_information,
            "independent": self.is_independent(),
        }
        if self._numeric():
            matrix = self.covariance_matrix.tolist()
            found.update(mean=self.mean.tolist(), covariance=matrix)
        return found

    def __repr__(self) -> str:
        from stylobate.exploration.association.text import aligned

        rows = [("p(x, y)", *(f"y={v}" for v in self.y.tolist()), "p(x)")]
        for value, row, margin in zip(self.x.tolist(), self.probabilities, self.p_x, strict=True):
            rows.append((f"x={value}", *(f"{p:.4g}" for p in row), f"{margin:.4g}"))
        rows.append(("p(y)", *(f"{p:.4g}" for p in self.p_y), f"{self.p_x.sum():.4g}"))
        lines = aligned(rows, words=1)
        if self._numeric():
            mean, cov = self.mean, self.covariance_matrix
            lines.append(
                f"means {mean[0]:.4g}, {mean[1]:.4g}; variances {cov[0, 0]:.4g}, {cov[1, 1]:.4g}; "
                f"covariance {cov[0, 1]:.4g}, correlation {self.correlation:.4g}"
            )
        free = "independent" if self.is_independent() else "dependent"
        lines.append(f"{free}; mutual information {self.mutual_information:.4g} nats")
        return "\n".join(lines)

    def _numeric(self, which: str = "xy") -> bool:
        return all(getattr(self, name).dtype.kind in "biuf" for name in which)

    def _numbers(self, which: str = "xy") -> tuple[Array, Array]:
        for name in which:
            if not self._numeric(name):
                values = getattr(self, name).tolist()[:4]
                raise InvalidDataError(
                    f"JointTable: the values of {name} are {values!r}, no numbers, and have no "
                    "mean. Give numbers, or use entropies and mutual_information."
                )
        parts = (v.astype(float) if v.dtype.kind in "biuf" else v for v in (self.x, self.y))
        first, second = parts
        return first, second


def joint_table(frame: Any, a: str, b: str) -> JointTable:
    """The joint distribution of two columns of a table, by counting.

    Parameters
    ----------
    frame : data frame
        Any frame narwhals knows.
    a, b : str
        The columns; a becomes x (rows), b becomes y (columns).

    Returns
    -------
    JointTable

    Examples
    --------
    >>> import pandas as pd
    >>> rows = pd.DataFrame({"sex": ["f", "f", "m", "m"], "survived": [1, 1, 0, 1]})
    >>> joint_table(rows, "sex", "survived").given_x.tolist()
    [[0.0, 1.0], [0.5, 0.5]]
    """
    return JointTable.from_frame(frame, a, b)


def _shares(table: Array, margin: Array) -> Array:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.where(margin > 0, table / margin, np.nan))


def _entropy(shares: Array) -> float:
    shares = shares[shares > 0]
    return float(-(shares @ np.log(shares))) + 0.0


def _absent(*values: Any) -> bool:
    return any(value is None or value != value for value in values)
