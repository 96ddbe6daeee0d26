"""What was asked and answered, one entry for each question."""

from __future__ import annotations

import base64
import io
import zlib
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import numpy as np

from stylobate.model_selection.holdout.mechanisms import APART, NEW_BEST, Told


@dataclass(frozen=True, slots=True)
class Question:
    """One question to a hold-out.

    Parameters
    ----------
    number : int
        1, 2, …
    time : str
        When it was asked (UTC, ISO 8601).
    name : str
        Of whom it was asked.
    answer : float
        What was told; more is better.
    kind : str
        Which kind of answer it is, in words.
    final : bool
        Whether it was the final score.
    """

    number: int
    time: str
    name: str
    answer: float
    kind: str
    final: bool = False

    def __str__(self) -> str:
        return f"{self.number}. {self.name}: {self.answer:.6g}, {self.kind}"


def now() -> str:
    """The time in UTC, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def encoded(question: Question, predictions: Any) -> dict[str, Any]:
    """A question as plain values; with predictions, if they are needed later on."""
    entry = {
        "number": question.number,
        "time": question.time,
        "name": question.name,
        "answer": question.answer,
        "kind": question.kind,
        "final": question.final,
    }
    if predictions is not None:
        buffer = io.BytesIO()
        np.save(buffer, np.asarray(predictions), allow_pickle=False)
        entry["predictions"] = base64.b64encode(zlib.compress(buffer.getvalue())).decode("ascii")
    return entry


def decoded(entry: dict[str, Any]) -> tuple[Question, Any]:
    """What `encoded` has made plain."""
    packed = entry.pop("predictions", None)
    if packed is None:
        return Question(**entry), None
    raw = zlib.decompress(base64.b64decode(packed))
    return Question(**entry), np.load(io.BytesIO(raw), allow_pickle=False)


def told_after(told: Told, question: Question, predictions: Any) -> Told:
    """What is known once a question is answered."""
    improved = question.kind == NEW_BEST
    return Told(
        told.asked + 1,
        question.answer if improved else told.best,
        predictions if improved else told.best_predictions,
        told.apart + (question.kind == APART),
    )
