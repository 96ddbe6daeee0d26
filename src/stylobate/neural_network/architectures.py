"""Networks of the literature, layer by layer, with their published numbers of parameters."""

from __future__ import annotations

from typing import Any

from stylobate.neural_network.inception import convolution as _normalized
from stylobate.neural_network.inception import (
    inception_a,
    inception_b,
    inception_c,
    inception_stem,
    reduction_a,
    reduction_b,
)
from stylobate.neural_network.layers.activation import Activation, Dropout
from stylobate.neural_network.layers.convolution import Conv2d
from stylobate.neural_network.layers.dense import Dense, Flatten
from stylobate.neural_network.layers.layer import Layer
from stylobate.neural_network.layers.normalization import LocalResponseNorm
from stylobate.neural_network.layers.pooling import AvgPool2d, GlobalAvgPool2d, MaxPool2d
from stylobate.neural_network.network import Network

__all__ = ["alexnet", "inception_resnet_v2", "lenet5", "vgg16"]


def lenet5(n_classes: int = 10, *, random_state: int = 0, dtype: Any = "float32") -> Network:
    """LeNet-5 for images 1 × 32 × 32: 61,706 parameters.

    The variant that is taught today: the third layer sees all six maps (the paper connected 60 of
    the 96 pairs), subsampling has no weights, the output is a softmax (the paper: distances to
    codes). Tanh and mean pooling as in the paper.

    Parameters
    ----------
    n_classes : int in [1, inf), default=10
    random_state : int in [0, inf), default=0
        Draws the first weights, when they are needed.
    dtype : {"float32", "float64"}, default="float32"

    References
    ----------
    LeCun, Bottou, Bengio & Haffner (1998), Gradient-based learning applied to document
    recognition.

    Examples
    --------
    >>> lenet5().n_parameters
    61706
    """
    start = "glorot"
    layers: list[Layer] = [
        Conv2d(6, 5, initialization=start), Activation("tanh"), AvgPool2d(2),
        Conv2d(16, 5, initialization=start), Activation("tanh"), AvgPool2d(2),
        Flatten(), Dense(120), Activation("tanh"), Dense(84), Activation("tanh"),
        Dense(n_classes), Activation("softmax"),
    ]  # fmt: skip
    return Network(layers, (1, 32, 32), random_state=random_state, dtype=dtype)


def alexnet(
    n_classes: int = 1000,
    *,
    grouped: bool = True,
    random_state: int = 0,
    dtype: Any = "float32",
) -> Network:
    """AlexNet for images 3 × 227 × 227: 60,965,224 parameters, or 62,378,344 without groups.

    Grouped as in the paper, whose second, fourth and fifth convolutions ran in halves on two
    machines; with local response normalisation (α of the paper, which is not divided by the size)
    and overlapping poolings.

    Parameters
    ----------
    n_classes : int in [1, inf), default=1000
    grouped : bool, default=True
        Whether those convolutions are in two groups.
    random_state : int in [0, inf), default=0
        Draws the first weights, when they are needed.
    dtype : {"float32", "float64"}, default="float32"

    References
    ----------
    Krizhevsky, Sutskever & Hinton (2012), ImageNet classification with deep convolutional neural
    networks.

    Examples
    --------
    >>> alexnet().n_parameters, alexnet(grouped=False).n_parameters
    (60965224, 62378344)
    """
    groups = 2 if grouped else 1
    norm = LocalResponseNorm(5, alpha=5e-4, beta=0.75, k=2.0)
    relu = Activation("relu")
    layers: list[Layer] = [
        Conv2d(96, 11, stride=4), relu, norm, MaxPool2d(3, stride=2),
        Conv2d(256, 5, padding=2, groups=groups, bias=1.0), relu, norm, MaxPool2d(3, stride=2),
        Conv2d(384, 3, padding=1), relu,
        Conv2d(384, 3, padding=1, groups=groups, bias=1.0), relu,
        Conv2d(256, 3, padding=1, groups=groups, bias=1.0), relu, MaxPool2d(3, stride=2),
        Flatten(),
        Dropout(0.5), Dense(4096, "he", bias=1.0), relu,
        Dropout(0.5), Dense(4096, "he", bias=1.0), relu,
        Dense(n_classes), Activation("softmax"),
    ]  # fmt: skip
    return Network(layers, (3, 227, 227), random_state=random_state, dtype=dtype)


def vgg16(n_classes: int = 1000, *, random_state: int = 0, dtype: Any = "float32") -> Network:
    """VGG-16 (configuration D) for images 3 × 224 × 224: 138,357,544 parameters.

    Parameters
    ----------
    n_classes : int in [1, inf), default=1000
    random_state : int in [0, inf), default=0
        Draws the first weights, when they are needed.
    dtype : {"float32", "float64"}, default="float32"

    References
    ----------
    Simonyan & Zisserman (2015), Very deep convolutional networks for large-scale image recognition.

    Examples
    --------
    >>> vgg16().n_parameters
    138357544
    """
    relu = Activation("relu")
    layers: list[Layer] = []
    for filters, count in ((64, 2), (128, 2), (256, 3), (512, 3), (512, 3)):
        layers += [Conv2d(filters, 3, padding=1), relu] * count + [MaxPool2d(2)]
    layers += [
        Flatten(), Dense(4096, "he"), relu, Dropout(0.5), Dense(4096, "he"), relu, Dropout(0.5),
        Dense(n_classes), Activation("softmax"),
    ]  # fmt: skip
    return Network(layers, (3, 224, 224), random_state=random_state, dtype=dtype)


def inception_resnet_v2(
    n_classes: int = 1000, *, random_state: int = 0, dtype: Any = "float32"
) -> Network:
    """Inception-ResNet-v2 for images 3 × 299 × 299: 55,813,192 learnt parameters.

    The variant whose weights are published (TF-Slim, Keras), with 10, 20 and 10 residual blocks.
    Keras counts 55,873,736: the same and the 60,544 running moments of batch normalisations, which
    here are `state`. Normalisations shift but do not scale; convolutions before them have no bias.

    Parameters
    ----------
    n_classes : int in [1, inf), default=1000
    random_state : int in [0, inf), default=0
        Draws the first weights, when they are needed.
    dtype : {"float32", "float64"}, default="float32"

    References
    ----------
    Szegedy, Ioffe, Vanhoucke & Alemi (2017), Inception-v4, Inception-ResNet and the impact of
    residual connections on learning.

    Examples
    --------
    >>> network = inception_resnet_v2()
    >>> network.n_parameters, network.n_parameters + len(network.state)
    (55813192, 55873736)
    """
    layers: list[Layer] = [*inception_stem()]
    layers += [block for _ in range(10) for block in inception_a(0.17)]
    layers += reduction_a()
    layers += [block for _ in range(20) for block in inception_b(0.10)]
    layers += reduction_b()
    layers += [block for _ in range(9) for block in inception_c(0.20)]
    layers += inception_c(1.0, rectified=False)
    layers += [*_normalized(1536, 1), GlobalAvgPool2d(), Dense(n_classes), Activation("softmax")]
    return Network(layers, (3, 299, 299), random_state=random_state, dtype=dtype)
