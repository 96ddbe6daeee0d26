"""Names for parts that were given none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any


def called_after_classes(parts: Sequence[Any]) -> list[tuple[str, Any]]:
    """(name, part) with the name of the class in lower case, numbered where it repeats.

    >>> [name for name, _ in called_after_classes([1.0, "passthrough", 2.0])]
    ['float-1', 'passthrough', 'float-2']
    """
    names = [part if isinstance(part, str) else type(part).__name__.lower() for part in parts]
    total, seen = Counter(names), Counter[str]()
    named = []
    for name, part in zip(names, parts, strict=True):
        seen[name] += 1
        named.append((f"{name}-{seen[name]}" if total[name] > 1 else name, part))
    return named
