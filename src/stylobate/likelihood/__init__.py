"""Maximum likelihood for a density of your own."""

from stylobate.likelihood.maximum_likelihood import MaximumLikelihood
from stylobate.likelihood.summary import LikelihoodSummary

__all__ = ["LikelihoodSummary", "MaximumLikelihood"]
