#include <algorithm>
#include <limits>

#include "scan/text.hpp"
#include "scan/text_analysis.hpp"
#include "stylobate/parallel.hpp"

namespace stylobate::scan {
namespace {

constexpr Index chunk_documents = 4096, chunk_characters = Index{1} << 21;

// Where chunks of documents begin, and the end of the last.
std::vector<Index> cut(const Document* documents, Index n) {
    std::vector<Index> starts{0};
    Index characters = 0;
    for (Index i = 0; i < n; ++i) {
        characters += documents[i].length;
        if (characters >= chunk_characters || i + 1 - starts.back() >= chunk_documents) {
            starts.push_back(i + 1);
            characters = 0;
        }
    }
    if (starts.back() != n) starts.push_back(n);
    return starts;
}

// Calls work(chunk, first, last, checkpoint) for every chunk of documents.
template <class Work>
void for_chunks(const std::vector<Index>& starts, const Work& work) {
    parallel_for(static_cast<Index>(starts.size()) - 1, [&](Index c, Checkpoint& checkpoint) {
        work(c, starts[c], starts[c + 1], checkpoint);
    });
}

void add_one(std::int32_t& count) {
    if (count != std::numeric_limits<std::int32_t>::max()) ++count;
}

// The row that is being counted: where each term that it has stands.
class OpenRow {
 public:
    OpenRow(CountedRows& rows, std::size_t terms) : rows_(rows), places_(terms) {}

    void start() {
        ++row_;
        begin_ = rows_.entries.size();
    }
    void expect(std::uint32_t number) const {
        if (number < places_.size()) __builtin_prefetch(&places_[number], 1);
    }
    void add(std::uint32_t number) {
        if (number >= places_.size()) places_.resize(2 * static_cast<std::size_t>(number) + 64);
        Place& place = places_[number];
        if (place.row == row_) return add_one(rows_.entries[begin_ + place.at].count);
        place = {row_, static_cast<std::uint32_t>(rows_.entries.size() - begin_)};
        rows_.entries.push_back({number, 1});
    }
    void end() { rows_.sizes.push_back(static_cast<Index>(rows_.entries.size() - begin_)); }

 private:
    struct Place {
        std::uint32_t row = 0, at = 0;
    };
    CountedRows& rows_;
    std::vector<Place> places_;
    std::uint32_t row_ = 0;
    std::size_t begin_ = 0;
};

// What one chunk found, its terms numbered as they appeared in it.
struct Found {
    Terms terms;
    CountedRows rows;
    std::vector<std::int64_t> documents_with, occurrences;  // of each term
};

// Sinks of terms (see Analyst).
struct NewTerms {
    Terms& terms;
    OpenRow& row;
    void expect(std::uint64_t hash) const { terms.expect(hash); }
    std::uint64_t find(std::string_view term, std::uint64_t hash) const {
        const std::uint32_t number = terms.number_of(term, hash);
        row.expect(number);
        return number;
    }
    void add(std::uint64_t number) const { row.add(static_cast<std::uint32_t>(number)); }
};

struct KnownTerms {
    const Terms& terms;
    OpenRow& row;
    void expect(std::uint64_t hash) const { terms.expect(hash); }
    std::uint64_t find(std::string_view term, std::uint64_t hash) const {
        const std::uint32_t number = terms.find(term, hash);
        row.expect(number);
        return number;
    }
    void add(std::uint64_t number) const {
        if (number != Terms::none) row.add(static_cast<std::uint32_t>(number));
    }
};

// Columns by hash, each followed by a bit that is 1 for a negative sign.
struct HashedTerms {
    std::uint32_t columns;
    bool alternate;
    std::vector<std::uint64_t>& row;
    void expect(std::uint64_t) const {}
    std::uint64_t find(std::string_view term, std::uint64_t) const {
        const std::uint32_t hash = murmur3(term.data(), term.size());
        const bool negative = hash >> 31 != 0;
        const std::uint32_t size = negative ? 0u - hash : hash;
        return (static_cast<std::uint64_t>(size % columns) << 1) |
               static_cast<std::uint64_t>(alternate && negative);
    }
    void add(std::uint64_t column) const { row.push_back(column); }
};

void count_new(const Document* first, const Document* last, const Analysis& analysis, Found& found,
               Checkpoint& checkpoint) {
    OpenRow row(found.rows, 0);
    NewTerms sink{found.terms, row};
    Analyst analyst(analysis, sink, checkpoint);
    for (; first != last; ++first) {
        row.start();
        analyst.read(*first);
        row.end();
    }
    found.documents_with.resize(found.terms.size());
    found.occurrences.resize(found.terms.size());
    for (const CountedRows::Entry& entry : found.rows.entries) {
        ++found.documents_with[entry.column];
        found.occurrences[entry.column] += entry.count;
    }
}

std::uint64_t prefix(std::string_view term) {
    std::uint64_t word = 0;
    for (std::size_t k = 0; k < 8; ++k)
        word = (word << 8) | (k < term.size() ? static_cast<std::uint8_t>(term[k]) : 0u);
    return word;
}

}  // namespace

void TermCounter::add(const Document* documents, Index n, const Analysis& analysis) {
    const std::vector<Index> starts = cut(documents, n);
    std::vector<Found> found(starts.size() - 1);
    for_chunks(starts, [&](Index c, Index first, Index last, Checkpoint& checkpoint) {
        count_new(documents + first, documents + last, analysis, found[c], checkpoint);
    });
    std::vector<std::vector<std::uint32_t>> numbers(found.size());
    for (std::size_t c = 0; c < found.size(); ++c) {
        const Terms& terms = found[c].terms;
        numbers[c].resize(terms.size());
        for (std::uint32_t k = 0; k < terms.size(); ++k)
            numbers[c][k] = terms_.number_of(terms[k], terms.hash(k));
        documents_with_.resize(terms_.size());
        occurrences_.resize(terms_.size());
        for (std::uint32_t k = 0; k < terms.size(); ++k) {
            documents_with_[numbers[c][k]] += found[c].documents_with[k];
            occurrences_[numbers[c][k]] += found[c].occurrences[k];
        }
        found[c].terms = Terms();
    }
    parallel_for(static_cast<Index>(found.size()), [&](Index c, Checkpoint&) {
        for (CountedRows::Entry& entry : found[c].rows.entries)
            entry.column = numbers[c][entry.column];
    });
    for (Found& each : found) parts_.push_back(std::move(each.rows));
}

std::vector<std::uint32_t> TermCounter::sorted() const {
    struct Key {
        std::uint64_t prefix;
        std::uint32_t number;
    };
    std::vector<Key> keys(terms_.size());
    for (std::uint32_t k = 0; k < terms_.size(); ++k) keys[k] = {prefix(terms_[k]), k};
    // the order of UTF-8 bytes is the order of code points
    std::sort(keys.begin(), keys.end(), [&](const Key& a, const Key& b) {
        if (a.prefix != b.prefix) return a.prefix < b.prefix;
        return terms_[a.number] < terms_[b.number];
    });
    std::vector<std::uint32_t> order(keys.size());
    std::transform(keys.begin(), keys.end(), order.begin(), [](const Key& k) { return k.number; });
    return order;
}

std::vector<CountedRows> count_known(const Terms& vocabulary, const Document* documents, Index n,
                                     const Analysis& analysis) {
    const std::vector<Index> starts = cut(documents, n);
    std::vector<CountedRows> parts(starts.size() - 1);
    for_chunks(starts, [&](Index c, Index first, Index last, Checkpoint& checkpoint) {
        OpenRow row(parts[c], vocabulary.size());
        KnownTerms sink{vocabulary, row};
        Analyst analyst(analysis, sink, checkpoint);
        for (Index i = first; i < last; ++i) {
            row.start();
            analyst.read(documents[i]);
            row.end();
        }
    });
    return parts;
}

std::vector<CountedRows> count_hashed(Index columns, bool alternate, const Document* documents,
                                      Index n, const Analysis& analysis) {
    const std::vector<Index> starts = cut(documents, n);
    std::vector<CountedRows> parts(starts.size() - 1);
    const auto width = static_cast<std::uint32_t>(columns);
    for_chunks(starts, [&](Index c, Index first, Index last, Checkpoint& checkpoint) {
        CountedRows& rows = parts[c];
        std::vector<std::uint64_t> row;
        HashedTerms sink{width, alternate, row};
        Analyst analyst(analysis, sink, checkpoint);
        for (Index i = first; i < last; ++i) {
            row.clear();
            analyst.read(documents[i]);
            std::sort(row.begin(), row.end());
            const std::size_t begin = rows.entries.size();
            for (const std::uint64_t signed_column : row) {
                const auto column = static_cast<std::uint32_t>(signed_column >> 1);
                if (rows.entries.size() == begin || rows.entries.back().column != column)
                    rows.entries.push_back({column, 0});
                rows.entries.back().count += (signed_column & 1) != 0 ? -1 : 1;
            }
            rows.sizes.push_back(static_cast<Index>(rows.entries.size() - begin));
        }
    });
    return parts;
}

Index entries_of(const std::vector<CountedRows>& parts) {
    Index entries = 0;
    for (const CountedRows& part : parts) entries += static_cast<Index>(part.entries.size());
    return entries;
}

}  // namespace stylobate::scan
