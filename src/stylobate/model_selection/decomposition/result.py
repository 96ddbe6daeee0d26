"""Bias, variance and noise of a model: the result, in numbers, words and pictures."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.inference.summary.text import WIDTH, number, table

if TYPE_CHECKING:
    from matplotlib.axes import Axes


_LABELS = {
    "squared": ("bias²", "expected squared loss"),
    "zero_one": ("bias", "expected error rate"),
}


@dataclass(frozen=True, eq=False)
class BiasVariance:
    r"""Where the expected loss of a learning method on each test row comes from.

    Squared loss, with the mean prediction :math:`\bar f` and the truth t:

    .. math:: E(y - \hat f)^2 = \underbrace{(y - t)^2}_{noise}
              + \underbrace{(t - \bar f)^2}_{bias^2} + \underbrace{E(\hat f - \bar f)^2}_{variance}
              + \underbrace{2 (y - t)(t - \bar f)}_{interaction}

    The interaction is 0 in the mean over the noise. 0–1 loss (Domingos): bias is 1 where the *main*
    prediction, the most frequent one, is wrong; variance is how often predictions differ from it.
    Where the main prediction is right variance adds to the loss, where it is wrong it subtracts
    what it gets right by chance.

    Attributes
    ----------
    loss : {"squared", "zero_one"}
        Which loss.
    main_prediction : array of shape (m,)
        Mean or most frequent prediction of each test row.
    point_bias, point_variance, point_noise, point_loss : arrays of shape (m,)
        The parts and the expected loss of each test row; the noise is 0 if the truth is not given,
        and then bias holds it too.
    point_net_variance : array of shape (m,)
        What variance does to the loss of each row: the variance itself, or for 0–1 loss minus the
        share of right predictions where the main one is wrong.
    resample_losses : array of shape (n_resamples,)
        Mean loss of each fit.
    truth_known : bool
        Whether noise and bias could be told apart.

    References
    ----------
    Geman, Bienenstock & Doursat (1992), *Neural Computation* 4; Domingos (2000), A unified
    bias–variance decomposition, *ICML*.
    """

    loss: str
    main_prediction: NDArray[Any]
    point_bias: Array
    point_variance: Array
    point_net_variance: Array
    point_noise: Array
    point_loss: Array
    resample_losses: Array
    truth_known: bool

    @property
    def bias(self) -> float:
        """Mean bias² (squared loss) or bias (0–1 loss) over the test rows."""
        return float(self.point_bias.mean())

    @property
    def variance(self) -> float:
        """Mean variance over the test rows."""
        return float(self.point_variance.mean())

    @property
    def net_variance(self) -> float:
        """What variance adds to the loss; for 0–1 loss less than the variance."""
        return float(self.point_net_variance.mean())

    @property
    def unbiased_variance(self) -> float:
        """The variance of rows whose main prediction is right, which adds to the loss."""
        return float(np.maximum(self.point_net_variance, 0.0).mean())

    @property
    def biased_variance(self) -> float:
        """What variance takes off the loss of rows whose main prediction is wrong."""
        return float(np.maximum(-self.point_net_variance, 0.0).mean())

    @property
    def noise(self) -> float:
        """Mean loss of the truth itself; 0 if it is not known."""
        return float(self.point_noise.mean())

    @property
    def interaction(self) -> float:
        """What noise and the other parts have in common in these test rows."""
        return self.expected_loss - self.bias - self.net_variance - self.noise

    @property
    def expected_loss(self) -> float:
        """Mean loss over test rows and fits."""
        return float(self.point_loss.mean())

    @property
    def std_error(self) -> float:
        """Of `expected_loss`, due to the number of fits; NaN for one."""
        count = len(self.resample_losses)
        if count < 2:
            return float("nan")
        return float(self.resample_losses.std(ddof=1) / np.sqrt(count))

    def parts(self) -> dict[str, float]:
        """The parts that sum to the expected loss, by name."""
        name = _LABELS[self.loss][0]
        found = {name if self.truth_known else f"{name} (with the noise)": self.bias}
        if self.loss == "squared":
            found["variance"] = self.variance
        else:
            found["variance where right"] = self.unbiased_variance
            found["variance where wrong"] = -self.biased_variance
        if self.truth_known:
            found |= {"noise": self.noise, "interaction": self.interaction}
        return found

    def words(self) -> str:
        """What the numbers say."""
        title = _LABELS[self.loss][1].capitalize()
        said = f"{title} {number(self.expected_loss, 3)} ="
        for place, (name, value) in enumerate(self.parts().items()):
            sign = ("" if not place else " +") if value >= 0.0 else " −"
            said += f"{sign} {name} {number(abs(value), 3)}"
        return f"{said}. {self._cause()}"

    def _cause(self) -> str:
        bias, variance = self.bias, max(self.net_variance, 0.0)
        if bias + variance <= 0.0:
            return "The model makes no errors but the noise."
        if self.noise > 2.0 * (bias + variance):
            share = self.noise / (self.noise + bias + variance)
            return f"{100 * share:.0f}% of it is noise, which no model removes."
        share = variance / (bias + variance)
        if share > 0.5:
            rest = "bias and variance" if self.truth_known else "bias, noise and variance"
            return (
                f"Variance is {100 * share:.0f}% of {rest}: fits to other rows would "
                "differ. More rows, averaging or a simpler model would help."
            )
        if not self.truth_known:
            return (
                f"Bias and noise together are {100 * (1 - share):.0f}%: which of them it is cannot "
                "be told without `truth`. A more flexible model lowers the bias alone; no model "
                "lowers the noise."
            )
        return (
            f"Bias is {100 * (1 - share):.0f}% of bias and variance: fits agree on what is wrong. "
            "A more flexible model would help."
        )

    def plot(self, ax: Axes | None = None) -> Axes:
        """The parts as bars that add up to the expected loss; returns the axes."""
        from stylobate.plot import plot_bias_variance

        return plot_bias_variance(self, ax=ax)

    def __str__(self) -> str:
        return textwrap.fill(self.words(), WIDTH)

    def __repr__(self) -> str:
        return (
            f"BiasVariance of {len(self.point_loss)} test rows and {len(self.resample_losses)} "
            f"fits: {self.words()}"
        )


@dataclass(frozen=True, eq=False)
class BiasVarianceCurve:
    """Bias and variance for several values of a parameter; see `bias_variance_curve`.

    Attributes
    ----------
    param_name : str
        The parameter.
    param_range : list
        Its values.
    results : tuple of BiasVariance
        The decomposition for each value.
    """

    param_name: str
    param_range: list[Any]
    results: tuple[BiasVariance, ...]

    @property
    def bias(self) -> Array:
        """Bias² or bias of each value."""
        return np.array([each.bias for each in self.results])

    @property
    def variance(self) -> Array:
        """What variance adds to the loss, of each value."""
        return np.array([each.net_variance for each in self.results])

    @property
    def noise(self) -> Array:
        """Noise of each value (the same for all), 0 if it is not known."""
        return np.array([each.noise for each in self.results])

    @property
    def expected_loss(self) -> Array:
        """Expected loss of each value."""
        return np.array([each.expected_loss for each in self.results])

    @property
    def short_name(self) -> str:
        """The parameter without the steps of a pipeline it belongs to."""
        return self.param_name.rpartition("__")[2]

    @property
    def best_index(self) -> int:
        """Number of the value with the least expected loss."""
        return int(self.expected_loss.argmin())

    @property
    def best(self) -> Any:
        """The value with the least expected loss."""
        return self.param_range[self.best_index]

    def words(self) -> str:
        """Where the least loss is, and what the ends suffer from."""
        name = self.short_name
        said = [f"The least expected loss is that of {name}={_short(self.best)}:"]
        said.append(self.results[self.best_index].words())
        last = len(self.results) - 1
        for end in (0, last):
            if end != self.best_index:
                one, best = self.results[end], self.results[self.best_index]
                said.append(
                    f"{name}={_short(self.param_range[end])}: bias "
                    f"{_change(one.bias, best.bias)}, variance "
                    f"{_change(one.net_variance, best.net_variance)}."
                )
        return "\n".join(said)

    def plot(self, ax: Axes | None = None) -> Axes:
        """Bias, variance and their sum against the values; returns the axes."""
        from stylobate.plot import plot_bias_variance_curve

        return plot_bias_variance_curve(self, ax=ax)

    def __str__(self) -> str:
        bias, loss = _LABELS[self.results[0].loss]
        columns = [
            (bias, [number(v, 3) for v in self.bias]),
            ("variance", [number(v, 3) for v in self.variance]),
        ]
        if self.results[0].truth_known:
            columns.append(("noise", [number(v, 3) for v in self.noise]))
        columns.append((loss, [number(v, 3) for v in self.expected_loss]))
        places = [_short(value) for value in self.param_range]
        said = "\n".join(textwrap.fill(line, WIDTH) for line in self.words().splitlines())
        return f"{table(places, columns, self.short_name)}\n\n{said}"

    def __repr__(self) -> str:
        return str(self)


def _short(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float | np.floating) else str(value)


def _change(value: float, best: float) -> str:
    return f"{number(value, 3)} instead of {number(best, 3)}"
