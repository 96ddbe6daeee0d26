"""Bayes' rule: the decision of least expected cost under known or estimated probabilities."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.decision.class_densities import ClassDensities
from stylobate.decision.costs import as_cost_matrix
from stylobate.decision.decisions import read_probabilities
from stylobate.decision.expectation import expected_prediction_error
from stylobate.decision.expected_error import ExpectedError
from stylobate.decision.quadrature import change_points
from stylobate.exceptions import InvalidDataError, InvalidParameterError

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class Region(NamedTuple):
    """An interval of the line and the decision made there."""

    low: float
    high: float
    decision: Any


class PosteriorRule:
    """Decide by the probabilities of the classes; subclasses give these.

    Attributes
    ----------
    classes_ : array of labels
    cost : CostMatrix
        With a column for refusing, if that is allowed.
    """

    def __init__(self, classes: NDArray[Any], cost: Any, refusal: float | None) -> None:
        name = type(self).__name__
        self.classes_ = classes
        self.cost = as_cost_matrix(cost, classes, name)
        if refusal is not None:
            if not (isinstance(refusal, int | float) and np.isfinite(refusal)):
                raise InvalidParameterError(
                    f"{name}: refusal must be the cost of not deciding, a finite number, or None, "
                    f"got {refusal!r}."
                )
            self.cost = self.cost.with_refusal(refusal)

    def predict_proba(self, X: Any) -> Array:
        """The probability of each class (column) for each row."""
        raise NotImplementedError

    def decide(self, points: Any) -> NDArray[Any]:
        """The decision of least expected cost at each point; the first of equal ones."""
        expected = self.predict_proba(points) @ self.cost.costs
        return np.asarray(self.cost.decisions[expected.argmin(axis=1)])

    def predict(self, X: Any) -> NDArray[Any]:
        """The decision of least expected cost for each row."""
        return self.decide(X)

    __call__ = decide


class BayesRule(PosteriorRule):
    """The decision of least expected cost when the densities of the classes are known.

    With equal costs it is the most probable class, argmax p(c) p(x | c), and its error, the Bayes
    error, is the least that any rule can have.

    Parameters
    ----------
    densities : ClassDensities, or what it takes
        The densities p(x | c): a mapping from class to distribution, or a sequence.
    priors : array-like of shape (n_classes,) or mapping, optional
        p(c), of sum 1; equal by default.
    classes : sequence of labels, optional
        Of a sequence of densities.
    cost : CostMatrix or array-like of shape (n_classes, n_decisions), optional
        What decisions cost given the truth; by default every mistake costs 1.
    refusal : float, optional
        The cost of not deciding, which adds the decision "refuse".
    support : pair of numbers, optional
        Where functions are to be integrated.

    Examples
    --------
    >>> from scipy.stats import norm
    >>> rule = BayesRule({"healthy": norm(0, 1), "ill": norm(2, 1)}, priors=[0.9, 0.1])
    >>> rule.boundaries.round(6)  # (μ₁ + μ₂)/2 + log(π₁/π₂)/(μ₂ - μ₁)
    array([2.098612])
    >>> rule.predict([1.0, 3.0])
    array(['healthy', 'ill'], dtype='<U7')
    >>> rule.risk
    0.07006068586 (distribution functions)
    """

    def __init__(
        self,
        densities: Any,
        priors: Any = None,
        *,
        classes: Any = None,
        cost: Any = None,
        refusal: float | None = None,
        support: Any = None,
    ) -> None:
        if isinstance(densities, ClassDensities):
            if priors is not None or classes is not None or support is not None:
                raise InvalidParameterError(
                    "BayesRule: the ClassDensities given hold priors, classes and support; do not "
                    "give them again."
                )
            self.distribution = densities
        else:
            self.distribution = ClassDensities(densities, priors, classes=classes, support=support)
        super().__init__(self.distribution.classes, cost, refusal)

    def predict_proba(self, X: Any) -> Array:
        """The posterior probability of each class (column) for each row."""
        return self.distribution.posterior(X)

    @property
    def risk(self) -> ExpectedError:
        """The expected cost, the least any rule can have; the Bayes error if mistakes cost 1."""
        return expected_prediction_error(self, self.distribution, self.cost)

    @property
    def error(self) -> ExpectedError:
        """The probability to decide for a wrong class."""

        def mistaken(y: Any, decision: Any) -> Any:
            named = np.isin(decision, self.classes_.tolist())
            return (np.asarray(y) != decision) & named

        return expected_prediction_error(self, self.distribution, mistaken)

    @property
    def refusal_rate(self) -> ExpectedError:
        """The probability not to decide."""

        def refused(y: Any, decision: Any) -> Any:
            named = np.isin(decision, self.classes_.tolist())
            return np.broadcast_to(~named, np.broadcast_shapes(np.shape(y), np.shape(decision)))

        return expected_prediction_error(self, self.distribution, refused)

    @property
    def boundaries(self) -> Array:
        """Where the decision changes on the line."""
        return self._changes()[0]

    @property
    def regions(self) -> list[Region]:
        """The intervals of the line with their decisions."""
        points, decisions = self._changes()
        edges = [-np.inf, *points.tolist(), np.inf]
        return [Region(*each) for each in zip(edges[:-1], edges[1:], decisions, strict=True)]

    def plot(self, ax: Axes | None = None, **options: Any) -> Axes:
        """Densities and decisions as a picture; see `stylobate.plot.plot_decision_regions_1d`."""
        from stylobate.plot import plot_decision_regions_1d

        return plot_decision_regions_1d(self, ax=ax, **options)

    def _changes(self) -> tuple[Array, list[Any]]:
        if self.distribution.dimension != 1:
            raise InvalidDataError(
                f"BayesRule: boundaries are numbers for one coordinate only, and these densities "
                f"have {self.distribution.dimension}; use predict on a grid."
            )
        return change_points(self.decide, self.distribution.grid())

    def __repr__(self) -> str:
        return f"BayesRule of {self.distribution!r}"


class PlugInRule(PosteriorRule):
    """The decision of least expected cost with probabilities from a fitted classifier.

    Parameters
    ----------
    classifier : object with `predict_proba` and ``classes_``
        A fitted classifier, ours or one that follows scikit-learn's protocol.
    cost : CostMatrix or array-like of shape (n_classes, n_decisions), optional
        What decisions cost given the truth; by default every mistake costs 1.
    refusal : float, optional
        The cost of not deciding, which adds the decision "refuse".

    Examples
    --------
    >>> import numpy as np
    >>> from stylobate.linear_model import LogisticRegression
    >>> x, y = np.array([[0.0], [1.0], [2.0], [3.0]]), [0, 0, 1, 1]
    >>> model = LogisticRegression().fit(x, y)
    >>> PlugInRule(model, refusal=0.2).predict([[0.0], [1.4], [3.0]])
    array([0, 'refuse', 1], dtype=object)
    """

    def __init__(self, classifier: Any, cost: Any = None, refusal: float | None = None) -> None:
        if not (hasattr(classifier, "predict_proba") and hasattr(classifier, "classes_")):
            raise InvalidParameterError(
                f"PlugInRule: {type(classifier).__name__} has no predict_proba and classes_; give "
                "a fitted classifier that predicts probabilities."
            )
        self.classifier = classifier
        super().__init__(np.asarray(classifier.classes_), cost, refusal)

    def predict_proba(self, X: Any) -> Array:
        """The classifier's probability of each class (column) for each row."""
        return read_probabilities(self.classifier.predict_proba(X), "PlugInRule")

    def __repr__(self) -> str:
        return f"PlugInRule({self.classifier!r})"
