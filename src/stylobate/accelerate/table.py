"""All methods of scikit-learn that can be answered by ours."""

from __future__ import annotations

from stylobate.accelerate.adapter import Adapter
from stylobate.accelerate.components import COMPONENTS
from stylobate.accelerate.linear import LINEAR
from stylobate.accelerate.machines import MACHINES
from stylobate.accelerate.others import OTHERS
from stylobate.accelerate.texts import TEXTS

ADAPTERS: tuple[Adapter, ...] = (*LINEAR, *OTHERS, *COMPONENTS, *MACHINES, *TEXTS)
