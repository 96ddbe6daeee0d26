"""The house style: two themes of colours, light and dark, and how axes are dressed in them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from stylobate.exceptions import InvalidParameterError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.colors import LinearSegmentedColormap


@dataclass(frozen=True, slots=True)
class Theme:
    """Colours of a picture.

    Attributes
    ----------
    name : str
        "light" or "dark".
    background, ink, soft, faint, grid : str
        Of the paper; of text and marks; of frames; of what stays in the back; of grid lines.
    palette : tuple of str
        Seven colours of Okabe and Ito, in the order they are used.
    """

    name: str
    background: str
    ink: str
    soft: str
    faint: str
    grid: str
    palette: tuple[str, ...]

    def color(self, place: int) -> str:
        """The colour of the line, class or model of this number, over and over again."""
        return self.palette[place % len(self.palette)]

    def ramp(self, color: str | None = None) -> LinearSegmentedColormap:
        """From the background to a colour: for amounts from 0."""
        return self._map([self.background, color or self.palette[0]])

    def trace(self, color: str) -> LinearSegmentedColormap:
        """The background for nothing, and a colour that shows the least something."""
        from matplotlib.colors import to_rgb

        pairs = zip(to_rgb(self.background), to_rgb(color), strict=True)
        least = tuple(0.6 * paper + 0.4 * ink for paper, ink in pairs)
        return self._map([(0.0, self.background), (1e-6, least), (1.0, color)])

    def balance(self) -> LinearSegmentedColormap:
        """From one colour through the background to another: for values about a middle."""
        return self._map([self.palette[0], self.background, self.palette[1]])

    def _map(self, colors: list[Any]) -> LinearSegmentedColormap:
        from matplotlib.colors import LinearSegmentedColormap

        return LinearSegmentedColormap.from_list("stylobate", colors, N=1024)


# Okabe & Ito (2008), Color universal design; on dark paper their blue and black are too dark.
LIGHT = Theme(
    "light", "#ffffff", "#1c1c1c", "#6a6a6a", "#b8b8b8", "#ebebeb",
    ("#0072B2", "#D55E00", "#009E73", "#E69F00", "#CC79A7", "#56B4E9", "#1c1c1c"),
)  # fmt: skip
DARK = Theme(
    "dark", "#15181d", "#ececec", "#9aa0a8", "#6c727b", "#2b3038",
    ("#56B4E9", "#D55E00", "#009E73", "#E69F00", "#CC79A7", "#F0E442", "#ececec"),
)  # fmt: skip
THEMES = {theme.name: theme for theme in (LIGHT, DARK)}

_chosen: list[Theme] = []  # by style(), the one in force last


class Style:
    """A style that is in force; leaving its ``with`` block undoes it."""

    def __init__(self, theme: Theme) -> None:
        import matplotlib

        self.theme = theme
        settings = _settings(theme)
        self._before = {name: matplotlib.rcParams[name] for name in settings}
        self._chosen_before = list(_chosen)
        _chosen[:] = [theme]
        matplotlib.rcParams.update(settings)

    def __enter__(self) -> Theme:
        return self.theme

    def __exit__(self, *_: object) -> None:
        import matplotlib

        matplotlib.rcParams.update(self._before)
        _chosen[:] = self._chosen_before

    def __repr__(self) -> str:
        return f"Style({self.theme.name})"


def style(name: str = "light") -> Style:
    """Draw in the house style from now on, or within a ``with`` block.

    New figures of `stylobate.plot` and of matplotlib itself get the theme's paper, ink, palette and
    sizes. A picture drawn on given axes takes the theme that fits their background, so pictures
    stay readable whatever style the axes were made in.

    Parameters
    ----------
    name : {"light", "dark"}, default="light"
        White paper or nearly black one.

    Returns
    -------
    Style
        A context manager that restores what was before.

    Examples
    --------
    >>> from stylobate.plot import plot_confusion_matrix, style
    >>> with style("dark"):
    ...     ax = plot_confusion_matrix([[5, 1], [2, 2]])
    >>> ax.figure.get_facecolor() == plot_confusion_matrix([[5, 1], [2, 2]]).figure.get_facecolor()
    False

    References
    ----------
    Okabe & Ito (2008), Color universal design: how to make figures and presentations that are
    friendly to colorblind people.
    """
    if name not in THEMES:
        raise InvalidParameterError(f"style: name must be light or dark, got {name!r}.")
    return Style(THEMES[name])


def current_theme() -> Theme:
    """What new figures are drawn in: the style chosen, else what matplotlib's background asks."""
    if _chosen:
        return _chosen[-1]
    import matplotlib

    return _fitting([matplotlib.rcParams["figure.facecolor"]])


def theme_of(ax: Axes) -> Theme:
    """The theme that can be read on the background of these axes."""
    return _fitting([ax.get_figure(root=True).get_facecolor(), ax.get_facecolor()])  # type: ignore[union-attr]


def ink_on(*layers: Any) -> str:
    """The ink that can be read on a colour, or on several laid over each other."""
    return _fitting(list(layers)).ink


def _fitting(layers: list[Any]) -> Theme:
    """The theme for colours laid over each other on white paper."""
    from matplotlib.colors import to_rgba

    paper = (1.0, 1.0, 1.0)
    for layer in layers:
        *color, alpha = to_rgba(layer)
        paper = tuple(alpha * c + (1.0 - alpha) * p for c, p in zip(color, paper, strict=True))  # type: ignore[assignment]
    red, green, blue = (channel**2.2 for channel in paper)  # as amounts of light
    return LIGHT if 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.2 else DARK


def _settings(theme: Theme) -> dict[Any, Any]:
    from cycler import cycler

    return {
        "axes.axisbelow": True,
        "axes.edgecolor": theme.soft,
        "axes.facecolor": theme.background,
        "axes.grid": True,
        "axes.labelcolor": theme.ink,
        "axes.prop_cycle": cycler(color=theme.palette),
        "axes.spines.right": False,
        "axes.spines.top": False,
        "axes.titlelocation": "left",
        "axes.titlesize": "medium",
        "figure.constrained_layout.use": True,
        "figure.facecolor": theme.background,
        "font.size": 10.0,
        "grid.color": theme.grid,
        "grid.linewidth": 0.7,
        "legend.fontsize": "small",
        "legend.frameon": False,
        "lines.linewidth": 1.8,
        "text.color": theme.ink,
        "xtick.color": theme.soft,
        "xtick.labelcolor": theme.ink,
        "ytick.color": theme.soft,
        "ytick.labelcolor": theme.ink,
    }
