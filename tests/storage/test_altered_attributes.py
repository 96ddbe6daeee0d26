"""Files of every estimator with an attribute deleted, retyped or reshaped: refused, or answered."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

import altered_attributes

import stylobate
from stylobate.base.discovery import all_estimators
from stylobate.exceptions import ModelFileError, NotFittedError
from stylobate.feature_extraction.text import CountVectorizer, HashingVectorizer
from stylobate.pipeline import FeatureUnion, Pipeline
from stylobate.preprocessing import PolynomialFeatures

WHOLE = (CountVectorizer, FeatureUnion, Pipeline)  # whose parameters were not looked at


@pytest.mark.parametrize("kind", all_estimators(), ids=lambda kind: kind.__name__)
def test_altered_files_are_refused_or_answer(kind):
    counts, wrong = altered_attributes.run(kind, every=1 if kind in WHOLE else 7)
    assert not wrong, "\n".join(wrong)
    if counts and kind is not HashingVectorizer:  # which learns nothing
        assert counts["refused"]


def test_parameters_are_held_to_their_ranges_whatever_was_lost():
    """A degree of 10³⁰⁰ made `transform` run for ever, where the file had no number of columns."""
    model = PolynomialFeatures().fit([[1.0, 2.0]])
    document, arrays = altered_attributes.mutations.parts_of(model)
    document = altered_attributes.without_records(document) | {"format_version": [1, 0]}
    state = document["model"]["state"]
    state["degree"] = 10**300
    del state["n_features_in_"]
    for lost in ("", "n_output_features_"):
        state.pop(lost, None)
        with pytest.raises((ModelFileError, NotFittedError)):
            stylobate.load(altered_attributes.mutations.packed(document, arrays)).transform([[1.0]])


# learnt for some kinds of input only, which the file does not tell
DEPENDS_ON_INPUT = {
    "ClassicalMDS": ("_axes", "_centre"),
    "HDBSCAN": ("_metric",),
    "KernelRidgeCV": ("gamma_",),
    "MDS": ("X_fit_",),
}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("kind", all_estimators(), ids=lambda kind: kind.__name__)
def test_what_is_lost_is_missed_without_a_record(kind):
    _, wrong = altered_attributes.run(kind, ways=altered_attributes.unrecorded)
    late = [line.split(": ")[1].removesuffix(" deleted") for line in wrong]
    assert late == list(DEPENDS_ON_INPUT.get(kind.__name__, ())), "\n".join(wrong)
