"""Radial basis features."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Annotated, Any, Self

import numpy as np

from stylobate.arrays import Array
from stylobate.base import (
    BaseEstimator,
    Interval,
    Numbers,
    Options,
    RandomState,
    Tags,
    TransformerMixin,
)
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.statistics import refuse_out_of_range

if TYPE_CHECKING:
    from stylobate.formula.expressions import Expression


_CHUNK = 1 << 12  # rows at a time


class RBFFeatures(TransformerMixin, BaseEstimator):
    r"""Gaussian radial basis functions around centres.

    .. math:: \varphi_j(x) = \exp\!\big(-\|x - c_j\|^2 / (2 h^2)\big)

    A linear model of these columns is a smooth function of x. Scale the columns first: the distance
    knows no units.

    Parameters
    ----------
    centers : {"kmeans", "points", "all"} or array-like of shape (n_centers, n_features), \
default="kmeans"
        Where the functions are centred: means of clusters, rows drawn at random, every
        row, or as given.
    n_centers : int in [1, inf), default=10
        How many, for "kmeans" and "points" (at most the number of distinct rows).
    width : float in (0, inf) or "auto", default="auto"
        h. "auto" takes the mean distance of a centre to its nearest other centre.
    random_state : int, RandomState or None, default=None
        Draws rows and starts the clustering.
    gamma : float in (0, inf) or None, default=None
        In place of a width: :math:`\gamma = 1 / (2h^2)`, the name the RBF kernel has for it.

    Attributes
    ----------
    centers_ : array of shape (n_centers, n_features_in_)
        The centres.
    width_ : float
        The width used.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> basis = RBFFeatures(centers=[[0.0], [1.0]], width=1.0)
    >>> basis.fit_transform(np.array([[0.0], [1.0]])).round(3)
    array([[1.   , 0.607],
           [0.607, 1.   ]])
    >>> float(RBFFeatures(centers=[[0.0], [1.0]], gamma=0.5).fit([[0.0]]).width_)
    1.0
    >>> list(basis.get_feature_names_out())
    ['rbffeatures0', 'rbffeatures1']

    References
    ----------
    Broomhead & Lowe (1988), Multivariable functional interpolation and adaptive networks, Complex
    Systems 2.
    """

    def __init__(
        self,
        centers: Annotated[str, Options("kmeans", "points", "all")]
        | Annotated[Any, Numbers(-inf, inf, ndim=2)] = "kmeans",
        *,
        n_centers: Annotated[int, Interval(1, inf)] = 10,
        width: Annotated[float, Interval(0, inf, closed="neither")]
        | Annotated[str, Options("auto")] = "auto",
        random_state: RandomState = None,
        gamma: Annotated[float, Interval(0, inf, closed="neither")] | None = None,
    ) -> None:
        self.centers = centers
        self.n_centers = n_centers
        self.width = width
        self.random_state = random_state
        self.gamma = gamma

    def _tags(self) -> Tags:
        return super()._tags().but(preserves_dtype=("float64", "float32"))

    def fit(self, X: Any, y: Any = None) -> Self:
        """Place the centres.

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_features)
            Rows.
        y : ignored
            For compatibility.

        Returns
        -------
        self
        """
        self._check_parameters()
        table = self._read(X, reset=True)
        refuse_out_of_range(table)
        self.centers_ = self._place(np.asarray(table.x, dtype=np.float64))
        self.width_ = self._chosen_width()
        self._n_features_out = len(self.centers_)
        return self

    def _chosen_width(self) -> float:
        if self.gamma is not None:
            if not isinstance(self.width, str):
                raise InvalidParameterError(
                    f"RBFFeatures: width={self.width!r} and gamma={self.gamma!r} are two names of "
                    "the same; give one of them."
                )
            return float(np.sqrt(0.5 / self.gamma))
        return _spacing(self.centers_) if isinstance(self.width, str) else float(self.width)

    def _place(self, x: Array) -> Array:
        if not isinstance(self.centers, str):
            given = np.array(self.centers, dtype=np.float64)
            if given.ndim != 2 or given.shape[1] != x.shape[1] or len(given) == 0:
                raise InvalidDataError(
                    f"RBFFeatures: centers has shape {given.shape}, but X has {x.shape[1]} "
                    f"features; pass an array of shape (n_centers, {x.shape[1]})."
                )
            return given
        if self.centers == "all":
            return x.copy()
        distinct = np.unique(x, axis=0)
        count = min(int(self.n_centers), len(distinct))
        random = self._random()
        if self.centers == "points" or count == len(distinct):
            return distinct[random.permutation(len(distinct))[:count]]
        from scipy.cluster.vq import kmeans2

        centers, _ = kmeans2(x, count, minit="++", rng=random, missing="warn")
        return np.asarray(centers)

    def _random(self) -> np.random.Generator:
        seed = self.random_state
        if isinstance(seed, np.random.RandomState):
            seed = int(seed.randint(np.iinfo(np.int32).max))
        return np.random.default_rng(seed)

    def transform(self, X: Any) -> Any:
        """The functions' values at each row.

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array or frame of shape (n, n_centers)
        """
        self._check_fitted()
        table = self._read(X, reset=False)
        refuse_out_of_range(table)
        x = np.asarray(table.x)
        out = np.empty((len(x), len(self.centers_)), dtype=x.dtype)
        for start in range(0, len(x), _CHUNK):
            rows = slice(start, start + _CHUNK)
            squares = _squared_distances(x[rows].astype(np.float64, copy=False), self.centers_)
            with np.errstate(under="ignore"):
                out[rows] = np.exp(squares / (-2.0 * self.width_**2))
        return self._wrap(out, table)

    def _formula(self, columns: list[Expression]) -> list[Expression]:
        from stylobate.formula.maps import gaussian_functions

        return gaussian_functions(columns, self.centers_, 0.5 / self.width_**2)


def _squared_distances(x: Array, centers: Array) -> Array:
    """‖x − c‖² of all pairs, summed column by column: no digits are lost to a large mean."""
    total = np.zeros((len(x), len(centers)))
    for column in range(x.shape[1]):
        difference = x[:, column, None] - centers[:, column]
        np.square(difference, out=difference)
        total += difference
    return total


def _spacing(centers: Array) -> float:
    """The mean distance of a centre to its nearest other one; 1 if there is no other."""
    distances = _squared_distances(centers, centers)
    np.fill_diagonal(distances, inf)
    distances[distances == 0.0] = inf
    nearest = np.sqrt(distances.min(axis=1, initial=inf))
    nearest = nearest[np.isfinite(nearest)]
    return float(nearest.mean()) if len(nearest) else 1.0
