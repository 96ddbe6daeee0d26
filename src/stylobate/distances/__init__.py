"""Distances as values: what pairwise functions, trees, graphs and the choice of an index ask.

`metric_of` is the one way from a name, a function or a metric to what is known of it.
"""

from stylobate.distances.counts import (
    Dice,
    Hamming,
    Jaccard,
    RogersTanimoto,
    RussellRao,
    SokalSneath,
    Yule,
)
from stylobate.distances.directions import Angular, Correlation, Cosine, Inner
from stylobate.distances.given import Function, Precomputed
from stylobate.distances.gower import Gower
from stylobate.distances.metric import Metric
from stylobate.distances.names import METRICS, measured, metric_of
from stylobate.distances.powers import (
    Chebyshev,
    Euclidean,
    Manhattan,
    Minkowski,
    NanEuclidean,
    SquaredEuclidean,
)
from stylobate.distances.scaled import Mahalanobis, StandardizedEuclidean
from stylobate.distances.shares import BrayCurtis, Canberra
from stylobate.distances.sphere import Haversine

__all__ = [
    "METRICS",
    "Angular",
    "BrayCurtis",
    "Canberra",
    "Chebyshev",
    "Correlation",
    "Cosine",
    "Dice",
    "Euclidean",
    "Function",
    "Gower",
    "Hamming",
    "Haversine",
    "Inner",
    "Jaccard",
    "Mahalanobis",
    "Manhattan",
    "Metric",
    "Minkowski",
    "NanEuclidean",
    "Precomputed",
    "RogersTanimoto",
    "RussellRao",
    "SokalSneath",
    "SquaredEuclidean",
    "StandardizedEuclidean",
    "Yule",
    "measured",
    "metric_of",
]
