"""Naive Bayes: classifiers that take the columns as independent within a class."""

from typing import TYPE_CHECKING

from stylobate.lazy import lazy_names

if TYPE_CHECKING:
    from stylobate.naive_bayes.bernoulli import BernoulliNB
    from stylobate.naive_bayes.categorical import CategoricalNB
    from stylobate.naive_bayes.explanation import Explanation
    from stylobate.naive_bayes.gaussian import GaussianNB
    from stylobate.naive_bayes.mixed import NaiveBayes
    from stylobate.naive_bayes.multinomial import ComplementNB, MultinomialNB

__all__ = [
    "BernoulliNB",
    "CategoricalNB",
    "ComplementNB",
    "Explanation",
    "GaussianNB",
    "MultinomialNB",
    "NaiveBayes",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "BernoulliNB": "bernoulli",
        "CategoricalNB": "categorical",
        "ComplementNB": "multinomial",
        "Explanation": "explanation",
        "GaussianNB": "gaussian",
        "MultinomialNB": "multinomial",
        "NaiveBayes": "mixed",
    },
)
