"""`Estimates`: coefficients with a covariance, all that tests of them need; and their hypotheses.

A hypothesis is said in words (`"x1 = x2, x3 = 0"`) or as a matrix.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

import numpy as np

from stylobate.arrays import Array
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.inference.distributions import chi2_p, f_p


@dataclass(frozen=True, eq=False)
class Estimates:
    """Coefficients with their covariance.

    Parameters
    ----------
    names : tuple of k str
    coef : (k,) array
    covariance : (k, k) array
        NaN where a coefficient is not estimable.
    df : float
        Residual degrees of freedom of t and F; inf for the normal law and χ².
    kind : str
        How the covariance was estimated.
    """

    names: tuple[str, ...]
    coef: Array
    covariance: Array
    df: float = float("inf")
    kind: str = "classical"

    @property
    def std_error(self) -> Array:
        """Square roots of the variances."""
        return np.sqrt(np.maximum(np.diag(self.covariance), 0.0))


@dataclass(frozen=True, eq=False)
class WaldTest:
    """A joint test of linear hypotheses `L b = v`.

    `statistic` is F with (`df`, `df_residual`) degrees of freedom, or χ² with `df` where the
    residual ones are infinite. `df` is the rank of L in the covariance.
    """

    statistic: float
    df: int
    df_residual: float
    p: float
    hypotheses: tuple[str, ...]
    covariance_type: str = "classical"

    @property
    def law(self) -> str:
        """The law of the statistic."""
        return "chi2" if np.isinf(self.df_residual) else "F"

    def to_dict(self) -> dict[str, Any]:
        """Plain values."""
        return {
            "statistic": self.statistic,
            "df": self.df,
            "df_residual": self.df_residual,
            "p": self.p,
            "law": self.law,
            "hypotheses": list(self.hypotheses),
            "covariance_type": self.covariance_type,
        }

    def __str__(self) -> str:
        from stylobate.inference.summary.text import number, p_value

        p = p_value(self.p)
        freedom = f"{self.df}" if np.isinf(self.df_residual) else f"{self.df}, {self.df_residual:g}"
        law = "χ²" if self.law == "chi2" else "F"
        said = "; ".join(self.hypotheses[:6]) + (" …" if len(self.hypotheses) > 6 else "")
        equals = "" if p.startswith("<") else "= "
        return f"{said}: {law}({freedom}) = {number(self.statistic)}, p {equals}{p}"


def wald_test(estimates: Estimates, hypotheses: Any, value: Any = 0.0) -> WaldTest:
    """Test linear hypotheses jointly.

    Parameters
    ----------
    estimates : Estimates
    hypotheses : str, or (q, k) array
        "a = b, c = 0": equations of linear expressions in the coefficients' names, an expression
        without "=" being 0; or the matrix L.
    value : float or (q,) array
        v, for a matrix.

    Returns
    -------
    WaldTest

    Examples
    --------
    >>> found = Estimates(("a", "b"), np.array([3.0, 1.0]), np.eye(2))
    >>> round(wald_test(found, "a = b").statistic, 6)
    2.0
    """
    matrix, target, words = hypothesis_matrix(estimates.names, hypotheses, value)
    used = (matrix != 0).any(axis=0)
    lost = [n for n, u, d in zip(estimates.names, used, np.diag(estimates.covariance), strict=True)
            if u and not np.isfinite(d)]  # fmt: skip
    if lost:
        raise InvalidDataError(
            f"The data do not determine {', '.join(lost[:4])}, so no hypothesis about it can be "
            "tested."
        )
    covariance = np.where(np.outer(used, used), estimates.covariance, 0.0)
    difference = matrix @ np.where(used, estimates.coef, 0.0) - target
    spread = matrix @ covariance @ matrix.T
    statistic, rank = quadratic_form(difference, spread)
    if rank == 0:
        raise InvalidDataError("The hypotheses name no coefficient that varies.")
    if np.isinf(estimates.df):
        return WaldTest(statistic, rank, np.inf, chi2_p(statistic, rank), words, estimates.kind)
    p = f_p(statistic / rank, rank, estimates.df)
    return WaldTest(statistic / rank, rank, estimates.df, p, words, estimates.kind)


def quadratic_form(difference: Array, spread: Array) -> tuple[float, int]:
    """`dᵀ S⁺ d` and the rank of S, decided with unit diagonal."""
    scale = np.sqrt(np.maximum(np.diag(spread), 0.0))
    scale[scale == 0] = 1.0
    values, vectors = np.linalg.eigh(spread / np.outer(scale, scale))
    kept = values > 1e-10 * max(float(values.max(initial=0.0)), 1e-300)
    turned = vectors[:, kept].T @ (difference / scale)
    return float(np.sum(turned**2 / values[kept])), int(kept.sum())


def hypothesis_matrix(
    names: Sequence[str], hypotheses: Any, value: Any = 0.0
) -> tuple[Array, Array, tuple[str, ...]]:
    """L, v and the hypotheses in words.

    Examples
    --------
    >>> hypothesis_matrix(("a", "b"), "a - 2*b = 1")[:2]
    (array([[ 1., -2.]]), array([1.]))
    """
    if isinstance(hypotheses, str) or (
        isinstance(hypotheses, list | tuple) and all(isinstance(each, str) for each in hypotheses)
    ):
        given = [hypotheses] if isinstance(hypotheses, str) else list(hypotheses)
        texts = [part for each in given for part in _split(each, names)]
        if not texts:
            raise InvalidParameterError("There is no hypothesis to test; write 'x = 0'.")
        rows = [_equation(text, names) for text in texts]
        return np.array([row for row, _ in rows]), np.array([v for _, v in rows]), tuple(texts)
    matrix = np.atleast_2d(np.asarray(hypotheses, dtype=np.float64))
    if matrix.shape[1] != len(names):
        raise InvalidParameterError(
            f"A matrix of hypotheses has one column per coefficient: {len(names)}, got "
            f"{matrix.shape[1]}."
        )
    target = np.broadcast_to(np.asarray(value, dtype=np.float64), (len(matrix),)).copy()
    words = tuple(_words(row, v, names) for row, v in zip(matrix, target, strict=True))
    return matrix, target, words


def _words(row: Array, value: float, names: Sequence[str]) -> str:
    parts = [
        ("" if abs(c) == 1 else f"{abs(c):.4g}·") + name if not i and c > 0
        else (" + " if c > 0 else " − " if i else "−") + ("" if abs(c) == 1 else f"{abs(c):.4g}·")
        + name
        for i, (c, name) in enumerate((c, n) for c, n in zip(row, names, strict=True) if c)
    ]  # fmt: skip
    return f"{''.join(parts) or '0'} = {value:g}"


def _pattern(names: Sequence[str]) -> re.Pattern[str]:
    """Names (the longest first), numbers, signs."""
    known = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    return re.compile(
        rf"\s*(?:(?P<name>{known})(?![\w\[(:.])|(?P<number>\d+\.?\d*(?:[eE][+-]?\d+)?)"
        r"|(?P<sign>[-+*/=,])|(?P<other>\S+?)(?=[-+*/=,\s]|$))"
    )


def _tokens(text: str, names: Sequence[str]) -> list[tuple[str, str]]:
    found = []
    for each in _pattern(names).finditer(text):
        kind = each.lastgroup or ""
        if kind == "other":
            close = get_close_matches(each.group(kind), names, 1, cutoff=0.4)
            meant = f"; did you mean {close[0]!r}?" if close else ""
            raise InvalidParameterError(
                f"Hypothesis {text!r}: there is no coefficient {each.group(kind)!r}{meant or '.'}"
            )
        found.append((kind, each.group(kind)))
    return found


def _split(text: str, names: Sequence[str]) -> list[str]:
    parts: list[list[str]] = [[]]
    for kind, value in _tokens(text, names):
        if (kind, value) == ("sign", ","):
            parts.append([])
        else:
            parts[-1].append(value)
    return [" ".join(part) for part in parts if part]


def _equation(text: str, names: Sequence[str]) -> tuple[Array, float]:
    """One row of L and its value, of `left = right`."""
    row, constant, side, sign = np.zeros(len(names)), 0.0, 1.0, 1.0
    factor: float | None = None
    tokens = [*_tokens(text, names), ("sign", "+")]
    pending: str | None = None
    for kind, value in tokens:
        if kind == "number":
            factor = (1.0 if factor is None else factor) * float(value)
        elif kind == "name":
            if pending is not None:
                raise InvalidParameterError(f"Hypothesis {text!r} is not linear.")
            pending = value
        elif value == "*":
            continue
        elif value == "/":
            raise InvalidParameterError(f"Hypothesis {text!r}: write 0.5*x for x/2.")
        else:
            amount = side * sign * (1.0 if factor is None else factor)
            if pending is not None:
                row[list(names).index(pending)] += amount
            elif factor is not None:
                constant += amount
            factor, pending = None, None
            sign = -1.0 if value == "-" else 1.0
            if value == "=":
                side = -1.0
    return row, -constant
