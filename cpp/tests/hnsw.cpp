#include "tile/hnsw.hpp"

#include <algorithm>
#include <cstring>
#include <set>

#include "check.hpp"
#include "reference.hpp"
#include "stylobate/errors.hpp"
#include "stylobate/parallel.hpp"
#include "stylobate/random.hpp"
#include "tile/kernels.hpp"
#include "tile/nearest.hpp"

namespace stylobate {
namespace {

using namespace tests;
using namespace tile;

Coding coding_for(const MatrixView<double>& x, CodeMeasure measure) {
    Coding coding;
    coding.measure = measure;
    double span = 0.0;
    for (Index l = 0; l < x.cols; ++l) {
        double low = x(0, l), high = x(0, l);
        for (Index i = 0; i < x.rows; ++i)
            low = std::min(low, x(i, l)), high = std::max(high, x(i, l));
        coding.low.push_back(low);
        span = std::max(span, high - low);
    }
    coding.scale = (coding.bytes() ? 255.0 : 1.0) / (span > 0.0 ? span : 1.0);
    return coding;
}

struct Made {
    Coding coding;
    Nodes nodes;
    std::vector<std::int64_t> sizes;
    Graph graph;

    Made(const MatrixView<double>& x, CodeMeasure measure, Index degree = 8, Index effort = 60)
        : coding(coding_for(x, measure)) {
        const Nodes found = encode_rows(coding, x);
        const Numbering numbers = hnsw_numbering(found.count(), degree, 7);
        nodes = reordered(found, numbers.order, coding.stride());
        sizes = numbers.sizes;
        graph = hnsw_build(codes(), sizes, degree, effort);
        degree_ = degree;
    }
    CodeRows codes() const {
        return {coding.measure, nodes.codes.data(), nodes.count(), coding.stride()};
    }
    std::vector<std::int64_t> nearest(const MatrixView<double>& x, const MatrixView<double>& q,
                                      Index k, Index effort, std::vector<double>& values) const {
        const auto layers = layers_of(graph.links.data(), graph.upper.data(), sizes.data(),
                                      static_cast<Index>(sizes.size()), degree_);
        std::vector<std::int64_t> rows(static_cast<std::size_t>(q.rows * k));
        values.resize(rows.size());
        const CodeRows all = codes();
        hnsw_nearest<double>({layers, all, coding, nodes.starts.data(), nodes.members.data(),
                              nodes.errors.data(), x},
                             q, {k, effort}, values.data(), rows.data());
        return rows;
    }
    Index degree_;
};

const CodeMeasure all_measures[] = {CodeMeasure::byte_squared, CodeMeasure::byte_manhattan,
                                    CodeMeasure::float_squared, CodeMeasure::float_manhattan};

TEST(code_distances_are_those_of_a_plain_loop) {
    const Philox random(3, 0);
    for (const Isa which : {Isa::base, Isa::avx2, Isa::avx512}) {
        const tile::Kernels* const table = tile::kernels_of(which);
        if (table == nullptr) continue;
        for (const Index stride : {64, 128, 320}) {
            std::vector<unsigned char> codes(static_cast<std::size_t>(9 * stride));
            for (std::size_t i = 0; i < codes.size(); ++i)
                codes[i] = static_cast<unsigned char>(random.word(i));
            codes[0] = 255, codes[static_cast<std::size_t>(stride)] = 0;
            const std::vector<unsigned> list = {1, 8, 0, 3};
            for (const bool squared : {true, false}) {
                unsigned out[4];
                table->code_distances(squared ? 0 : 1, codes.data(), codes.data(), stride,
                                      list.data(), 4, out);
                for (Index j = 0; j < 4; ++j) {
                    long expected = 0;
                    for (Index l = 0; l < stride; ++l) {
                        const long d = static_cast<long>(codes[l]) -
                                       static_cast<long>(codes[list[j] * stride + l]);
                        expected += squared ? d * d : std::labs(d);
                    }
                    CHECK(static_cast<long>(out[j]) == expected);
                }
            }
        }
    }
}

TEST(graphs_find_nearly_what_looking_at_all_rows_finds) {
    const auto x = random_matrix<double>(3000, 6, Layout::rows, 5);
    const auto q = random_matrix<double>(200, 6, Layout::rows, 6);
    constexpr Index k = 10;
    for (const CodeMeasure measure : all_measures) {
        const Made made(x.view, measure);
        std::vector<double> values, exact(200 * k);
        std::vector<std::int64_t> truth(200 * k);
        const auto rows = made.nearest(x.view, q.view, k, 200, values);
        if (made.coding.manhattan())
            nearest(*dense_strips(q.view, x.view, {Measure::manhattan}), false, {k, false},
                    exact.data(), truth.data());
        else
            nearest_dense(q.view, x.view, false, {k, false}, exact.data(), truth.data());
        Index hits = 0;
        for (Index i = 0; i < 200 * k; ++i) hits += rows[i] == truth[i] && values[i] == exact[i];
        CHECK(hits >= 199 * k);
    }
}

TEST(graphs_do_not_depend_on_threads) {
    const auto x = random_matrix<double>(2500, 5, Layout::rows, 8);
    for (const CodeMeasure measure : {CodeMeasure::byte_squared, CodeMeasure::float_squared}) {
        const int before = set_threads(1);
        const Made one(x.view, measure);
        set_threads(4);
        const Made four(x.view, measure);
        set_threads(before);
        CHECK(one.graph.links == four.graph.links);
        CHECK(one.graph.upper == four.graph.upper);
    }
}

TEST(graphs_take_their_last_nodes_later) {
    const auto x = random_matrix<double>(1500, 4, Layout::rows, 3);
    std::vector<bool> last(1500, false);
    for (Index i = 0; i < 100; ++i) last[i * 15] = true;
    const Coding coding = coding_for(x.view, CodeMeasure::byte_squared);
    Nodes nodes = encode_rows(coding, x.view);
    CHECK(nodes.count() == 1500);
    const Numbering numbers = hnsw_numbering(1500, 8, 7, last);
    for (Index i = 0; i < 1500; ++i) CHECK((i >= 1400) == last[numbers.order[i]]);
    nodes = reordered(nodes, numbers.order, coding.stride());
    const CodeRows codes{coding.measure, nodes.codes.data(), 1500, coding.stride()};
    std::vector<std::int64_t> before = numbers.sizes;
    before[0] = 1400;
    Graph graph = hnsw_build(codes, before, 8, 60);
    for (Index i = 0; i < 1500 * 16; ++i) {
        const std::uint32_t link = graph.links[static_cast<std::size_t>(i)];
        CHECK(link == no_link || (link < 1400 && i < 1400 * 16));
    }
    hnsw_extend(codes, numbers.sizes, 8, 60, 1400, graph);
    for (Index i = 1400; i < 1500; ++i)
        CHECK(graph.links[static_cast<std::size_t>(i * 16)] != no_link);
}

TEST(links_lead_to_other_nodes_of_their_layer) {
    const auto x = random_matrix<double>(2000, 3, Layout::rows, 9);
    const Made made(x.view, CodeMeasure::byte_squared);
    const auto layers = layers_of(made.graph.links.data(), made.graph.upper.data(),
                                  made.sizes.data(), static_cast<Index>(made.sizes.size()), 8);
    for (const Layer& layer : layers)
        for (Index i = 0; i < layer.count; ++i) {
            std::set<std::uint32_t> seen;
            for (Index j = 0; j < layer.width && layer.of(i)[j] != no_link; ++j) {
                CHECK(layer.of(i)[j] < layer.count && layer.of(i)[j] != i);
                CHECK(seen.insert(layer.of(i)[j]).second);
            }
            CHECK(!seen.empty() || layer.count == 1);
        }
}

TEST(rows_of_one_code_are_one_node) {
    auto x = random_matrix<double>(300, 2, Layout::rows, 4);
    for (Index i = 0; i < 300; ++i)
        for (Index l = 0; l < 2; ++l) x.at(i, l) = static_cast<double>(i % 7);
    const Made made(x.view, CodeMeasure::byte_squared);
    CHECK(made.nodes.count() == 7);
    std::vector<double> values;
    const auto rows = made.nearest(x.view, x.view, 42, 10, values);
    for (Index i = 0; i < 300; ++i)
        for (Index j = 0; j < 42; ++j) CHECK(rows[i * 42 + j] == i % 7 + 7 * j);  // ties by row
    const auto one = random_matrix<double>(1, 3, Layout::rows, 2);
    CHECK(Made(one.view, CodeMeasure::byte_squared).nearest(one.view, one.view, 1, 1, values)[0] ==
          0);
}

TEST(codes_say_how_far_off_they_are) {
    const auto x = random_matrix<double>(50, 4, Layout::rows, 1);
    for (const CodeMeasure measure : all_measures) {
        const Coding coding = coding_for(x.view, measure);
        std::vector<unsigned char> code(static_cast<std::size_t>(coding.stride()));
        double row[4] = {x.view(0, 0), 1e3, x.view(0, 2), x.view(0, 3)};  // far beyond the codes
        const double error = encode(coding, row, code.data());
        double expected = 0.0;
        for (Index l = 0; l < 4; ++l) {
            double kept = static_cast<double>(code[l]);
            if (!coding.bytes()) {
                float single;
                std::memcpy(&single, code.data() + 4 * l, 4);
                kept = static_cast<double>(single);
            }
            const double off = row[l] - (coding.low[l] + kept / coding.scale);
            expected += coding.manhattan() ? std::fabs(off) : off * off;
        }
        if (!coding.manhattan()) expected = std::sqrt(expected);
        CHECK_CLOSE(error, expected, 1e-9 * (1.0 + expected));
    }
}

TEST(graphs_refuse_what_is_no_graph) {
    CHECK_THROWS(InvalidArgument, hnsw_numbering(0, 8, 1));
    CHECK_THROWS(InvalidArgument, hnsw_numbering(5, 1, 1));
    const auto x = random_matrix<double>(20, 3, Layout::rows, 2);
    const auto wide = random_matrix<double>(20, 4, Layout::rows, 2);
    const Made made(x.view, CodeMeasure::byte_squared);
    std::vector<double> values;
    CHECK_THROWS(InvalidArgument, made.nearest(x.view, wide.view, 1, 5, values));
    CHECK_THROWS(InvalidArgument, made.nearest(x.view, x.view, 21, 5, values));
}

}  // namespace
}  // namespace stylobate
