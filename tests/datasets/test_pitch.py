"""The made-up pitch track: its notes, its errors, and what finds them."""

from __future__ import annotations

import numpy as np
import pytest

from stylobate.datasets import make_pitch_track
from stylobate.datasets.pitch import NOTES
from stylobate.exceptions import InvalidParameterError
from stylobate.preprocessing import KBinsDiscretizer


def test_errors_are_octaves_and_the_percentile_rule_finds_them():
    time, heard, played = make_pitch_track(return_truth=True, random_state=3)
    assert set(played) == set(NOTES)
    away = np.log2(heard / played)
    assert np.abs(away - np.round(away)).max() < 0.05
    wrong = np.round(away) != 0
    assert wrong.sum() == 60
    low, high = np.percentile(heard, [3, 97])
    assert ((heard < low) | (heard > high))[wrong].all()
    assert (np.diff(time) > 0).all()


def test_five_bins_are_the_notes():
    _, heard = make_pitch_track(octave_errors=0.0, random_state=0)
    bins = KBinsDiscretizer(5, strategy="kmeans", encode="ordinal").fit(heard[:, None])
    number = bins.transform(heard[:, None])[:, 0]
    means = [heard[number == k].mean() for k in range(5)]
    np.testing.assert_allclose(means, NOTES, rtol=0.002)


def test_seeds_and_notes_of_ones_own():
    first, second = (make_pitch_track(50, random_state=7)[1] for _ in range(2))
    np.testing.assert_array_equal(first, second)
    _, heard, played = make_pitch_track(
        30, notes=[100.0, 200.0, 400.0], cents=0.0, octave_errors=0.0, return_truth=True,
        random_state=np.random.RandomState(0),
    )  # fmt: skip
    np.testing.assert_array_equal(heard, played)
    assert played.tolist() == [100.0] * 10 + [200.0] * 10 + [400.0] * 10


@pytest.mark.parametrize(
    "wrong", [{"n_samples": 0}, {"octave_errors": 2}, {"notes": []}, {"notes": [-1.0]}]
)
def test_what_is_refused(wrong):
    with pytest.raises(InvalidParameterError, match="make_pitch_track: n_samples"):
        make_pitch_track(**wrong)
