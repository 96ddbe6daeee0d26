"""Latent Dirichlet allocation by variational Bayes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import inf
from typing import TYPE_CHECKING, Annotated, Any, Self

import numpy as np

from stylobate import _core
from stylobate.arrays import Array
from stylobate.base import BaseEstimator, Interval, Options, RandomState, Tags, TransformerMixin
from stylobate.base.batches import refuse_read_once
from stylobate.data import Table
from stylobate.decomposition.incremental_pca import batches
from stylobate.decomposition.topics.evidence import (
    TopicCertificate,
    dirichlet_evidence,
    word_log_probability,
)
from stylobate.decomposition.topics.word_counts import regrouped, word_counts
from stylobate.exceptions import InvalidDataError
from stylobate.splits.splitter import generator

if TYPE_CHECKING:
    from stylobate.data.streams import Stream

Documents = Callable[[], Iterator[Any]]  # begins a pass over parts of the documents
Positive = Annotated[int, Interval(1, inf)]
Count = Annotated[int, Interval(0, inf)]
Share = Annotated[float, Interval(0, 1, "both")]


class LatentDirichletAllocation(TransformerMixin, BaseEstimator):
    r"""Topics of documents: each a distribution over words, each document a mixture of topics.

    .. math:: β_t \sim \text{Dir}(η),\quad θ_d \sim \text{Dir}(α),\quad
        z_{di} \sim θ_d,\quad w_{di} \sim β_{z_{di}}

    Variational Bayes with independent :math:`q(β_t) = \text{Dir}(λ_t)` and
    :math:`q(θ_d) = \text{Dir}(γ_d)`; documents of the E-step are computed side by side, with the
    same bits for any number of threads.

    Parameters
    ----------
    n_components : int in [1, inf), default=10
        Topics.
    doc_topic_prior : float in [0, 1] or None, default=None
        α; None: 1 / `n_components`.
    topic_word_prior : float in [0, 1] or None, default=None
        η; None: 1 / `n_components`.
    learning_method : {"batch", "online"}, default="batch"
        "batch": all documents for each update; "online": `batch_size` of them, faster on many.
    learning_decay : float in [0, 1], default=0.7
        κ: the weight of an online update is :math:`(τ + t)^{-κ}`.
    learning_offset : float in [1, inf), default=10.0
        τ.
    max_iter : int in [0, inf), default=10
        Passes over the documents.
    batch_size : int in [1, inf), default=128
        Documents of an online update.
    evaluate_every : int, default=-1
        Passes between looks at the perplexity, which may end the fit; 0 or less: never.
    total_samples : float in (0, inf), default=1e6
        Documents there are in all, for `partial_fit`.
    perp_tol : float in [0, inf), default=0.1
        Change of the perplexity at which the fit ends.
    mean_change_tol : float in [0, inf), default=1e-3
        Mean change of γ at which a document is done.
    max_doc_update_iter : int in [0, inf), default=100
        Most iterations for a document.
    n_jobs : int or None, default=None
        Accepted for compatibility; threads are set by `stylobate.set_threads`.
    verbose : int in [0, inf), default=0
        Whether to print what happens.
    random_state : int, RandomState or None, default=None
        Seed; the draws are scikit-learn's.

    Attributes
    ----------
    components_ : array of shape (n_components, n_features)
        λ: as it were counts of words in topics.
    exp_dirichlet_component_ : array of shape (n_components, n_features)
        exp E[log β].
    bound_ : float
        Perplexity of the training documents.
    certificate_ : TopicCertificate
        The evidence bound of the training documents.
    n_batch_iter_, n_iter_ : int
        Updates and passes made.
    doc_topic_prior_, topic_word_prior_ : float
    random_state_ : RandomState
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> counts = np.array([[4, 3, 0, 0], [5, 2, 0, 1], [0, 0, 6, 3], [0, 1, 4, 5]])
    >>> model = LatentDirichletAllocation(2, random_state=0).fit(counts)
    >>> model.transform(counts).argmax(axis=1).tolist() in ([0, 0, 1, 1], [1, 1, 0, 0])
    True

    Notes
    -----
    Documents that are read on request (files, batches, a pipeline of `CountVectorizer` on a stream
    of texts) are passed over once for every pass of `max_iter`, with the draws and the answer that
    rows in memory give, up to rounding; "online" needs their number first.

    References
    ----------
    Blei, Ng & Jordan (2003), Latent Dirichlet allocation, JMLR 3. Hoffman, Blei & Bach (2010),
    Online learning for latent Dirichlet allocation, NIPS.
    """

    def __init__(
        self,
        n_components: Positive = 10,
        *,
        doc_topic_prior: Share | None = None,
        topic_word_prior: Share | None = None,
        learning_method: Annotated[str, Options("batch", "online")] = "batch",
        learning_decay: Share = 0.7,
        learning_offset: Annotated[float, Interval(1, inf)] = 10.0,
        max_iter: Count = 10,
        batch_size: Positive = 128,
        evaluate_every: int = -1,
        total_samples: Annotated[float, Interval(0, inf, "neither")] = 1e6,
        perp_tol: Annotated[float, Interval(0, inf)] = 1e-1,
        mean_change_tol: Annotated[float, Interval(0, inf)] = 1e-3,
        max_doc_update_iter: Count = 100,
        n_jobs: int | None = None,
        verbose: Annotated[int, Interval(0, inf)] | bool = 0,
        random_state: RandomState = None,
    ) -> None:
        self.n_components = n_components
        self.doc_topic_prior = doc_topic_prior
        self.topic_word_prior = topic_word_prior
        self.learning_method = learning_method
        self.learning_decay = learning_decay
        self.learning_offset = learning_offset
        self.max_iter = max_iter
        self.batch_size = batch_size
        self.evaluate_every = evaluate_every
        self.total_samples = total_samples
        self.perp_tol = perp_tol
        self.mean_change_tol = mean_change_tol
        self.max_doc_update_iter = max_doc_update_iter
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.random_state = random_state

    def _tags(self) -> Tags:
        return (
            super()
            ._tags()
            .but(
                sparse=True,
                positive_only=True,
                preserves_dtype=("float64", "float32"),
                tier="one pass per iteration",
            )
        )

    @property
    def _n_features_out(self) -> int:
        return int(self.components_.shape[0])

    def fit(self, X: Any, y: Any = None) -> Self:
        """Find the topics.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n_documents, n_words)
            Counts, not negative.
        y : ignored
            For compatibility.

        Returns
        -------
        self
        """
        self._check_parameters()
        table = self._read(X, reset=True)
        counts = word_counts(table.x, "fit")
        self._begin(table)
        return self._learn(lambda: iter([counts]), counts.shape[0])

    def _fit_stream(self, stream: Stream) -> Self:
        """A pass over the documents for each over those in memory, with the same draws."""
        self._check_parameters()
        refuse_read_once(stream.repeatable, type(self).__name__)
        n = stream.count() if self.learning_method == "online" else 0
        source = self._source(stream)
        first = next(source.windows(), None)
        if first is None:
            raise InvalidDataError(
                f"{type(self).__name__}: {stream.name} has no rows to learn from."
            )
        self._begin(first)

        def documents() -> Iterator[Any]:
            for window in source.windows():
                window.refuse_nonfinite()
                yield word_counts(window.x, "fit")

        return self._learn(documents, n)

    def _learn(self, documents: Documents, n: int) -> Self:
        """Passes over documents, of which there are n."""
        last = 0.0
        for i in range(self.max_iter):
            self._pass(documents, n)
            if self.evaluate_every > 0 and (i + 1) % self.evaluate_every == 0:
                perplexity = self._evidence(documents()).perplexity
                if self.verbose:
                    print(
                        f"iteration: {i + 1} of max_iter: {self.max_iter}, "
                        f"perplexity: {perplexity:.4f}"
                    )
                if last and abs(last - perplexity) < self.perp_tol:
                    break
                last = perplexity
            elif self.verbose:
                print(f"iteration: {i + 1} of max_iter: {self.max_iter}")
            self.n_iter_ += 1
        self.certificate_ = self._evidence(documents())
        self.bound_ = self.certificate_.perplexity
        return self

    def partial_fit(self, X: Any, y: Any = None) -> Self:
        """Update the topics from more documents, `batch_size` at a time.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n_documents, n_words)
            Counts, not negative.
        y : ignored
            For compatibility.

        Returns
        -------
        self
        """
        self._check_parameters()
        first = not hasattr(self, "components_")
        table = self._read(X, reset=first)
        counts = word_counts(table.x, "partial_fit")
        if first:
            self._begin(table)
        for part in batches(table.n_rows, self.batch_size, 0):
            self._update(iter([counts[part]]), float(self.total_samples))
        return self

    def transform(self, X: Any, *, normalize: bool = True) -> Any:
        """The topics of documents.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n_documents, n_words)
            Counts, not negative.
        normalize : bool, default=True
            Whether the shares of a document sum to 1; else γ.

        Returns
        -------
        array or frame of shape (n_documents, n_components)
        """
        self._check_fitted()
        table = self._read(X, reset=False)
        gamma = self._documents(word_counts(table.x, "transform"))
        if normalize:
            total = gamma.sum(axis=1, keepdims=True)
            gamma = np.where(total > 0.0, gamma, 1.0) / np.where(total > 0.0, total, gamma.shape[1])
        return self._wrap(gamma.astype(self.components_.dtype, copy=False), table)

    def fit_transform(self, X: Any, y: Any = None, *, normalize: bool = True) -> Any:
        """Find the topics and return those of the documents.

        Parameters
        ----------
        X, y
            As for `fit`.
        normalize : bool, default=True
            As for `transform`.

        Returns
        -------
        array or frame of shape (n_documents, n_components)
        """
        return self.fit(X, y).transform(X, normalize=normalize)

    def score(self, X: Any, y: Any = None) -> float:
        """The evidence bound of documents.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n_documents, n_words)
            Counts, not negative.
        y : ignored
            For compatibility.

        Returns
        -------
        float
        """
        self._check_fitted()
        table = self._read(X, reset=False)
        return self._evidence(iter([word_counts(table.x, "score")])).bound

    def perplexity(self, X: Any, sub_sampling: bool = False) -> float:
        """exp(−evidence bound per word) of documents; lower is better.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n_documents, n_words)
            Counts, not negative.
        sub_sampling : bool, default=False
            Whether X stands for `total_samples` documents.

        Returns
        -------
        float
        """
        self._check_fitted()
        table = self._read(X, reset=False)
        ratio = float(self.total_samples) / table.n_rows if sub_sampling else 1.0
        return self._evidence(iter([word_counts(table.x, "perplexity")]), ratio).perplexity

    # --- steps ----------------------------------------------------------------------------------

    def _begin(self, table: Table) -> None:
        k, p = self.n_components, table.n_features
        self.random_state_ = generator(self.random_state)
        self.n_batch_iter_, self.n_iter_ = 1, 0
        self.doc_topic_prior_ = 1.0 / k if self.doc_topic_prior is None else self.doc_topic_prior
        self.topic_word_prior_ = 1.0 / k if self.topic_word_prior is None else self.topic_word_prior
        self._keep(self.random_state_.gamma(100.0, 0.01, (k, p)), table.x.dtype)

    def _keep(self, components: Array, kind: Any) -> None:
        self.components_ = components.astype(kind, copy=False)
        expected = _core.dirichlet_expectation(components, True)
        self.exp_dirichlet_component_ = expected.astype(kind, copy=False)

    def _pass(self, documents: Documents, n: int) -> None:
        if self.learning_method == "online":
            for part in regrouped(documents(), self.batch_size):
                self._update(iter([part]), float(n))
        else:
            self._update(documents(), None)

    def _update(self, parts: Iterator[Any], total: float | None) -> None:
        """E-step and M-step: of all documents (`total` None), or of a batch out of `total`."""
        n, found = 0, np.zeros(self.components_.shape)
        for counts in parts:
            begin = self.random_state_.gamma(100.0, 0.01, (counts.shape[0], self.n_components))
            found += self._expect(counts, begin, statistics=True)[1].T
            n += counts.shape[0]
        found *= np.asarray(self.exp_dirichlet_component_, dtype=np.float64)
        if total is None:
            components = self.topic_word_prior_ + found
        else:
            weight = (self.learning_offset + self.n_batch_iter_) ** -self.learning_decay
            components = (1.0 - weight) * np.asarray(self.components_, dtype=np.float64)
            components += weight * (self.topic_word_prior_ + total / n * found)
        self._keep(np.ascontiguousarray(components), self.components_.dtype)
        self.n_batch_iter_ += 1

    def _expect(self, counts: Any, begin: Array, *, statistics: bool) -> tuple[Array, Any]:
        topics = np.ascontiguousarray(self.exp_dirichlet_component_.T, dtype=np.float64)
        return _core.expect_topics(
            counts.data,
            counts.indices,
            counts.indptr,
            topics,
            np.ascontiguousarray(begin),
            float(self.doc_topic_prior_),
            int(self.max_doc_update_iter),
            float(self.mean_change_tol),
            float(np.finfo(self.components_.dtype).eps),
            statistics,
        )

    def _documents(self, counts: Any) -> Array:
        """γ of documents, from a start that is the same for all."""
        begin = np.ones((counts.shape[0], self.components_.shape[0]))
        return self._expect(counts, begin, statistics=False)[0]

    def _evidence(self, parts: Iterator[Any], ratio: float = 1.0) -> TopicCertificate:
        """The bound of documents, each of which stands for `ratio` ones."""
        components = np.ascontiguousarray(self.components_, dtype=np.float64)
        bound = n_words = 0.0
        for counts in parts:
            gamma = self._documents(counts)
            bound += word_log_probability(counts, gamma, components)
            bound += dirichlet_evidence(float(self.doc_topic_prior_), gamma)
            n_words += float(counts.sum())
        topics = dirichlet_evidence(float(self.topic_word_prior_), components)
        return TopicCertificate(ratio * bound + topics, ratio * n_words)
