"""Searching the index of terms: spelling, order, public names, the command."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

import stylobate
from stylobate.cli.app import app
from stylobate.exceptions import InvalidParameterError
from stylobate.terms import find, terms

DOCS = Path(__file__).parents[2] / "docs"


def test_a_term_is_found_by_itself_and_its_synonyms():
    for each in terms():  # several things may share a word, so not always first
        assert each.name in [hit.name for hit in find(each.term, n=5)], each.term
    for each in terms()[::4]:
        for synonym in each.synonyms:
            assert each.name in [hit.name for hit in find(synonym, n=12)], synonym


def test_terms_lead_to_objects_and_pages():
    for each in terms():
        assert each.load() is not None
        assert (DOCS / each.page.partition("#")[0]).is_file(), each


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("nearest neighbour", "Nearest Neighbors"),
        ("standardisation", "standardization"),
        ("naive bayes", "naïve Bayes"),
        ("cross validation", "cross-validation"),
        ("k means", "K-Means"),
        ("support vector machines", "support vector machine"),
        ("l1 ball", "ℓ₁ ball"),
    ],
)
def test_spelling_is_no_matter(one, other):
    assert list(find(one)) == list(find(other))


def test_slips_of_the_pen_and_nonsense():
    assert find("percepton")[0].name == "stylobate.linear_model.Perceptron"
    assert find("logistc regresion")[0].name == "stylobate.linear_model.LogisticRegression"
    nothing = find("qwertzuiop")
    assert len(nothing) == 0
    assert repr(nothing) == "Nothing is called 'qwertzuiop' here, nor nearly so."


def test_every_public_name_of_models_is_found():
    for module in ("linear_model", "cluster", "decomposition", "metrics", "preprocessing"):
        for name in getattr(stylobate, module).__all__:
            assert name in [hit.name.rpartition(".")[2] for hit in find(name)], name


def test_hits_are_told_once_and_counted():
    hits = find("k-fold", n=5)
    assert len({id(hit.load()) for hit in hits}) == len(hits) <= 5
    assert len(find("regression", n=2)) == 2
    assert len(repr(find("lasso")).splitlines()) == len(find("lasso"))


@pytest.mark.parametrize(("words", "n"), [("", 3), (" - ", 3), ("lasso", 0)])
def test_what_cannot_be_looked_for_is_refused(words, n):
    with pytest.raises(InvalidParameterError, match="find: "):
        find(words, n=n)


def test_the_command_says_the_same():
    run = CliRunner().invoke
    done = run(app, ["find", "parzen", "window"])
    assert (done.exit_code, done.stdout.strip()) == (0, repr(find("parzen window")))
    told = json.loads(run(app, ["find", "lasso", "-n", "1", "--json"]).stdout)
    assert told[0]["name"] == "stylobate.linear_model.Lasso"
    assert run(app, ["find", "qwertzuiop"]).exit_code == 1


def test_one_right_word_of_two_does_not_hide_a_slip():
    assert find("random forrest")[0].name == "stylobate.ensemble.RandomForestClassifier"


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("anova", "stylobate.model"),
        ("heteroskedasticity", "stylobate.model"),
        ("glmnet", "stylobate.linear_model.PenalizedRegression"),
        ("1se", "stylobate.linear_model.LassoCV"),
    ],
)
def test_words_of_r_are_known(words, name):
    assert find(words)[0].name == name
