"""Mixtures: densities that are sums of simple ones."""

from typing import TYPE_CHECKING

from stylobate.lazy import lazy_names

if TYPE_CHECKING:
    from stylobate.mixture.bayesian import BayesianGaussianMixture
    from stylobate.mixture.gaussian import GaussianMixture
    from stylobate.mixture.latent_class import LatentClassMixture
    from stylobate.mixture.selection import MixtureCandidate, MixtureChoice, choose_mixture

__all__ = [
    "BayesianGaussianMixture",
    "GaussianMixture",
    "LatentClassMixture",
    "MixtureCandidate",
    "MixtureChoice",
    "choose_mixture",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "BayesianGaussianMixture": "bayesian",
        "GaussianMixture": "gaussian",
        "LatentClassMixture": "latent_class",
        "MixtureCandidate": "selection",
        "MixtureChoice": "selection",
        "choose_mixture": "selection",
    },
)
