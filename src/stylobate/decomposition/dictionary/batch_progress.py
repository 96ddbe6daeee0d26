"""When passes over batches end: the dictionary stands still, or the cost no longer falls."""

from __future__ import annotations


class BatchProgress:
    """The smoothed cost of batches, and how long it has not improved.

    >>> progress = BatchProgress(0.0, 2, n_rows=10, verbose=False)
    >>> [progress.ended(1.0, 1.0, 10) for _ in range(4)]
    [False, False, False, True]
    """

    def __init__(self, tol: float, patience: int | None, n_rows: int, verbose: bool) -> None:
        self.tol = tol
        self.patience = patience
        self.n_rows = n_rows
        self.verbose = verbose
        self.step = 0
        self.smoothed: float | None = None
        self.best: float | None = None
        self.without = 0

    def ended(self, cost: float, change: float, size: int) -> bool:
        """Whether this batch, of `size` rows, was the last one."""
        self.step += 1
        # the first batches, up to one pass, start from too bad a dictionary to be counted
        if self.step <= min(100, self.n_rows / size):
            self._say(f"mean batch cost: {cost:.6g}")
            return False
        share = min(size / (self.n_rows + 1), 1.0)
        self.smoothed = cost if self.smoothed is None else _mix(self.smoothed, cost, share)
        self._say(f"mean batch cost: {cost:.6g}, smoothed: {self.smoothed:.6g}")
        if self.tol > 0 and change <= self.tol:
            self._say("converged (small dictionary change)")
            return True
        if self.best is None or self.smoothed < self.best:
            self.best, self.without = self.smoothed, 0
        else:
            self.without += 1
        if self.patience is None or self.without < self.patience:
            return False
        self._say("converged (lack of improvement in objective function)")
        return True

    def _say(self, what: str) -> None:
        if self.verbose:
            print(f"Minibatch step {self.step}: {what}")


def _mix(old: float, new: float, share: float) -> float:
    return old * (1.0 - share) + new * share
