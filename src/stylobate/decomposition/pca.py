"""Principal component analysis."""

from __future__ import annotations

from math import inf
from typing import Annotated, Any, Self

import numpy as np

from stylobate.base import Interval, Options, RandomState, Tags
from stylobate.base.availability import available_if
from stylobate.data import Table
from stylobate.data.streams import Batch, Stream
from stylobate.decomposition.certificate import ComponentCertificate
from stylobate.decomposition.dimension import components_for_share, minka_evidence, refuse_count
from stylobate.decomposition.gaussian_likelihood import GaussianLikelihood
from stylobate.decomposition.pca_solvers import SpectrumRequest, centre_of, chosen_solver, solve
from stylobate.decomposition.projection import PrincipalComponents
from stylobate.decomposition.spectrum import Centre, Spectrum, spectrum_of_moments
from stylobate.exceptions import InvalidDataError, UnsupportedDataError
from stylobate.parallel import join_threadpoolctl
from stylobate.statistics import Moments, Source, rows_at_hand


class PCA(GaussianLikelihood, PrincipalComponents):
    r"""Principal components: the directions in which centred rows vary most.

    .. math:: C = \frac{X_c^\top W X_c}{\sum_i w_i - 1} = V^\top Λ V,\qquad z = V_k\,(x - m)

    The first k eigenvectors span the plane nearest to the rows; what is lost is
    :math:`\sum_{j>k} λ_j`. Tall tables are learnt from their moments in one pass, so streams,
    batches and merged parts give the components of all rows; large ones by a block Krylov method
    that reads the rows once a step and stops on residuals. Sparse rows stay sparse.

    Parameters
    ----------
    n_components : int in [0, inf), float in (0, 1), "mle" or None, default=None
        How many components: a number, the fewest that explain more than a share of the variance,
        Minka's choice, or all.
    copy : bool, default=True
        Accepted for compatibility; X is never written to.
    whiten : bool, default=False
        Whether scores are divided by their standard deviation.
    svd_solver : {"auto", "full", "covariance_eigh", "arpack", "randomized"}, default="auto"
        "full": singular values of the centred rows. "covariance_eigh": eigenvalues of the
        covariance, in one pass. "arpack": the leading components to the last digit (here by block
        Krylov iteration). "randomized": a fixed number of steps. "auto": the covariance for tall
        tables, "full" for small ones, else, for few components, block Krylov iteration until the
        residuals are small. Large sparse tables: "arpack".
    tol : float in [0, inf), default=0.0
        Relative residual :math:`\|Cv - λv\|/λ_1` at which Krylov iterations stop; 0: 1e-7 for
        "auto", rounding for "arpack".
    iterated_power : int in [0, inf) or "auto", default="auto"
        Steps of "randomized"; "auto": 7 for few components, else 4.
    n_oversamples : int in [1, inf), default=10
        Further directions of "randomized".
    power_iteration_normalizer : {"auto", "QR", "LU", "none"}, default="auto"
        What keeps the directions of "randomized" apart between steps.
    random_state : int, RandomState or None, default=None
        Seed of the first directions of Krylov iterations and "randomized".

    Attributes
    ----------
    components_ : array of shape (n_components, n_features)
        Unit vectors; of each the entry of largest size is positive.
    explained_variance_, explained_variance_ratio_ : arrays of shape (n_components,)
        λ, and its share of the variance of all columns.
    singular_values_ : array of shape (n_components,)
        :math:`\sqrt{λ(\sum w - 1)}`.
    mean_ : array of shape (n_features,)
    noise_variance_ : float
        Mean of the variances left out.
    reconstruction_error_ : float
        Sum of the variances left out: what `inverse_transform` of the scores loses per row.
    certificate_ : ComponentCertificate
        A bound for the error of each component; ``verdict`` says it in words.
    n_components_, n_samples_, n_features_in_, feature_names_in_
        As in scikit-learn.
    solver_reason_ : str
        Which method was used and why.
    n_passes_ : int
        Passes over the rows that the method took.
    statistic_ : Moments
        After fits by the covariance: what `partial_fit` goes on from.

    Examples
    --------
    >>> import numpy as np
    >>> x = np.array([[2.0, 1.0], [4.0, 2.0], [6.0, 3.0], [8.0, 4.1]])
    >>> model = PCA(1).fit(x)
    >>> model.components_.round(3), model.explained_variance_ratio_.round(4)
    (array([[0.889, 0.458]]), array([0.9999]))
    >>> model.inverse_transform(model.transform(x)).round(1)
    array([[2. , 1. ],
           [4. , 2. ],
           [6. , 3. ],
           [8. , 4.1]])

    References
    ----------
    Jolliffe (2002), Principal Component Analysis, Springer. Tipping & Bishop (1999), Probabilistic
    principal component analysis, JRSS B 61.
    """

    def __init__(
        self,
        n_components: Annotated[int, Interval(0, inf)]
        | Annotated[float, Interval(0, 1, closed="neither")]
        | Annotated[str, Options("mle")]
        | None = None,
        *,
        copy: bool = True,
        whiten: bool = False,
        svd_solver: Annotated[
            str, Options("auto", "full", "covariance_eigh", "arpack", "randomized")
        ] = "auto",
        tol: Annotated[float, Interval(0, inf)] = 0.0,
        iterated_power: Annotated[int, Interval(0, inf)] | Annotated[str, Options("auto")] = "auto",
        n_oversamples: Annotated[int, Interval(1, inf)] = 10,
        power_iteration_normalizer: Annotated[str, Options("auto", "QR", "LU", "none")] = "auto",
        random_state: RandomState = None,
    ) -> None:
        self.n_components = n_components
        self.copy = copy
        self.whiten = whiten
        self.svd_solver = svd_solver
        self.tol = tol
        self.iterated_power = iterated_power
        self.n_oversamples = n_oversamples
        self.power_iteration_normalizer = power_iteration_normalizer
        self.random_state = random_state

    def _tags(self) -> Tags:
        tiers: Any = {
            "full": "all rows",
            "arpack": "one pass per iteration",
            "randomized": "one pass per iteration",
        }
        sparse = self.svd_solver in ("auto", "arpack", "covariance_eigh")
        return super()._tags().but(sparse=sparse, tier=tiers.get(self.svd_solver, "one pass"))

    # --- learning -------------------------------------------------------------------------------

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Find the components of rows.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows; or rows that are read on request.
        y : ignored
            For compatibility.
        sample_weight : array-like of shape (n,), optional
            How often each row counts: integers are repetitions.

        Returns
        -------
        self
        """
        self._start()
        if not self._tags().sparse and hasattr(X, "tocsr"):
            raise TypeError(
                'PCA only support sparse inputs with the "arpack" and "covariance_eigh" solvers, '
                f'while "{self.svd_solver}" was passed. See TruncatedSVD for a possible '
                "alternative."
            )
        table = self._read(X, None, sample_weight, reset=True, check_finite="deferred")
        self._learn(self._source(table), table.x.dtype)
        return self

    @available_if(lambda self: self._tags().tier == "one pass")
    def partial_fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Learn from more rows, as if they and all rows so far had been given to `fit`.

        Parameters
        ----------
        X, y, sample_weight
            As for `fit`.

        Returns
        -------
        self
        """
        self._check_parameters()
        known = getattr(self, "statistic_", None)
        if known is None and hasattr(self, "components_"):
            raise InvalidDataError(
                f"PCA: the solver {self._fit_svd_solver!r} left no Moments of the rows seen so far "
                "to go on from; use partial_fit from the first rows on, or "
                "svd_solver='covariance_eigh'."
            )
        table = self._read(X, None, sample_weight, reset=known is None, check_finite="deferred")
        part = self._source(table).compute(Moments)
        self._learn_moments(part if known is None else known.merge(part), table.x.dtype)
        return self

    @available_if(lambda self: self._tags().tier == "one pass")
    def fit_statistic(self, statistic: Moments) -> Self:
        """Find the components of rows of which the moments are known: merged parts, a window.

        Parameters
        ----------
        statistic : Moments
            Of the features alone; what ``statistic_`` is after a fit.

        Returns
        -------
        self
        """
        self._start()
        if not isinstance(statistic, Moments) or statistic.n_targets:
            raise InvalidDataError("PCA.fit_statistic learns from Moments without targets.")
        self.n_features_in_ = statistic.n_features
        self._learn_moments(statistic, np.dtype(np.float64))
        return self

    def _fit_stream(self, stream: Stream) -> Self:
        if self._needs_rows:
            return super()._fit_stream(stream)
        self._start()
        kinds: list[Any] = []
        plain = self._batch_reader()

        def read(batch: Batch) -> Table:
            table = plain(batch)
            kinds.append(table.x.dtype)
            return table

        source = self._source(stream, read)
        if self._tags().tier == "one pass":
            moments = source.compute(Moments)
            self._learn_moments(moments, np.result_type(*kinds))
        else:
            self._learn(source, kinds)
        return self

    def _start(self) -> None:
        self._check_parameters()
        join_threadpoolctl()
        for name in [name for name in vars(self) if name.endswith("_")]:
            delattr(self, name)

    def _learn(self, source: Source, kind: Any) -> None:
        """From rows in memory, or from passes over a stream."""
        centre = centre_of(source)
        p = len(centre.mean)
        table = source.rows() if rows_at_hand(source) else None
        shape = (centre.n_rows, p)
        solver, wanted, reason = chosen_solver(
            self.svd_solver, self.n_components, shape, sparse=table is not None and table.is_sparse
        )
        self._refuse(wanted, centre, solver)
        if solver == "covariance_eigh":
            self._learn_moments(source.compute(Moments), kind, reason)
            return
        request = SpectrumRequest(wanted, solver, self.svd_solver == "auto", self)
        self._fit_svd_solver = solver
        spectrum, reason = solve(source, table, centre, request, reason)
        self._store(spectrum, centre, wanted, _kind(kind), reason)

    def _learn_moments(self, moments: Moments, kind: Any, reason: str | None = None) -> None:
        centre = centre_of_moments(moments)
        shape = (centre.n_rows, len(centre.mean))
        wanted = min(shape) if self.n_components is None else self.n_components
        self._refuse(wanted, centre, "covariance_eigh")
        self._fit_svd_solver = "covariance_eigh"
        keep = wanted if isinstance(wanted, int | np.integer) else min(shape)
        spectrum = spectrum_of_moments(moments, centre, int(keep))
        reason = reason or "covariance: all that is asked of the rows is one pass"
        self._store(spectrum, centre, wanted, _kind(kind), reason)
        self.statistic_ = moments

    def _refuse(self, wanted: Any, centre: Centre, solver: str) -> None:
        refuse_count(wanted, centre.n_rows, len(centre.mean), solver)
        if centre.n_rows > 1 and not centre.weight > 1.0:
            raise UnsupportedDataError(
                "PCA: sample_weight counts rows, and variances are divided by their sum less 1; "
                f"the weights sum to {centre.weight:.6g}. Multiply them by a constant so that they "
                "sum to the number of rows."
            )

    def _store(
        self, spectrum: Spectrum, centre: Centre, wanted: Any, kind: Any, reason: str
    ) -> None:
        variances, total = spectrum.variances, spectrum.total
        if isinstance(wanted, str):
            k = int(np.argmax(minka_evidence(variances, centre.weight))) if len(variances) else 0
        elif isinstance(wanted, float | np.floating) and 0 < wanted < 1:
            k = components_for_share(variances, total, float(wanted))
        else:
            k = int(wanted)
        kept = variances[:k]
        most = min(centre.n_rows, len(centre.mean))
        left = variances[k:].sum() if spectrum.complete else total - kept.sum()
        self.mean_ = centre.mean.astype(kind)
        self.components_ = spectrum.components[:k].astype(kind)
        self.explained_variance_ = kept.astype(kind)
        ratio = kept / total if total > 0 else np.zeros(k)
        self.explained_variance_ratio_ = ratio.astype(kind)
        self.singular_values_ = np.sqrt(kept * centre.divisor).astype(kind)
        self.reconstruction_error_ = max(float(left), 0.0)
        self.noise_variance_ = self.reconstruction_error_ / (most - k) if k < most else 0.0
        self._column_variances = centre.squares / centre.divisor
        self.n_components_ = k
        self.n_samples_ = centre.n_rows
        self.solver_reason_ = reason
        self.n_passes_ = spectrum.passes
        self.certificate_ = ComponentCertificate.of(spectrum, k)

    def correlations(self) -> Any:
        r"""Correlations of the columns with the scores, :math:`v_{jc}\sqrt{λ_j}/s_c`.

        Returns
        -------
        array of shape (n_features, n_components)
            NaN for constant columns.
        """
        self._check_fitted()
        spread = np.sqrt(self._column_variances)[:, np.newaxis]
        with np.errstate(invalid="ignore", divide="ignore"):
            found = self.components_.T * np.sqrt(self.explained_variance_) / spread
        return np.clip(np.where(spread > 0, found, np.nan), -1.0, 1.0)


def centre_of_moments(moments: Moments) -> Centre:
    """Where the rows of some moments lie."""
    squares = np.diag(moments.xx).copy()
    return Centre.of(moments.x_mean, moments.n_rows, float(moments.weight), squares)


def _kind(kind: Any) -> Any:
    """The type of the results: that of the rows, of several the widest."""
    return np.result_type(*kind) if isinstance(kind, list) else kind
