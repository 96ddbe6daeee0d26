"""Documents with several labels each."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.datasets.generators.draws import check_counts, drawer
from stylobate.exceptions import InvalidParameterError


def make_multilabel_classification(
    n_samples: int = 100,
    n_features: int = 20,
    *,
    n_classes: int = 5,
    n_labels: int = 2,
    length: int = 50,
    allow_unlabeled: bool = True,
    sparse: bool = False,
    return_indicator: Any = "dense",
    return_distributions: bool = False,
    random_state: Any = None,
) -> tuple[Any, ...]:
    """Documents as counts of words, with several labels each.

    A document draws how many labels it has (Poisson), its labels, how many words (Poisson), and
    each word from the mixture of its labels' words.

    Parameters
    ----------
    n_samples, n_features : int in [1, inf), default=100, 20
        Documents and words of the language.
    n_classes : int in [1, inf), default=5
        Labels there are.
    n_labels : int in [0, inf), default=2
        Mean number of labels of a document.
    length : int in [1, inf), default=50
        Mean number of words of a document.
    allow_unlabeled : bool, default=True
        Whether a document may have no label.
    sparse : bool, default=False
        Whether X is a sparse matrix.
    return_indicator : {"dense", "sparse", False}, default="dense"
        Labels as a table of zeros and ones, a sparse one, or a list of lists.
    return_distributions : bool, default=False
        Whether to return the probabilities of labels, and of words given a label, too.
    random_state : int, RandomState or None, default=None
        Draws everything.

    Returns
    -------
    X : array or sparse matrix of shape (n_samples, n_features)
    Y : array or sparse matrix of shape (n_samples, n_classes), or list of lists
    p_c : array of shape (n_classes,)
        If asked for.
    p_w_c : array of shape (n_features, n_classes)
        If asked for.

    Examples
    --------
    >>> X, Y = make_multilabel_classification(10, random_state=0)
    >>> X.shape, Y.shape
    ((10, 20), (10, 5))
    """
    import scipy.sparse as sp

    check_counts(
        "make_multilabel_classification",
        n_samples=n_samples,
        n_features=n_features,
        n_classes=n_classes,
        n_labels_or_0=n_labels,
        length=length,
    )
    if return_indicator not in (True, False, "dense", "sparse"):
        raise InvalidParameterError(
            'make_multilabel_classification: return_indicator must be "dense", "sparse" or False, '
            f"got {return_indicator!r}."
        )
    draw = drawer(random_state)
    of_labels = draw.uniform(size=n_classes)
    of_labels /= of_labels.sum()
    of_words = draw.uniform(size=(n_features, n_classes))
    of_words /= of_words.sum(axis=0)
    Y = np.zeros((n_samples, n_classes), dtype=np.int64)
    lists: list[list[int]] = []
    documents: list[NDArray[Any]] = []
    for row in Y:
        labels = _labels(draw, np.cumsum(of_labels), n_labels, allow_unlabeled)
        documents.append(_words(draw, of_words, labels, length))
        lists.append(labels)
        row[labels] = 1
    ends = np.cumsum([0, *map(len, documents)])
    words = np.concatenate(documents)
    counts = sp.csr_matrix((np.ones(len(words)), words, ends), shape=(n_samples, n_features))
    counts.sum_duplicates()
    answer: Any = lists if return_indicator is False else Y
    if return_indicator == "sparse":
        answer = sp.csr_matrix(Y)
    found = (counts if sparse else counts.toarray(), answer)
    return (*found, of_labels, of_words) if return_distributions else found


def _labels(draw: Any, cumulated: NDArray[Any], mean: int, allow_none: bool) -> list[int]:
    """Distinct labels of a document, as many as a Poisson number that is possible."""
    classes = len(cumulated)
    count = classes + 1
    while count > classes or (count == 0 and not allow_none):
        count = draw.poisson(mean)
    found: set[Any] = set()
    while len(found) != count:
        found.update(np.searchsorted(cumulated, draw.uniform(size=count - len(found))))
    return [int(label) for label in found]


def _words(draw: Any, of_words: NDArray[Any], labels: list[int], mean: int) -> NDArray[Any]:
    """Words of a document, at least one."""
    count = 0
    while count == 0:
        count = draw.poisson(mean)
    if not labels:
        return np.asarray(draw.randint(len(of_words), size=count))
    mixture = of_words[:, labels].sum(axis=1).cumsum()
    return np.asarray(np.searchsorted(mixture / mixture[-1], draw.uniform(size=count)))
