#include "scan/information.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "stylobate/parallel.hpp"

namespace stylobate::scan {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr Index rows_between_checks = 4096;

struct Entry {
    std::uint64_t key;
    std::uint32_t row;
};

// Doubles in an order of unsigned integers: negative numbers reversed below the positive ones.
std::uint64_t ordered(double x) {
    const auto bits = std::bit_cast<std::uint64_t>(x);
    return bits >> 63 ? ~bits : bits | (std::uint64_t{1} << 63);
}

double value_of(std::uint64_t key) {
    return std::bit_cast<double>(key >> 63 ? key & ~(std::uint64_t{1} << 63) : ~key);
}

// A variable in ascending order: `value[r]` is the r-th smallest, of row `row[r]`; `rank` inverts.
struct Sorted {
    std::vector<double> value;
    std::vector<std::uint32_t> row, rank;
    std::vector<std::uint32_t> first;  // of every bucket of the range, where its values begin
    double low = 0.0, scale = 0.0;

    Sorted(const double* x, Index stride, Index n) : value(n), row(n), rank(n), first(n + 2) {
        sort(x, stride, n);
        const double spread = value[n - 1] - value[0];
        low = value[0];
        scale = spread > 0.0 && std::isfinite(static_cast<double>(n) / spread)
                    ? static_cast<double>(n) / spread
                    : 0.0;
        Index r = 0;
        for (Index b = 0; b <= n; ++b) {
            while (r < n && bucket(value[r]) < b) ++r;
            first[b] = static_cast<std::uint32_t>(r);
        }
        first[n + 1] = static_cast<std::uint32_t>(n);
    }

    Index size() const { return static_cast<Index>(value.size()); }

    // How many values v have |v − value[r]| ≤ radius, itself included, in the arithmetic of
    // doubles.
    Index within(Index r, double radius) const {
        const double x = value[r];
        const auto near_above = [&](Index i) { return value[i] - x <= radius; };
        const auto near_below = [&](Index i) { return x - value[i] <= radius; };
        Index above = guess(x + radius), below = guess(x - radius);
        above = std::max(above, r);
        below = std::min(below, r);
        while (above > r && !near_above(above)) --above;
        while (above + 1 < size() && near_above(above + 1)) ++above;
        while (below < r && !near_below(below)) ++below;
        while (below > 0 && near_below(below - 1)) --below;
        return above - below + 1;
    }

 private:
    Index bucket(double v) const {
        const double at = (v - low) * scale;
        return at > 0.0 ? std::min(static_cast<Index>(std::min(at, 4e9)), size()) : 0;
    }

    // A place next to where v would stand.
    Index guess(double v) const {
        const Index b = bucket(v);
        const Index from = first[b], to = first[b + 1];
        if (to - from <= 8) return std::min(from, size() - 1);
        const auto at = std::lower_bound(value.begin() + from, value.begin() + to, v);
        return std::min<Index>(at - value.begin(), size() - 1);
    }

    // Radix sort, eleven bits a pass: the keys differ in few of their high bits.
    void sort(const double* x, Index stride, Index n) {
        constexpr int bits = 11, passes = 6, radix = 1 << bits;
        std::vector<Entry> a(n), b(n);
        std::vector<std::uint32_t> counts(passes * radix, 0);
        for (Index i = 0; i < n; ++i) {
            const std::uint64_t key = ordered(x[i * stride]);
            a[i] = {key, static_cast<std::uint32_t>(i)};
            for (int p = 0; p < passes; ++p)
                ++counts[p * radix + (key >> (bits * p) & (radix - 1))];
        }
        for (int p = 0; p < passes; ++p) {
            std::uint32_t* count = counts.data() + p * radix;
            if (std::any_of(count, count + radix, [&](std::uint32_t c) { return c == n; }))
                continue;  // all alike in these bits
            std::uint32_t sum = 0;
            for (int d = 0; d < radix; ++d) {
                const std::uint32_t c = count[d];
                count[d] = sum;
                sum += c;
            }
            for (const Entry& e : a) b[count[e.key >> (bits * p) & (radix - 1)]++] = e;
            a.swap(b);
        }
        for (Index r = 0; r < n; ++r) {
            value[r] = value_of(a[r].key);
            row[r] = a[r].row;
            rank[a[r].row] = static_cast<std::uint32_t>(r);
        }
    }
};

// The k smallest distances met so far, ascending.
struct Nearest {
    explicit Nearest(Index k) : distance(k, infinity) {}
    std::vector<double> distance;
    double worst() const { return distance.back(); }
    void clear() { std::fill(distance.begin(), distance.end(), infinity); }
    void offer(double d) {
        if (!(d < worst())) return;
        Index i = static_cast<Index>(distance.size()) - 1;
        for (; i > 0 && distance[i - 1] > d; --i) distance[i] = distance[i - 1];
        distance[i] = d;
    }
};

// Points of the plane in vertical strips of equally many, each strip in ascending order of y.
// A neighbour search walks up and down its own strip from where the point stands, then the strips
// to the right and left as long as they are near enough.
struct Strips {
    struct Point {
        double x, y;
    };
    Index width;
    std::vector<Point> points;
    const Sorted& xs;

    Strips(const Sorted& x, const Sorted& y)
        : width(std::clamp<Index>(static_cast<Index>(std::sqrt(static_cast<double>(x.size()))), 16,
                                  std::max<Index>(16, x.size()))),
          points(x.size()),
          xs(x) {
        std::vector<std::uint32_t> filled(count(), 0);
        for (Index r = 0; r < y.size(); ++r) {
            const std::uint32_t rank = x.rank[y.row[r]];
            const Index strip = rank / width;
            points[strip * width + filled[strip]++] = {x.value[rank], y.value[r]};
        }
    }

    Index count() const { return (xs.size() + width - 1) / width; }
    Index begin(Index strip) const { return strip * width; }
    Index end(Index strip) const { return std::min(xs.size(), (strip + 1) * width); }

    double kth(Index at, Nearest& nearest) const {
        const Index own = at / width;
        const Point p = points[at];
        nearest.clear();
        walk(p, at + 1, at - 1, own, nearest);
        for (Index s = own + 1; s < count(); ++s) {
            if (!(xs.value[begin(s)] - p.x < nearest.worst())) break;
            enter(p, s, nearest);
        }
        for (Index s = own - 1; s >= 0; --s) {
            if (!(p.x - xs.value[end(s) - 1] < nearest.worst())) break;
            enter(p, s, nearest);
        }
        return nearest.worst();
    }

 private:
    void enter(const Point& p, Index strip, Nearest& nearest) const {
        const auto from = points.begin() + begin(strip), to = points.begin() + end(strip);
        const auto at =
            std::lower_bound(from, to, p.y, [](const Point& q, double y) { return q.y < y; });
        const Index up = at - points.begin();
        walk(p, up, up - 1, strip, nearest);
    }

    void walk(const Point& p, Index up, Index down, Index strip, Nearest& nearest) const {
        const Index first = begin(strip), last = end(strip);
        for (; up < last; ++up) {
            const double dy = points[up].y - p.y;
            if (!(dy < nearest.worst())) break;
            nearest.offer(std::max(dy, std::abs(points[up].x - p.x)));
        }
        for (; down >= first; --down) {
            const double dy = p.y - points[down].y;
            if (!(dy < nearest.worst())) break;
            nearest.offer(std::max(dy, std::abs(points[down].x - p.x)));
        }
    }
};

double joint_mean(const Sorted& x, const Sorted& y, Index k, Digamma digamma,
                  Checkpoint& checkpoint) {
    const Strips strips(x, y);
    Nearest nearest(k);
    const Index n = x.size();
    // which row stands where in the strips: the order in which they were filled
    std::vector<std::uint32_t> filled(strips.count(), 0);
    double sum = 0.0;
    for (Index r = 0; r < n; ++r) {
        if (r % rows_between_checks == 0) checkpoint();
        const std::uint32_t rank = x.rank[y.row[r]];
        const Index strip = rank / strips.width;
        const Index at = strip * strips.width + filled[strip]++;
        const double radius = std::nextafter(strips.kth(at, nearest), 0.0);
        sum += digamma[x.within(rank, radius)] + digamma[y.within(r, radius)];
    }
    return sum / static_cast<double>(n);
}

// Distance of the k-th nearest among sorted values, for every one of them.
void kth_in_line(const std::vector<double>& value, Index k, std::vector<double>& out) {
    const Index n = static_cast<Index>(value.size());
    out.resize(n);
    Index from = 0;  // of the k + 1 consecutive values that hold i and its k nearest
    for (Index i = 0; i < n; ++i) {
        from = std::max(from, i - k);
        while (from + k + 1 < n && from < i &&
               value[i] - value[from] > value[from + k + 1] - value[i])
            ++from;
        out[i] = std::max(value[i] - value[from], value[from + k] - value[i]);
    }
}

double class_mean(const Sorted& x, const Index* codes, Index classes, Index k, Digamma digamma,
                  Checkpoint& checkpoint) {
    const Index n = x.size();
    std::vector<std::vector<double>> value(classes), radius(classes);
    for (Index r = 0; r < n; ++r) value[codes[x.row[r]]].push_back(x.value[r]);
    for (Index c = 0; c < classes; ++c) {
        checkpoint();
        const Index size = static_cast<Index>(value[c].size());
        if (size > 1) kth_in_line(value[c], std::min(k, size - 1), radius[c]);
    }
    std::vector<Index> seen(classes, 0);
    double sum = 0.0;
    for (Index r = 0; r < n; ++r) {
        if (r % rows_between_checks == 0) checkpoint();
        const Index c = codes[x.row[r]];
        sum += digamma[x.within(r, std::nextafter(radius[c][seen[c]++], 0.0))];
    }
    return sum / static_cast<double>(n);
}

}  // namespace

std::vector<double> joint_neighbour_counts(const MatrixView<double>& x, const double* y, Index k,
                                           Digamma digamma) {
    std::vector<double> means(x.cols);
    const Sorted sorted_y(y, 1, x.rows);
    parallel_for(x.cols, [&](Index j, Checkpoint& checkpoint) {
        const Sorted sorted_x(&x(0, j), x.row_stride, x.rows);
        means[j] = joint_mean(sorted_x, sorted_y, k, digamma, checkpoint);
    });
    return means;
}

std::vector<double> class_neighbour_counts(const MatrixView<double>& x, const Index* codes,
                                           Index classes, Index k, Digamma digamma) {
    std::vector<double> means(x.cols);
    parallel_for(x.cols, [&](Index j, Checkpoint& checkpoint) {
        const Sorted sorted_x(&x(0, j), x.row_stride, x.rows);
        means[j] = class_mean(sorted_x, codes, classes, k, digamma, checkpoint);
    });
    return means;
}

}  // namespace stylobate::scan
