"""The curse of dimensionality on tables whose answers are known."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.spatial.distance import cdist
from scipy.stats import skew

from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.exploration import dimensionality

RANDOM = np.random.default_rng(0)


def test_numbers_against_brute_force():
    x = RANDOM.normal(size=(60, 3))
    report = dimensionality(x, scale=False, n_neighbors=5)
    d = cdist(x, x)
    off = d[~np.eye(60, dtype=bool)]
    assert report.variation == pytest.approx(off.std() / off.mean())
    np.fill_diagonal(d, np.inf)
    nearest = d.min(axis=1)
    np.fill_diagonal(d, 0.0)
    assert report.contrast == pytest.approx(np.median((d.max(axis=1) - nearest) / nearest))
    np.fill_diagonal(d, np.inf)
    popular = np.bincount(np.argsort(d, axis=1)[:, :5].ravel(), minlength=60)
    assert report.hubness == pytest.approx(skew(popular))
    assert report.hub_share == pytest.approx(popular.max() / popular.sum())


def test_angles_go_to_ninety_degrees():
    """Section 19.2 of the notes: random vectors become orthogonal."""
    spreads = []
    for dimension in (2, 20, 500):
        report = dimensionality(RANDOM.normal(size=(300, dimension)))
        spreads.append(report.angle_spread)
        assert report.mean_angle == pytest.approx(90.0, abs=3.0)
    assert spreads[0] > 40 > spreads[1] > 10 > spreads[2]
    assert spreads[2] == pytest.approx(180 / np.pi / np.sqrt(500), rel=0.2)


@pytest.mark.parametrize("dimension", [1, 2, 5])
def test_intrinsic_dimension_of_an_embedded_cube(dimension):
    flat = RANDOM.random((2000, dimension))
    turned = np.linalg.qr(RANDOM.normal(size=(20, 20)))[0][:dimension]
    report = dimensionality(flat @ turned, scale=False)
    assert report.dimension_low < report.intrinsic_dimension < report.dimension_high
    assert report.intrinsic_dimension == pytest.approx(dimension, rel=0.12)


def test_the_interval_of_the_dimension_covers():
    """Without a rim: points on a closed curve, whose dimension is 1."""
    hits = 0
    for seed in range(60):
        angle = np.random.default_rng(seed).uniform(0, 2 * np.pi, 400)
        report = dimensionality(np.column_stack([np.cos(angle), np.sin(angle)]), scale=False)
        hits += report.dimension_low <= 1.0 <= report.dimension_high
    assert 50 <= hits <= 60  # neighbours share their distances, so a little less than 95 %


def test_verdicts_and_sentences():
    few = dimensionality(RANDOM.normal(size=(400, 3)))
    many = dimensionality(RANDOM.normal(size=(400, 50)))
    all_ = dimensionality(RANDOM.normal(size=(400, 2000)))
    assert (few.verdict, many.verdict, all_.verdict) == ("fine", "doubtful", "fails")
    assert "can be used" in str(few)
    assert "equally far" in all_.sentence
    assert all_.hubness > few.hubness
    assert all_.to_dict()["verdict"] == "fails"


def test_a_line_in_many_columns_is_fine():
    x = np.outer(RANDOM.random(300), np.ones(500)) + 1e-3 * RANDOM.normal(size=(300, 500))
    assert dimensionality(x).verdict == "fine"


def test_frames_samples_and_repeated_rows():
    x = RANDOM.normal(size=(300, 4))
    frame = pd.DataFrame(np.vstack([x, x]), columns=list("abcd")).assign(constant=1.0)
    report = dimensionality(frame)
    assert (report.rows, report.columns) == (300, 4)
    assert dimensionality(RANDOM.normal(size=(500, 3)), max_rows=100).rows == 100


def test_bad_input():
    with pytest.raises(InvalidDataError, match="10 different rows"):
        dimensionality(np.ones((50, 3)))
    with pytest.raises(InvalidParameterError, match="n_neighbors"):
        dimensionality(RANDOM.normal(size=(20, 2)), n_neighbors=20)
    with pytest.raises(InvalidDataError, match="NaN"):
        dimensionality(np.full((20, 2), np.nan))


def test_the_nearest_angle_grows_to_a_right_angle():
    """The notes' effect: with few rows per dimension even the nearest direction is across."""
    angles = [
        dimensionality(np.random.default_rng(0).normal(size=(200, d))).nearest_angle
        for d in (2, 10, 100, 2000)
    ]
    assert np.all(np.diff(angles) > 0)
    assert angles[0] < 3 < 80 < angles[-1] < 90


def test_the_nearest_angle_by_brute_force():
    x = np.random.default_rng(1).normal(size=(60, 3))
    x = (x - x.mean(axis=0)) / x.std(axis=0)
    unit = x / np.linalg.norm(x, axis=1, keepdims=True)
    angles = np.degrees(np.arccos(np.clip(unit @ unit.T, -1, 1)))
    np.fill_diagonal(angles, 180.0)
    assert dimensionality(x).nearest_angle == pytest.approx(np.median(angles.min(axis=1)))


def test_a_uniform_cube_is_all_corners_and_tails_in_many_dimensions():
    """1 − V_D / 2^D in corners, 1 − 0.95^D in tails, cells empty by (1 − 2^−D)^n."""
    from scipy.special import gamma

    random = np.random.default_rng(0)
    shares = []
    for d in (2, 5, 12):
        found = dimensionality(random.random((4000, d)), scale=False)
        ball = np.pi ** (d / 2) / gamma(d / 2 + 1) / 2**d
        assert found.corner_share == pytest.approx(1 - ball, abs=0.025)
        assert found.tail_share == pytest.approx(1 - 0.95**d, abs=0.03)
        assert found.empty_share == pytest.approx((1 - 0.5**d) ** 4000, abs=0.01)
        shares.append(found.corner_share)
    assert np.all(np.diff(shares) > 0)
    wide = dimensionality(random.normal(size=(50, 2000)))
    assert wide.empty_share == 1.0
    assert "100.0% of space is empty" in wide.space_sentence
    assert wide.to_dict()["space_sentence"] == wide.space_sentence
