"""Random schemas of tables: stars, snowflakes, chains, keys that repeat, cycles, gaps."""

from __future__ import annotations

from itertools import count

import numpy as np
from hypothesis import strategies as st

import stylobate


@st.composite
def schemas(draw):
    """Tables and edges, with which a join can be built and loops be run."""
    return schema_of(np.random.default_rng(draw(st.integers(0, 2**32 - 1))))


def schema_of(rng):
    """A schema: to 3 tables beside the facts, each hung to one that is there, or to two."""
    columns = count()

    def numbers(n, k):
        scale = 10.0 ** rng.integers(-2, 3)
        return {f"c{next(columns)}": rng.normal(rng.normal() * scale, 1.0, n) for _ in range(k)}

    tables, edges = [("facts", numbers(int(rng.integers(3, 30)), 2))], []
    for k in range(int(rng.integers(1, 4))):
        parts = int(rng.integers(1, 3))
        home = int(rng.integers(len(tables)))
        homes = [home, int(rng.integers(len(tables)))] if rng.random() < 0.6 else [home] * 2
        kinds, text = int(rng.integers(1, 4)), bool(rng.integers(2))
        pairs = []
        for part, place in enumerate(homes[:parts]):
            left = f"k{next(columns)}"
            parent = tables[place][1]
            parent[left] = keys(rng, len(next(iter(parent.values()))), kinds, text)
            pairs.append((f"{tables[place][0]}.{left}", f"id{part}"))
        many = bool(rng.random() < 0.6)
        table = own_keys(rng, parts, kinds, text, many)
        table |= numbers(len(table["id0"]), int(rng.integers(1, 3)))
        how, fill = str(rng.choice(["left", "inner"])), float(rng.integers(-2, 3))
        tables.append((f"t{k}", table))
        edges.append({"on": pairs, "how": how, "fill": fill, "many": many})
    return tables, edges


def keys(rng, n, kinds, text):
    """Keys, some missing and some of which the other table may not have."""
    codes = np.minimum(rng.integers(0, kinds + 1, n), rng.integers(0, kinds + 1, n))
    values = [f"key {code}" if text else int(code) for code in codes]
    return [None if rng.random() < 0.05 else value for value in values]


def own_keys(rng, parts, kinds, text, many):
    if many:
        n = int(rng.integers(1, 9))
        return {f"id{part}": keys(rng, n, kinds, text) for part in range(parts)}
    grid = np.stack(np.meshgrid(*[np.arange(kinds)] * parts), axis=-1).reshape(-1, parts)
    grid = rng.permutation(grid)[: max(1, int(rng.integers(1, len(grid) + 1)))]
    return {
        f"id{part}": [f"key {code}" if text else int(code) for code in grid[:, part]]
        for part in range(parts)
    }


def columns_of(table):
    return {
        name: cells if isinstance(cells, np.ndarray) else np.array(cells, dtype=object)
        for name, cells in table.items()
    }


def joined_of(tables, edges):
    joined = stylobate.join(columns_of(tables[0][1]), name=tables[0][0])
    for (name, table), edge in zip(tables[1:], edges, strict=True):
        joined = joined.with_(
            columns_of(table),
            on=dict(edge["on"]),
            how=edge["how"],
            many=edge["many"],
            fill=edge["fill"],
            name=name,
        )
    return joined


def numbers_of(tables):
    return [
        f"{name}.{column}"
        for name, table in tables
        for column, cells in table.items()
        if isinstance(cells, np.ndarray)
    ]
