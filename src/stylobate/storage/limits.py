"""How much a model file may ask for; all are checked before memory is taken."""

from __future__ import annotations

MOST_MEMBERS = 64
LARGEST_DIRECTORY = 64 * 1024  # bytes of the archive's table of contents
LARGEST_DOCUMENT = 64 * 2**20  # bytes of JSON; long lists are arrays instead
MOST_BRANCHES = 2_000_000  # lists and objects in the JSON
LARGEST_HEADER = 64 * 2**20  # bytes of the arrays' own table of contents
DEEPEST = 100  # estimators within estimators, lists within lists …
LONGEST_PLAIN = 32  # elements of a list that is written out; longer ones become arrays
MOST_DIMENSIONS = 32
