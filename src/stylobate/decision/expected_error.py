"""An expectation and how it was found."""

from __future__ import annotations


class ExpectedError(float):
    """An expected loss: a number that knows how it was computed and how far it may be off.

    Parameters
    ----------
    value : float
        The expectation.
    method : str
        "exact sum", "distribution functions", "quadrature" or "Monte Carlo".
    uncertainty : float, default=0.0
        The estimated error of a quadrature, or the standard error of a Monte Carlo mean.

    Examples
    --------
    >>> ExpectedError(0.25, "Monte Carlo", 0.001)
    0.25 ± 0.001 (Monte Carlo, one standard error)
    >>> ExpectedError(0.25, "exact sum") + 1
    1.25
    """

    method: str
    uncertainty: float

    def __new__(cls, value: float, method: str, uncertainty: float = 0.0) -> ExpectedError:
        self = super().__new__(cls, value)
        self.method = method
        self.uncertainty = float(uncertainty)
        return self

    def __reduce__(self) -> tuple[type, tuple[float, str, float]]:
        return type(self), (float(self), self.method, self.uncertainty)

    def __repr__(self) -> str:
        number = f"{float(self):.10g}"
        if self.method == "Monte Carlo":
            return f"{float(self):.4g} ± {self.uncertainty:.2g} (Monte Carlo, one standard error)"
        if self.uncertainty:
            return f"{number} ({self.method}, error about {self.uncertainty:.0e})"
        return f"{number} ({self.method})"

    __str__ = __repr__
