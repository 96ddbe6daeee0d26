"""Kernels of things that are not vectors: strings, sets, categories."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from stylobate.arrays import Array
from stylobate.distances.text import letters, places, texts_of
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.kernels.kernel import Kernel, count_of


@dataclass(frozen=True, slots=True)
class Spectrum(Kernel):
    r"""Shared substrings: :math:`\kappa(s, t) = \sum_{|u| = k} \#_u(s)\,\#_u(t)`.

    Parameters
    ----------
    length : int in [1, inf), default=3
        k, the length of the substrings counted.

    Examples
    --------
    >>> Spectrum(2)(["banana", "ban"])
    array([[9., 3.],
           [3., 2.]])

    References
    ----------
    Leslie, Eskin & Noble (2002), The spectrum kernel, Pacific Symposium on Biocomputing 7.
    """

    length: int = 3

    def __post_init__(self) -> None:
        _check_length("Spectrum", self.length)

    @property
    def is_mercer(self) -> bool:
        return True

    def _gram(self, X: Any, Y: Any | None) -> Array:
        number: dict[str, int] = {}
        left = _count_matrix(X, self.length, number)
        right = left if Y is None else _count_matrix(Y, self.length, number)
        left.resize(left.shape[0], len(number))
        return np.asarray((left @ right.T).toarray(), dtype=np.float64)

    def _diagonal(self, X: Any) -> Array:
        counts = (Counter(_substrings(text, self.length)) for text in texts_of(X, "Spectrum"))
        return np.array([float(sum(n * n for n in each.values())) for each in counts])


@dataclass(frozen=True, slots=True)
class Subsequence(Kernel):
    r"""Shared subsequences, gaps allowed but paid for.

    .. math:: \kappa(s, t) = \sum_{|u| = k}\; \sum_{i:\,u = s[i]}\; \sum_{j:\,u = t[j]}
        \lambda^{l(i) + l(j)}

    where l is the stretch from the first to the last letter used. O(k |s| |t|) for each pair.

    Parameters
    ----------
    length : int in [1, inf), default=3
        k.
    decay : float in (0, 1], default=0.5
        λ.

    Examples
    --------
    "cat" and "car" share "ca" only, in a stretch of two letters each:

    >>> Subsequence(length=2, decay=0.5)(["cat"], ["car"])  # λ⁴
    array([[0.0625]])

    References
    ----------
    Lodhi et al. (2002), Text classification using string kernels, JMLR 2.
    """

    length: int = 3
    decay: float = 0.5

    def __post_init__(self) -> None:
        _check_length("Subsequence", self.length)
        if not 0.0 < self.decay <= 1.0:
            raise InvalidParameterError(
                f"Subsequence: decay must be in (0, 1], got {self.decay!r}."
            )

    @property
    def is_mercer(self) -> bool:
        return True

    def _gram(self, X: Any, Y: Any | None) -> Array:
        left = [letters(text) for text in texts_of(X, "Subsequence")]
        right = left if Y is None else [letters(text) for text in texts_of(Y, "Subsequence")]
        gram = np.empty((len(left), len(right)))
        for i, s in enumerate(left):
            for j in range(i if Y is None else 0, len(right)):
                gram[i, j] = _subsequences(s, right[j], self.length, self.decay)
                if Y is None:
                    gram[j, i] = gram[i, j]
        return gram


@dataclass(frozen=True, slots=True)
class Matching(Kernel):
    r"""The share of equal places: :math:`\kappa(x, y) = \frac1p \sum_j [x_j = y_j]`.

    For rows of categories, or strings of one length; 1 minus the Hamming distance.

    Examples
    --------
    >>> Matching()(["GATTACA", "GACTATA"]).round(4)
    array([[1.    , 0.7143],
           [0.7143, 1.    ]])
    """

    @property
    def is_mercer(self) -> bool:
        return True

    def _gram(self, X: Any, Y: Any | None) -> Array:
        left = _places(X)
        right = left if Y is None else _places(Y)
        if len(left) != len(right):
            raise InvalidDataError(
                f"Matching compares places one by one, but the points have {len(left)} and "
                f"{len(right)} places."
            )
        total = np.zeros((count_of(X), count_of(X if Y is None else Y)))
        for a, b in zip(left, right, strict=True):
            total += a[:, None] == b
        total /= max(len(left), 1)
        return total

    def _diagonal(self, X: Any) -> Array:
        return np.ones(count_of(X))


@dataclass(frozen=True, slots=True)
class Intersection(Kernel):
    r"""Common members of two sets: :math:`\kappa(A, B) = |A \cap B|`.

    ``Intersection().normalized()`` is Ochiai's coefficient.

    Examples
    --------
    >>> Intersection()([{"tea", "milk"}, {"milk"}])
    array([[2., 1.],
           [1., 1.]])
    """

    @property
    def is_mercer(self) -> bool:
        return True

    def _gram(self, X: Any, Y: Any | None) -> Array:
        left = [frozenset(each) for each in X]
        right = left if Y is None else [frozenset(each) for each in Y]
        return np.array([[float(len(a & b)) for b in right] for a in left]).reshape(
            len(left), len(right)
        )

    def _diagonal(self, X: Any) -> Array:
        return np.array([float(len(frozenset(each))) for each in X])


def _check_length(owner: str, length: Any) -> None:
    if not isinstance(length, int) or isinstance(length, bool) or length < 1:
        raise InvalidParameterError(
            f"{owner}: length must be a whole number of at least 1, got {length!r}."
        )


def _substrings(text: str, length: int) -> Iterable[str]:
    return (text[i : i + length] for i in range(len(text) - length + 1))


def _count_matrix(X: Any, length: int, number: dict[str, int]) -> Any:
    from scipy import sparse

    rows, columns, counts = [], [], []
    texts = texts_of(X, "Spectrum")
    for row, text in enumerate(texts):
        for substring, count in Counter(_substrings(text, length)).items():
            rows.append(row)
            columns.append(number.setdefault(substring, len(number)))
            counts.append(float(count))
    return sparse.csr_matrix((counts, (rows, columns)), shape=(len(texts), len(number)))


def _subsequences(s: Any, t: Any, length: int, decay: float) -> float:
    """Lodhi's recursion, one letter of s at a time; the letters of t run in vectors."""
    if min(len(s), len(t)) < length:
        return 0.0
    equal = s[:, None] == t
    prefixes = np.ones((len(s) + 1, len(t) + 1))  # K'_{i-1}
    for _ in range(length - 1):
        longer = np.zeros_like(prefixes)
        for a in range(1, len(s) + 1):
            matched = np.where(equal[a - 1], decay**2 * prefixes[a - 1, :-1], 0.0)
            longer[a, 1:] = decay * longer[a - 1, 1:] + _decayed_sums(matched, decay)
        prefixes = longer
    return float(decay**2 * (equal * prefixes[:-1, :-1]).sum())


def _decayed_sums(values: Array, decay: float) -> Array:
    """Σ_{m ≤ j} λ^{j−m} v_m for every j."""
    from scipy.signal import lfilter

    return np.asarray(lfilter([1.0], [1.0, -decay], values))


def _places(X: Any) -> list[Any]:
    """One array of things that can be compared for every place of the points."""
    return [np.asarray(column) for column in places(X, "Matching")]
