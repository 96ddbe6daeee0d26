"""What the workloads of kernel ridge share: data, contenders, and the objective as quality."""

from __future__ import annotations

from typing import Any

import numpy as np

from race.workload import Data, Size

ALPHA = 1.0
GAMMA = 0.05


def make(size: Size, seed: int) -> Data:
    generator = np.random.default_rng(seed)
    x = generator.standard_normal((size["rows"], size["columns"]))
    y = np.sin(2.0 * x[:, 0]) + x[:, 1] * x[:, 2] + 0.3 * generator.standard_normal(len(x))
    return {"X": x, "y": y}


def ours(data: Data) -> Any:
    from stylobate.kernel_ridge import KernelRidge

    return KernelRidge(ALPHA, kernel="rbf", gamma=GAMMA).fit(data["X"], data["y"]).dual_coef_


def sklearn(data: Data) -> Any:
    from sklearn.kernel_ridge import KernelRidge

    return KernelRidge(alpha=ALPHA, kernel="rbf", gamma=GAMMA).fit(data["X"], data["y"]).dual_coef_


def scipy(data: Data) -> Any:
    """By hand: distances, exponentials and a Cholesky solution, all in place."""
    from scipy import linalg
    from scipy.spatial.distance import cdist

    kernel = cdist(data["X"], data["X"], "sqeuclidean")
    kernel *= -GAMMA
    np.exp(kernel, out=kernel)
    kernel.flat[:: len(kernel) + 1] += ALPHA
    return linalg.solve(kernel, data["y"], assume_a="pos", overwrite_a=True, check_finite=False)


def scipy_gradients(data: Data) -> Any:
    """By hand: SciPy's conjugate gradients on blocks of the kernel, which are never kept."""
    from scipy.sparse.linalg import LinearOperator, cg

    x, y = data["X"], data["y"]
    norms = (x * x).sum(axis=1)

    def multiply(v: Any) -> Any:
        out = np.empty(len(x))
        for i in range(0, len(x), 1000):
            some = slice(i, i + 1000)
            block = x[some] @ x.T
            block *= -2.0
            block += norms[some, None]
            block += norms
            np.maximum(block, 0.0, out=block)
            block *= -GAMMA
            out[some] = np.exp(block, out=block) @ v.ravel()
        return out + ALPHA * v.ravel()

    found, _ = cg(LinearOperator((len(x), len(x)), matvec=multiply), y, rtol=1e-6, atol=0.0)
    return found


def torch_gradients(data: Data) -> Any:
    """Falkon's way in torch: conjugate gradients with Nyström's preconditioner, blocks of K."""
    import torch

    x, y = torch.from_numpy(data["X"]), torch.from_numpy(data["y"]).ravel()
    n, norms = len(x), (x * x).sum(1)

    def block(some: Any) -> Any:
        out = torch.addmm(norms[some, None] + norms, x[some], x.T, alpha=-2.0)
        return out.clamp_min_(0.0).mul_(-GAMMA).exp_()

    def multiply(v: Any) -> Any:
        parts = [block(slice(i, i + 2000)) @ v for i in range(0, n, 2000)]
        return torch.cat(parts) + ALPHA * v

    chosen = torch.from_numpy(np.random.default_rng(0).permutation(n)[: min(n, 1000)])
    columns = block(chosen).T
    centre = columns[chosen]
    centre.diagonal().add_(1e-8)
    half = torch.linalg.solve_triangular(torch.linalg.cholesky(centre), columns.T, upper=False)
    left, size, _ = torch.linalg.svd(half.T, full_matrices=False)
    shrunk = (size[-1] ** 2 + ALPHA) / (size**2 + ALPHA) - 1.0

    found, r, before, p = torch.zeros_like(y), y.clone(), None, torch.zeros_like(y)
    for _ in range(500):
        if float(r.norm()) <= 1e-6 * float(y.norm()):
            break
        z = r + left @ (shrunk * (left.T @ r))
        now = r @ z
        p = z if before is None else z + (now / before) * p
        product = multiply(p)
        step = now / (p @ product)
        found, r, before = found + step * p, r - step * product, now
    return found.numpy().reshape(data["y"].shape)


def quality(dual: Any, data: Data) -> float:
    """1 plus the share of ‖y‖ that some of the equations leave; every n-th of them is looked at."""
    x, y = data["X"], data["y"]
    a = np.asarray(dual)
    if a.shape != y.shape or not np.isfinite(a).all():
        return float("inf")
    step = max(1, len(x) // 500)
    left = []
    for i in range(0, len(x), step):
        row = np.exp(-GAMMA * ((x - x[i]) ** 2).sum(axis=1))
        left.append(y[i] - row @ a - ALPHA * a[i])
    return 1.0 + float(np.linalg.norm(left) / np.linalg.norm(y[::step]))
