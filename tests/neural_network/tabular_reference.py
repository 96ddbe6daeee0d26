"""The network for tables written out in NumPy, in double precision, for the core to match."""

from __future__ import annotations

import numpy as np

MASK = 2**64 - 1


def mixed(x: int) -> int:
    x = (x + 0x9E3779B97F4A7C15) & MASK
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & MASK
    return x ^ (x >> 31)


def kept_units(key: int, n: int, dropout: float) -> np.ndarray:
    """Factors of the units of one row: 0, or 1 / (1 - dropout)."""
    h = (np.uint64(key) + np.arange(n, dtype=np.uint64) * np.uint64(0x9E3779B9)) & np.uint64(MASK)
    h &= np.uint64(0xFFFFFFFF)
    for shift, factor in ((16, 0x85EBCA6B), (13, 0xC2B2AE35)):
        h = ((h ^ (h >> np.uint64(shift))) * np.uint64(factor)) & np.uint64(0xFFFFFFFF)
    h ^= h >> np.uint64(16)
    return np.where((h >> np.uint64(8)) < int(dropout * 2**24), 0.0, 1.0 / (1.0 - dropout))


def mish(z):
    soft = np.logaddexp(0.0, z)
    t = np.tanh(soft)
    return z * t, t + z * (1.0 - t**2) / (1.0 + np.exp(-z))


def named(shape, parameters):
    found: dict[str, list] = {}
    for name, array in shape.parts(parameters):
        found.setdefault(name, []).append(array)
    return found


def inputs_of(shape, p, numbers, codes):
    """Inputs z, and what waves were made of."""
    columns, circles = [], []
    for j in range(shape.waved):
        x = numbers[:, [j]]
        columns.append(x)
        if shape.waves:
            turn = 2 * np.pi * (p["frequencies"][j] * x + p["shifts"][j])
            circles.append((np.cos(turn), np.sin(turn)))
            columns.append(np.cos(turn) @ p["waves"][j].T + p["constants"][j])
    columns.append(numbers[:, shape.waved :])
    for c, (count, width) in enumerate(zip(shape.categories, shape.widths, strict=True)):
        table = p["table"][c] if width else np.eye(count)
        columns.append(np.where(codes[:, [c]] >= 0, table[codes[:, c]], 0.0))
    return np.hstack(columns), circles


def loss_and_gradient(shape, parameters, numbers, codes, target, weights, dropout=0.0, key=0,
                      padded=48):  # fmt: skip
    """Summed over rows, averaged over members; `target` is numbers or class codes."""
    p, gradient = named(shape, parameters), np.zeros_like(parameters)
    g = named(shape, gradient)
    z, circles = inputs_of(shape, p, numbers, codes)
    n, depth, total, dz = len(z), len(shape.hidden), 0.0, np.zeros_like(z)
    for m in range(shape.members):
        a, values, slopes = z * p["factors"][0][m], [], []
        values.append(a)
        for layer in range(depth):
            a, slope = mish(a @ p["weights"][layer] + p["bias"][layer])
            if dropout:
                keys = [mixed((key + (m * padded + i) * depth + layer) & MASK) >> 32
                        for i in range(n)]  # fmt: skip
                factor = np.array([kept_units(k, a.shape[1], dropout) for k in keys])
                a, slope = a * factor, slope * factor
            values.append(a)
            slopes.append(slope)
        o = a @ p["head"][0][m] + p["head bias"][0][m]
        loss, d = _loss(shape, o, target)
        total += (weights * loss).sum() / shape.members
        d = d * weights[:, None] / shape.members
        g["head"][0][m] += values[-1].T @ d
        g["head bias"][0][m] += d.sum(axis=0)
        d = d @ p["head"][0][m].T
        for layer in reversed(range(depth)):
            d = d * slopes[layer]
            g["weights"][layer] += values[layer].T @ d
            g["bias"][layer] += d.sum(axis=0)
            d = d @ p["weights"][layer].T
        g["factors"][0][m] += (d * z).sum(axis=0)
        dz += d * p["factors"][0][m]
    _inputs_back(shape, p, g, numbers, codes, circles, dz)
    return total, gradient


def _loss(shape, o, target):
    if shape.output == "identity":
        return 0.5 * ((o - target) ** 2)[:, 0], o - target
    if shape.output == "logistic":
        y = target[:, None].astype(float)
        return np.logaddexp(0.0, np.where(y > 0, -o, o))[:, 0], 1.0 / (1.0 + np.exp(-o)) - y
    e = np.exp(o - o.max(axis=1, keepdims=True))
    chances, hits = e / e.sum(axis=1, keepdims=True), np.eye(shape.outputs)[target]
    return -np.log((chances * hits).sum(axis=1)), chances - hits


def _inputs_back(shape, p, g, numbers, codes, circles, dz):
    at = 0
    for j in range(shape.waved):
        d = dz[:, at + 1 : at + 1 + shape.waves]
        at += 1 + shape.waves
        if shape.waves:
            cosine, sine = circles[j]
            g["waves"][j] += d.T @ cosine
            g["constants"][j] += d.sum(axis=0)
            back = -2 * np.pi * (d @ p["waves"][j]) * sine
            g["frequencies"][j] += (back * numbers[:, [j]]).sum(axis=0)
            g["shifts"][j] += back.sum(axis=0)
    at += shape.plain
    for c, (count, width) in enumerate(zip(shape.categories, shape.widths, strict=True)):
        for i in np.flatnonzero(codes[:, c] >= 0) if width else ():
            g["table"][c][codes[i, c]] += dz[i, at : at + width]
        at += width or count


def rates_of(shape, like, rates):
    """The factor of the rate of every parameter."""
    factors = np.empty_like(like)
    for name, array in shape.parts(factors):
        if name in ("frequencies", "shifts", "waves", "constants"):
            array[...] = rates["wave_rate"]
        elif name == "table":
            array[...] = rates["table_rate"]
        elif name == "factors":
            array[...] = rates["factor_rate"]
        elif name in ("bias", "head bias"):
            array[...] = rates["bias_rate"]
        else:
            array[...] = 1.0 / np.sqrt(array.shape[-2])
    return factors


def decayed(shape, like):
    """1 for weights, which shrink, 0 for others."""
    marks = np.zeros_like(like)
    for name, array in shape.parts(marks):
        array[...] = float(name in ("weights", "head"))
    return marks
