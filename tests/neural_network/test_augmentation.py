"""Augmentations of images against scipy.ndimage and their own definitions."""

import numpy as np
import pytest
from scipy import ndimage
from sklearn.base import clone

from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.neural_network import (
    AugmentationChain,
    RandomBrightness,
    RandomFlip,
    RandomNoise,
    RandomRotation,
    RandomShift,
)
from stylobate.neural_network.augmentation.geometry import turned

ALL = (RandomShift(3), RandomRotation(30.0), RandomFlip(0.5, 0.5), RandomBrightness(0.3, 0.2),
       RandomNoise(0.1))  # fmt: skip


@pytest.fixture(scope="module")
def images():
    return np.random.default_rng(0).random((40, 2, 11, 8))


@pytest.mark.parametrize("degrees", [-170.0, -33.0, 0.0, 10.0, 90.0, 180.0])
@pytest.mark.parametrize("size", [(9, 9), (8, 11)])
def test_rotations_are_those_of_scipy(degrees, size):
    image = np.random.default_rng(1).random((2, *size))
    ours = turned(image[np.newaxis], np.array([degrees]), fill=0.25)[0]
    theirs = [ndimage.rotate(plane, degrees, reshape=False, order=1, cval=0.25, prefilter=False)
              for plane in image]  # fmt: skip
    if degrees % 90:  # scipy's points on the border fall to either side by rounding otherwise
        np.testing.assert_allclose(ours, theirs, atol=1e-12)
    elif degrees == 0.0 or size[0] == size[1]:
        np.testing.assert_allclose(ours, np.rot90(image, int(degrees // 90), axes=(1, 2)))


def test_shifts_are_those_of_scipy(images):
    moves = np.random.default_rng(5).integers(-3, 4, size=(2, len(images)))
    ours = RandomShift(3, fill=0.5, random_state=5).transform(images)
    for k, image in enumerate(images):
        wanted = [ndimage.shift(plane, moves[:, k], order=0, cval=0.5) for plane in image]
        np.testing.assert_array_equal(ours[k], wanted)
    assert np.ptp(moves) == 6


def test_flips_happen_as_often_as_asked(images):
    changed = RandomFlip(0.5, 0.25).transform(np.tile(images, (25, 1, 1, 1)))
    kinds = np.zeros(4)
    for before, after in zip(np.tile(images, (25, 1, 1, 1)), changed, strict=True):
        ways = [before, before[:, :, ::-1], before[:, ::-1], before[:, ::-1, ::-1]]
        kinds[[np.array_equal(after, way) for way in ways].index(True)] += 1
    np.testing.assert_allclose(kinds / len(changed), [0.375, 0.375, 0.125, 0.125], atol=0.05)


def test_brightness_moves_means_and_contrast_spreads(images):
    changed = RandomBrightness(0.3, 0.2).transform(images)
    moved = changed.mean(axis=(1, 2, 3)) - images.mean(axis=(1, 2, 3))
    ratio = changed.std(axis=(1, 2, 3)) / images.std(axis=(1, 2, 3))
    assert 0.2 < moved.max() <= 0.3
    assert -0.3 <= moved.min() < -0.2
    assert 1.1 < ratio.max() <= 1.2
    assert 0.8 <= ratio.min() < 0.9
    correlations = [np.corrcoef(a.ravel(), b.ravel())[0, 1]
                    for a, b in zip(images, changed, strict=True)]  # fmt: skip
    np.testing.assert_allclose(correlations, 1.0)


def test_noise_has_its_spread(images):
    noise = RandomNoise(0.1).transform(images) - images
    assert abs(noise.std() - 0.1) < 0.003
    assert abs(noise.mean()) < 0.003


@pytest.mark.parametrize("step", ALL, ids=lambda step: type(step).__name__)
def test_layouts_seeds_and_clones(step, images):
    gray = images[:, 0]
    once = step.transform(gray)
    np.testing.assert_array_equal(once, clone(step).fit_transform(gray))
    rows = type(step)(**step.get_params() | {"image_shape": (11, 8)})
    np.testing.assert_array_equal(rows.transform(gray.reshape(40, -1)), once.reshape(40, -1))
    assert not np.array_equal(step.with_random_state(1).transform(gray), once)
    assert step.transform(gray.astype(np.float32)).dtype == np.float32


def test_a_chain_is_its_steps_in_turn(images):
    draw = np.random.default_rng(3)
    wanted = images
    for step in ALL:
        wanted = step(wanted, draw)
    np.testing.assert_array_equal(AugmentationChain(ALL, random_state=3).transform(images), wanted)


def test_refusals(images):
    with pytest.raises(InvalidParameterError, match=r"horizontal must be a number in \[0, 1\]"):
        RandomFlip(1.5)
    with pytest.raises(InvalidParameterError, match="image_shape must be"):
        RandomShift(image_shape=(3,)).transform(np.ones((2, 3)))
    with pytest.raises(InvalidDataError, match="rows of pixels with image_shape"):
        RandomShift().transform(np.ones((2, 9)))
    with pytest.raises(InvalidDataError, match="or be rows of 16 pixels"):
        RandomShift(image_shape=(4, 4)).transform(np.ones((2, 9)))
    with pytest.raises(InvalidDataError, match="holds NaN"):
        RandomNoise().transform(np.full((1, 2, 2), np.nan))
    with pytest.raises(InvalidParameterError, match="is no augmentation"):
        AugmentationChain((1,))
