"""The page of a study: all of it is there, and none of it is markup."""

from __future__ import annotations

import re
from dataclasses import fields, is_dataclass, replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sample_profiles import HOSTILE
from sample_studies import numbers_study, partial_study, study_with
from test_elements import Reader
from test_profile_page import check_harmless

from stylobate.report import visible
from stylobate.study.page import study_page
from stylobate.study.results import DependencePoints, ScoreAnswer, StudyResult, StudyVerdict

SECTIONS = [
    "answer",
    "quality",
    "model",
    "mistakes",
    "limits",
    "using",
    "leaderboard",
    "tried",
    "data",
    "certificate",
    "reproducing",
]
MADE = {"classes": study_with, "numbers": numbers_study, "partial": partial_study}


@pytest.mark.parametrize("make", MADE.values(), ids=MADE)
@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_changes_nothing_but_the_text(text: str, make: Any) -> None:
    """Element by element, the page is that of a plain word of the same length."""
    read = check_harmless(study_page(make(text)))
    plain = Reader(study_page(make("Q" * len(text))))
    assert [each for each in read.names if each != "code"] == [
        each for each in plain.names if each != "code"
    ]  # code: one for each line
    if "\n" not in text:
        assert read.text.count(visible(text)) == plain.text.count("Q" * len(text))
    assert visible(text).splitlines()[0] in read.text


@settings(max_examples=20)
@given(st.text(st.characters(), max_size=40))
def test_no_text_becomes_markup(text: str) -> None:
    check_harmless(study_page(study_with(text)))


def ids(made: str) -> set[str]:
    return {attributes.get("id", "") for _, attributes in Reader(made).elements}


def test_a_finished_study_has_every_section_and_a_link_to_it() -> None:
    made = study_page(study_with())
    read = Reader(made)
    assert set(SECTIONS) <= ids(made)
    linked = [a["href"] for n, a in read.elements if n == "a" and a.get("href") != "#content"]
    assert linked == [f"#{each}" for each in SECTIONS]
    assert "not complete" not in read.text


def test_question_and_answer_are_sentences() -> None:
    text = Reader(study_page(study_with())).text
    assert "Can it be told from 5 other columns whether survived is yes?" in text
    assert (
        "Yes. Logistic regression is right for 81.6% of rows it has never seen (95% interval 75.3 "
        "to 86.6%), against 61.5% for always saying the most frequent class." in text
    )
    numbers = Reader(study_page(numbers_study())).text
    assert "misses by 24.31 (root mean squared error) on rows it has never seen" in numbers
    assert "against 55.2 for always saying the mean" in numbers


def test_an_answer_no_better_than_the_baseline_is_called_so() -> None:
    found = study_with()
    assert found.holdout is not None
    poor = replace(found.holdout, scores=(ScoreAnswer("accuracy", "accuracy", 0.62, 0.55, 0.69),))
    said = StudyVerdict("hardly", 0.2, "No model is clearly better than the baseline.")
    text = Reader(study_page(replace(found, holdout=poor, verdict=said))).text
    assert "Hardly. Logistic regression is right for 62.0%" in text
    assert "no clear improvement on 61.5%" in text


def test_a_partial_study_says_so_at_the_top_and_shows_what_is_there() -> None:
    made = study_page(partial_study())
    text = Reader(made).text
    assert text.index("This study is not complete. It was stopped") < text.index(
        "Question and answer"
    )
    assert {"answer", "tried", "data", "reproducing"} <= ids(made)
    assert not {"quality", "model", "mistakes", "using", "leaderboard"} & ids(made)
    assert "No model has been chosen yet." in text


def without(result: StudyResult, name: str) -> StudyResult:
    value = getattr(result, name)
    return replace(result, **{name: () if isinstance(value, tuple) else None})


@pytest.mark.parametrize("name", [
    "families", "leaderboard", "baseline", "choice", "learning_curve", "warnings", "holdout",
    "explanation", "model", "reproduction", "timings",
])  # fmt: skip
def test_any_part_may_be_missing(name: str) -> None:
    check_harmless(study_page(without(study_with(), name)))


def emptied(value: Any) -> Any:
    """The same dataclass with every optional number unknown and every list empty."""
    if not is_dataclass(value) or isinstance(value, type):
        return value
    changes: dict[str, Any] = {}
    for each in fields(value):
        kind = str(each.type)
        if "None" in kind:
            changes[each.name] = None
        elif kind.startswith("tuple") and each.name not in ("classes",):
            changes[each.name] = ()
    return replace(value, **changes)


def test_unknown_numbers_and_empty_lists_are_no_error() -> None:
    found = study_with()
    changes = {
        name: emptied(getattr(found, name))
        for name in ("data", "holdout", "explanation", "model", "learning_curve")
    }
    rows = tuple(map(emptied, found.leaderboard))
    check_harmless(study_page(replace(found, leaderboard=rows, **changes)))


def test_the_chosen_model_is_marked_on_the_leaderboard() -> None:
    made = study_page(study_with())
    board = made[made.index('id="leaderboard"') : made.index('id="tried"')]
    chosen = re.findall(r'<tr class="chosen">.*?</tr>', board)
    assert len(chosen) == 1
    assert "logistic regression" in chosen[0]
    assert board.count("<circle") == 6  # a dot for each model


def test_drawings_hold_numbers_only() -> None:
    made = study_page(study_with()) + study_page(numbers_study())
    shapes = re.findall(r'(?: d| x| y|cx|cy|width|height)="([^"]*)"', made)
    assert len(shapes) > 100
    assert not any(re.search("nan|inf|None", shape) for shape in shapes)


def test_the_page_is_small() -> None:
    assert len(study_page(study_with())) < 150_000


def test_of_many_classes_the_pairs_mixed_up_most_are_listed() -> None:
    found = study_with()
    assert found.holdout is not None
    count = 30
    matrix = [[0] * count for _ in range(count)]
    for place in range(count):
        matrix[place][place] = 5
        matrix[place][(place + 1) % count] = place
    question = replace(found.question, classes=tuple(f"class {k}" for k in range(count)))
    many = replace(found.holdout, confusion=tuple(map(tuple, matrix)))
    text = Reader(study_page(replace(found, question=question, holdout=many))).text
    assert "29 pairs of 30 classes are mixed up; these most often" in text


def test_a_matrix_of_several_classes_has_the_width_of_the_page() -> None:
    found = study_with()
    assert found.holdout is not None
    for count, broad in ((3, False), (8, True)):
        matrix = tuple(tuple(9 * (j == k) for j in range(count)) for k in range(count))
        question = replace(found.question, classes=tuple(f"class {k}" for k in range(count)))
        held = replace(found.holdout, confusion=matrix)
        made = study_page(replace(found, question=question, holdout=held))
        assert ('<figure class="broad">' in made) == broad
        assert made.count('<td class="none">0</td>') == count * (count - 1)


def test_classes_that_a_column_moves_least_are_folded() -> None:
    found = study_with()
    assert found.explanation is not None
    moved = [
        DependencePoints("age", "numbers", (0.0, 1.0), (0.5, 0.5 + k / 20), (), (), f"class {k}")
        for k in range(5)
    ]
    told = replace(found.explanation, dependence=tuple(moved))
    made = study_page(replace(found, explanation=told))
    before, folded = made.split("2 more, of classes that these columns move less")
    for k in range(5):
        assert (f"of class {k} by age" in before) == (k >= 2)
        assert (f"of class {k} by age" in folded) == (k < 2)


def test_some_rows_are_shown_as_they_are() -> None:
    text = Reader(study_page(study_with())).text
    assert "Some rows" in text
    assert "1 of the training rows, drawn at random." in text
    assert "missing" in text[text.index("Some rows") :]
