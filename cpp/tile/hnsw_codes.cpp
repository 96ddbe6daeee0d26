#include "tile/hnsw_codes.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "stylobate/buffer.hpp"
#include "stylobate/parallel.hpp"

namespace stylobate::tile {

template <class T>
double encode(const Coding& coding, const T* row, unsigned char* out) {
    const auto columns = static_cast<Index>(coding.low.size());
    const bool bytes = coding.bytes(), manhattan = coding.manhattan();
    std::memset(out, 0, static_cast<std::size_t>(coding.stride()));
    double error = 0.0;
    for (Index l = 0; l < columns; ++l) {
        const double exact = (static_cast<double>(row[l]) - coding.low[l]) * coding.scale;
        double kept;
        if (bytes) {
            kept = std::floor(std::clamp(exact, 0.0, 255.0) + 0.5);
            if (kept > 255.0) kept = 255.0;
            out[l] = static_cast<unsigned char>(kept);
        } else {
            const float single = static_cast<float>(exact);
            std::memcpy(out + 4 * l, &single, 4);
            kept = static_cast<double>(single);
        }
        const double off = exact - kept;
        error += manhattan ? std::fabs(off) : off * off;
    }
    return (manhattan ? error : std::sqrt(error)) / coding.scale;
}

namespace {

std::uint64_t hash_of(const unsigned char* code, Index stride) {
    std::uint64_t hash = 0x9E3779B97F4A7C15u;
    for (Index l = 0; l < stride; l += 8) {
        std::uint64_t word;
        std::memcpy(&word, code + l, 8);
        hash = (hash ^ word) * 0xD6E8FEB86659FD93u;
        hash ^= hash >> 32;
    }
    return hash;
}

// Rows so that those with the same code come one after the other, in order.
std::vector<std::uint32_t> by_code(const std::vector<unsigned char>& codes, Index rows,
                                   Index stride) {
    struct Hashed {
        std::uint64_t hash;
        std::uint32_t row;
    };
    std::vector<Hashed> all(static_cast<std::size_t>(rows));
    constexpr Index step = 4096;
    parallel_for((rows + step - 1) / step, [&](Index chunk, Checkpoint&) {
        for (Index i = chunk * step; i < std::min(rows, (chunk + 1) * step); ++i)
            all[i] = {hash_of(codes.data() + i * stride, stride), static_cast<std::uint32_t>(i)};
    });
    const auto code = [&](const Hashed& h) { return codes.data() + Index{h.row} * stride; };
    std::sort(all.begin(), all.end(), [&](const Hashed& a, const Hashed& b) {
        if (a.hash != b.hash) return a.hash < b.hash;
        const int order = std::memcmp(code(a), code(b), static_cast<std::size_t>(stride));
        return order != 0 ? order < 0 : a.row < b.row;
    });
    std::vector<std::uint32_t> sorted;
    for (const Hashed& h : all) sorted.push_back(h.row);
    return sorted;
}

}  // namespace

template <class T>
Nodes encode_rows(const Coding& coding, const MatrixView<T>& rows) {
    constexpr Index step = 1024;
    const Index n = rows.rows, stride = coding.stride();
    Nodes made;
    made.codes.resize(static_cast<std::size_t>(area(n, stride)));
    made.errors.resize(static_cast<std::size_t>(n));
    parallel_for((n + step - 1) / step, [&](Index chunk, Checkpoint&) {
        for (Index i = chunk * step; i < std::min(n, (chunk + 1) * step); ++i)
            made.errors[i] = encode(coding, rows.row(i), made.codes.data() + i * stride);
    });
    made.members = by_code(made.codes, n, stride);
    std::vector<std::uint32_t> firsts;  // places of nodes in members, by their first rows
    for (Index i = 0; i < n; ++i) {
        const auto code = [&](Index at) {
            return made.codes.data() + Index{made.members[at]} * stride;
        };
        const bool same =
            i > 0 && std::memcmp(code(i), code(i - 1), static_cast<std::size_t>(stride)) == 0;
        if (!same) firsts.push_back(static_cast<std::uint32_t>(i));
    }
    made.starts.assign(firsts.begin(), firsts.end());
    made.starts.push_back(n);
    std::vector<std::uint32_t> order(firsts.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::uint32_t>(i);
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return made.members[firsts[a]] < made.members[firsts[b]];
    });
    // so far codes and errors are those of the rows: bring them into the order of the members
    std::vector<double> errors(made.errors.size());
    for (Index i = 0; i < n; ++i) errors[i] = made.errors[made.members[i]];
    made.errors = std::move(errors);
    std::vector<unsigned char> codes(firsts.size() * static_cast<std::size_t>(stride));
    for (std::size_t i = 0; i < firsts.size(); ++i)
        std::memcpy(codes.data() + i * stride,
                    made.codes.data() + Index{made.members[firsts[i]]} * stride,
                    static_cast<std::size_t>(stride));
    made.codes = std::move(codes);
    return reordered(made, order, stride);
}

Nodes reordered(const Nodes& nodes, const std::vector<std::uint32_t>& order, Index stride) {
    Nodes made;
    made.starts.push_back(0);
    made.codes.resize(nodes.codes.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        const std::int64_t first = nodes.starts[order[i]], last = nodes.starts[order[i] + 1];
        for (std::int64_t m = first; m < last; ++m) {
            made.members.push_back(nodes.members[m]);
            made.errors.push_back(nodes.errors[m]);
        }
        made.starts.push_back(static_cast<std::int64_t>(made.members.size()));
        std::memcpy(made.codes.data() + i * stride, nodes.codes.data() + Index{order[i]} * stride,
                    static_cast<std::size_t>(stride));
    }
    return made;
}

template double encode(const Coding&, const double*, unsigned char*);
template double encode(const Coding&, const float*, unsigned char*);
template Nodes encode_rows(const Coding&, const MatrixView<double>&);
template Nodes encode_rows(const Coding&, const MatrixView<float>&);

}  // namespace stylobate::tile
