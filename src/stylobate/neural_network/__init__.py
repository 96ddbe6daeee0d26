"""Neural networks: multi-layer perceptrons and layers of one's own, in the compiled core."""

from typing import TYPE_CHECKING

from stylobate.lazy import lazy_names

if TYPE_CHECKING:
    from stylobate.neural_network import architectures as architectures
    from stylobate.neural_network.adversaries.adversarial_training import AdversarialTraining
    from stylobate.neural_network.adversaries.attacks import fast_gradient_sign, projected_gradient
    from stylobate.neural_network.adversaries.robustness import RobustnessCurve, robustness_curve
    from stylobate.neural_network.augmentation.geometry import (
        RandomFlip,
        RandomRotation,
        RandomShift,
    )
    from stylobate.neural_network.augmentation.intensity import RandomBrightness, RandomNoise
    from stylobate.neural_network.augmentation.transform import AugmentationChain
    from stylobate.neural_network.autoencoders.autoencoder import Autoencoder
    from stylobate.neural_network.classifier import MLPClassifier
    from stylobate.neural_network.conversion import as_network, diagnose_layers
    from stylobate.neural_network.images.conv_net import ConvNetClassifier
    from stylobate.neural_network.layers.activation import Activation, Dropout, PReLU
    from stylobate.neural_network.layers.branches import Parallel, Residual
    from stylobate.neural_network.layers.convolution import Conv2d
    from stylobate.neural_network.layers.dense import Dense, Flatten
    from stylobate.neural_network.layers.embedding import Embedding
    from stylobate.neural_network.layers.normalization import (
        BatchNorm,
        LayerNorm,
        LocalResponseNorm,
    )
    from stylobate.neural_network.layers.pooling import (
        AvgPool2d,
        GlobalAvgPool2d,
        GlobalMaxPool2d,
        MaxPool2d,
        MinPool2d,
    )
    from stylobate.neural_network.network import Network
    from stylobate.neural_network.rbm import BernoulliRBM
    from stylobate.neural_network.regressor import MLPRegressor
    from stylobate.neural_network.tabular.classifier import TabularNetClassifier
    from stylobate.neural_network.tabular.regressor import TabularNetRegressor
    from stylobate.neural_network.views.filters import filter_images, image_filter
    from stylobate.neural_network.views.hidden_plane import hidden_plane
    from stylobate.neural_network.views.jacobians import jacobian, layer_jacobians, layer_outputs
    from stylobate.neural_network.views.loss_surface import loss_surface
    from stylobate.neural_network.views.splitting import split_network

__all__ = [
    "Activation",
    "AdversarialTraining",
    "AugmentationChain",
    "Autoencoder",
    "AvgPool2d",
    "BatchNorm",
    "BernoulliRBM",
    "Conv2d",
    "ConvNetClassifier",
    "Dense",
    "Dropout",
    "Embedding",
    "Flatten",
    "GlobalAvgPool2d",
    "GlobalMaxPool2d",
    "LayerNorm",
    "LocalResponseNorm",
    "MLPClassifier",
    "MLPRegressor",
    "MaxPool2d",
    "MinPool2d",
    "Network",
    "PReLU",
    "Parallel",
    "RandomBrightness",
    "RandomFlip",
    "RandomNoise",
    "RandomRotation",
    "RandomShift",
    "Residual",
    "RobustnessCurve",
    "TabularNetClassifier",
    "TabularNetRegressor",
    "as_network",
    "diagnose_layers",
    "fast_gradient_sign",
    "filter_images",
    "hidden_plane",
    "image_filter",
    "jacobian",
    "layer_jacobians",
    "layer_outputs",
    "loss_surface",
    "projected_gradient",
    "robustness_curve",
    "split_network",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "Activation": "layers.activation",
        "Autoencoder": "autoencoders.autoencoder",
        "AdversarialTraining": "adversaries.adversarial_training",
        "AugmentationChain": "augmentation.transform",
        "AvgPool2d": "layers.pooling",
        "BatchNorm": "layers.normalization",
        "BernoulliRBM": "rbm",
        "Conv2d": "layers.convolution",
        "ConvNetClassifier": "images.conv_net",
        "Dense": "layers.dense",
        "Dropout": "layers.activation",
        "Embedding": "layers.embedding",
        "Flatten": "layers.dense",
        "GlobalAvgPool2d": "layers.pooling",
        "GlobalMaxPool2d": "layers.pooling",
        "LayerNorm": "layers.normalization",
        "LocalResponseNorm": "layers.normalization",
        "MLPClassifier": "classifier",
        "MLPRegressor": "regressor",
        "MaxPool2d": "layers.pooling",
        "MinPool2d": "layers.pooling",
        "Network": "network",
        "PReLU": "layers.activation",
        "Parallel": "layers.branches",
        "RandomBrightness": "augmentation.intensity",
        "RandomFlip": "augmentation.geometry",
        "RandomNoise": "augmentation.intensity",
        "RandomRotation": "augmentation.geometry",
        "RandomShift": "augmentation.geometry",
        "Residual": "layers.branches",
        "filter_images": "views.filters",
        "hidden_plane": "views.hidden_plane",
        "image_filter": "views.filters",
        "jacobian": "views.jacobians",
        "layer_jacobians": "views.jacobians",
        "layer_outputs": "views.jacobians",
        "loss_surface": "views.loss_surface",
        "split_network": "views.splitting",
        "RobustnessCurve": "adversaries.robustness",
        "as_network": "conversion",
        "diagnose_layers": "conversion",
        "fast_gradient_sign": "adversaries.attacks",
        "projected_gradient": "adversaries.attacks",
        "robustness_curve": "adversaries.robustness",
        "TabularNetClassifier": "tabular.classifier",
        "TabularNetRegressor": "tabular.regressor",
        "architectures": None,
    },
)
