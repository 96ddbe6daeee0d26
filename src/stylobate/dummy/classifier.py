"""Classes named without looking at the features."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.base import BaseEstimator, ClassifierMixin, Options, RandomState, Tags
from stylobate.base.batches import first_batch
from stylobate.base.constraints import Constraint
from stylobate.base.study_role import StudyRole
from stylobate.data import read_weights
from stylobate.data.labels import read_labels
from stylobate.data.sparse import dense_array, is_sparse
from stylobate.data.streams import Stream
from stylobate.data.words import Input
from stylobate.dummy.rows import check_lengths, remember_shape, rows_of
from stylobate.exceptions import (
    FormulaError,
    InvalidDataError,
    InvalidParameterError,
    ModelFileError,
)
from stylobate.splits.value_numbers import numpy_of

if TYPE_CHECKING:
    from stylobate.formula.expressions import Answer, Expression

ClassCounts = tuple[NDArray[Any], Array]  # labels, and their weights
_STRATEGIES = ("most_frequent", "prior", "stratified", "uniform", "constant")


class Labels(Constraint):
    """A label, or a list of them."""

    words = "a label or a list of labels"

    def accepts(self, value: Any) -> bool:
        """Whether it could be a label."""
        return isinstance(value, int | float | str | bool | np.generic | list | tuple | np.ndarray)


class DummyClassifier(ClassifierMixin, BaseEstimator):
    r"""The commonest class for every row, or another rule that ignores the features.

    .. math:: a(x) = \arg\max_c \sum_{i: y_i = c} \omega_i

    What a classifier must beat before it is worth anything.

    Parameters
    ----------
    strategy : {"prior", "most_frequent", "stratified", "uniform", "constant"}, default="prior"
        "prior" and "most_frequent" name the commonest class, with the shares of the classes or
        with certainty as probabilities; "stratified" draws by the shares, "uniform" evenly;
        "constant" names the class given.
    random_state : int, RandomState or None, default=None
        For the strategies that draw.
    constant : int, str or array-like of shape (n_outputs,), default=None
        The class (of each output) for ``strategy="constant"``.

    Attributes
    ----------
    classes_ : array of shape (n_classes,), or a list of them, one per output
        Labels.
    n_classes_ : int or list of int
        How many.
    class_prior_ : array of shape (n_classes,), or a list of them
        Their shares of the rows' weights.
    n_outputs_ : int
        Columns of y.
    sparse_output_ : bool
        Whether y came as a sparse array, so that predictions go out as one.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> model = DummyClassifier().fit([[0], [0], [0]], ["no", "yes", "no"])
    >>> model.predict([[1], [2]]).tolist(), model.predict_proba([[1]]).round(2).tolist()
    (['no', 'no'], [[0.67, 0.33]])
    """

    _study_role = StudyRole("baseline", "Baseline: the commonest class", 0, encoding="table")

    def __init__(
        self,
        *,
        strategy: Annotated[str, Options(*_STRATEGIES)] = "prior",
        random_state: RandomState = None,
        constant: Annotated[Any, Labels()] | None = None,
    ) -> None:
        self.strategy = strategy
        self.random_state = random_state
        self.constant = constant

    def _tags(self) -> Tags:
        tags = super()._tags()
        return tags.but(
            sparse=True,
            poor_score=True,
            no_validation=True,
            multi_output=True,
            non_deterministic=False,
            tier="one pass",
        )

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Count the classes.

        Parameters
        ----------
        X : array-like of shape (n, n_features)
            Rows; only counted.
        y : array-like of shape (n,) or (n, n_outputs)
            Labels.
        sample_weight : array-like of shape (n,), optional
            Non-negative weights.

        Returns
        -------
        self
        """
        self._check_parameters()
        remember_shape(self, X)
        self.sparse_output_ = is_sparse(y)
        return self._store(self._counted(X, y, sample_weight))

    def _counted(self, X: Any, y: Any, sample_weight: Any) -> list[ClassCounts]:
        """The classes of each output, and their weights."""
        if is_sparse(y):
            y = dense_array(y, Input(type(self).__name__, "y"))
        y = np.atleast_1d(numpy_of(y))
        if not len(y):
            raise InvalidDataError(
                f"{type(self).__name__}: y holds no labels; a minimum of 1 sample is required."
            )
        columns = y.reshape(len(y), -1)
        n_rows = check_lengths(X, columns)
        weights = read_weights(sample_weight, n_rows, owner=type(self).__name__)
        return [_counts(column, weights) for column in columns.T]

    def _fit_stream(self, stream: Stream) -> Self:
        """One pass that counts the classes."""
        self._check_parameters()
        owner = type(self).__name__
        head = first_batch(stream, owner)
        if head.y is None:
            raise InvalidDataError(f"{owner}: name the target= to learn from.")
        remember_shape(self, head.x)
        self.sparse_output_ = is_sparse(head.y)
        total = stream.reduced(
            lambda batch, first: self._counted(*batch),
            lambda known, new: [_merged(*pair) for pair in zip(known, new, strict=True)],
        )
        assert total is not None
        return self._store(total)

    def _store(self, found: list[ClassCounts]) -> Self:
        self.n_outputs_ = len(found)
        classes = [each[0] for each in found]
        shares = [each[1] / each[1].sum() for each in found]
        self._check_constant(classes)
        single = self.n_outputs_ == 1
        self.classes_: Any = classes[0] if single else classes
        self.class_prior_: Any = shares[0] if single else shares
        self.n_classes_: Any = len(classes[0]) if single else [len(each) for each in classes]
        return self

    def _check_constant(self, classes: list[NDArray[Any]]) -> None:
        if self.strategy != "constant":
            return
        if self.constant is None:
            raise InvalidParameterError(
                "DummyClassifier: strategy='constant' needs to know which class; give constant."
            )
        given = np.atleast_1d(np.asarray(self.constant, dtype=object)).ravel()
        if len(given) != len(classes):
            raise InvalidParameterError(
                f"DummyClassifier: constant holds {len(given)} class(es) for {len(classes)} "
                "output(s) of y; give one for each."
            )
        for value, known in zip(given, classes, strict=True):
            if value not in known.tolist():
                raise InvalidParameterError(
                    f"DummyClassifier: constant={value!r} is no class of the training data; there "
                    f"are {known.tolist()}."
                )

    def predict(self, X: Any) -> Any:
        """A class for each row.

        Parameters
        ----------
        X : array-like of shape (n, n_features)
            Rows; only counted.

        Returns
        -------
        array of shape (n,) or (n, n_outputs)
        """
        self._check_fitted()
        n_rows = rows_of(X)
        random = self._draws()
        drawn = [self._named(k, n_rows, random) for k in range(self.n_outputs_)]
        if self.sparse_output_:
            from scipy.sparse import csc_matrix

            return csc_matrix(np.column_stack(drawn))
        return drawn[0] if self.n_outputs_ == 1 else np.column_stack(drawn)

    def _check_loaded(self) -> None:
        """Refuse shares of a file that are none, or of other classes."""
        if "class_prior_" not in vars(self):
            return
        several = isinstance(self.classes_, list)
        lists = self.classes_ if several else [self.classes_]
        shares = self.class_prior_ if several else [self.class_prior_]
        if (
            not isinstance(shares, list)
            or not len(shares) == len(lists) == self.n_outputs_
            or not all(
                isinstance(each, np.ndarray)
                and each.dtype.kind in "iuf"
                and each.shape == np.shape(classes) != (0,)
                and bool((each >= 0).all())
                and abs(float(each.sum()) - 1.0) < 1e-6
                for each, classes in zip(shares, lists, strict=True)
            )
        ):
            raise ModelFileError("The DummyClassifier of the file has shares of other classes.")

    def _draws(self) -> Any:
        """A generator for strategies that draw; to seed one takes longer than all the rest."""
        drawing = self.strategy in ("uniform", "stratified")
        return _generator(self.random_state) if drawing else None

    def _named(self, k: int, n_rows: int, random: Any) -> NDArray[Any]:
        classes, shares = self._output(k)
        if self.strategy == "uniform":
            named = classes[random.randint(len(classes), size=n_rows)]
        elif self.strategy == "stratified":
            named = classes[random.multinomial(1, shares, size=n_rows).argmax(axis=1)]
        else:
            named = np.repeat(classes[[self._certain(k)]], n_rows)
        return np.asarray(named)

    def predict_proba(self, X: Any) -> Any:
        """Probabilities of the classes, the same for every row unless they are drawn.

        Parameters
        ----------
        X : array-like of shape (n, n_features)
            Rows; only counted.

        Returns
        -------
        array of shape (n, n_classes), or a list of them
        """
        self._check_fitted()
        n_rows = rows_of(X)
        random = self._draws()
        found = [self._probabilities(k, n_rows, random) for k in range(self.n_outputs_)]
        return found[0] if self.n_outputs_ == 1 else found

    def _probabilities(self, k: int, n_rows: int, random: Any) -> Array:
        classes, shares = self._output(k)
        if self.strategy == "stratified":
            return np.asarray(random.multinomial(1, shares, size=n_rows), dtype=np.float64)
        if self.strategy == "prior":
            return np.tile(shares, (n_rows, 1))
        if self.strategy == "uniform":
            return np.full((n_rows, len(classes)), 1.0 / len(classes))
        out = np.zeros((n_rows, len(classes)))
        out[:, self._certain(k)] = 1.0
        return out

    def predict_log_proba(self, X: Any) -> Any:
        """Logarithms of `predict_proba`, −∞ for what cannot be.

        Parameters
        ----------
        X : array-like of shape (n, n_features)
            Rows; only counted.

        Returns
        -------
        array of shape (n, n_classes), or a list of them
        """
        found = self.predict_proba(X)
        with np.errstate(divide="ignore"):
            return np.log(found) if self.n_outputs_ == 1 else [np.log(each) for each in found]

    def _formula(self, columns: list[Expression]) -> Answer:
        from stylobate.formula.expressions import Answer, Constant, plain

        if self.n_outputs_ > 1 or self.strategy in ("uniform", "stratified"):
            raise FormulaError(
                "DummyClassifier has a formula only for one output and classes that are not drawn "
                "at random."
            )
        labels = tuple(plain(label) for label in self.classes_)
        chances = self._probabilities(0, 1, None)[0].tolist()
        certain = Constant(labels[self._certain(0)])
        return Answer((certain,), tuple(Constant(float(each)) for each in chances), labels)

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Accuracy; of several outputs the share of rows right in all of them.

        Parameters
        ----------
        X : array-like of shape (n, n_features) or None
            Rows; None stands for as many as y has.
        y : array-like of shape (n,) or (n, n_outputs)
            Labels.
        sample_weight : array-like of shape (n,), optional
            Weights.

        Returns
        -------
        float
        """
        from stylobate.base.scoring import accuracy

        known = dense_array(y, Input(type(self).__name__, "y"))
        rows = np.zeros((len(known), 1)) if X is None else X
        said = self.predict(rows)
        said = np.asarray(said.toarray() if is_sparse(said) else said)
        if said.shape != known.shape:
            known = known.reshape(said.shape)
        right = (said == known).reshape(len(known), -1).all(axis=1)
        weights = read_weights(sample_weight, len(known), owner=type(self).__name__)
        return accuracy(right, np.ones(len(known), dtype=bool), weights)

    def _output(self, k: int) -> tuple[NDArray[Any], Array]:
        if self.n_outputs_ == 1:
            return self.classes_, self.class_prior_
        return self.classes_[k], self.class_prior_[k]

    def _certain(self, k: int) -> int:
        """The place of the class that is named for sure."""
        classes, shares = self._output(k)
        if self.strategy != "constant":
            return int(shares.argmax())
        given = np.atleast_1d(np.asarray(self.constant, dtype=object)).ravel()[k]
        return int(classes.tolist().index(given))


def _merged(left: ClassCounts, right: ClassCounts) -> ClassCounts:
    """The classes of both, and what they weigh together."""
    classes, place = np.unique(np.concatenate([left[0], right[0]]), return_inverse=True)
    totals = np.bincount(place.reshape(-1), np.concatenate([left[1], right[1]]))
    return classes, np.asarray(totals, dtype=np.float64)


def _counts(labels: NDArray[Any], weights: Array | None) -> ClassCounts:
    if labels.dtype.kind == "f" and not np.isfinite(labels).all():
        raise InvalidDataError("DummyClassifier: y contains NaN or infinity, which is no class.")
    classes, codes = read_labels(labels, owner="DummyClassifier")
    counts = np.bincount(codes, weights=weights, minlength=len(classes)).astype(np.float64)
    return classes, counts


def _generator(random_state: Any) -> Any:
    """Draws as scikit-learn makes them from the same seed."""
    if random_state is None or isinstance(random_state, int | np.integer):
        return np.random.RandomState(random_state)
    return random_state
