"""How much a model file may ask for; all are checked before memory is taken."""

from __future__ import annotations

MOST_MEMBERS = 64
LARGEST_DIRECTORY = 64 * 1024  # bytes of the archive's table of contents
LARGEST_DOCUMENT = 64 * 2**20  # bytes of JSON; long lists are arrays instead
LARGEST_HEADER = 64 * 2**20  # bytes of the arrays' own table of contents
DEEPEST = 100  # estimators within estimators, lists within lists …
LONGEST_PLAIN = 32  # elements of a list that is written out; longer ones become arrays
MOST_DIMENSIONS = 32
MOST_EMPTY_ROWS = 100_000  # of an array without entries
LONGEST_RANGE = 100_000
WIDEST_DTYPE = 1 << 16  # bytes of an entry

_FREE_BYTES = 4 * 2**20
_MOST_INFLATION = 24  # models of thousands of equal parts reach 16
_FREE_BRANCHES, _BYTES_A_BRANCH = 60_000, 32
_MOST_BRANCHES = 2_000_000
_FREE_STEPS, _STEPS_A_BYTE = 200_000, 4


def most_inflated(compressed: int) -> int:
    """Bytes that so many compressed ones may become; the rest is a bomb.

    >>> most_inflated(1_000_000) // 2**20
    26
    """
    return min(LARGEST_DOCUMENT, _FREE_BYTES + _MOST_INFLATION * compressed)


def most_branches(characters: int) -> int:
    """Lists and objects that a JSON text of some length may hold: each costs memory when read."""
    return min(_MOST_BRANCHES, _FREE_BRANCHES + characters // _BYTES_A_BRANCH)


def most_steps(size: int) -> int:
    """Values one meets walking through a model of `size` bytes, shared ones as often as met."""
    return _FREE_STEPS + _STEPS_A_BYTE * size
