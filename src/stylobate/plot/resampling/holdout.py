"""An attacked hold-out: what it tells against what is true, as a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from stylobate.plot.shared.drawing import axes_and_theme, legend, say

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_COLORS = (1, 0, 2)  # places in the palette: a warning first


def plot_holdout_attack(attack: Any, *, ax: Axes | None = None) -> Axes:
    """Public score (solid) and final score (dashed) after more and more random guesses.

    Parameters
    ----------
    attack : HoldoutAttack
        What `stylobate.model_selection.holdout_attack` returned.
    ax : matplotlib Axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> from stylobate.model_selection import holdout_attack
    >>> ax = plot_holdout_attack(holdout_attack(200, 50, random_state=0))
    >>> ax.get_xlabel()
    'random guesses submitted'
    """
    ax, theme = axes_and_theme(ax)
    ax.axhline(0.5, color=theme.faint, lw=1.0, zorder=1)
    if "plain" in attack.public:
        ax.plot(
            attack.n_guesses, attack.expected, color=theme.soft, lw=1.2, ls=":",
            label="plain, expected", zorder=2,
        )  # fmt: skip
    for place, (name, public) in enumerate(attack.public.items()):
        color = theme.color(_COLORS[place % len(_COLORS)])
        ax.plot(attack.n_guesses, public, color=color, lw=2.0, label=f"{name}, public", zorder=4)
        ax.plot(
            attack.n_guesses, attack.final[name], color=color, lw=1.2, ls="--",
            label=f"{name}, final", zorder=3,
        )  # fmt: skip
    ax.set_xlabel("random guesses submitted")
    ax.set_ylabel("accuracy of their majority")
    say(ax, f"nothing to learn: {attack.n_rows:,} rows, labels are coins")
    legend(ax)
    return ax
