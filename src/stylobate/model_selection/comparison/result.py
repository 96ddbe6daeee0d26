"""The result of comparing models: scores, intervals, paired tests, in numbers and in words."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from stylobate.arrays import Array
from stylobate.exceptions import InvalidParameterError
from stylobate.inference import TestResult, corrected_resampled_t_test, holm, sign_test
from stylobate.inference.comparisons.paired import corrected_interval, mcnemar_of_rights
from stylobate.model_selection.validation.score_names import ScoreName

if TYPE_CHECKING:
    from matplotlib.axes import Axes

TESTS = ("t", "mcnemar", "sign")


@dataclass(frozen=True)
class PairTests:
    """The tests of one model against another; None where a test could not be made.

    Attributes
    ----------
    first, second : str
        The models; differences are first − second.
    t : TestResult or None
        Corrected resampled t test of the scores.
    mcnemar : TestResult or None
        McNemar's test of the rows, of classifiers.
    sign : TestResult or None
        Sign test: of regressors over rows (which is nearer), of others over splits.
    adjusted : mapping of str to float
        p-values of "t", "mcnemar" and "sign", adjusted by Holm's method for all pairs tested.
    """

    first: str
    second: str
    t: TestResult | None
    mcnemar: TestResult | None
    sign: TestResult | None
    adjusted: dict[str, float]

    @property
    def difference(self) -> float:
        """Mean difference of the scores; NaN without a t test."""
        return float("nan") if self.t is None else self.t.details["difference"]

    @property
    def interval(self) -> tuple[float, float]:
        """Confidence interval of the difference, of this pair by itself."""
        if self.t is None:
            return float("nan"), float("nan")
        return self.t.details["low"], self.t.details["high"]

    def __str__(self) -> str:
        made = [test for test in (self.t, self.mcnemar, self.sign) if test is not None]
        lines = [f"{self.first} (first) against {self.second} (second)", *map(str, made)]
        return "\n".join(lines)


@dataclass(frozen=True, eq=False)
class Comparison:
    """Models scored on the same splits; see `compare`.

    Attributes
    ----------
    scores : dict of str to array of shape (n_splits,)
        The scores of each model (more is better), NaN where a fit failed.
    fit_times, score_times : dict of str to array of shape (n_splits,)
        In seconds.
    score : ScoreName
        What the scores are.
    test_to_train : float
        Test rows for each training row, the mean over the splits.
    confidence : float
        Level of the intervals, and 1 − the p-value below which a difference is called one.
    reference : str
        The model the others are compared with: the best, or the one that was asked for.
    outcomes : dict of str to array, or None
        Of each row tested: whether it was classified rightly, or the absolute error; None if
        rows are tested several times or there are no targets.
    """

    scores: dict[str, Array]
    fit_times: dict[str, Array]
    score_times: dict[str, Array]
    score: ScoreName
    test_to_train: float
    n_rows: int
    confidence: float
    chosen: str | None = None
    outcomes: dict[str, Any] | None = None
    notes: tuple[str, ...] = ()

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The models, the best mean score first; those with failed fits last."""
        means = {name: each.mean() for name, each in self.scores.items()}
        return tuple(sorted(means, key=lambda n: (np.isnan(means[n]), -means[n])))

    @property
    def best(self) -> str:
        """The model with the best mean score."""
        return self.names[0]

    @property
    def reference(self) -> str:
        """The model the others are compared with."""
        return self.best if self.chosen is None else self.chosen

    @property
    def n_splits(self) -> int:
        """Number of splits."""
        return len(next(iter(self.scores.values())))

    def interval(self, name: str) -> tuple[float, float, float]:
        """Mean score of a model with the ends of its confidence interval (NaN for one split)."""
        values = self.scores[self._known(name)]
        if len(values) < 2:
            return float(values.mean()), float("nan"), float("nan")
        return corrected_interval(values, self.test_to_train, self.confidence)

    @cached_property
    def pairs(self) -> tuple[PairTests, ...]:
        """The tests of all pairs, or, with a reference that was asked for, of all against it.

        The best model was chosen by the very scores that are tested, so its tests count as some
        of those of all pairs; a reference chosen beforehand needs its own tests only.
        """
        if self.chosen is None:
            couples = list(combinations(self.names, 2))
        else:
            couples = [(n, self.reference) for n in self.names if n != self.reference]
        tests = [self._tests(first, second) for first, second in couples]
        adjusted = {kind: holm([_p(made[kind]) for made in tests]) for kind in TESTS}
        return tuple(
            PairTests(first, second, **made, adjusted={k: float(adjusted[k][i]) for k in TESTS})
            for i, ((first, second), made) in enumerate(zip(couples, tests, strict=True))
        )

    def against_reference(self, name: str) -> PairTests:
        """The tests of a model (first) against the reference (second)."""
        return self.test(name, self.reference)

    def test(self, first: str, second: str) -> PairTests:
        """The tests of one model against another.

        Their p-values are adjusted for all pairs compared; those of a pair that is not among them
        (with a reference chosen beforehand) are its own.
        """
        self._known(first), self._known(second)
        if first == second:
            raise InvalidParameterError(f"Comparison: {first!r} cannot be tested against itself.")
        made = self._tests(first, second)
        for pair in self.pairs:
            if {pair.first, pair.second} == {first, second}:
                return PairTests(first, second, **made, adjusted=pair.adjusted)
        own = {kind: _p(test) for kind, test in made.items()}
        return PairTests(first, second, **made, adjusted=own)

    def verdict(self, name: str) -> str:
        """In words: best, reference, within noise, worse, better, failed or not tested."""
        if self._known(name) == self.reference:
            return "best" if self.chosen is None else "reference"
        pair = self.against_reference(name)
        if pair.t is None:
            return "failed" if np.isnan(self.scores[name]).any() else "not tested"
        if not pair.adjusted["t"] < 1.0 - self.confidence:
            return "within noise"
        return "worse" if pair.difference < 0.0 else "better"

    @property
    def within_noise(self) -> tuple[str, ...]:
        """The models whose scores do not tell them from the reference."""
        return tuple(name for name in self.names if self.verdict(name) == "within noise")

    def to_dict(self) -> dict[str, list[Any]]:
        """Columns of a table with one row per model, the best first."""
        from stylobate.model_selection.comparison.text import columns

        return columns(self)

    def to_frame(self, library: str = "pandas") -> Any:
        """`to_dict` as a data frame of pandas, polars or pyarrow."""
        from stylobate.data.words import library as imported

        nw: Any = imported("narwhals", "Comparison.to_frame")
        return nw.from_dict(self.to_dict(), backend=library).to_native()

    def words(self) -> str:
        """What the numbers say, in sentences."""
        from stylobate.model_selection.comparison.text import sentences

        return "\n".join(sentences(self))

    def plot(self, ax: Axes | None = None) -> Axes:
        """Scores of the splits, mean and interval of each model; returns the axes."""
        from stylobate.plot import plot_comparison

        return plot_comparison(self, ax=ax)

    def __str__(self) -> str:
        from stylobate.model_selection.comparison.text import comparison_text

        return comparison_text(self)

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        from stylobate.model_selection.comparison.text import comparison_html

        return comparison_html(self)

    def _tests(self, first: str, second: str) -> dict[str, TestResult | None]:
        a, b = self.scores[first], self.scores[second]
        made: dict[str, TestResult | None] = dict.fromkeys(TESTS)
        if np.isnan(a).any() or np.isnan(b).any():  # the rest would be easier splits, or harder
            return made
        ratio, level = self.test_to_train, self.confidence
        if len(a) > 1:
            made["t"] = corrected_resampled_t_test(a, b, test_to_train=ratio, level=level)
        if self.outcomes is not None:
            one, two = self.outcomes[first], self.outcomes[second]
            if one.dtype == bool:
                made["mcnemar"] = mcnemar_of_rights(one, two)
                made["sign"] = sign_test(a, b) if len(a) > 1 else None
            else:
                made["sign"] = sign_test(-one, -two)  # above: the smaller error
        return made

    def _known(self, name: str) -> str:
        if name not in self.scores:
            raise InvalidParameterError(
                f"Comparison: there is no model {name!r}; there are {', '.join(self.scores)}."
            )
        return name


def _p(test: TestResult | None) -> float:
    return float("nan") if test is None else test.p
