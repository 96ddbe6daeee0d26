"""The classifier of images: accuracy on digits, layouts, weights, files, refusals."""

import copy

import numpy as np
import pytest
from sklearn.datasets import load_digits

import stylobate
from stylobate.exceptions import InvalidDataError, InvalidParameterError, ModelFileError
from stylobate.neural_network import (
    Activation,
    AdversarialTraining,
    Conv2d,
    ConvNetClassifier,
    Dense,
    Flatten,
    MaxPool2d,
    RandomNoise,
    RandomShift,
    fast_gradient_sign,
    robustness_curve,
)
from stylobate.neural_network.images.pixels import PixelScale

SMALL = (Conv2d(4), Activation("relu"), MaxPool2d(2))


@pytest.fixture(scope="module")
def digits():
    x, y = load_digits(return_X_y=True)
    order = np.random.default_rng(0).permutation(len(y))
    return x[order].astype(np.uint8).reshape(-1, 8, 8), y[order]


@pytest.fixture(scope="module")
def fitted(digits):
    x, y = digits
    return ConvNetClassifier(random_state=0).fit(x[:1200], y[:1200])


def test_digits_are_recognised(fitted, digits):
    x, y = digits
    assert fitted.score(x[1200:], y[1200:]) >= 0.97
    assert fitted.n_iter_ == len(fitted.trace_["loss"]) <= 30
    assert fitted.network_.parameters.dtype == np.float32


def test_layouts_give_one_model(digits):
    x, y = digits[0][:150], digits[1][:150]
    makers = [(x, None), (x[:, np.newaxis], None), (x.reshape(150, -1), (8, 8)),
              (x.reshape(150, -1), None)]  # fmt: skip
    found = [
        ConvNetClassifier(SMALL, shape, max_iter=2, random_state=0).fit(given, y)
        for given, shape in makers
    ]
    chances = [model.predict_proba(given) for model, (given, _) in zip(found, makers, strict=True)]
    for other in chances[1:]:
        np.testing.assert_array_equal(chances[0], other)
    assert [m.image_shape_ for m in found] == [(1, 8, 8)] * 4


def test_same_bits_for_any_threads(digits):
    x, y = digits[0][:200], digits[1][:200]
    found = []
    for count in (1, 2, 7):
        with stylobate.threads(count):
            model = ConvNetClassifier(max_iter=2, random_state=1, augmentation=RandomShift(1))
            found.append(model.fit(x, y).predict_proba(x))
    np.testing.assert_array_equal(found[0], found[1])
    np.testing.assert_array_equal(found[0], found[2])


def test_steps_of_partial_fit_are_epochs(digits):
    """Each call is an epoch with Adam's memory of those before."""
    x, y = digits[0][:300], digits[1][:300]
    model = ConvNetClassifier(SMALL, random_state=0)
    for _ in range(12):
        model.partial_fit(x, y, classes=np.arange(10))
    assert model.n_iter_ == len(model.loss_curve_) == 12
    assert model._moments[2] == 12 * 5  # steps of 64 images
    whole = ConvNetClassifier(SMALL, random_state=0, max_iter=12).fit(x, y)
    np.testing.assert_allclose(model.loss_curve_, whole.loss_curve_, rtol=0.01)
    with pytest.raises(InvalidDataError, match="not among the classes"):
        model.partial_fit(x[:2], [3, 99])
    with pytest.raises(InvalidDataError, match="classes must be passed"):
        ConvNetClassifier(SMALL).partial_fit(x, y)


def test_a_first_partial_fit_is_a_fit_of_one_epoch(digits):
    x, y = digits[0][:200], digits[1][:200]
    one = ConvNetClassifier(SMALL, random_state=0).partial_fit(x, y, classes=np.arange(10))
    two = ConvNetClassifier(SMALL, random_state=0, max_iter=1).fit(x, y)
    np.testing.assert_array_equal(one.predict_proba(x), two.predict_proba(x))


def test_weights_of_rows_and_of_classes(digits):
    x, y = digits
    two = np.flatnonzero(y < 2)[:120]
    x, y = x[two], y[two] == 1
    by_class = ConvNetClassifier(SMALL, class_weight={True: 3.0}, max_iter=2, random_state=0)
    by_rows = ConvNetClassifier(SMALL, max_iter=2, random_state=0)
    chances = by_class.fit(x, y).predict_proba(x)
    np.testing.assert_array_equal(
        chances, by_rows.fit(x, y, sample_weight=np.where(y, 3.0, 1.0)).predict_proba(x)
    )
    assert not np.array_equal(chances, by_rows.fit(x, y).predict_proba(x))


def test_early_stopping_keeps_the_best_epoch(digits):
    x, y = digits[0][:400], digits[1][:400]
    model = ConvNetClassifier(
        SMALL, early_stopping=True, n_iter_no_change=2, max_iter=25, learning_rate_init=0.01,
        random_state=0,
    ).fit(x, y)  # fmt: skip
    assert model.best_validation_score_ == max(model.trace_["accuracy"])
    assert model.best_validation_score_ == model.trace_["accuracy"][model.best_epoch_ - 1]
    assert model.n_iter_ < 25


def test_files_and_adversaries(fitted, digits, tmp_path):
    x, y = digits[0][1200:1400], digits[1][1200:1400]
    stylobate.save(fitted, tmp_path / "net.model")
    loaded = stylobate.load(tmp_path / "net.model")
    np.testing.assert_array_equal(loaded.predict_proba(x), fitted.predict_proba(x))
    loaded.partial_fit(x, y)
    slopes = fitted.input_gradient(x, y)
    fooled = fast_gradient_sign(fitted, x, y, 2.0, bounds=(0, 16))
    moved = np.clip(x + 2.0 * np.sign(slopes[:, 0]), 0, 16)
    np.testing.assert_allclose(fooled, moved, atol=1e-6)
    curve = robustness_curve(fitted, x, y, [0.0, 1.0, 4.0], bounds=(0, 16))
    assert curve.accuracies[0] == fitted.score(x, y)
    assert curve.accuracies[0] > curve.accuracies[1] > curve.accuracies[2]


@pytest.fixture(scope="module")
def kept_books(digits):
    held = ConvNetClassifier(SMALL, max_iter=2, early_stopping=True, random_state=0)
    return held.fit(digits[0][:60], digits[1][:60])


def _altered(model, **changes):
    other = copy.copy(model)
    vars(other).update(changes)
    return other


def test_files_with_other_parts_are_refused(kept_books, tmp_path):
    model = kept_books
    first, second, count = model._moments
    mean, spread = model._scale.mean, model._scale.spread
    wrong = [
        {"image_shape_": (1, 4, 16)}, {"image_shape_": (64,)}, {"image_shape_": (1, 8, 9)},
        {"image_shape_": (-1, -8, 8)}, {"layers_": model.layers_[:-1]}, {"layers_": ()},
        {"_parameters": first[:-1]}, {"_state": np.ones(1)}, {"classes_": model.classes_[:-1]},
        {"classes_": model.classes_.tolist()}, {"classes_": model.classes_[::-1].copy()},
        {"_moments": (first[:-1], second, count)}, {"_moments": (first, -second, count)},
        {"_moments": (first, second.astype(np.float64), count)},
        {"_moments": (first, second)}, {"_moments": (first, second, -1)}, {"_moments": None},
        {"_scale": PixelScale(mean, 0 * spread)}, {"_scale": PixelScale(mean[:0], spread[:0])},
        {"_scale": None}, {"_seed": -1}, {"_seed": "0"}, {"loss_curve_": None},
        {"loss_curve_": ["low", "lower"]}, {"loss_curve_": model.loss_curve_[:1]},
        {"trace_": {}}, {"best_epoch_": 3}, {"n_iter_": 9}, {"validation_scores_": [0.5]},
        {"best_validation_score_": None},
    ]  # fmt: skip
    for number, changes in enumerate(wrong):
        stylobate.save(_altered(model, **changes), tmp_path / f"{number}")
        with pytest.raises(ModelFileError, match="of the file"):
            stylobate.load(tmp_path / f"{number}")
    stylobate.save(_altered(model), tmp_path / "same")
    assert stylobate.load(tmp_path / "same").trace_ == model.trace_


@pytest.mark.parametrize("lost", ["image_shape_", "_moments", "_seed", "loss_curve_", "_scale"])
def test_files_with_lost_parts_are_refused(kept_books, tmp_path, lost):
    model = _altered(kept_books)
    del vars(model)[lost]
    stylobate.save(model, tmp_path / "net")
    with pytest.raises(ModelFileError, match=f"lacks {lost}"):
        stylobate.load(tmp_path / "net")


def test_a_refused_first_call_of_partial_fit_begins_nothing(digits):
    x, y = digits[0][:60], digits[1][:60]
    model = ConvNetClassifier(SMALL, random_state=0)
    with pytest.raises(InvalidDataError, match="NaN"):
        model.partial_fit(np.full(x.shape, np.nan), y, classes=np.arange(10))
    model.partial_fit(x, y, classes=np.arange(10))
    other = ConvNetClassifier(SMALL, random_state=0).partial_fit(x, y, classes=np.arange(10))
    np.testing.assert_array_equal(model.predict_proba(x), other.predict_proba(x))


def test_slopes_are_those_of_the_pixels(fitted, digits):
    x, y = digits[0][:3].astype(float), digits[1][:3]

    def loss(images):
        return -np.mean(np.log(fitted.predict_proba(images)[np.arange(3), y]))

    slopes, step = fitted.input_gradient(x, y), np.zeros_like(x)
    step[1, 3, 4] = 0.05
    found = (loss(x + step) - loss(x - step)) / 0.1
    assert found == pytest.approx(slopes[1, 0, 3, 4], rel=0.05, abs=1e-6)


def test_training_against_adversaries_pays(digits):
    x, y = digits
    models = [
        ConvNetClassifier(max_iter=8, random_state=0, augmentation=augmentation)
        for augmentation in (None, [RandomNoise(0.5), AdversarialTraining(2.0, bounds=(0, 16))])
    ]
    accuracies = [
        robustness_curve(model.fit(x[:1000], y[:1000]), x[1000:], y[1000:], [2.0]).accuracies[0]
        for model in models
    ]
    assert accuracies[1] > accuracies[0] + 0.03


def test_refusals(fitted, digits):
    x, y = digits[0][:30], digits[1][:30]
    with pytest.raises(InvalidDataError, match=r"must have shape .* = \(1, 8, 8\)"):
        fitted.predict(np.zeros((2, 9, 9)))
    with pytest.raises(InvalidDataError, match=r"must have shape .* = \(1, 8, 8\)"):
        fitted.predict(np.zeros((2, 3, 8, 8)))
    with pytest.raises(InvalidDataError, match="63 features"):
        fitted.predict(np.zeros((2, 63)))
    with pytest.raises(InvalidDataError, match="NaN"):
        fitted.predict(np.full((2, 8, 8), np.nan))
    with pytest.raises(InvalidDataError, match="or be rows of 63 pixels"):
        ConvNetClassifier(image_shape=(7, 9)).fit(x.reshape(30, -1), y)
    with pytest.raises(InvalidParameterError, match="layers must be a sequence of layers"):
        ConvNetClassifier([3]).fit(x, y)
    with pytest.raises(InvalidParameterError, match="image_shape must be"):
        ConvNetClassifier(image_shape=(8, 0)).fit(x, y)
    with pytest.raises(InvalidParameterError, match="augmentation must be"):
        ConvNetClassifier(augmentation=2).fit(x, y)
    with pytest.raises(InvalidParameterError, match=r"augmentation must be RandomShift\(2\)"):
        ConvNetClassifier(augmentation=RandomShift).fit(x, y)  # the class, and no shift
    with pytest.raises(InvalidParameterError, match="layer 1 Conv2d"):
        ConvNetClassifier([Conv2d(4, 9)]).fit(x, y)
    with pytest.raises(InvalidDataError, match="end with 3 probabilities"):
        ConvNetClassifier([Flatten(), Dense(3), Activation("softmax")]).fit(x, y)
