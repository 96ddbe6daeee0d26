#include "embed/topics.hpp"

#include <cmath>
#include <cstdint>

#include "embed/factor_kernels.hpp"
#include "embed/padded_factor.hpp"
#include "scan/kernels.hpp"
#include "stylobate/parallel.hpp"

namespace stylobate::embed {
namespace {

constexpr Index chunk_documents = 16;

double summed(const double* x, Index n) {
    double total = 0.0;
    for (Index i = 0; i < n; ++i) total += x[i];
    return total;
}

// exp(ψ(x) − ψ(Σ x)); all alike where the sum is 0, of which nothing is known.
void expectation(const double* x, Index n, double* out) {
    const double total = summed(x, n);
    if (total > 0.0)
        factors::kernels().exp_digamma(x, n, total, out);
    else
        std::fill(out, out + n, 1.0 / static_cast<double>(n));
}

// The words of one document, topics × words, as the kernels read them in every iteration.
struct Document {
    Index topics, words = 0, padded = 0;
    Buffer b, counts, ratios, theta, found;

    explicit Document(Index k) : topics(k), theta(padded_width(k)), found(padded_width(k)) {}

    template <class T, class I>
    void load(const SparseView<T, I>& x, Index d, Factor beta) {
        const auto first = static_cast<Index>(x.offsets[d]);
        words = static_cast<Index>(x.offsets[d + 1]) - first;
        padded = padded_width(words);
        if (counts.size() < padded) {
            b = Buffer(area(topics, padded));
            counts = Buffer(padded);
            ratios = Buffer(padded);
        }
        for (Index e = 0; e < padded; ++e) {
            const bool real = e < words;
            counts[e] = real ? static_cast<double>(x.values[first + e]) : 0.0;
            const double* const own =
                real ? beta.data + static_cast<Index>(x.indices[first + e]) * topics : nullptr;
            for (Index t = 0; t < topics; ++t) b[t * padded + e] = real ? own[t] : 0.0;
        }
    }
    void find_ratios(double floor) {
        factors::kernels().word_ratios(b.data(), topics, padded, theta.data(), counts.data(), floor,
                                       ratios.data());
    }

    // Between γ and the words' topics until γ stays.
    void settle(const DocumentOptions& options, double* gamma) {
        expectation(gamma, topics, theta.data());
        for (Index round = 0; round < options.iterations; ++round) {
            find_ratios(options.floor);
            factors::kernels().topic_sums(b.data(), topics, padded, ratios.data(), found.data());
            double change = 0.0;
            for (Index t = 0; t < topics; ++t) {
                const double value = theta[t] * found[t] + options.prior;
                change += std::fabs(value - gamma[t]);
                gamma[t] = value;
            }
            expectation(gamma, topics, theta.data());
            if (change / static_cast<double>(topics) < options.tolerance) break;
        }
    }
};

// Where the entries of each column are, in the order of rows.
struct Columns {
    std::vector<Index> offsets, rows, entries;

    template <class T, class I>
    explicit Columns(const SparseView<T, I>& x) : offsets(x.minor + 1, 0) {
        const auto count = static_cast<Index>(x.offsets[x.major]);
        rows.resize(count);
        entries.resize(count);
        for (Index e = 0; e < count; ++e) ++offsets[static_cast<Index>(x.indices[e]) + 1];
        for (Index j = 0; j < x.minor; ++j) offsets[j + 1] += offsets[j];
        std::vector<Index> next(offsets.begin(), offsets.end() - 1);
        for (Index i = 0; i < x.major; ++i)
            for (auto e = static_cast<Index>(x.offsets[i]);
                 e < static_cast<Index>(x.offsets[i + 1]); ++e) {
                const Index place = next[static_cast<Index>(x.indices[e])]++;
                rows[place] = i;
                entries[place] = e;
            }
    }
};

// out[w] = Σ_d ratio_dw θ_d: words are independent of each other, so the sums need no merging.
template <class T, class I>
void sum_words(const SparseView<T, I>& x, const Buffer& theta, Index ld, Index k,
               const std::vector<double>& ratios, double* out) {
    constexpr Index chunk_words = 256;
    const Columns columns(x);
    parallel_for((x.minor + chunk_words - 1) / chunk_words, [&](Index chunk, Checkpoint& check) {
        std::vector<double> factor;
        Buffer sum(ld);
        const Index last = std::min(x.minor, (chunk + 1) * chunk_words);
        for (Index j = chunk * chunk_words; j < last; ++j) {
            check();
            const Index first = columns.offsets[j], count = columns.offsets[j + 1] - first;
            factor.resize(count);
            for (Index e = 0; e < count; ++e) factor[e] = ratios[columns.entries[first + e]];
            std::fill(sum.data(), sum.data() + ld, 0.0);
            factors::kernels().gathered_sums(theta.data(), ld, k, columns.rows.data() + first,
                                             count, factor.data(), sum.data());
            std::copy(sum.data(), sum.data() + k, out + j * k);
        }
    });
}

// Rows of logarithms as exponentials of what they are below their largest.
struct Exponentials {
    PaddedFactor values;
    std::vector<double> largest;

    explicit Exponentials(Factor logs) : values(logs), largest(logs.rows) {
        constexpr Index chunk_rows = 256;
        parallel_for((logs.rows + chunk_rows - 1) / chunk_rows, [&](Index chunk, Checkpoint&) {
            const Index last = std::min(logs.rows, (chunk + 1) * chunk_rows);
            for (Index i = chunk * chunk_rows; i < last; ++i) {
                double* const row = values.data.data() + i * values.ld;
                largest[i] = *std::max_element(row, row + logs.k);
                for (Index t = 0; t < logs.k; ++t)
                    row[t] = row[t] == largest[i] ? 0.0 : row[t] - largest[i];
                scan::kernels().exp(row, logs.k, row);
            }
        });
    }
};

// log Σ_t exp(a_t + b_t), for topics that are far apart in both.
double log_sum(const double* a, const double* b, Index k) {
    double most = -INFINITY, total = 0.0;
    for (Index t = 0; t < k; ++t) most = std::max(most, a[t] + b[t]);
    if (!(most > -INFINITY)) return most;
    for (Index t = 0; t < k; ++t) total += std::exp(a[t] + b[t] - most);
    return most + std::log(total);
}

}  // namespace

template <class T, class I>
void expect_topics(const SparseView<T, I>& counts, Factor topics, const DocumentOptions& options,
                   double* gamma, double* statistics) {
    const Index k = topics.k, ld = padded_width(k);
    const bool wanted = statistics != nullptr;
    std::vector<double> ratios(wanted ? static_cast<Index>(counts.offsets[counts.major]) : 0);
    Buffer theta(wanted ? area(counts.major, ld) : 0);
    const Index chunks = (counts.major + chunk_documents - 1) / chunk_documents;
    parallel_for(chunks, [&](Index chunk, Checkpoint& checkpoint) {
        Document document(k);
        const Index last = std::min(counts.major, (chunk + 1) * chunk_documents);
        for (Index d = chunk * chunk_documents; d < last; ++d) {
            checkpoint();
            document.load(counts, d, topics);
            document.settle(options, gamma + d * k);
            if (!wanted) continue;
            document.find_ratios(options.floor);
            std::copy(document.ratios.data(), document.ratios.data() + document.words,
                      ratios.data() + static_cast<Index>(counts.offsets[d]));
            std::copy(document.theta.data(), document.theta.data() + k, theta.data() + d * ld);
        }
    });
    if (wanted) sum_words(counts, theta, ld, k, ratios, statistics);
}

template <class T, class I>
double word_evidence(const SparseView<T, I>& counts, Factor log_theta, Factor log_beta) {
    constexpr double tiny = 1e-250;  // products of topics below it have lost digits
    const Index k = log_beta.k;
    const Exponentials theta(log_theta), beta(log_beta);
    const Index chunks = (counts.major + chunk_documents - 1) / chunk_documents;
    std::vector<double> parts(chunks, 0.0);
    parallel_for(chunks, [&](Index chunk, Checkpoint& checkpoint) {
        const Index last = std::min(counts.major, (chunk + 1) * chunk_documents);
        for (Index d = chunk * chunk_documents; d < last; ++d) {
            checkpoint();
            for (auto e = static_cast<Index>(counts.offsets[d]);
                 e < static_cast<Index>(counts.offsets[d + 1]); ++e) {
                const auto n = static_cast<double>(counts.values[e]);
                if (n == 0.0) continue;
                const auto word = static_cast<Index>(counts.indices[e]);
                double dot = 0.0;
                factors::kernels().gathered_dots(beta.values.data.data(), beta.values.ld, k, &word,
                                                 1, theta.values.row(d), &dot);
                parts[chunk] +=
                    n * (dot > tiny ? std::log(dot) + theta.largest[d] + beta.largest[word]
                                    : log_sum(log_theta.data + d * k, log_beta.data + word * k, k));
            }
        }
    });
    return summed(parts.data(), chunks);
}

void dirichlet_expectation(Factor x, bool exponential, double* out) {
    const auto compute =
        exponential ? factors::kernels().exp_digamma : factors::kernels().digamma_differences;
    const Index chunk_rows = std::max<Index>(4096 / std::max<Index>(x.k, 1), 1);
    parallel_for((x.rows + chunk_rows - 1) / chunk_rows, [&](Index chunk, Checkpoint&) {
        const Index last = std::min(x.rows, (chunk + 1) * chunk_rows);
        for (Index i = chunk * chunk_rows; i < last; ++i) {
            const double* const row = x.data + i * x.k;
            compute(row, x.k, summed(row, x.k), out + i * x.k);
        }
    });
}

#define STYLOBATE_TOPICS(T, I)                                                                    \
    template void expect_topics(const SparseView<T, I>&, Factor, const DocumentOptions&, double*, \
                                double*);                                                         \
    template double word_evidence(const SparseView<T, I>&, Factor, Factor);
STYLOBATE_TOPICS(double, std::int32_t)
STYLOBATE_TOPICS(double, std::int64_t)
STYLOBATE_TOPICS(float, std::int32_t)
STYLOBATE_TOPICS(float, std::int64_t)

}  // namespace stylobate::embed
