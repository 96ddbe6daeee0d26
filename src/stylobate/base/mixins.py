"""What regressors, classifiers, clusterers and transformers have in common."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from stylobate.base.scoring import accuracy, r_squared
from stylobate.base.tags import Tagged, Tags
from stylobate.base.tallies import LabelTally, ResidualTally, scored_by
from stylobate.base.validation import input_names
from stylobate.config import get_config
from stylobate.exceptions import InvalidDataError, InvalidParameterError, UnsupportedDataError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from stylobate.data import Table

_STYLES = ("default", "pandas", "polars", "pyarrow")


class RegressorMixin(Tagged):
    """For estimators that predict numbers."""

    if TYPE_CHECKING:

        def predict(self, X: Any) -> NDArray[Any]: ...

    def _tags(self) -> Tags:
        return super()._tags().but(estimator_type="regressor", requires_y=True)

    @scored_by(ResidualTally)
    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """R² of the predictions for X; several targets count equally.

        Parameters
        ----------
        X : array-like of shape (n, n_features)
            Rows to predict.
        y : array-like of shape (n,) or (n, n_targets)
            What they really are.
        sample_weight : array-like of shape (n,), optional
            Non-negative weights of the rows.

        Returns
        -------
        float
            In (-inf, 1]: 1 is perfect, 0 no better than the mean of y.
        """
        from stylobate.data import read_table

        prediction = np.asarray(self.predict(X), dtype=np.float64)
        if prediction.ndim == 1:
            prediction = prediction[:, np.newaxis]
        # the door checks y and the weights against the rows predicted
        table = read_table(prediction, y, sample_weight, owner=type(self).__name__, y_required=True)
        assert table.y is not None
        if table.y.shape != prediction.shape:
            raise InvalidDataError(
                f"{type(self).__name__}.score: y has {table.y.shape[1]} target(s), but the model "
                f"predicts {prediction.shape[1]}; pass the targets it was fitted to."
            )
        return r_squared(table.y, prediction, table.weights)


class ClassifierMixin(Tagged):
    """For estimators that predict labels."""

    if TYPE_CHECKING:

        def predict(self, X: Any) -> NDArray[Any]: ...

    def _tags(self) -> Tags:
        return super()._tags().but(estimator_type="classifier", requires_y=True)

    @scored_by(LabelTally)
    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Accuracy of the labels predicted for X; rows of several labels need all of them right.

        Parameters
        ----------
        X : array-like of shape (n, n_features)
            Rows to predict.
        y : array-like of shape (n,), or of zeros and ones of shape (n, n_labels)
            Their labels.
        sample_weight : array-like of shape (n,), optional
            Non-negative weights of the rows.

        Returns
        -------
        float
            In [0, 1].
        """
        from stylobate.data import read_labels, read_weights

        owner = type(self).__name__
        prediction = self.predict(X)
        if np.ndim(prediction) == 2 and prediction.shape[1] > 1:
            right = _wholly_right(y, prediction, owner)
            weights = read_weights(sample_weight, len(right), owner=owner)
            return accuracy(np.ones(len(right), dtype=bool), right, weights)
        classes, codes = read_labels(y, owner=owner, n_rows=len(prediction))
        weights = read_weights(sample_weight, len(prediction), owner=owner)
        return accuracy(classes[codes], prediction, weights)


def _wholly_right(y: Any, prediction: Any, owner: str) -> NDArray[np.bool_]:
    """Of each row whether every label that it has, and no other, is predicted."""
    found = prediction.toarray() if hasattr(prediction, "toarray") else np.asarray(prediction)
    truth = y.toarray() if hasattr(y, "toarray") else np.asarray(y)
    if truth.shape != found.shape:
        raise InvalidDataError(
            f"{owner}.score: y has shape {truth.shape} and what is predicted {found.shape}."
        )
    if not np.isin(truth, (0, 1)).all():
        raise UnsupportedDataError(
            f"{owner}.score: multiclass-multioutput is not supported: accuracy is of rows with one "
            "label, or of zeros and ones, a column for each label; score each output by itself."
        )
    return np.asarray((truth == found).all(axis=1))


class ClusterMixin(Tagged):
    """For estimators that group rows: `fit` leaves a label for every row in ``labels_``."""

    if TYPE_CHECKING:
        labels_: NDArray[Any]

        def fit(self, *args: Any, **fit_params: Any) -> Self: ...

    def _tags(self) -> Tags:
        return super()._tags().but(estimator_type="clusterer")

    def fit_predict(self, X: Any, y: Any = None, **fit_params: Any) -> NDArray[Any]:
        """Fit to X and return the label of every row.

        Parameters
        ----------
        X : array-like of shape (n, n_features)
            Rows.
        y : object, optional
            Ignored; there so that pipelines can pass it.
        **fit_params : object
            More arguments for `fit`, such as ``sample_weight``.

        Returns
        -------
        array of int, shape (n,)
            ``labels_``; -1 is noise, for methods that know it.
        """
        return self.fit(X, **fit_params).labels_


class DensityMixin(Tagged):
    """For estimators of a density."""

    def _tags(self) -> Tags:
        return super()._tags().but(estimator_type="density_estimator")


class TransformerMixin(Tagged):
    """For estimators that turn columns into other columns.

    Columns keep their names unless `fit` sets ``_n_features_out``; then they are called after the
    class: ``pca0``, ``pca1``, …
    """

    if TYPE_CHECKING:

        def fit(self, *args: Any, **fit_params: Any) -> Self: ...
        def transform(self, X: Any) -> Any: ...
        # those that override it name what their `fit` takes
        def fit_transform(self, X: Any, *args: Any, **fit_params: Any) -> Any: ...
        def _check_fitted(self) -> None: ...
    else:

        def fit_transform(self, X: Any, y: Any = None, **fit_params: Any) -> Any:
            """Fit to X (and y), then transform X.

            Parameters
            ----------
            X : array-like of shape (n, n_features)
                Rows.
            y : array-like of shape (n,) or (n, n_targets), optional
                Target, for transformers that use one.
            **fit_params : object
                More arguments for `fit`, such as ``sample_weight``.

            Returns
            -------
            array or frame of shape (n, n_features_out)
                The transformed rows.
            """
            return self.fit(X, y, **fit_params).transform(X)

    def _tags(self) -> Tags:
        return super()._tags().but(transforms=True)

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """Names of the columns `transform` returns.

        Parameters
        ----------
        input_features : array-like of str, optional
            Names of the input columns; by default those seen at `fit`, else ``x0``, ``x1``, …

        Returns
        -------
        ndarray of str objects
            One name per column.
        """
        self._check_fitted()
        names = input_names(self, input_features)
        count = getattr(self, "_n_features_out", None)
        if count is None:
            return names
        prefix = type(self).__name__.lower()
        return np.array([f"{prefix}{index}" for index in range(count)], dtype=object)

    def set_output(self, *, transform: str | None = None) -> Self:
        """Choose the container `transform` returns.

        Parameters
        ----------
        transform : {"default", "pandas", "polars", "pyarrow"}, optional
            A NumPy array ("default") or the named frame; None changes nothing. Unless chosen here
            or in `stylobate.set_config`, what goes in as a frame comes out as one of its kind.

        Returns
        -------
        self
        """
        if transform is None:
            return self
        if transform not in _STYLES:
            raise InvalidParameterError(
                f"{type(self).__name__}.set_output: transform must be one of "
                f"{', '.join(map(repr, _STYLES))} or None, got {transform!r}."
            )
        self._output_style = {"transform": transform}
        return self

    def _wrap(self, array: Any, table: Table) -> Any:
        """`array`, the result for `table`, in the container the user wants."""
        from stylobate.data import wrap_output

        return wrap_output(
            array,
            origin=table.origin,
            columns=self.get_feature_names_out,  # an array needs none, and there may be many
            style=self._style(),
        )

    def _style(self) -> str | None:
        """The container asked for here, in our settings, or in scikit-learn's; None: as came."""
        own = getattr(self, "_output_style", {}).get("transform")
        if own is not None:
            return str(own)
        ours = get_config()["transform_output"]
        if ours != "input":
            return str(ours)
        sklearn = sys.modules.get("sklearn")
        theirs = sklearn.get_config()["transform_output"] if sklearn is not None else "default"
        return None if theirs == "default" else str(theirs)


def is_regressor(estimator: Any) -> bool:
    """Whether an estimator, ours or one that follows scikit-learn's protocol, predicts numbers."""
    return _estimator_type(estimator) == "regressor"


def is_classifier(estimator: Any) -> bool:
    """Whether an estimator, ours or one that follows scikit-learn's protocol, predicts labels."""
    return _estimator_type(estimator) == "classifier"


def is_clusterer(estimator: Any) -> bool:
    """Whether an estimator, ours or one that follows scikit-learn's protocol, groups rows."""
    return _estimator_type(estimator) == "clusterer"


def _estimator_type(estimator: Any) -> str | None:
    if isinstance(estimator, Tagged):
        return estimator._tags().estimator_type
    if hasattr(estimator, "__sklearn_tags__") and not isinstance(estimator, type):
        kind: str | None = estimator.__sklearn_tags__().estimator_type
        return kind
    return getattr(estimator, "_estimator_type", None)
