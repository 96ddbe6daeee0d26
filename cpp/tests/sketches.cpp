#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "check.hpp"
#include "scan/kernels.hpp"
#include "scan/sketch_columns.hpp"
#include "scan/sketch_hash.hpp"
#include "stylobate/errors.hpp"

namespace stylobate {
namespace {

using namespace scan;

std::vector<double> normals(Index n, unsigned seed) {
    std::mt19937_64 engine(seed);
    std::normal_distribution<double> normal;
    std::vector<double> out(n);
    for (double& x : out) x = 5.0 + normal(engine);
    return out;
}

ColumnView view_of(const std::vector<double>& x) {
    ColumnView view;
    view.cell = Cell::f64;
    view.length = static_cast<Index>(x.size());
    view.values = reinterpret_cast<const std::uint8_t*>(x.data());
    view.stride = 8;
    return view;
}

ColumnSketch sketched(const ColumnView& view) {
    ColumnSketch out;
    parallel_for(1, [&](Index, Checkpoint& checkpoint) { out.absorb(view, {}, checkpoint); });
    return out;
}

}  // namespace

TEST(keys_keep_the_order_of_numbers) {
    const double inf = HUGE_VAL;
    const double x[] = {-inf, -1e300, -1.0, -1e-310, 0.0, 1e-310, 1.0, 1e300, inf};
    for (int i = 0; i < 9; ++i) {
        CHECK(real_of_key(key_of_real(x[i])) == x[i]);
        if (i > 0) CHECK(key_of_real(x[i - 1]) < key_of_real(x[i]));
    }
    CHECK(key_of_real(-0.0) == key_of_real(0.0));
}

TEST(kernels_of_sketches_agree_on_every_instruction_set) {
    const std::vector<double> x = normals(1003, 1);
    for (const Isa which : {Isa::base, Isa::avx2, Isa::avx512}) {
        const scan::Kernels* const table = scan::kernels_of(which);
        if (table == nullptr) continue;
        for (const Index n : {Index{0}, Index{1}, Index{7}, Index{64}, Index{1003}}) {
            std::vector<unsigned long long> keys(n), hashes(n);
            table->real_keys(x.data(), n, keys.data(), hashes.data());
            double sum = 0.0, low = HUGE_VAL, high = -HUGE_VAL, fourth = 0.0;
            for (Index i = 0; i < n; ++i) {
                CHECK(keys[i] == key_of_real(x[i]) && hashes[i] == mixed(keys[i]));
                sum += x[i];
                low = std::min(low, x[i]);
                high = std::max(high, x[i]);
                fourth += std::pow(0.5 * x[i] - 2.0, 4);
            }
            double found[5], powers[4];
            table->extent(x.data(), n, found);
            table->power_sums(x.data(), n, 2.0, 0.5, powers);
            CHECK_CLOSE(found[0], sum, 1e-9);
            CHECK(found[1] == low && found[2] == high && found[3] == 0.0);
            CHECK_CLOSE(powers[3], fourth, 1e-9);
            CHECK(table->all_finite(x.data(), n));
            for (Index i = 0; i < n; i += 13) {
                std::vector<double> bad = x;
                bad[i] = i % 2 == 0 ? std::nan("") : HUGE_VAL;
                CHECK(!table->all_finite(bad.data(), n));
            }
        }
    }
}

TEST(quantiles_of_any_order_are_within_their_bound) {
    std::vector<std::uint64_t> keys(50000);
    for (const int order : {0, 1, 2, 3}) {
        std::mt19937_64 engine(order);
        for (std::size_t i = 0; i < keys.size(); ++i) {
            if (order == 0) keys[i] = i;
            if (order == 1) keys[i] = keys.size() - i;
            if (order == 2) keys[i] = engine();
            if (order == 3) keys[i] = engine() % 5 == 0 ? ~std::uint64_t{0} - i : i % 11;
        }
        Quantiles sketch(64, 3);
        sketch.absorb(keys.data(), static_cast<Index>(keys.size()));
        std::vector<std::uint64_t> kept, exact = keys;
        std::vector<std::int64_t> weights;
        sketch.sorted(kept, weights);
        std::sort(exact.begin(), exact.end());
        const double bound = std::sqrt(2 * std::log(2e6) * sketch.variance());
        std::int64_t rank = 0;
        for (std::size_t i = 0; i < kept.size(); ++i) {
            rank += weights[i];
            const auto truth =
                std::upper_bound(exact.begin(), exact.end(), kept[i]) - exact.begin();
            CHECK(std::fabs(static_cast<double>(rank - truth)) <= bound);
        }
        CHECK(rank == static_cast<std::int64_t>(keys.size()));
        CHECK(sketch.low() == exact.front() && sketch.high() == exact.back());
        const auto state = sketch.state();
        CHECK(Quantiles::restored(state.data(), static_cast<Index>(state.size())).state() == state);
        Quantiles doubled = sketch;
        doubled.merge(doubled);
        CHECK(doubled.count() == 2 * sketch.count());
    }
}

TEST(states_that_no_quantiles_have_are_refused) {
    Quantiles sketch(8, 0);
    std::vector<std::uint64_t> keys(1000);
    for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = i * 7919 % 1000;
    sketch.absorb(keys.data(), 1000);
    const auto good = sketch.state();
    for (std::size_t i = 0; i < 9; ++i)
        for (const std::uint64_t value :
             {std::uint64_t{3}, ~std::uint64_t{0}, std::uint64_t{1} << 40}) {
            if (i == 1 || i == 4 || i == 5) continue;  // seed and extremes may be anything
            auto bad = good;
            bad[i] = value;
            if (bad == good || (i == 3 && value == 3)) continue;
            if (i == 3 && std::bit_cast<double>(value) >= 0.0) continue;
            CHECK_THROWS(InvalidArgument,
                         Quantiles::restored(bad.data(), static_cast<Index>(bad.size())));
        }
    for (std::size_t size = 0; size < good.size(); ++size)
        CHECK_THROWS(InvalidArgument, Quantiles::restored(good.data(), static_cast<Index>(size)));
    CHECK_THROWS(InvalidArgument, Quantiles(7, 0));
    CHECK_THROWS(InvalidArgument, Distinct(19));
    CHECK_THROWS(InvalidArgument, Frequent(0));
}

TEST(distinct_counts_are_near_the_truth) {
    for (const Index n : {Index{0}, Index{1}, Index{100}, Index{5000}, Index{300000}}) {
        Distinct whole(14), left(14), right(14);
        for (Index i = 0; i < n; ++i) {
            const std::uint64_t hash = mixed(static_cast<std::uint64_t>(i));
            whole.absorb(&hash, 1);
            (i % 2 == 0 ? left : right).absorb(&hash, 1);
        }
        CHECK_CLOSE(whole.estimate(), n, 5 * 0.0082 * static_cast<double>(n) + 0.5);
        left.merge(right);
        CHECK(left.registers() == whole.registers());
    }
}

TEST(frequent_values_hold_their_bounds) {
    std::mt19937_64 engine(4);
    std::map<std::uint64_t, std::int64_t> truth;
    Frequent found(50), other(50);
    for (int block = 0; block < 40; ++block) {
        std::vector<std::uint64_t> keys(block_rows), hashes(block_rows);
        for (Index i = 0; i < block_rows; ++i) {
            const double u = static_cast<double>(engine() >> 11) * 0x1p-53;
            keys[i] = static_cast<std::uint64_t>(1.0 / (u + 1e-5));
            hashes[i] = mixed(keys[i]);
            ++truth[keys[i]];
        }
        Frequent& half = block % 2 == 0 ? found : other;
        half.absorb(hashes.data(), keys.data(), nullptr, nullptr, block_rows);
    }
    found.merge(other);
    CHECK(!found.is_exact() && found.total() == 40 * block_rows);
    std::map<std::uint64_t, Frequent::Entry> kept;
    for (const Frequent::Entry& entry : found.entries()) kept[entry.key] = entry;
    CHECK(kept.size() <= 100);
    for (const auto& [key, count] : truth) {
        const auto at = kept.find(key);
        if (at == kept.end())
            CHECK(count <= found.error());
        else
            CHECK(at->second.count <= count && count <= at->second.count + at->second.late);
    }
}

TEST(a_column_and_its_parts_tell_the_same) {
    std::vector<double> x = normals(30011, 2);
    for (std::size_t i = 0; i < x.size(); i += 17) x[i] = std::nan("");
    x[5] = HUGE_VAL;
    const ColumnView view = view_of(x);
    const ColumnSketch whole = sketched(view);
    ColumnSketch left = sketched(view.slice(0, 12345));
    left.merge(sketched(view.slice(12345, view.length - 12345)));
    CHECK(whole.rows == left.rows && whole.missing == left.missing && whole.missing == 1766);
    CHECK(whole.shape.infinite == 1.0 && left.shape.infinite == 1.0);
    CHECK_CLOSE(left.shape.mean, whole.shape.mean, 1e-13);
    CHECK_CLOSE(
        left.shape.fourths / whole.shape.fourths * std::pow(left.shape.unit / whole.shape.unit, 4),
        1.0, 1e-11);
    CHECK(left.distinct_values() == whole.distinct_values());
    CHECK(left.quantiles.count() == whole.quantiles.count());
}

TEST(texts_of_every_length_hash_differently) {
    std::vector<std::uint64_t> hashes;
    std::string text;
    for (int i = 0; i < 200; ++i) {
        hashes.push_back(text_hash(text.data(), static_cast<Index>(text.size())));
        std::string changed = text;
        for (std::size_t at = 0; at < text.size(); ++at) {
            changed[at] ^= 1;
            hashes.push_back(text_hash(changed.data(), static_cast<Index>(changed.size())));
            changed[at] ^= 1;
        }
        text.push_back(static_cast<char>('a' + i % 26));
    }
    std::sort(hashes.begin(), hashes.end());
    CHECK(std::adjacent_find(hashes.begin(), hashes.end()) == hashes.end());
}

TEST(rows_of_a_table_are_told_apart) {
    const Index n = 5000;
    std::vector<double> a(n), b(n);
    for (Index i = 0; i < n; ++i) {
        a[i] = static_cast<double>(i % 50);
        b[i] = static_cast<double>(i % 70);
    }
    const ColumnView va = view_of(a), vb = view_of(b);
    for (const Index limit : {RowSet::default_limit, Index{100}}) {
        TableSketch sketch(2, {}, true, limit, 10);
        sketch.absorb({&va, &vb}, 0);
        CHECK(sketch.row_set.is_exact() == (limit > 350));
        CHECK_CLOSE(sketch.row_set.distinct(), 350, limit > 350 ? 0.0 : 10.0);
        if (limit > 350) CHECK(sketch.row_set.examples().front() == 350);
        CHECK(sketch.patterns.complete() == n);
        TableSketch both = sketch;
        both.merge(sketch);
        CHECK_CLOSE(both.row_set.distinct(), 350, limit > 350 ? 0.0 : 10.0);
        CHECK(both.row_set.rows() == 2 * n);
    }
    TableSketch narrow(1, {}, true, 10, 10);
    CHECK_THROWS(InvalidArgument, narrow.absorb({&va, &vb}, 0));
}

}  // namespace stylobate
