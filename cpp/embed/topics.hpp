// Topics of documents by variational Bayes (latent Dirichlet allocation): the E-step and the
// evidence bound. Topics are given as exp E[log β], words × topics packed.
#pragma once

#include <vector>

#include "embed/nonnegative.hpp"
#include "stylobate/views.hpp"

namespace stylobate::embed {

struct DocumentOptions {
    double prior;      // α of the topics of a document
    Index iterations;  // at most
    double tolerance;  // mean change of γ at which a document is done
    double floor;      // added to the probabilities of words, ε of the caller's numbers
};

// γ of each document (documents × topics; in: the start, out: the answer). Where `statistics` is
// not null, Σ_d φ_dw n_dw / exp E[log β] (words × topics).
template <class T, class I>
void expect_topics(const SparseView<T, I>& counts, Factor topics, const DocumentOptions& options,
                   double* gamma, double* statistics);

// Σ_dw n_dw log Σ_t exp(E[log θ_dt] + E[log β_tw]), from E[log θ] and E[log β] (words × topics).
template <class T, class I>
double word_evidence(const SparseView<T, I>& counts, Factor log_theta, Factor log_beta);

// Rows of out: ψ(x) − ψ(Σ x) of the rows of x, or its exponential.
void dirichlet_expectation(Factor x, bool exponential, double* out);

}  // namespace stylobate::embed
