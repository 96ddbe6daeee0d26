"""What `validation_curve` returns: scikit-learn's tuple, with the values and advice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from stylobate.arrays import Array
from stylobate.model_selection.curves.text import curve_table
from stylobate.model_selection.validation.score_names import ScoreName

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from stylobate.model_selection.curves.advice import Advice


class ValidationCurve(tuple[Array, Array]):
    """Scores of training and test parts for several values of a parameter.

    Unpacks as scikit-learn's tuple, ``train_scores, test_scores``.

    Attributes
    ----------
    train_scores, test_scores : arrays of shape (n_values, n_splits)
        The scores.
    param_name : str
        The parameter.
    param_range : list
        Its values.
    current : object
        The value the estimator had.
    score : ScoreName
        What the scores are.
    test_to_train : float
        Test rows for each training row.

    Examples
    --------
    >>> from stylobate.datasets import load_diabetes
    >>> from stylobate.linear_model import Ridge
    >>> from stylobate.model_selection import validation_curve
    >>> X, y = load_diabetes(return_X_y=True)
    >>> alphas = [0.001, 0.03, 1.0, 30.0]
    >>> curve = validation_curve(Ridge(alpha=30.0), X, y, param_name="alpha", param_range=alphas)
    >>> train, test = curve
    >>> print(curve.best, curve.advice()["more flexible"].sentence)
    0.001 A more flexible model than now would help: from alpha=30 to alpha=0.001 R² of test rows
    gets better by 0.440 (95% interval 0.344 to 0.536).
    """

    train_scores: Array
    test_scores: Array
    param_name: str
    param_range: list[Any]
    current: Any
    score: ScoreName
    test_to_train: float

    def __new__(
        cls,
        train_scores: Array,
        test_scores: Array,
        *,
        param_name: str = "parameter",
        param_range: Any = None,
        current: Any = None,
        score: ScoreName | None = None,
        test_to_train: float = 0.0,
    ) -> ValidationCurve:
        """Keep the arrays and what they are of."""
        made = super().__new__(cls, (train_scores, test_scores))
        made.train_scores, made.test_scores = train_scores, test_scores
        made.param_name, made.current = param_name, current
        made.param_range = list(range(len(test_scores)) if param_range is None else param_range)
        made.score = ScoreName("score") if score is None else score
        made.test_to_train = test_to_train
        return made

    def __getnewargs_ex__(self) -> tuple[tuple[Array, Array], dict[str, Any]]:
        named = {k: v for k, v in self.__dict__.items() if not k.endswith("_scores")}
        return (self.train_scores, self.test_scores), named

    @property
    def best_index(self) -> int:
        """Number of the value with the best mean test score."""
        return int(np.nanargmax(self.test_scores.mean(axis=1)))

    @property
    def best(self) -> Any:
        """The value with the best mean test score."""
        return self.param_range[self.best_index]

    @property
    def current_index(self) -> int | None:
        """Number of the value the estimator had; None if it is not in the range."""
        same = [i for i, value in enumerate(self.param_range) if _equal(value, self.current)]
        return same[0] if same else None

    @property
    def flexible_end(self) -> int:
        """Which end of the range (0 or the last) fits training rows better."""
        first, last = self.train_scores[0].mean(), self.train_scores[-1].mean()
        return 0 if first > last else len(self.param_range) - 1

    @property
    def simple_end(self) -> int:
        """The other end."""
        return len(self.param_range) - 1 - self.flexible_end

    def words_for(self, index: int) -> str:
        """The parameter and one of its values: ``alpha=0.1``."""
        return f"{self.param_name}={_short(self.param_range[index])}"

    def advice(self, *, confidence: float = 0.95) -> Advice:
        """Where the best value is, and whether a simpler or a more flexible model would help.

        Parameters
        ----------
        confidence : float in (0, 1), default=0.95
            Level of the intervals.

        Returns
        -------
        Advice
            Statements of a kind, a sentence and the numbers behind it.
        """
        from stylobate.model_selection.curves.interpretation import validation_advice

        return validation_advice(self, confidence)

    def plot(self, ax: Axes | None = None) -> Axes:
        """Scores against the values, the best marked; returns the axes."""
        from stylobate.plot import plot_validation_curve

        return plot_validation_curve(self, ax=ax)

    def __repr__(self) -> str:
        places = [_short(value) for value in self.param_range]
        return curve_table("Validation curve", self.param_name, places, self, self.score)

    def __str__(self) -> str:
        return repr(self)


def _equal(one: Any, other: Any) -> bool:
    try:
        return bool(one is other or one == other)
    except ValueError:  # arrays, of which several entries may differ
        return False


def _short(value: Any) -> str:
    if isinstance(value, float | np.floating):
        return f"{value:.4g}"
    text = str(value)
    return text if len(text) <= 24 else text[:23] + "…"
