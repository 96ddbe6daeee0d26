#include "scan/sketch_columns.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <mutex>

#include "scan/sketch_hash.hpp"
#include "stylobate/errors.hpp"

namespace stylobate::scan {
namespace {

std::int64_t characters_of(const Text& text) {
    std::int64_t continued = 0;
    Index i = 0;
    for (; i + 8 <= text.size; i += 8) {
        const std::uint64_t word = detail::word(text.data + i);  // bytes 10xxxxxx go on
        continued += std::popcount(word & ~(word << 1) & 0x8080808080808080u);
    }
    for (; i < text.size; ++i) continued += (text.data[i] & 0xc0) == 0x80;
    return text.size - continued;
}

void note_missing(const RowNotes& notes, Index row) {
    if (notes.missing != nullptr) notes.missing[row / 64] |= std::uint64_t{1} << (row % 64);
    if (notes.hashes != nullptr) notes.hashes[row] += missing_hash * notes.salt;
}

void note_rows(const CellBlock& block, const RowNotes& notes, Index first) {
    if (block.present < block.rows) {
        for (Index i = 0; i < block.rows; ++i)
            if (block.there[i] == 0)
                note_missing(notes, first + i);
            else if (notes.hashes != nullptr)
                notes.hashes[first + i] += block.hashes[i] * notes.salt;
    } else if (notes.hashes != nullptr) {
        for (Index i = 0; i < block.rows; ++i)
            notes.hashes[first + i] += block.hashes[i] * notes.salt;
    }
}

}  // namespace

void Lengths::absorb(const Text& text, std::int64_t times) {
    const std::int64_t size = text.size, long_as = characters_of(text);
    if (count == 0) {
        least_bytes = most_bytes = size;
        least_characters = most_characters = long_as;
    }
    count += times;
    empty += size == 0 ? times : 0;
    bytes += size * times;
    characters += long_as * times;
    least_bytes = std::min(least_bytes, size);
    most_bytes = std::max(most_bytes, size);
    least_characters = std::min(least_characters, long_as);
    most_characters = std::max(most_characters, long_as);
}

void Lengths::merge(const Lengths& other) {
    if (other.count == 0) return;
    if (count == 0) {
        *this = other;
        return;
    }
    count += other.count;
    empty += other.empty;
    bytes += other.bytes;
    characters += other.characters;
    least_bytes = std::min(least_bytes, other.least_bytes);
    most_bytes = std::max(most_bytes, other.most_bytes);
    least_characters = std::min(least_characters, other.least_characters);
    most_characters = std::max(most_characters, other.most_characters);
}

ColumnSketch::ColumnSketch(const SketchSizes& given)
    : sizes(given),
      quantiles(given.quantiles, given.seed),
      frequent(given.frequent),
      distinct(given.distinct_bits) {}

void ColumnSketch::learn_kind(KeyKind found) {
    if (found == KeyKind::none || found == kind) return;
    if (kind != KeyKind::none)
        throw InvalidArgument("a column changes its type from one batch to another");
    kind = found;
}

void ColumnSketch::absorb(const ColumnView& view, const RowNotes& notes, Checkpoint& checkpoint) {
    const KeyKind found = key_kind(view);
    learn_kind(found);
    rows += view.length;
    if (found == KeyKind::none)
        absorb_missing(view, notes);
    else if (found != KeyKind::text)
        absorb_numbers(view, notes, checkpoint);
    else if (view.dictionary != nullptr && view.dictionary->length <= 2 * view.length + 1024)
        absorb_words(view, notes, checkpoint);
    else
        absorb_texts(view, notes, checkpoint);
}

void ColumnSketch::absorb_missing(const ColumnView& view, const RowNotes& notes) {
    for (Index i = 0; i < view.length; ++i)
        if (!view.is_there(i)) {
            ++missing;
            note_missing(notes, i);
        }
}

void ColumnSketch::count_values(const std::uint64_t* hashes, const std::uint64_t* keys,
                                const Text* texts, const std::int64_t* times, Index n) {
    if (!sizes.with_values) return;
    const bool knew_all = frequent.is_exact();
    frequent.absorb(hashes, keys, texts, times, n);
    if (frequent.is_exact()) return;
    if (knew_all)
        for (const Frequent::Entry& entry : frequent.entries()) distinct.absorb(&entry.hash, 1);
    distinct.absorb(hashes, n);
}

void ColumnSketch::absorb_numbers(const ColumnView& view, const RowNotes& notes,
                                  Checkpoint& checkpoint) {
    const auto block = std::make_unique<CellBlock>();
    for (Index first = 0; first < view.length; first += block_rows) {
        checkpoint();
        const Index count = std::min(block_rows, view.length - first);
        decode(view, first, count, *block);
        const Index n = block->present;
        note_rows(*block, notes, first);
        missing += count - n;
        compact(*block);
        if (sizes.with_shape) shape.absorb(block->numbers, n);
        if (sizes.with_quantiles) quantiles.absorb(block->keys, n);
        count_values(block->hashes, block->keys, nullptr, nullptr, n);
    }
}

void ColumnSketch::absorb_texts(const ColumnView& view, const RowNotes& notes,
                                Checkpoint& checkpoint) {
    std::vector<Text> texts(block_rows);
    std::uint64_t hashes[block_rows];
    const ColumnView* const words = view.dictionary;
    for (Index first = 0; first < view.length; first += block_rows) {
        checkpoint();
        Index n = 0;
        for (Index i = first; i < std::min(first + block_rows, view.length); ++i) {
            const ColumnView* cells = &view;
            Index at = i;
            bool there = view.is_there(i);
            if (there && words != nullptr) {
                cells = words;
                at = code_at(view, i);
                there = words->is_there(at);
            }
            if (!there) {
                ++missing;
                note_missing(notes, i);
                continue;
            }
            texts[n] = text_at(*cells, at);
            hashes[n] = text_hash(texts[n].data, texts[n].size);
            if (notes.hashes != nullptr) notes.hashes[i] += hashes[n] * notes.salt;
            lengths.absorb(texts[n], 1);
            ++n;
        }
        count_values(hashes, nullptr, texts.data(), nullptr, n);
    }
}

// A dictionary's words are looked at once, however often they are used.
void ColumnSketch::absorb_words(const ColumnView& view, const RowNotes& notes,
                                Checkpoint& checkpoint) {
    const ColumnView& words = *view.dictionary;
    std::vector<std::int64_t> uses(words.length);
    std::vector<std::uint64_t> known(words.length);
    std::vector<Index> order;
    for (Index i = 0; i < view.length; ++i) {
        if (i % block_rows == 0) checkpoint();
        const Index code = view.is_there(i) ? code_at(view, i) : -1;
        if (code < 0 || !words.is_there(code)) {
            ++missing;
            note_missing(notes, i);
            continue;
        }
        if (uses[code]++ == 0) {
            const Text text = text_at(words, code);
            known[code] = text_hash(text.data, text.size);
            order.push_back(code);
        }
        if (notes.hashes != nullptr) notes.hashes[i] += known[code] * notes.salt;
    }
    std::vector<Text> texts;
    std::vector<std::uint64_t> hashes;
    std::vector<std::int64_t> times;
    for (std::size_t o = 0; o < order.size(); ++o) {
        texts.push_back(text_at(words, order[o]));
        hashes.push_back(known[order[o]]);
        times.push_back(uses[order[o]]);
        lengths.absorb(texts.back(), times.back());
        if (static_cast<Index>(texts.size()) == block_rows || o + 1 == order.size()) {
            count_values(hashes.data(), nullptr, texts.data(), times.data(),
                         static_cast<Index>(texts.size()));
            texts.clear();
            hashes.clear();
            times.clear();
        }
    }
}

void ColumnSketch::merge(const ColumnSketch& other) {
    if (&other == this) return merge(ColumnSketch(other));
    learn_kind(other.kind);
    rows += other.rows;
    missing += other.missing;
    shape.merge(other.shape);
    quantiles.merge(other.quantiles);
    lengths.merge(other.lengths);
    Distinct ours = distinct, theirs = other.distinct;
    if (frequent.is_exact())
        for (const Frequent::Entry& entry : frequent.entries()) ours.absorb(&entry.hash, 1);
    if (other.frequent.is_exact())
        for (const Frequent::Entry& entry : other.frequent.entries()) theirs.absorb(&entry.hash, 1);
    frequent.merge(other.frequent);
    if (frequent.is_exact()) return;
    distinct = std::move(ours);
    distinct.merge(theirs);
}

double ColumnSketch::distinct_values() const {
    if (frequent.is_exact()) return static_cast<double>(frequent.entries().size());
    return distinct.estimate();
}

TableSketch::TableSketch(Index n_columns, const SketchSizes& sizes, bool with_rows, Index most_rows,
                         Index most_patterns)
    : has_rows(with_rows), row_set(with_rows ? most_rows : 0), patterns(n_columns, most_patterns) {
    if (n_columns < 0) throw InvalidArgument("a table cannot have fewer than no columns");
    columns.reserve(static_cast<std::size_t>(n_columns));
    for (Index j = 0; j < n_columns; ++j) {
        SketchSizes own = sizes;
        own.seed = mixed(sizes.seed + static_cast<std::uint64_t>(j) * golden);
        columns.emplace_back(own);
    }
}

void TableSketch::absorb(const std::vector<const ColumnView*>& views, std::int64_t start) {
    const auto p = static_cast<Index>(columns.size());
    if (static_cast<Index>(views.size()) != p)
        throw InvalidArgument("a batch has another number of columns than the table");
    if (p == 0) return;
    const Index n = views[0]->length, words = (n + 63) / 64;
    for (const ColumnView* const view : views)
        if (view->length != n) throw InvalidArgument("the columns of a batch differ in length");
    std::vector<std::vector<std::uint64_t>> missing(has_rows ? p : 0);
    // sums of hashes commute exactly: each running thread has its own, in whatever order
    std::vector<std::vector<std::uint64_t>> sums, idle;
    std::mutex guard;
    parallel_for(p, [&](Index j, Checkpoint& checkpoint) {
        std::vector<std::uint64_t> own;
        RowNotes notes;
        const std::int64_t missed = columns[j].missing;
        if (has_rows) {
            {
                const std::lock_guard<std::mutex> lock(guard);
                if (!idle.empty()) {
                    own = std::move(idle.back());
                    idle.pop_back();
                }
            }
            own.resize(n);
            missing[j].resize(words);
            notes = {own.data(), mixed(static_cast<std::uint64_t>(j) + golden) | 1,
                     missing[j].data()};
        }
        columns[j].absorb(*views[j], notes, checkpoint);
        if (!has_rows) return;
        if (columns[j].missing == missed) missing[j] = {};
        const std::lock_guard<std::mutex> lock(guard);
        idle.push_back(std::move(own));
    });
    rows += n;
    if (!has_rows) return;
    std::vector<std::uint64_t> hashes(n);
    for (const auto& sum : idle)
        for (Index i = 0; i < n; ++i) hashes[i] += sum[i];
    for (std::uint64_t& hash : hashes) hash = mixed(hash);
    row_set.absorb(hashes.data(), n, start);
    std::vector<const std::uint64_t*> bits;
    for (const auto& each : missing) bits.push_back(each.empty() ? nullptr : each.data());
    patterns.absorb(bits, n);
}

void TableSketch::merge(const TableSketch& other) {
    if (columns.size() != other.columns.size() || has_rows != other.has_rows)
        throw InvalidArgument("sketches of different tables do not merge");
    for (std::size_t j = 0; j < columns.size(); ++j) columns[j].merge(other.columns[j]);
    rows += other.rows;
    if (!has_rows) return;
    row_set.merge(other.row_set);
    patterns.merge(other.patterns);
}

}  // namespace stylobate::scan
