"""How many components a mixture has, and of which type: every candidate fitted, one criterion."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import inf, log
from typing import TYPE_CHECKING, Any

import numpy as np

from stylobate.base import clone
from stylobate.exceptions import ConvergenceWarning, InvalidDataError, InvalidParameterError
from stylobate.mixture.covariance_types import COLLAPSED
from stylobate.mixture.gaussian import GaussianMixture
from stylobate.mixture.parameters import COVARIANCE_TYPES

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_WORDS = ((10.0, "very strong"), (6.0, "strong"), (2.0, "positive"), (0.0, "hardly any"))


@dataclass(frozen=True, slots=True)
class MixtureCandidate:
    """One number of components and type, fitted.

    Parameters
    ----------
    n_components : int
    covariance_type : str
        Empty where the model has no types.
    log_likelihood : float
        Σ w log p(x); −inf where the fit failed.
    n_parameters : int
    bic, aic : float
        The lower the better.
    converged : bool
    """

    n_components: int
    covariance_type: str
    log_likelihood: float
    n_parameters: int
    bic: float
    aic: float
    converged: bool

    @property
    def words(self) -> str:
        """What it is, in words."""
        number = "1 component" if self.n_components == 1 else f"{self.n_components} components"
        return f"{number} ({self.covariance_type})" if self.covariance_type else number


@dataclass(frozen=True, slots=True, eq=False)
class MixtureChoice:
    """All candidates, and the one with the lowest criterion.

    Parameters
    ----------
    candidates : tuple of MixtureCandidate
        In the order they were fitted.
    criterion : {"bic", "aic"}
    model : fitted mixture
        The best.
    """

    candidates: tuple[MixtureCandidate, ...]
    criterion: str
    model: Any

    @property
    def ranking(self) -> list[MixtureCandidate]:
        """The candidates, the best first."""
        return sorted(self.candidates, key=self._value)

    @property
    def best(self) -> MixtureCandidate:
        """The candidate with the lowest criterion."""
        return self.ranking[0]

    @property
    def n_components(self) -> int:
        """How many components the best has."""
        return self.best.n_components

    @property
    def covariance_type(self) -> str:
        """The type of the best."""
        return self.best.covariance_type

    @property
    def sentence(self) -> str:
        """The choice, and how clear it is."""
        best, *others = self.ranking
        name = self.criterion.upper()
        text = f"{best.words} by {name} ({self._value(best):.1f})"
        if not others or not np.isfinite(self._value(others[0])):
            return text + "."
        lead = self._value(others[0]) - self._value(best)
        text += f", {lead:.1f} below {others[0].words}"
        if self.criterion == "aic":
            return text + "."
        evidence = next(word for least, word in _WORDS if lead >= least)
        return f"{text}: {evidence} evidence."

    def _value(self, candidate: MixtureCandidate) -> float:
        return float(getattr(candidate, self.criterion))

    def to_dict(self) -> dict[str, list[Any]]:
        """The table of candidates as columns, for any data frame."""
        names = MixtureCandidate.__slots__
        return {name: [getattr(each, name) for each in self.candidates] for name in names}

    def plot(self, ax: Axes | None = None) -> Axes:
        """The criterion against the number of components, one line for each type."""
        from stylobate.plot import plot_mixture_choice

        return plot_mixture_choice(self, ax)

    def __str__(self) -> str:
        head = f"{'components':>10}  {'type':<9}  {'log-likelihood':>14}  {'d':>5}  "
        lines = [head + f"{'BIC':>12}  {'AIC':>12}"]
        for each in self.ranking:
            mark = "" if each.converged else "  not converged"
            lines.append(
                f"{each.n_components:>10}  {each.covariance_type:<9}  {each.log_likelihood:>14.2f}"
                f"  {each.n_parameters:>5}  {each.bic:>12.1f}  {each.aic:>12.1f}{mark}"
            )
        return "\n".join([f"Chosen: {self.sentence}", *lines])


def choose_mixture(
    X: Any,
    n_components: Iterable[int] = range(1, 10),
    *,
    covariance_types: Sequence[str] = COVARIANCE_TYPES,
    criterion: str = "bic",
    estimator: Any = None,
    sample_weight: Any = None,
) -> MixtureChoice:
    r"""Fit every number of components and every type, and choose by an information criterion.

    .. math:: \mathrm{BIC} = -2 \sum_i \log p(x_i) + d \log n, \qquad
              \mathrm{AIC} = -2 \sum_i \log p(x_i) + 2 d

    Parameters
    ----------
    X : array-like or data frame of shape (n, n_features)
        Rows.
    n_components : iterable of int in [1, inf), default=range(1, 10)
        Numbers of components; those above the number of rows are left out.
    covariance_types : sequence of str, default=("full", "tied", "diag", "spherical")
        Types to try, where the mixture has types.
    criterion : {"bic", "aic"}, default="bic"
        What the best has the lowest of.
    estimator : mixture, default=None
        Whose other parameters are used (starts, tolerance, seed): a `GaussianMixture` with
        ``random_state=0`` by default, or a `LatentClassMixture`.
    sample_weight : array-like of shape (n,), default=None
        Weights of the rows.

    Returns
    -------
    MixtureChoice
        With every candidate, the best model fitted, a sentence and a picture.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> X = np.concatenate([rng.normal(0, 1, 200), rng.normal(8, 1, 100)])[:, None]
    >>> choice = choose_mixture(X, range(1, 4), covariance_types=["spherical"])
    >>> choice.n_components
    2

    References
    ----------
    Fraley & Raftery (2002), Model-based clustering, discriminant analysis, and density estimation,
    JASA 97. Kass & Raftery (1995), Bayes factors, JASA 90: the words for differences of BIC.
    """
    if criterion not in ("bic", "aic"):
        raise InvalidParameterError(
            f"choose_mixture: criterion must be 'bic' or 'aic', got {criterion!r}."
        )
    base = GaussianMixture(random_state=0) if estimator is None else estimator
    candidates: list[MixtureCandidate] = []
    best: tuple[float, Any] = (inf, None)
    for model in _models(base, n_components, covariance_types):
        candidate = _fitted(model, X, sample_weight)
        candidates.append(candidate)
        value = getattr(candidate, criterion)
        if value < best[0]:
            best = value, model
    if best[1] is None:
        raise InvalidDataError(
            "choose_mixture: no candidate could be fitted. Try fewer components, or a larger "
            "reg_covar."
        )
    return MixtureChoice(tuple(candidates), criterion, best[1])


def _models(base: Any, numbers: Iterable[int], types: Sequence[str]) -> Iterator[Any]:
    counts = list(numbers)
    typed = "covariance_type" in base.get_params()
    if not counts or (typed and not len(types)):
        raise InvalidParameterError(
            "choose_mixture: n_components and covariance_types must name at least one candidate."
        )
    for kind in types if typed else [None]:
        for count in counts:
            model = clone(base).set_params(n_components=count)
            yield model.set_params(covariance_type=kind) if typed else model


def _fitted(model: Any, X: Any, sample_weight: Any) -> MixtureCandidate:
    """A candidate; one that collapsed has no likelihood."""
    kind = getattr(model, "covariance_type", "")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)  # said by `converged`
            model.fit(X, sample_weight=sample_weight)
    except InvalidDataError as problem:
        few = "Expected n_samples >= n_components" in str(problem)
        if not few and COLLAPSED not in str(problem):
            raise
        return MixtureCandidate(model.n_components, kind, -inf, 0, inf, inf, False)
    densities = model.score_samples(X)
    weights = np.ones(len(densities)) if sample_weight is None else np.asarray(sample_weight)
    weights = np.broadcast_to(weights, densities.shape)
    counted = weights > 0
    likelihood = float(weights[counted] @ densities[counted])
    d, n = model._n_parameters(), float(weights.sum())
    bic, aic = -2.0 * likelihood + d * log(n), -2.0 * likelihood + 2.0 * d
    return MixtureCandidate(model.n_components, kind, likelihood, d, bic, aic, model.converged_)
