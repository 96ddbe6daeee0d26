"""Sentences and numbers that several sections say alike."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from stylobate.report import Child, finite, number, percent, tag
from stylobate.report import name as shown_name
from stylobate.study.output.sentences import ended
from stylobate.study.results import Metric, ScoreAnswer, StudyResult

_SHARES = ("accuracy", "balanced_accuracy", "precision", "recall")
SHORT = {  # for headings
    "root mean squared error": "RMSE",
    "mean absolute error": "MAE",
    "expected cost per row": "cost",
    "balanced accuracy": "bal. acc.",
}
_SMALL = 10.0  # from which on scores are shown by significant digits


def score(value: Any, metric: Metric | None = None, *, share: bool = False) -> str:
    """A score with as many digits as are read; shares of rows in percent where asked for."""
    known = finite(value)
    if known is None:
        return "–"
    if share and metric is not None and is_share(metric.name):
        return percent(known)
    if abs(known) >= _SMALL:
        return number(known, 4)
    text = f"{known:.3f}"
    return text.replace("-", "" if float(text) == 0.0 else "−")


def is_share(name: str) -> bool:
    """Whether a metric is a share of rows."""
    return name in _SHARES


def reach(low: Any, high: Any, metric: Metric | None = None, *, share: bool = False) -> str:
    """An interval of a score, in words."""
    if finite(low) is None or finite(high) is None:
        return "–"
    if share and metric is not None and is_share(metric.name):
        return f"{100 * float(low):.1f} to {100 * float(high):.1f}%"
    return f"{score(low)} to {score(high)}"


def settings(params: Mapping[str, Any]) -> str:
    """Values of parameters on one line."""
    if not params:
        return "as it comes"
    return ", ".join(f"{key} = {_value(value)}" for key, value in params.items())


def _value(value: Any) -> str:
    return number(value) if finite(value) is not None else str(value)


def answer_of(result: StudyResult) -> ScoreAnswer | None:
    """The hold-out's answer by the study's own metric."""
    if result.holdout is None or not result.holdout.scores:
        return None
    return result.holdout.scores[0]


def baseline_score(result: StudyResult) -> float | None:
    """The baseline's score: on the hold-out if it was asked, else cross-validated."""
    if result.holdout is not None and result.holdout.baseline:
        return result.holdout.baseline[0].value
    return None if result.baseline is None else result.baseline.mean


def beats_baseline(result: StudyResult) -> bool | None:
    """What the study's verdict says of model and baseline; None: not known."""
    if result.verdict is None:
        return None
    return result.verdict.answer in ("yes", "too good")


def question_words(result: StudyResult) -> list[Child]:
    """What is asked, in one sentence."""
    question = result.question
    features = sum(each.use == "feature" for each in result.data.columns)
    columns = f"{features:,} other column" + ("s" if features != 1 else "")
    target = tag("strong", shown_name(question.target))
    if question.task == "binary" and question.positive is not None:
        asked: list[Child] = [
            "whether ",
            target,
            " is ",
            tag("strong", shown_name(question.positive)),
        ]
        return ["Can it be told from ", columns, " ", *asked, "?"]
    if question.task == "regression":
        return ["Can ", target, " be predicted from ", columns, "?"]
    count = len(question.classes)
    return ["Can ", target, f" (one of {count:,} classes) be told from ", columns, "?"]


def answer_words(result: StudyResult) -> list[Child]:
    """What was found, in one sentence."""
    found, choice = answer_of(result), result.choice
    if choice is None:
        return ["No model has been chosen yet."]
    model = _sentence_start(choice.title)
    if found is None:
        leader = next((row for row in result.leaderboard if row.is_chosen), None)
        if leader is None:
            return [tag("bdi", model), " was chosen; the hold-out has not been asked yet."]
        return [
            tag("bdi", model), " was chosen, with a cross-validated ", result.question.metric.label,
            " of ", tag("strong", score(leader.mean)), "; the hold-out has not been asked yet.",
        ]  # fmt: skip
    if result.verdict is not None and result.verdict.answer == "not answered":
        return [result.verdict.words]
    said: list[Child] = [
        _verdict(result), " ", *_measured(result, found, model), *_against(result), ".",
    ]  # fmt: skip
    if result.verdict is not None and result.verdict.answer == "too good":
        said += [" ", result.verdict.words]
    return said


_ANSWERS = {
    "yes": "Yes.",
    "too good": "Too good to be true.",
    "hardly": "Hardly.",
    "not answered": "Not answered.",
}


def _verdict(result: StudyResult) -> str:
    return "" if result.verdict is None else _ANSWERS[result.verdict.answer]


def _measured(result: StudyResult, found: ScoreAnswer, model: str) -> list[Child]:
    metric = result.question.metric
    ends = reach(found.low, found.high, metric, share=True)
    sure = f" (95% interval {ends})" if ends != "–" else ""
    if metric.name == "accuracy":
        value = tag("strong", percent(found.value))
        return [tag("bdi", model), " is right for ", value, " of rows it has never seen", sure]
    if not metric.greater_is_better and result.question.task == "regression":
        value = tag("strong", score(found.value))
        said = f" ({metric.label}) on rows it has never seen"
        return [tag("bdi", model), " misses by ", value, said, sure]
    value = tag("strong", score(found.value, metric, share=True))
    said = f" has {_article(metric.label)} {metric.label} of "
    return [tag("bdi", model), said, value, " on rows it has never seen", sure]


def _against(result: StudyResult) -> list[Child]:
    known = baseline_score(result)
    if known is None:
        return []
    text = score(known, result.question.metric, share=True)
    task = result.question.task
    simple = "the mean" if task == "regression" else "the most frequent class"
    better = beats_baseline(result)
    joined = "; no clear improvement on" if better is False else ", against"
    return [f"{joined} {text} for always saying {simple}"]


def sentence(text: str) -> str:
    """With a capital letter and a full stop; empty stays empty."""
    plain = text.strip()
    if not plain:
        return ""
    return _sentence_start(ended(plain))


def _article(word: str) -> str:
    return "an" if word[:1].lower() in "aeiou" or word.startswith(("F1", "R²", "MSE")) else "a"


def _sentence_start(text: str) -> str:
    return text[:1].upper() + text[1:]


def finished(result: StudyResult) -> tuple[int, int]:
    """Settings scored on every fold, and families with one of them."""
    counts = [sum(each.status == "done" for each in f.candidates) for f in result.families]
    return sum(counts), sum(count > 0 for count in counts)
