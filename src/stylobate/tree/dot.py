"""A tree in the language of Graphviz."""

from __future__ import annotations

from colorsys import hls_to_rgb
from dataclasses import dataclass
from typing import Any

import numpy as np

from stylobate.tree.flat import LEAF, walk
from stylobate.tree.rules import condition, number

_CUT = "#C0C0C0"


@dataclass(frozen=True)
class Dot:
    """What `export_graphviz` writes; the fields are its parameters."""

    model: Any
    names: list[str]
    classes: list[str] | None
    max_depth: int | None
    label: str
    filled: bool
    leaves_parallel: bool
    impurity: bool
    node_ids: bool
    proportion: bool
    rotate: bool
    rounded: bool
    special: bool
    precision: int
    fontname: str

    def text(self) -> str:
        """The whole graph."""
        styles = [name for name in ("filled", "rounded") if getattr(self, name)]
        style = f', style="{", ".join(styles)}", color="black"' if styles else ""
        lines = ["digraph Tree {", f'node [shape=box{style}, fontname="{self.fontname}"] ;']
        if self.leaves_parallel:
            lines.append("graph [ranksep=equally, splines=polyline] ;")
        lines.append(f'edge [fontname="{self.fontname}"] ;')
        if self.rotate:
            lines.append("rankdir=LR ;")
        return "\n".join([*lines, *self._nodes(), "}"])

    def _nodes(self) -> list[str]:
        tree = self.model.tree_
        parents = {
            int(child): node
            for node in range(tree.node_count)
            if tree.children_left[node] != LEAF
            for child in (tree.children_left[node], tree.children_right[node])
        }
        lines: list[str] = []
        levels: dict[str, list[str]] = {}
        for node, depth in walk(tree):
            if self.max_depth is not None and depth > self.max_depth + 1:
                continue
            cut = self.max_depth is not None and depth > self.max_depth
            color = f', fillcolor="{_CUT if cut else self._color(node)}"' if self.filled else ""
            lines.append(f'{node} [label="{"(...)" if cut else self._words(node)}"{color}] ;')
            if node in parents:
                lines.append(self._edge(parents[node], node))
            is_leaf = tree.children_left[node] == LEAF and not cut
            levels.setdefault("leaves" if is_leaf else str(depth), []).append(str(node))
        if self.leaves_parallel:
            lines += [f"{{rank=same ; {'; '.join(levels[rank])}}} ;" for rank in sorted(levels)]
        return lines

    def _edge(self, parent: int, child: int) -> str:
        if parent != 0:
            return f"{parent} -> {child} ;"
        first = child == self.model.tree_.children_left[0]
        angle = 45 if first != self.rotate else -45
        return f'{parent} -> {child} [labeldistance=2.5, labelangle={angle}, headlabel="{first}"] ;'

    def _words(self, node: int) -> str:
        tree = self.model.tree_
        named = self.label == "all" or (self.label == "root" and node == 0)
        lines = []
        if self.node_ids:
            lines.append(f"{'node ' if named else ''}#{node}")
        if tree.children_left[node] != LEAF:
            asked = condition(self.model, node, "left", names=self.names, decimals=self.precision)
            lines.append(asked.replace("<=", "≤") if self.special else asked)
        if self.impurity:
            value = number(round(float(tree.impurity[node]), self.precision), self.precision)
            shown = value if "." in value else f"{value}.0"
            lines.append(f"{self.model.criterion} = {shown}" if named else shown)
        rows = tree.n_node_samples[node]
        share = f"{100.0 * rows / tree.n_node_samples[0]:.1f}%" if self.proportion else str(rows)
        lines.append(f"samples = {share}" if named else share)
        lines.append(f"value = {self._value(node)}" if named else self._value(node))
        if self.classes is not None and tree.n_outputs == 1:
            best = self.classes[int(np.argmax(tree.value[node, 0]))]
            lines.append(f"class = {best}" if named else best)
        return "\\n".join(line.replace("\\", "\\\\").replace('"', '\\"') for line in lines)

    def _value(self, node: int) -> str:
        tree = self.model.tree_
        values = tree.value[node]
        if values.shape[1] > 1 and not self.proportion:
            values = values * tree.weighted_n_node_samples[node]
        rows = [
            ", ".join(number(round(float(each), self.precision), self.precision) for each in row)
            for row in values
        ]
        if len(rows) == 1:
            return f"[{rows[0]}]" if values.shape[1] > 1 else rows[0]
        return "[" + ", ".join(f"[{row}]" for row in rows) + "]"

    def _color(self, node: int) -> str:
        """Pale where mixed or small, full where pure or large."""
        tree = self.model.tree_
        if tree.n_outputs > 1:
            return "#ffffff"
        values = tree.value[node, 0]
        if len(values) > 1:
            best, least = int(np.argmax(values)), 1.0 / len(values)
            second = np.partition(values, -2)[-2]
            strength = float((values[best] - second) / max(1.0 - second, 1e-12))
            hue = best / len(values) + 0.07 + 0.0 * least
        else:
            every = tree.value[:, 0, 0]
            spread = float(np.ptp(every)) or 1.0
            strength, hue = float((values[0] - every.min()) / spread), 0.07
        red, green, blue = hls_to_rgb(hue % 1.0, 0.56, 0.78)
        mixed = [255 * (strength * part + 1.0 - strength) for part in (red, green, blue)]
        return "#" + "".join(f"{round(part):02x}" for part in mixed)
