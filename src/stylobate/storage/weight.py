"""How much work a document asks for, counted on its JSON before anything is built.

Values that occur twice are written once and referred to. A few kilobytes of references to
references can so describe a model that would take years to walk through, hash or compare. The
weight of a value is the number of values one meets walking through it, and a reference weighs what
it refers to; `save` and `load` hold the sum against the size of the file.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from typing import Any

from numpy.typing import NDArray

from stylobate.exceptions import ModelFileError
from stylobate.storage.limits import DEEPEST, most_steps

SHARED = ("array", "masked", "objects", "object")  # kinds of nodes that can be referred to
_HASHED = ("set", "frozenset", "dict")
_NUMBERS_A_STEP = 16  # arrays are walked through by compiled code
_COLLISIONS_A_STEP = 16
_MOST_LONG_NUMBERS = 1000  # hashes of whole numbers beyond 64 bits can be made to collide


def check_weight(node: Any, tensors: Mapping[str, NDArray[Any]], document_bytes: int) -> None:
    """Refuse a document that takes far more steps to walk through than it has bytes.

    Raises
    ------
    ModelFileError

    Examples
    --------
    >>> check_weight([1, 2, 3], {}, 10)
    >>> check_weight({"is": "range", "entries": [0, 10**8, 1]}, {}, 10)
    Traceback (most recent call last):
        ...
    stylobate.exceptions.ModelFileError: The parts of the model are shared or spread so widely that
    going through them takes more than 200040 steps.
    """
    size = document_bytes + sum(array.nbytes for array in tensors.values())
    _Scale(tensors, most_steps(size)).weigh(node, 0)


class _Scale:
    def __init__(self, tensors: Mapping[str, NDArray[Any]], most: int) -> None:
        self._tensors, self._most = tensors, most
        self._shared: dict[Any, int] = {}  # weights of nodes with a number
        self._long_numbers = 0

    def weigh(self, node: Any, depth: int) -> int:
        if depth > 4 * DEEPEST:
            raise ModelFileError(f"The model file nests values more than {2 * DEEPEST} deep.")
        if isinstance(node, list):
            return self._sum(node, depth)
        if isinstance(node, dict):
            return self._object(node, depth)
        if type(node) is int and node.bit_length() > 64:
            self._long_numbers += 1
            if self._long_numbers > _MOST_LONG_NUMBERS:
                raise ModelFileError(
                    f"The model file holds more than {_MOST_LONG_NUMBERS} numbers beyond 64 bits."
                )
        return 1

    def _sum(self, nodes: Any, depth: int, weight: int = 1) -> int:
        for each in nodes:
            weight += self.weigh(each, depth + 1)
            self._compare(weight)
        return weight

    def _compare(self, weight: int) -> None:
        if weight > self._most:
            raise ModelFileError(
                "The parts of the model are shared or spread so widely that going through them "
                f"takes more than {self._most} steps."
            )

    def _object(self, node: dict[str, Any], depth: int) -> int:
        kind, number = node.get("is"), node.get("number")
        if kind == "again":
            return self._shared.get(number, 1) if type(number) is int else 1
        weight = 1 + self._own(kind, node)
        self._compare(weight)
        weight = self._sum(node.values(), depth, weight)
        if kind in SHARED and type(number) is int:
            self._shared[number] = weight
        return weight

    def _own(self, kind: Any, node: dict[str, Any]) -> int:
        """Steps a node asks for beyond those of its parts."""
        if kind == "range":
            return _length_of_range(node.get("entries"))
        own = sum(self._entries(node.get(key)) for key in ("ints", "floats", "lengths"))
        own += self._entries(node.get("tensor")) // _NUMBERS_A_STEP
        if kind in _HASHED:  # hashes of tuples can be made to collide: each is compared with all
            keys = node.get("keys", node.get("entries"))
            if isinstance(keys, list) and any(isinstance(key, dict | list) for key in keys):
                own += len(keys) ** 2 // _COLLISIONS_A_STEP
        return own

    def _entries(self, name: Any) -> int:
        """Entries of an array of the file; of an empty one, what its axes could be walked by."""
        found = self._tensors.get(name) if isinstance(name, str) else None
        return 0 if found is None else prod(length for length in found.shape if length)


def _length_of_range(entries: Any) -> int:
    """Entries of a range; 0 where the decoder refuses it."""
    if not isinstance(entries, list) or not all(type(each) is int for each in entries):
        return 0
    if not 1 <= len(entries) <= 3 or (len(entries) == 3 and entries[2] == 0):
        return 0
    described = range(*entries)
    return max(0, (described.stop - described.start) // described.step + 1)
