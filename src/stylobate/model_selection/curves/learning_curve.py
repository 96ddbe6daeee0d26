"""What `learning_curve` returns: scikit-learn's tuple, with a fit, an outlook and advice."""

from __future__ import annotations

from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.model_selection.curves.power_law import PowerLaw, fit_power_law
from stylobate.model_selection.curves.text import curve_table
from stylobate.model_selection.validation.score_names import ScoreName

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from stylobate.model_selection.curves.advice import Advice
    from stylobate.model_selection.curves.outlook import Outlook


class LearningCurve(tuple[Any, ...]):
    """Scores of training and test parts for growing training parts.

    Unpacks as scikit-learn's tuple: ``train_sizes, train_scores, test_scores`` and, if asked for,
    ``fit_times, score_times``.

    Attributes
    ----------
    train_sizes : array of shape (n_sizes,)
        Numbers of training rows.
    train_scores, test_scores, fit_times, score_times : arrays of shape (n_sizes, n_splits)
        Scores and times in seconds; the times are here whether they were asked for or not.
    score : ScoreName
        What the scores are.
    test_to_train : float
        Test rows for each row of the largest training part.

    Examples
    --------
    >>> from stylobate.datasets import load_diabetes
    >>> from stylobate.linear_model import LinearRegression
    >>> from stylobate.model_selection import learning_curve
    >>> X, y = load_diabetes(return_X_y=True)
    >>> curve = learning_curve(
    ...     LinearRegression(), X, y, train_sizes=[50, 75, 100, 150, 200, 300], cv=5, shuffle=True,
    ...     random_state=0
    ... )
    >>> sizes, train, test = curve
    >>> print(curve.extrapolate(600))
    The curve is too noisy to say what 2× the data (600 rows) would bring: R² is 0.484 now, and
    could get better by as much as 0.037, or not at all.
    """

    train_sizes: NDArray[np.intp]
    train_scores: Array
    test_scores: Array
    fit_times: Array
    score_times: Array
    score: ScoreName
    test_to_train: float

    def __new__(
        cls,
        train_sizes: NDArray[np.intp],
        train_scores: Array,
        test_scores: Array,
        fit_times: Array,
        score_times: Array,
        *,
        return_times: bool = False,
        score: ScoreName | None = None,
        test_to_train: float = 0.0,
    ) -> LearningCurve:
        """Keep the arrays; the tuple has the times only if they were asked for."""
        times = (fit_times, score_times)
        made = super().__new__(
            cls, (train_sizes, train_scores, test_scores, *(times if return_times else ()))
        )
        made.train_sizes, made.train_scores, made.test_scores = made[:3]
        made.fit_times, made.score_times = times
        made.score = ScoreName("score") if score is None else score
        made.test_to_train = test_to_train
        return made

    def __getnewargs_ex__(self) -> tuple[tuple[Any, ...], dict[str, Any]]:
        first = (*self[:3], self.fit_times, self.score_times)
        named = {"score": self.score, "test_to_train": self.test_to_train}
        return first, {"return_times": len(self) > 3, **named}

    def fit(
        self, *, confidence: float = 0.95, n_bootstrap: int = 400, random_state: int = 0
    ) -> PowerLaw:
        """The power law a + b·n^−c of the test errors (scores with their sign changed).

        Parameters
        ----------
        confidence : float in (0, 1), default=0.95
            Level of the intervals that will be asked for.
        n_bootstrap : int in [1, inf), default=400
            Resamples of the folds, for intervals.
        random_state : int, default=0
            Seed of the resamples.

        Returns
        -------
        PowerLaw
        """
        return fit_power_law(
            self.train_sizes,
            -self.test_scores,
            lowest=None if self.score.perfect is None else -self.score.perfect,
            test_to_train=self.test_to_train,
            level=confidence,
            n_bootstrap=n_bootstrap,
            random_state=random_state,
        )

    def extrapolate(
        self, n: float, *, confidence: float = 0.95, law: PowerLaw | None = None
    ) -> Outlook:
        """The score to expect of n training rows, and in words whether more rows would help.

        Parameters
        ----------
        n : float in (0, inf)
            Number of training rows.
        confidence : float in (0, 1), default=0.95
            Level of the intervals.
        law : PowerLaw, optional
            What `fit` returned, if it is at hand.

        Returns
        -------
        Outlook
        """
        from stylobate.model_selection.curves.outlook import outlook

        if not (isinstance(n, Real) and 0.0 < float(n) < np.inf):
            raise InvalidParameterError(
                f"extrapolate: n must be a positive number of training rows, got {n!r}."
            )
        law = self.fit(confidence=confidence) if law is None else law
        return outlook(self, law, float(n), confidence)

    def advice(self, *, confidence: float = 0.95) -> Advice:
        """Whether the model underfits or overfits, and whether more rows would help.

        Parameters
        ----------
        confidence : float in (0, 1), default=0.95
            Level of the intervals.

        Returns
        -------
        Advice
            Statements of a kind, a sentence and the numbers behind it.
        """
        from stylobate.model_selection.curves.interpretation import learning_advice

        return learning_advice(self, confidence)

    def plot(self, ax: Axes | None = None, *, extrapolate_to: float | None = None) -> Axes:
        """Scores against the number of rows, with the extrapolation if asked; returns the axes."""
        from stylobate.plot import plot_learning_curve

        return plot_learning_curve(self, extrapolate_to=extrapolate_to, ax=ax)

    def __repr__(self) -> str:
        return curve_table(
            "Learning curve", "rows", [str(n) for n in self.train_sizes], self, self.score
        )

    def __str__(self) -> str:
        return repr(self)


def check_complete(curve: Any, owner: str) -> None:
    """Refuse curves with scores of fits that failed."""
    if not (np.isfinite(curve.test_scores).all() and np.isfinite(curve.train_scores).all()):
        raise InvalidDataError(
            f"{owner}: the curve holds scores that are missing or infinite, of fits that failed or "
            "parts too small to score; leave out those sizes or values."
        )
