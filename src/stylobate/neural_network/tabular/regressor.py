"""A network for tables that predicts numbers."""

from __future__ import annotations

from math import inf
from typing import Annotated, Any, Self

import numpy as np

from stylobate.arrays import Array
from stylobate.base import Interval, RandomState, RegressorMixin
from stylobate.data.finite import refuse_nonfinite
from stylobate.data.target import read_target, refuse_missing_target
from stylobate.data.words import Input
from stylobate.neural_network.engine import Targets
from stylobate.neural_network.layer_sizes import AtLeastOneLayer
from stylobate.neural_network.tabular.model import (
    Auto,
    Columns,
    Count,
    NetTarget,
    TabularNetwork,
    tabular_role,
)


class TabularNetRegressor(RegressorMixin, TabularNetwork):
    r"""An ensemble of networks for tables, with defaults that suit most of them.

    .. math:: \hat y(x) = \bar y + \frac{s}{M} \sum_m (a_L U_m + d_m), \quad
              a_l = \operatorname{mish}(a_{l-1} W_l + b_l), \quad a_0 = r_m \odot z(x)

    trained on the squared error of the standardised target. Predictions stay within the range of
    the target seen.

    Columns are read by their kinds, gaps included: numbers become normal quantiles with learnt
    waves beside them (and learnt vectors of their values, where these are few and common),
    categories zeros and ones or learnt vectors, gaps a mark or a category of their own. The
    members of an ensemble share hidden layers, so that all of them are one product per layer. The
    same bits come out with any number of threads.

    Parameters
    ----------
    hidden_layer_sizes : int or sequence of int in [1, inf), default=(128, 128)
        Units of the hidden layers, which all members share.
    n_members : int in [1, inf), default=8
        Networks of the ensemble. Each scales the inputs by factors of its own and has its own
        last layer; their outputs are averaged.
    n_frequencies, n_waves : int in [0, inf), default=16 and 3
        Cosines of every number, and combinations of them, that stand beside it; 0: none.
    dropout : float in [0, 1), default=0.15
        Share of hidden units left out at random in every step.
    weight_decay : float in [0, inf), default=0.02
        What weights shrink by in a step, times the learning rate.
    learning_rate_init : float in (0, inf) or "auto", default="auto"
        Rate of the first step for weights of variance 1 (those of a layer move by it divided by the
        root of its inputs); it falls to 0 along a cosine. "auto": 0.2.
    batch_size : int in [1, inf) or "auto", default="auto"
        Rows per step; "auto": a sixteenth of the rows, at least 32 and at most 256.
    max_iter : int in [1, inf) or "auto", default="auto"
        Epochs; "auto": 400,000 / n, at least 10 and at most 24.
    early_stopping : bool or "auto", default="auto"
        Whether to hold rows out and keep the epoch with the least loss on them, instead of the last
        one; "auto": from 200 rows on.
    validation_fraction : float in (0, 1), default=0.1
        Share of the rows held out.
    n_iter_no_change : int in [1, inf), default=8
        Epochs without a better one on held-out rows after which training ends.
    categorical_features : "auto", None or array-like of bool, int or str, default="auto"
        Columns of categories: found by their kinds (`TableEncoder`), none, a mask, positions or
        names.
    random_state : int, RandomState or None, default=None
        Seed of the first parameters, orders, dropout and held-out rows.
    verbose : bool or int in [0, inf), default=False
        Whether to print the losses of every epoch.

    Attributes
    ----------
    target_mean_, target_scale_ : float
        Mean and standard deviation of the target.
    target_range_ : array of shape (2,)
        Its least and largest value.
    encoder_ : TableEncoder
        What became of every column (`summary`), and which are left out (`dropped_`).
    scaler_ : QuantileTransformer or None
        Of the numbers.
    shape_ : NetShape
        Inputs, layers and members; `n_parameters` counts what is learnt.
    parameters_ : array of float32
        All of them, in the order of ``shape_.sizes()``.
    loss_curve_ : list of float
        The mean loss met in every epoch, with dropout, averaged over members.
    validation_loss_curve_ : list of float or None
        The loss of held-out rows after every epoch.
    n_iter_, best_iter_ : int
        Epochs, and the one that is kept, from 1.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> x = np.linspace(-2, 2, 200)[:, np.newaxis]
    >>> model = TabularNetRegressor((32,), n_members=2, random_state=0).fit(x, np.sin(2 * x[:, 0]))
    >>> model.score(x, np.sin(2 * x[:, 0])) > 0.9
    True

    References
    ----------
    Holzmüller, Grinsztajn & Steinwart (2024), Better by default: strong pre-tuned MLPs and boosted
    trees on tabular data (waves, rates, smooth clipping). Gorishniy, Kotelnikov & Babenko (2025),
    TabM (members that share weights). Misra (2020), Mish.
    """

    _study_role = tabular_role()

    def __init__(
        self,
        hidden_layer_sizes: Annotated[Any, AtLeastOneLayer()] = (128, 128),
        *,
        n_members: Count = 8,
        n_frequencies: Annotated[int, Interval(0, inf)] = 16,
        n_waves: Annotated[int, Interval(0, inf)] = 3,
        dropout: Annotated[float, Interval(0, 1)] = 0.15,
        weight_decay: Annotated[float, Interval(0, inf)] = 0.02,
        learning_rate_init: Annotated[float, Interval(0, inf, "neither")] | Auto = "auto",
        batch_size: Count | Auto = "auto",
        max_iter: Count | Auto = "auto",
        early_stopping: bool | Auto = "auto",
        validation_fraction: Annotated[float, Interval(0, 1, "neither")] = 0.1,
        n_iter_no_change: Count = 8,
        categorical_features: Columns = "auto",
        random_state: RandomState = None,
        verbose: Annotated[int, Interval(0, inf)] | bool = False,
    ) -> None:
        self.hidden_layer_sizes = hidden_layer_sizes
        self.n_members = n_members
        self.n_frequencies = n_frequencies
        self.n_waves = n_waves
        self.dropout = dropout
        self.weight_decay = weight_decay
        self.learning_rate_init = learning_rate_init
        self.batch_size = batch_size
        self.max_iter = max_iter
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.n_iter_no_change = n_iter_no_change
        self.categorical_features = categorical_features
        self.random_state = random_state
        self.verbose = verbose

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Train.

        Parameters
        ----------
        X : data frame or array-like of shape (n, n_features)
            Columns of any kind; NaN, None and the like are missing.
        y : array-like of shape (n,)
            Numbers to predict.
        sample_weight : array-like of shape (n,), optional
            Factors of the rows' losses; a row of weight 0 is no row.

        Returns
        -------
        self
        """
        return self._fit(X, y, sample_weight)

    def partial_fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """One epoch over some rows, from where the last call stopped.

        Parameters
        ----------
        X, y, sample_weight
            As of `fit`. The first call's rows say what the columns are and how numbers and the
            target are scaled: pass as many as there are at hand.

        Returns
        -------
        self
        """
        self._check_parameters()
        seen: list[float] = []

        def read(n_rows: int, weights: Any, first: bool) -> NetTarget:
            if first:
                return self._read_target(y, n_rows, weights)
            values = self._values(y, n_rows)
            low, high = self.target_range_
            seen[:] = min(low, values.min()), max(high, values.max())
            standard = (values - self.target_mean_) / self.target_scale_
            return Targets(standard.astype(np.float32), None, weights), 1, "identity"

        self._learn_more(X, sample_weight, read)
        if seen:
            self.target_range_ = np.array(seen)
        return self

    def _values(self, y: Any, n_rows: int) -> Array:
        """The target as a column of finite numbers."""
        owner = type(self).__name__
        if y is None:
            refuse_missing_target(owner)
        values, _, finite = read_target(y, n_rows, owner=owner, multi_output=False)
        if not finite:
            refuse_nonfinite(values, Input(owner, "y"))
        return np.asarray(values)

    def _read_target(self, y: Any, n_rows: int, weights: Array | None) -> NetTarget:
        values = self._values(y, n_rows)
        size = float(np.abs(values).max()) or 1.0
        unit = values / size  # whose squares stay within the range of numbers
        mean = float(np.average(unit[:, 0], weights=weights))
        spread = float(np.sqrt(np.average((unit[:, 0] - mean) ** 2, weights=weights)))
        self.target_mean_, self.target_scale_ = size * mean, size * spread or 1.0
        self.target_range_ = np.array([values.min(), values.max()])
        standard = ((unit - mean) / (spread or 1.0)).astype(np.float32)
        return Targets(standard, None, weights), 1, "identity"

    def _usual_rate(self) -> float:
        return 0.2

    def predict(self, X: Any) -> Array:
        """The numbers the network predicts.

        Parameters
        ----------
        X : data frame or array-like of shape (n, n_features)
            Rows.

        Returns
        -------
        array of shape (n,)
        """
        outputs = self._outputs(X)[:, 0]
        answers = outputs * self.target_scale_ + self.target_mean_
        return np.asarray(np.clip(answers, *self.target_range_))
