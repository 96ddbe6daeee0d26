"""choose_mixture: the table, the choice, the sentence and the pictures."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.mixture import (
    BayesianGaussianMixture,
    GaussianMixture,
    LatentClassMixture,
    choose_mixture,
)
from stylobate.plot import plot_mixture


@pytest.fixture(scope="module")
def three():
    rng = np.random.default_rng(0)
    centres = [[0.0, 0.0], [7.0, 0.0], [0.0, 7.0]]
    return np.concatenate([rng.normal(c, [1.0, 0.4], (120, 2)) for c in centres])


@pytest.fixture(scope="module")
def choice(three):
    return choose_mixture(three, range(1, 6))


def test_the_table_is_that_of_single_fits(three, choice):
    assert len(choice.candidates) == 20
    for each in choice.candidates:
        model = GaussianMixture(
            each.n_components, covariance_type=each.covariance_type, random_state=0
        ).fit(three)
        assert each.bic == pytest.approx(model.bic(three), rel=1e-12)
        assert each.aic == pytest.approx(model.aic(three), rel=1e-12)
    assert choice.best.bic == min(choice.to_dict()["bic"])
    assert choice.model.bic(three) == pytest.approx(choice.best.bic)


def test_what_is_chosen_and_said(three, choice):
    assert (choice.n_components, choice.covariance_type) in [(3, "tied"), (3, "diag")]
    assert "3 components (" in choice.sentence
    assert "evidence" in choice.sentence
    assert str(choice).startswith("Chosen: 3 components")
    by_aic = choose_mixture(three, [2, 3], covariance_types=["full"], criterion="aic")
    assert by_aic.n_components == 3
    assert "AIC" in by_aic.sentence
    assert choose_mixture(three, [2], covariance_types=["diag"]).sentence.endswith(").")


def test_weights_count_rows(three):
    weights = np.tile([1, 2, 0], 120)
    options = {"covariance_types": ["spherical"]}
    by_weight = choose_mixture(three, [1], sample_weight=weights, **options).best
    by_rows = choose_mixture(np.repeat(three, weights, axis=0), [1], **options).best
    assert by_weight.bic == pytest.approx(by_rows.bic, rel=1e-10)


def test_candidates_that_fail_are_told_and_not_chosen(three):
    few = three[:4]
    base = GaussianMixture(reg_covar=0.0, random_state=0)
    found = choose_mixture(few, [1, 4, 9], covariance_types=["full"], estimator=base)
    assert found.n_components == 1
    assert [np.isfinite(each.bic) for each in found.candidates] == [True, False, False]
    with pytest.raises(InvalidDataError, match="no candidate"):
        choose_mixture(few, [9])
    with pytest.raises(InvalidDataError, match="NaN"):
        choose_mixture(np.full((5, 2), np.nan), [1])
    with pytest.raises(InvalidParameterError, match="'bic' or 'aic'"):
        choose_mixture(few, criterion="icl")
    with pytest.raises(InvalidParameterError, match="at least one"):
        choose_mixture(few, [])


def test_latent_classes_have_no_types(three):
    frame = pd.DataFrame({"x": three[:, 0], "far": np.where(three[:, 1] > 3.5, "yes", "no")})
    base = LatentClassMixture(n_init=2, random_state=0)
    found = choose_mixture(frame, [1, 2, 3, 4], estimator=base)
    # near zero, far or not is independent of x: two classes say all there is
    assert found.n_components == 2
    assert found.best.words == "2 components"


def test_pictures(three, choice):
    ax = choice.plot()
    assert ax.get_ylabel() == "BIC"
    assert len(ax.lines) == 5  # a line for each type, and the ring
    x, y = ax.lines[-1].get_data()
    assert (list(x), list(y)) == ([3], [choice.best.bic])
    for kind in ("full", "tied", "diag", "spherical"):
        model = GaussianMixture(3, covariance_type=kind, random_state=0).fit(three)
        assert len(plot_mixture(model, three).patches) == 6
    ellipse = plot_mixture(GaussianMixture(covariance_type="diag").fit(three), three).patches[0]
    # one standard deviation along each axis
    width, height = sorted([ellipse.width / 2, ellipse.height / 2])
    np.testing.assert_allclose([width, height], np.sort(three.std(axis=0)), rtol=1e-5)
    bayes = BayesianGaussianMixture(n_components=2, random_state=0, max_iter=500).fit(three)
    assert plot_mixture(bayes, three, columns=(1, 0)).get_xlabel() == "x1"
    with pytest.raises(InvalidParameterError, match="two different"):
        plot_mixture(bayes, three, columns=(0, 2))
