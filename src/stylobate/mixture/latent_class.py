"""Latent class mixtures: groups of rows with numbers, categories and missing cells."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field
from math import inf
from typing import TYPE_CHECKING, Annotated, Any, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.base import BaseEstimator, Interval, RandomState, Tags
from stylobate.base.batches import first_batch, refuse_read_once
from stylobate.base.randomness import stream_of
from stylobate.base.validation import compare_features, remember_features
from stylobate.data import Table, read_weights
from stylobate.data.streams import batch_from
from stylobate.exceptions import (
    ConvergenceWarning,
    ModelFileError,
    NumericalError,
    UnsupportedDataError,
    joined,
)
from stylobate.mixture.class_draws import draw_rows
from stylobate.mixture.class_rows import MemoryRows, StreamedRows
from stylobate.mixture.class_sums import ClassMaximization, ClassSums
from stylobate.mixture.expectation_maximization import certificate
from stylobate.mixture.mixed_rows import ClassParameters, memberships_of
from stylobate.mixture.mixin import InformationCriteria, MixtureMixin, check_count
from stylobate.mixture.parameters import Components, Iterations, NotNegative, Starts
from stylobate.mixture.starts import refuse_few
from stylobate.optimize import Trace
from stylobate.tree.columns import CategoriesSeen, ColumnCategories, read_features
from stylobate.tree.parameters import Categorical

if TYPE_CHECKING:
    from stylobate.data.streams import Stream


class LatentClassMixture(InformationCriteria, MixtureMixin, BaseEstimator):
    r"""Groups of rows whose columns are independent within a group: latent class analysis.

    .. math:: p(x) = \sum_{c=1}^{k} \pi_c \prod_{j \text{ number}} N(x_j; m_{cj}, v_{cj})
              \prod_{j \text{ category}} \theta_{cj}(x_j)

    Categories alone are latent class analysis, numbers alone latent profile analysis; a frame may
    hold both. A missing cell leaves the product, which is to sum over all that it could be: nothing
    is imputed. Fitted by expectation and maximisation from several starts.

    Parameters
    ----------
    n_components : int in [1, inf), default=2
        k.
    categorical_features : "from_dtype", None or array-like of bool, int or str, \
default="from_dtype"
        Columns of categories: those of text and of a categorical type, none, a mask, positions or
        names.
    tol : float in [0, inf), default=1e-6
        Stop when the mean log-likelihood changes by less.
    variance_floor : float in [0, 1), default=1e-6
        Smallest variance within a class, as a share of the column's.
    alpha : float in [0, inf), default=0.0
        Rows added to every category of every class; 0 is maximum likelihood.
    max_iter : int in [0, inf), default=500
        Iterations at most.
    n_init : int in [1, inf), default=10
        Starts, of which the best is kept.
    random_state : int, RandomState or None, default=None
        Seed of the starts.

    Attributes
    ----------
    weights_ : array of shape (n_components,)
        π, the largest first.
    means_, variances_ : arrays of shape (n_components, n_features)
        m and v, in the units of the columns; NaN for categories.
    probabilities_ : list of n_features arrays of shape (n_components, categories)
        θ of each column, None for numbers.
    categories_ : ColumnCategories
        Of each column the categories, None for numbers.
    converged_ : bool
        Whether `tol` was reached.
    n_iter_ : int
        Iterations of the best start.
    lower_bound_, lower_bounds_ : float and list of float
        The mean log-likelihood (with `alpha` the log posterior) before the last step, and before
        each.
    trace_ : Trace
        The same with the sign turned, and how far each step led.
    certificate_ : Certificate
        How far a further step would lead; no proof of a global maximum.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Notes
    -----
    A category that was not seen at `fit` counts as missing. A row that no class allows (possible
    where ``alpha=0``) has density 0 and the classes' weights as probabilities.

    Starts are made of all rows up to 10,000, else of as many drawn from them. Rows that are read on
    request (files, databases, batches) are passed over once for the categories, once for the scales
    and once for each iteration, in which all starts take their step.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({
    ...     "wing": [2.0, 2.2, 1.9, 9.0, 9.4, None],
    ...     "diet": ["seeds", "seeds", None, "fish", "fish", "fish"],
    ... })
    >>> model = LatentClassMixture(n_components=2, random_state=0).fit(frame)
    >>> labels = model.predict(frame)
    >>> labels[0] == labels[1] == labels[2], labels[3] == labels[4] == labels[5]
    (np.True_, np.True_)

    References
    ----------
    Hunt & Jorgensen (2003), Mixture model clustering for mixed data with missing information,
    Computational Statistics & Data Analysis 41.
    """

    def __init__(
        self,
        n_components: Components = 2,
        *,
        categorical_features: Categorical = "from_dtype",
        tol: NotNegative = 1e-6,
        variance_floor: Annotated[float, Interval(0, 1)] = 1e-6,
        alpha: Annotated[float, Interval(0, inf)] = 0.0,
        max_iter: Iterations = 500,
        n_init: Starts = 10,
        random_state: RandomState = None,
    ) -> None:
        self.n_components = n_components
        self.categorical_features = categorical_features
        self.tol = tol
        self.variance_floor = variance_floor
        self.alpha = alpha
        self.max_iter = max_iter
        self.n_init = n_init
        self.random_state = random_state

    def _tags(self) -> Tags:
        return super()._tags().but(allow_nan=True, categorical=True, tier="one pass per iteration")

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Fit from ``n_init`` starts and keep the best.

        Parameters
        ----------
        X : data frame or array-like of shape (n, n_features)
            Numbers and categories; NaN and None are missing.
        y : ignored
            For compatibility.
        sample_weight : array-like of shape (n,) or float, optional
            Non-negative weights: a row of weight 2 counts as two rows.

        Returns
        -------
        self
        """
        self._check_parameters()
        table, categories = self._features(X, None)
        remember_features(self, table)
        owner = type(self).__name__
        refuse_few(owner, table.n_rows, self.n_components)
        given = read_weights(sample_weight, table.n_rows, owner=owner)
        weights = np.ones(table.n_rows) if given is None else given
        self.categories_ = categories
        self._learn(MemoryRows(table, weights, categories.counts))
        return self

    def _fit_stream(self, stream: Stream) -> Self:
        """Two passes for categories and scales; then one for each iteration of all starts."""
        self._check_parameters()
        owner = type(self).__name__
        refuse_read_once(stream.repeatable, owner)
        seen, n_rows = self._categories_of(stream, owner)
        refuse_few(owner, n_rows, self.n_components)
        remember_features(self, seen.example)
        self.categories_ = seen.known()

        def read(x: Any) -> Table:
            table, _ = self._features(x, self.categories_)
            compare_features(self, table)
            return table

        self._learn(StreamedRows(stream, read, self.categories_.counts, n_rows, owner))
        return self

    def _categories_of(self, stream: Stream, owner: str) -> tuple[CategoriesSeen, int]:
        """The categories of a stream's columns, and how many rows there are."""
        seen = CategoriesSeen(owner, self.categorical_features)
        seen.add(first_batch(stream, owner).x)
        if not stream.here:
            if seen.any:
                raise UnsupportedDataError(
                    f"{owner}: columns of categories are not learnt from the rows of a cluster; "
                    "give them numbers, or read the rows from files."
                )
            return seen, stream.count()
        seen, n_rows = CategoriesSeen(owner, self.categorical_features), 0
        for batch in stream:
            if batch.n_rows:
                with batch_from(n_rows, stream.name):
                    seen.add(batch.x)
                n_rows += batch.n_rows
        return seen, n_rows

    def _learn(self, rows: MemoryRows | StreamedRows) -> None:
        random = stream_of(self.random_state)
        seeds = rows.seeds(random)
        self._scales = rows.scales
        self._refuse_huge()
        step = ClassMaximization(rows.scales.counts, float(self.variance_floor), float(self.alpha))
        runs = []
        for _ in range(self.n_init):
            held = seeds.memberships(self.n_components, random)
            zero = np.zeros((self.n_components, len(rows.scales.numbers)))
            sums = ClassSums.of_memberships(seeds.rows, seeds.weights, held, zero)
            runs.append(_Run(step.parameters(sums)))
        for _ in range(self.max_iter):
            going = [run for run in runs if not run.converged]
            if not going:
                break
            found = rows.sums([run.parameters for run in going])
            for run, sums in zip(going, found, strict=True):
                run.advance(step, sums, self.tol)
        self._finish(max(runs, key=lambda run: run.bound), rows, step)

    def _finish(self, best: _Run, rows: MemoryRows | StreamedRows, step: ClassMaximization) -> None:
        (sums,) = rows.sums([best.parameters])
        value = step.value(sums, best.parameters)
        residual = step.parameters(sums).distance(best.parameters)
        self._store(best.parameters.ordered())
        self.trace_, self.converged_ = best.trace, best.converged
        self.n_iter_ = len(self.trace_)
        self.lower_bound_ = best.bound
        self.lower_bounds_ = [-each for each in self.trace_.objective]
        objective = "−(1/Σw) Σ w log Σ_c π_c Π_j p(x_j | c)"
        self.certificate_ = certificate(objective, -value, residual)
        if not self.converged_ and self.max_iter > 0:
            warnings.warn(
                f"{type(self).__name__}: no start of {self.n_init} ended within max_iter="
                f"{self.max_iter} iterations; increase it, or tol.",
                joined(ConvergenceWarning),
                stacklevel=5,
            )

    def _refuse_huge(self) -> None:
        scales = self._scales
        with np.errstate(over="ignore"):
            huge = np.flatnonzero(~np.isfinite(scales.center + scales.scale**2))
        if not len(huge):
            return
        place = int(scales.numbers[huge[0]])
        names = getattr(self, "feature_names_in_", None)
        raise NumericalError(
            f"{type(self).__name__}: the squares of column "
            f"{place if names is None else repr(str(names[place]))} exceed what double precision "
            "can hold (about 1e308). Divide it by a constant first."
        )

    def _store(self, found: ClassParameters) -> None:
        self._parameters = found
        scales = self._scales
        self.weights_ = found.weights
        self.means_ = np.full((self.n_components, len(self.categories_.of)), np.nan)
        self.variances_ = self.means_.copy()
        self.means_[:, scales.numbers] = scales.center + found.means * scales.scale
        self.variances_[:, scales.numbers] = found.variances * scales.scale**2
        parts = iter(np.split(found.shares, np.cumsum(scales.counts)[:-1], axis=1))
        self.probabilities_ = [
            None if each is None else next(parts) for each in self.categories_.of
        ]

    def _features(self, X: Any, known: ColumnCategories | None) -> tuple[Table, ColumnCategories]:
        return read_features(
            X,
            owner=type(self).__name__,
            known=known,
            categorical=self.categorical_features,
            accept_sparse=False,
        )

    def _expect(self, X: Any) -> tuple[Array, Array]:
        """Memberships and log densities of rows."""
        self._check_fitted()
        table, _ = self._features(X, self.categories_)
        compare_features(self, table)
        scores = self._parameters.scores(self._scales.rows(table.x))
        return memberships_of(scores, self.weights_)

    def _check_loaded(self) -> None:
        """Refuse parameters of a file that are of other columns."""
        if "_parameters" not in vars(self):
            return
        found, scales, k = self._parameters, self._scales, len(self.weights_)
        numbers = (k, len(scales.numbers))
        sound = found.means.shape == found.variances.shape == numbers
        sound &= found.shares.shape == (k, int(scales.counts.sum())) and len(found.weights) == k
        sound &= scales.center.shape == scales.scale.shape == numbers[1:]
        sound &= len(self.categories_.of) == len(scales.numbers) + len(scales.counts)
        sound &= self.n_features_in_ == len(self.categories_.of)
        if not sound:
            raise ModelFileError("The LatentClassMixture of the file has classes of other columns.")

    # --- what follows from the parameters -------------------------------------------------------

    def predict_proba(self, X: Any) -> Array:
        """Probabilities that each row belongs to each class, by the cells it has.

        Parameters
        ----------
        X : data frame or array-like of shape (n, n_features)
            Rows.

        Returns
        -------
        array of shape (n, n_components)
            Rows sum to 1.
        """
        return self._expect(X)[0]

    def predict(self, X: Any) -> NDArray[np.int64]:
        """The class each row most probably belongs to.

        Parameters
        ----------
        X : data frame or array-like of shape (n, n_features)
            Rows.

        Returns
        -------
        array of shape (n,)
        """
        return np.asarray(self.predict_proba(X).argmax(axis=1))

    def score_samples(self, X: Any) -> Array:
        """The logarithm of the density of what is observed of each row.

        Parameters
        ----------
        X : data frame or array-like of shape (n, n_features)
            Rows.

        Returns
        -------
        array of shape (n,)
        """
        return self._expect(X)[1]

    def sample(self, n_samples: int = 1) -> tuple[NDArray[Any], NDArray[np.int64]]:
        """Rows drawn from the mixture, class by class; nothing is missing in them.

        Parameters
        ----------
        n_samples : int in [1, inf), default=1
            How many.

        Returns
        -------
        X : array of shape (n_samples, n_features)
            Of type object where columns have categories, which it then holds as they are.
        y : array of shape (n_samples,)
            The class of each.
        """
        self._check_fitted()
        check_count(n_samples, type(self).__name__)
        random = stream_of(self.random_state)
        counts = random.multinomial(n_samples, self.weights_ / self.weights_.sum())
        labels = np.repeat(np.arange(len(counts)), counts)
        return draw_rows(self, labels, random), labels

    def _n_parameters(self) -> int:
        """How many free parameters the mixture has."""
        categories = int((self._scales.counts - 1).clip(min=0).sum())
        return self.n_components * (1 + 2 * len(self._scales.numbers) + categories) - 1


@dataclass(slots=True)
class _Run:
    """One start and what became of it."""

    parameters: ClassParameters
    bound: float = -inf
    converged: bool = False
    trace: Trace = field(default_factory=Trace)

    def advance(self, step: ClassMaximization, sums: ClassSums, tol: float) -> None:
        """One iteration, from the sums of the rows under the parameters."""
        value, following = step.value(sums, self.parameters), step.parameters(sums)
        moved = following.distance(self.parameters)
        self.trace.record(objective=-value, gradient_norm=moved, step=1.0)
        change, self.bound, self.parameters = value - self.bound, value, following
        self.converged = abs(change) < tol
