"""The majority-of-random-guesses attack: how a hold-out that is asked often stops being one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.exceptions import InvalidParameterError
from stylobate.model_selection.holdout.metered import Holdout

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_POINTS = 25  # numbers of guesses at which the majority is submitted


@dataclass(frozen=True, eq=False)
class HoldoutAttack:
    """Public and final scores of an attacked hold-out; see `holdout_attack`.

    Parameters
    ----------
    n_guesses : array of int
        How many random guesses were submitted before the majority vote.
    public : dict of str to array
        By mechanism: what the hold-out told of the majority vote.
    final : dict of str to array
        By mechanism: its score on rows nobody was asked about.
    n_rows : int
        Rows of the public part, and of the other one.
    """

    n_guesses: NDArray[np.int64]
    public: dict[str, Array]
    final: dict[str, Array]
    n_rows: int

    @property
    def expected(self) -> Array:
        r"""The plain hold-out's public score to expect.

        A guess that scores above ½ is right on a row with probability :math:`½ + \varepsilon`,
        :math:`\varepsilon = 1/\sqrt{2\pi n}`; about k/2 of them vote, so
        :math:`\Phi(2 \varepsilon \sqrt{k/2}) \approx ½ + 0.23 \sqrt{k/n}`.
        """
        from scipy.special import ndtr

        votes = np.maximum(self.n_guesses / 2.0, 1.0)
        return np.asarray(ndtr(2.0 * np.sqrt(votes / (2.0 * np.pi * self.n_rows))))

    def plot(self, ax: Axes | None = None) -> Axes:
        """Public and final scores against the number of guesses; returns the axes."""
        from stylobate.plot import plot_holdout_attack

        return plot_holdout_attack(self, ax=ax)

    def __str__(self) -> str:
        lines = [
            f"After {self.n_guesses[-1]} random guesses for {self.n_rows} rows of two classes:"
        ]
        for name in self.public:
            told, true = self.public[name][-1], self.final[name][-1]
            lines.append(f"{name}: told {told:.3f}, on new rows {true:.3f}")
        return "\n".join(lines)

    def __repr__(self) -> str:
        return str(self)


def holdout_attack(
    n_rows: int = 1000,
    n_guesses: int = 500,
    *,
    mechanisms: Sequence[str] = ("plain", "ladder"),
    random_state: Any = None,
) -> HoldoutAttack:
    """Attack hold-outs by random guesses: keep those told to be better than chance, let them vote.

    There is nothing to learn (labels are coins), so every score above ½ is an illusion. It grows
    as 0.23·√(k/n) where answers are plain.

    Parameters
    ----------
    n_rows : int in [10, inf), default=1000
        Rows of the public part; there are as many others for the final score.
    n_guesses : int in [2, inf), default=500
        Random guesses submitted.
    mechanisms : sequence of {"plain", "ladder", "thresholdout"}, default=("plain", "ladder")
        Of the hold-outs that are attacked, each with the same guesses.
    random_state : int, RandomState, Generator or None, default=None
        Seed.

    Returns
    -------
    HoldoutAttack
        With `n_guesses`, `public`, `final` and `plot`.

    Examples
    --------
    >>> print(holdout_attack(1000, 400, random_state=0))
    After 400 random guesses for 1000 rows of two classes:
    plain: told 0.648, on new rows 0.473
    ladder: told 0.539, on new rows 0.478

    References
    ----------
    Blum & Hardt (2015), The ladder: a reliable leaderboard for machine learning competitions.
    """
    if n_rows < 10 or n_guesses < 2:
        raise InvalidParameterError(
            "holdout_attack: n_rows must be 10 at least and n_guesses 2, got "
            f"n_rows={n_rows!r} and n_guesses={n_guesses!r}."
        )
    draw = np.random.default_rng(random_state)
    truth = draw.integers(0, 2, 2 * n_rows)
    guesses = draw.integers(0, 2, (n_guesses, 2 * n_rows), dtype=np.int8)
    at = np.unique(np.linspace(1, n_guesses, min(_POINTS, n_guesses)).astype(np.int64))
    public, final = {}, {}
    for name in mechanisms:
        public[name], final[name] = _attacked(name, truth, guesses, at)
    return HoldoutAttack(at, public, final, n_rows)


def _attacked(
    mechanism: str, truth: NDArray[Any], guesses: NDArray[np.int8], at: NDArray[np.int64]
) -> tuple[Array, Array]:
    """What is told of the majority vote after so many guesses, and what it is worth."""
    n = len(truth) // 2
    rows = np.zeros((n, 1))
    budget, kind = len(guesses) + len(at), cast(Any, mechanism)  # Holdout refuses other words
    holdout = Holdout(rows, truth[:n], budget=budget, mechanism=kind, random_state=0)
    votes, told, worth = np.zeros(2 * n), [], []
    for count, guess in enumerate(guesses, start=1):
        if holdout.ask(guess[:n], "a guess", train_score=0.5) > 0.5:
            votes += 2.0 * guess - 1.0
        if count in at:
            majority = (votes > 0.0).astype(np.int8)
            told.append(holdout.ask(majority[:n], "the majority", train_score=0.5))
            worth.append(float(np.mean(majority[n:] == truth[n:])))
    return np.array(told), np.array(worth)
