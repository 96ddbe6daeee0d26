"""What `stylobate info` says of the installation."""

from __future__ import annotations

import os
import platform


def information() -> dict[str, str]:
    """Versions, threads, instruction set and BLAS, as label and value."""
    import numpy as np
    import scipy

    import stylobate
    from stylobate import _core

    return {
        "Stylobate": stylobate.__version__,
        "Python": f"{platform.python_version()} ({platform.system()} {platform.machine()})",
        "NumPy": np.__version__,
        "SciPy": scipy.__version__,
        "threads": f"{stylobate.get_threads()} of {os.cpu_count()} cores",
        "instruction set": _core.isa(),
        "BLAS": _blas(),
    }


def _blas() -> str:
    """The BLAS of SciPy, which is the one used."""
    import scipy

    built = scipy.show_config(mode="dicts") or {}
    blas = built.get("Build Dependencies", {}).get("blas", {})
    return f"{blas.get('name', 'unknown')} {blas.get('version', '')}".strip()
