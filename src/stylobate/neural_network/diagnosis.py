"""What the layers of a network do: saturation, dead units, sizes of signals and derivatives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from stylobate.neural_network.layers.activation import Activation
from stylobate.neural_network.layers.branches import Composite
from stylobate.neural_network.layers.layer import Rows
from stylobate.neural_network.layout import Place
from stylobate.neural_network.passes import Stage
from stylobate.neural_network.training_loss import TrainingLoss, loss_and_slopes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from stylobate.losses import Loss
    from stylobate.neural_network.network import Network

# what is worth a sentence
SATURATED, DEAD, VANISHED, EXPLODED = 0.5, 0.4, 1e-3, 1e3
_NEAR_END = 0.01  # of the range (0, 1) or (−1, 1), on a scale of 1


@dataclass(frozen=True, slots=True)
class LayerSigns:
    """What one layer did to some rows.

    Parameters
    ----------
    name : str
        Such as "2 Activation" or "3 Residual / 1 Conv2d".
    kind : str
        The activation's, or the layer's.
    mean, spread : float
        Mean and standard deviation of its outputs.
    saturated : float or None
        Share of outputs of a sigmoid or tanh that are within 1 % of an end, where the slope
        vanishes.
    dead : float or None
        Share of a ReLU's units (channels of images) that are zero for all of the rows.
    gradient : float
        Root mean square of the derivatives of one row's loss by its outputs.
    weight_gradient : float or None
        Norm of the derivatives by its weights over the norm of the weights.
    """

    name: str
    kind: str
    mean: float
    spread: float
    saturated: float | None
    dead: float | None
    gradient: float
    weight_gradient: float | None


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """The layers of a network on some rows, first to last.

    Parameters
    ----------
    layers : tuple of LayerSigns
        Without the last activation, which belongs to the loss.
    loss : float
        Mean of the rows.

    Examples
    --------
    >>> from stylobate.neural_network import Activation, Dense, Network
    >>> layers = [Dense(8, bias=-9.0), Activation("relu"), Dense(1)]
    >>> x = np.random.default_rng(0).normal(size=(50, 3))
    >>> for sentence in Network(layers, 3).diagnose(x, x[:, 0]).findings():
    ...     print(sentence)
    2 Activation (relu): 100 % of its units are dead, zero for all of the rows. Start biases at a \
small positive number (bias=0.1) and weights by "he", take shorter steps, or use leaky_relu.
    """

    layers: tuple[LayerSigns, ...]
    loss: float

    def findings(self) -> list[str]:
        """Sentences on what is wrong and what to change; none if nothing was seen."""
        found = [words for signs in self.layers if (words := _layer_words(signs))]
        return found + _gradient_words(self.layers)

    def __str__(self) -> str:
        head = ("layer", "mean", "spread", "saturated", "dead", "gradient", "by weights")
        lines = [head] + [
            (s.name, f"{s.mean:.3g}", f"{s.spread:.3g}", _share(s.saturated), _share(s.dead),
             f"{s.gradient:.2g}", "" if s.weight_gradient is None else f"{s.weight_gradient:.2g}")
            for s in self.layers
        ]  # fmt: skip
        wide = [max(len(line[k]) for line in lines) for k in range(len(head))]
        table = []
        for name, *cells in lines:
            padded = [f"{cell:>{width}}" for cell, width in zip(cells, wide[1:], strict=True)]
            table.append("  ".join([f"{name:<{wide[0]}}", *padded]).rstrip())
        return "\n".join([*table, *self.findings()])

    def plot(self, *, ax: Axes | None = None) -> Axes:
        """Sizes of signals and derivatives from layer to layer, saturated and dead ones marked.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; a new figure by default.
        """
        from stylobate.plot.networks.layers import plot_layer_signs

        return plot_layer_signs(self, ax=ax)


def _share(share: float | None) -> str:
    return "" if share is None else f"{share:.0%}"


def _layer_words(signs: LayerSigns) -> str:
    title = f"{signs.name} ({signs.kind})"
    if signs.saturated is not None and signs.saturated > SATURATED:
        return (
            f"{title}: {100 * signs.saturated:.0f} % of its outputs are saturated, where slopes "
            'vanish. Bring inputs to mean 0 and variance 1, start weights smaller ("glorot"), put '
            "BatchNorm() before it, or use relu."
        )
    if signs.dead is not None and signs.dead > DEAD:
        return (
            f"{title}: {100 * signs.dead:.0f} % of its units are dead, zero for all of the rows. "
            'Start biases at a small positive number (bias=0.1) and weights by "he", take shorter '
            "steps, or use leaky_relu."
        )
    return ""


def _gradient_words(layers: Sequence[LayerSigns]) -> list[str]:
    learning = [signs for signs in layers if signs.weight_gradient is not None]
    if len(learning) < 2 or not learning[-1].gradient > 0.0:
        return []
    first, last = learning[0], learning[-1]
    ratio = first.gradient / last.gradient
    if 0.0 < ratio < VANISHED:
        return [
            f"Gradients vanish: those at {first.name} are {ratio:.1g} of those at {last.name}. Use "
            'relu with weights started by "he", BatchNorm() between layers, Residual blocks, or '
            "fewer layers."
        ]
    if ratio > EXPLODED:
        return [
            f"Gradients explode: those at {first.name} are {ratio:.1g} times those at {last.name}. "
            "Start weights smaller, put BatchNorm() or LayerNorm() between layers, or take shorter "
            "steps."
        ]
    return []


class _Watcher:
    """Takes notes while rows pass through the layers and derivatives come back."""

    def __init__(self) -> None:
        self.outputs: dict[str, dict[str, Any]] = {}
        self.gradients: dict[str, float] = {}

    def __call__(self, place: Place, way: str, values: Rows) -> None:
        exact = values.astype(np.float64, copy=False)
        if way == "backward":  # derivatives of the mean loss: times n they are a row's own
            self.gradients[place.name] = float(np.sqrt(np.mean(exact * exact))) * len(values)
            return
        kind = place.layer.kind if isinstance(place.layer, Activation) else ""
        self.outputs[place.name] = {
            "kind": kind or type(place.layer).__name__,
            "mean": float(exact.mean()),
            "spread": float(exact.std()),
            "saturated": _saturated(kind, exact),
            "dead": _dead(exact, place) if kind == "relu" else None,
        }


def _saturated(kind: str, values: NDArray[np.float64]) -> float | None:
    if kind == "tanh":
        return float(np.mean(np.abs(values) > 1.0 - _NEAR_END))
    if kind == "sigmoid":
        return float(np.mean(np.abs(values - 0.5) > 0.5 - _NEAR_END))
    return None


def _dead(values: NDArray[np.float64], place: Place) -> float:
    units = values.reshape(len(values), place.output[0], -1)
    return float(np.mean(~(units > 0.0).any(axis=(0, 2))))


def diagnose_stages(
    stages: Sequence[Stage],
    x: Rows,
    y: NDArray[Any],
    loss: TrainingLoss,
    weights: NDArray[Any] | None = None,
) -> Diagnosis:
    """One pass as in predictions, forward and back, with notes taken.

    The derivatives by weights are written to where the stages point.
    """
    watcher = _Watcher()
    with np.errstate(all="ignore"):  # a lost network is to be looked at too
        value, _ = loss_and_slopes(stages, x, y, loss, None, weights=weights, watch=watcher)
        signs = [
            LayerSigns(
                **watcher.outputs[stage.place.name],
                name=stage.place.name,
                gradient=watcher.gradients[stage.place.name],
                weight_gradient=_by_weights(stage),
            )
            for stage in leaves(loss.ahead(stages))
        ]
    return Diagnosis(tuple(signs), value)


def leaves(stages: Sequence[Stage]) -> list[Stage]:
    """Layers that hold no others, in order."""
    found: list[Stage] = []
    for stage in stages:
        if isinstance(stage.place.layer, Composite):
            for branch in stage.branches:
                found += leaves(branch)
        else:
            found.append(stage)
    return found


def _by_weights(stage: Stage) -> float | None:
    if "W" not in stage.weights:
        return None
    size = float(np.linalg.norm(stage.weights["W"].astype(np.float64)))
    slopes = float(np.linalg.norm(stage.gradient["W"].astype(np.float64)))
    return slopes / size if size > 0.0 else slopes


def training_findings(
    losses: Sequence[float], scores: Sequence[float], trace: Sequence[Diagnosis]
) -> list[str]:
    """Sentences on a whole training: its curves, and its layers where they were watched."""
    found: list[str] = []
    if len(losses) >= 5 and losses[-1] < 0.98 * losses[-3]:
        found.append("The loss was still falling when training ended: allow more epochs.")
    if len(losses) >= 5 and min(losses) > 0.98 * losses[0]:
        found.append(
            "The loss hardly fell: try steps ten times as long or as short, or columns of mean 0 "
            "and variance 1."
        )
    best = int(np.argmax(scores)) if scores else 0
    worse = len(scores) >= 5 and best < len(scores) // 2 and scores[-1] < scores[best]
    if worse and losses[-1] < losses[best]:
        found.append(
            f"Held-out rows were predicted best in epoch {best + 1} of {len(scores)}, while the "
            "loss kept falling: the network overfits. Stop early (patience=5), use Dropout or "
            "weight_decay, or a smaller network."
        )
    return found + (trace[-1].findings() if trace else [])


def diagnose(network: Network, x: Any, y: Any, loss: str | Loss) -> Diagnosis:
    """As `Network.diagnose`."""
    from stylobate.neural_network.passes import stages_of

    chosen, rows = TrainingLoss.of(loss, network._places), network._rows(x)
    gradient = np.zeros_like(network.parameters)
    stages = stages_of(network._places, network.parameters, network.state, gradient)
    return diagnose_stages(stages, rows, chosen.targets(y, len(rows)), chosen)
