"""The one answer of a study: whether the model is of use."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Answer = Literal["yes", "too good", "hardly", "not answered"]


@dataclass(frozen=True, slots=True)
class PairedDifference:
    """How much better the model is than the baseline on the same locked rows.

    Attributes
    ----------
    gain : float
        Mean loss of the baseline less that of the model: above 0 the model is better.
    low, high : float or None
        Its 95 % interval; rows that belong together count as one.
    p_value : float
        Of no gain, against a gain.
    units : int
        Rows, or parts of rows that belong together, that were compared.
    loss : str
        What was compared, such as "squared error".
    """

    gain: float
    low: float | None
    high: float | None
    p_value: float
    units: int
    loss: str


@dataclass(frozen=True, slots=True)
class StudyVerdict:
    """The answer that page, terminal and warnings give alike.

    Attributes
    ----------
    answer : {"yes", "too good", "hardly", "not answered"}
        Better than the baseline; better, but probably by a leak; not told from the baseline; no
        model was tried.
    p_value : float or None
        Of paired differences to the baseline: of the folds and of the locked rows together, or of
        the locked rows alone where these tell more.
    words : str
        A sentence.
    """

    answer: Answer
    p_value: float | None
    words: str
