"""The shape of a network for tables, and its first parameters."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array

ONES = 8  # categories of a column that are written as zeros and ones; more get learnt vectors
VECTOR = 8  # length of these
FREQUENCY_SPREAD = 0.1  # of waves when training begins: less than one turn over most of a column
BIAS_SPREAD = 0.3


@dataclass(frozen=True, slots=True)
class NetShape:
    r"""Columns, layers and members of a network for tables.

    A number x in front becomes :math:`(x, \; V \cos 2\pi(f x + s) + c)`; plain numbers stay;
    a category is zeros and ones or a learnt vector. Member m scales these inputs z by factors
    :math:`r_m`, shares the hidden layers, and has a last layer of its own:

    .. math:: a_0 = r_m \odot z, \quad a_l = \operatorname{mish}(a_{l-1} W_l + b_l), \quad
              o_m = a_L U_m + d_m

    Parameters
    ----------
    waved, plain : int
        Numbers with waves, which stand in front, and without.
    frequencies, waves : int
        Cosines of a number, and combinations of them.
    categories : tuple of int
        How many categories each column has.
    hidden : tuple of int
        Units of the hidden layers.
    outputs, members : int
    output : {"identity", "logistic", "softmax"}

    Examples
    --------
    >>> shape = NetShape(2, 1, 16, 3, (3, 20), (32,), 1, 4, "identity")
    >>> shape.n_inputs
    20
    """

    waved: int
    plain: int
    frequencies: int
    waves: int
    categories: tuple[int, ...]
    hidden: tuple[int, ...]
    outputs: int
    members: int
    output: str

    @property
    def widths(self) -> tuple[int, ...]:
        """Lengths of the learnt vectors of the columns of categories; 0: zeros and ones."""
        return tuple(0 if count <= ONES else VECTOR for count in self.categories)

    @property
    def n_inputs(self) -> int:
        """Inputs of the first hidden layer."""
        pairs = zip(self.categories, self.widths, strict=True)
        return (
            self.waved * (1 + self.waves)
            + self.plain
            + sum(width or count for count, width in pairs)
        )

    def as_dict(self) -> dict[str, Any]:
        """As the core takes it."""
        return {
            "waved": self.waved, "plain": self.plain, "frequencies": self.frequencies,
            "waves": self.waves, "hidden": list(self.hidden), "outputs": self.outputs,
            "members": self.members, "output": self.output,
            "categories": list(zip(self.categories, self.widths, strict=True)),
        }  # fmt: skip

    def sizes(self) -> list[tuple[str, tuple[int, ...]]]:
        """Names and shapes of the arrays of parameters, in the order they stand."""
        turns: list[tuple[str, tuple[int, ...]]] = [
            ("frequencies", (self.frequencies,)),
            ("shifts", (self.frequencies,)),
            ("waves", (self.waves, self.frequencies)),
            ("constants", (self.waves,)),
        ]
        layers = list(pairwise((self.n_inputs, *self.hidden)))
        last = (self.members, self.hidden[-1], self.outputs)
        return [
            *(turns * self.waved if self.waves else []),
            *(
                ("table", (count, width))
                for count, width in zip(self.categories, self.widths, strict=True)
            ),
            ("factors", (self.members, self.n_inputs)),
            *(("weights", pair) for pair in layers),
            *(("bias", pair[1:]) for pair in layers),
            ("head", last),
            ("head bias", (self.members, self.outputs)),
        ]

    @property
    def n_parameters(self) -> int:
        """Numbers that are learnt."""
        return sum(int(np.prod(size)) for _, size in self.sizes())

    def draw(self, random: np.random.RandomState) -> NDArray[np.float32]:
        """First parameters: weights of variance 1 / inputs, factors of variance 1 (or one: 1)."""
        return np.concatenate(
            [self._first(name, size, random).ravel() for name, size in self.sizes()]
        ).astype(np.float32)

    def _first(self, name: str, size: tuple[int, ...], random: np.random.RandomState) -> Array:
        if name in ("constants", "head bias"):
            return np.zeros(size)
        if name == "factors" and self.members == 1:
            return np.ones(size)
        if name == "shifts":
            return np.asarray(random.uniform(-0.5, 0.5, size))
        drawn = np.asarray(random.standard_normal(size))
        if name in ("factors", "table"):
            return drawn
        if name == "frequencies":
            return FREQUENCY_SPREAD * drawn
        if name == "bias":
            return BIAS_SPREAD * drawn
        inputs = size[-1] if name == "waves" else size[-2]
        return np.asarray(drawn / np.sqrt(inputs))

    def parts(self, parameters: NDArray[Any]) -> list[tuple[str, NDArray[Any]]]:
        """The arrays of a vector of parameters, by name, as views."""
        found, at = [], 0
        for name, size in self.sizes():
            count = int(np.prod(size))
            found.append((name, parameters[at : at + count].reshape(size)))
            at += count
        return found
