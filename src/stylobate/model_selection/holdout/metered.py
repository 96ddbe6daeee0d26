"""The metered hold-out: rows that answer a counted number of questions, carefully."""

from __future__ import annotations

import os
from collections.abc import Mapping
from math import inf
from typing import Annotated, Any, Literal

import numpy as np

from stylobate.base.parameters import Interval as Within
from stylobate.base.parameters import check_parameters, constraints_of
from stylobate.base.randomness import seed_of
from stylobate.data.indexing import indexable
from stylobate.exceptions import BudgetSpentError, InvalidParameterError
from stylobate.metrics.intervals.interval import Interval
from stylobate.model_selection.fits.fingerprints import fingerprint
from stylobate.model_selection.holdout.judge import judge_of
from stylobate.model_selection.holdout.logbook import FORMAT, Logbook, Turn
from stylobate.model_selection.holdout.mechanism_choice import chosen
from stylobate.model_selection.holdout.mechanisms import NEW_BEST, Scored, Told
from stylobate.model_selection.holdout.questions import Question, encoded, now, told_after
from stylobate.model_selection.holdout.rules import (
    parts_of,
    read_question,
    refuse_closed,
    refuse_other,
)

_FINAL = "the final score"


class Holdout:
    """Rows set aside that count how often they are asked, and answer so that little leaks.

    A score on the same rows, looked at again and again, is learnt from: what is chosen by it looks
    better than it is (by about √(k/n) after k questions to n rows, even for random guesses). This
    hold-out refuses once its budget is spent, and until then answers through a mechanism whose
    answers stay true although questions depend on earlier answers.

    Parameters
    ----------
    X : table with n rows
        The rows: array, sparse array or data frame.
    y : array-like of shape (n,)
        What they really are.
    budget : int in [1, inf), default=100
        How many questions are answered.
    mechanism : {"ladder", "thresholdout", "plain"}, default="ladder"
        "ladder" tells a score only if it beats the best by more than a step; "thresholdout" tells
        the training score unless the hold-out disagrees; "plain" tells the score as it is.
    scoring : str, callable or None, default=None
        A scorer (more is better); None: accuracy of labels, R² of numbers.
    step : float in (0, inf) or None, default=None
        The ladder's step; None: the standard error of the difference from the best, found anew for
        each question (the ladder without parameters).
    threshold, noise : float in (0, inf) or None, default=None
        Thresholdout's threshold T and scale of noise σ, in units of the score; None: 0.04 and 0.01,
        for scores between 0 and 1.
    overfit_budget : int in [1, inf) or None, default=None
        Thresholdout's second budget: answers that reveal the hold-out; None: as many as `budget`.
    train : (X, y) or None, default=None
        The training rows Thresholdout compares with; or pass ``train_score`` with each question.
    private : float in [0, 1), default=0.0
        Share of the rows that no question touches, kept for `final` alone.
    random_state : int, RandomState, Generator or None, default=None
        Seed of the noise and of the private rows.
    path : str, path or None, default=None
        A file that keeps the count: opening it again goes on where it stopped, also after a crash
        and from several processes. Other rows or another budget are refused.

    Examples
    --------
    >>> from stylobate.model_selection import Holdout
    >>> holdout = Holdout([[0], [1], [2], [3]], ["a", "a", "b", "b"], budget=3)
    >>> holdout.ask(["a", "b", "b", "b"], name="first try")
    0.75
    >>> holdout.ask(["a", "a", "b", "a"], name="second try")  # no better: the best again
    0.75
    >>> holdout.left
    1
    >>> print(holdout.log[1])
    2. second try: 0.75, no better than the best

    References
    ----------
    Blum & Hardt (2015), The ladder: a reliable leaderboard for machine learning competitions.
    Dwork et al. (2015), The reusable holdout: preserving validity in adaptive data analysis.
    """

    def __init__(
        self,
        X: Any,
        y: Any,
        *,
        budget: Annotated[int, Within(1, inf)] = 100,
        mechanism: Literal["ladder", "thresholdout", "plain"] = "ladder",
        scoring: Any = None,
        step: Annotated[float, Within(0, inf, "neither")] | None = None,
        threshold: Annotated[float, Within(0, inf, "neither")] | None = None,
        noise: Annotated[float, Within(0, inf, "neither")] | None = None,
        overfit_budget: Annotated[int, Within(1, inf)] | None = None,
        train: tuple[Any, Any] | None = None,
        private: Annotated[float, Within(0, 1)] = 0.0,
        random_state: Any = None,
        path: str | os.PathLike[str] | None = None,
    ) -> None:
        given = {name: value for name, value in locals().items() if name in _CHECKED}
        check_parameters("Holdout", {n: constraints_of(Holdout)[n] for n in _CHECKED}, given)
        self.budget, self.mechanism = int(budget), mechanism
        self._judge = judge_of(X, y, scoring)
        self._train = None if train is None else judge_of(*train, self._judge.scorer)
        self.overfit_budget = self.budget if overfit_budget is None else int(overfit_budget)
        about = {
            "budget": self.budget,
            "mechanism": mechanism,
            "scoring": self._judge.name.label,
            "step": step,
            "threshold": threshold,
            "noise": noise,
            "overfit_budget": self.overfit_budget,
            "private": float(private),
        }
        self._told, self._log = Told(), list[Question]()
        self._book = Logbook(path)
        seed = self._begin(about, fingerprint(indexable(X), self._judge.y), random_state)
        self._seed = seed
        self._public, self._kept = parts_of(len(self._judge.y), float(private), seed)
        self._mechanism = chosen(mechanism, self._judge, step, threshold, noise, seed)

    @property
    def log(self) -> tuple[Question, ...]:
        """What was asked and answered, in order."""
        return tuple(self._log)

    @property
    def asked(self) -> int:
        """Questions answered so far, without the final one."""
        return self._told.asked

    @property
    def left(self) -> int:
        """Questions that may still be asked."""
        return 0 if self.closed else self.budget - self.asked

    @property
    def overfit_left(self) -> int:
        """Answers of Thresholdout that may still reveal the hold-out."""
        return self.overfit_budget - self._told.apart

    @property
    def closed(self) -> bool:
        """Whether the final score was given."""
        return bool(self._log) and self._log[-1].final

    @property
    def best(self) -> float | None:
        """The best score told so far; None before the first question."""
        return max((each.answer for each in self._log if not each.final), default=None)

    def ask(
        self, model: Any, name: str | None = None, *, train_score: float | None = None
    ) -> float:
        """Ask how good a model is, and have the question counted.

        Parameters
        ----------
        model : fitted estimator, or predictions of shape (n,) or (n, n_classes)
            What is asked about; predictions are what the scoring compares, for all n rows.
        name : str, optional
            Under which the question is noted.
        train_score : float, optional
            The score on the training rows, for Thresholdout without `train`.

        Returns
        -------
        float
            The mechanism's answer; more is better. The last entry of `log` says what kind it is.

        Raises
        ------
        BudgetSpentError
            Once the budget is spent or the final score was given.
        """
        submission = self._judge.submission(model, self._public)
        score = self._judge.score(submission, self._public)
        trained = self._train_score(model, train_score)
        with self._book.turn() as turn:
            self._catch_up(turn)
            self._refuse_if_spent()
            answer, kind = self._mechanism.answer(
                Scored(
                    score,
                    trained,
                    lambda earlier: self._judge.noise(submission, earlier, self._public),
                    lambda: self._judge.grain(submission, self._public),
                ),
                self._told,
            )
            question = Question(self.asked + 1, now(), self._named(model, name), answer, kind)
            predictions = submission.answers if self._mechanism.keeps_predictions else None
            turn.write(encoded(question, predictions if kind == NEW_BEST else None))
            self._note(question, predictions)
        return answer

    def final(self, model: Any, name: str | None = None) -> Interval:
        """The score as it is, with its confidence interval: once, and then the hold-out is closed.

        It is of the private rows if some were kept; else of all, and what was chosen by asking the
        same rows looks better than it is by as much as the mechanism let through.

        Parameters
        ----------
        model : fitted estimator, or predictions for all n rows
            What was chosen.
        name : str, optional
            Under which it is noted.

        Returns
        -------
        Interval
            The score, and the ends that hold it with 95 %.
        """
        submission = self._judge.submission(model, self._kept)
        found = self._judge.interval(submission, self._kept, self._seed)
        with self._book.turn() as turn:
            self._catch_up(turn)
            refuse_closed(self._log)
            question = Question(
                self.asked + 1, now(), self._named(model, name), found.estimate, _FINAL, True
            )
            turn.write(encoded(question, None))
            self._note(question, None)
        return found

    def _begin(self, about: Mapping[str, Any], data: str, random_state: Any) -> int:
        """Begin the log, or go on with one that is there; the seed."""
        with self._book.turn() as turn:
            if not turn.news:
                header = {"format": FORMAT, "data": data, "seed": seed_of(random_state), **about}
                turn.write(header)
                return int(header["seed"])
            header, *entries = turn.news
            refuse_other(header, about, data, random_state, str(self._book.path))
            turn.news[:] = entries
            self._catch_up(turn)
            return int(header["seed"])

    def _catch_up(self, turn: Turn) -> None:
        for entry in turn.news:
            self._note(*read_question(entry, str(self._book.path)))

    def _note(self, question: Question, predictions: Any) -> None:
        self._log.append(question)
        if not question.final:
            self._told = told_after(self._told, question, predictions)

    def _train_score(self, model: Any, given: float | None) -> float | None:
        if self.mechanism != "thresholdout" or given is not None:
            return given
        if self._train is None or not hasattr(model, "predict"):
            raise InvalidParameterError(
                "Holdout: thresholdout compares with the training rows; give Holdout train=(X, y) "
                "and ask about estimators, or pass train_score=… with each question."
            )
        rows = np.arange(len(self._train.y))
        return self._train.score(self._train.submission(model, rows), rows)

    def _refuse_if_spent(self) -> None:
        refuse_closed(self._log)
        if self.asked >= self.budget:
            raise BudgetSpentError(
                f"Holdout: all {self.budget} questions are asked; what more answers would say is "
                "no longer true. Ask for the final score of the model you choose, or set new rows "
                "aside."
            )
        if self.overfit_left < 1:
            raise BudgetSpentError(
                f"Holdout: the {self.overfit_budget} answers that may differ from the training "
                "score are given; models overfit the training rows. Ask for the final score, or "
                "set new rows aside."
            )

    @staticmethod
    def _named(model: Any, name: str | None) -> str:
        if name is not None:
            return str(name)
        return type(model).__name__ if hasattr(model, "predict") else "predictions"

    def __str__(self) -> str:
        from stylobate.model_selection.holdout.text import holdout_text

        return holdout_text(self)

    def __repr__(self) -> str:
        return str(self)


_CHECKED = (
    "budget", "mechanism", "step", "threshold", "noise", "overfit_budget", "private",
)  # fmt: skip
