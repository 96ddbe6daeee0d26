// Queries and rows under a measure or a kernel, ready to be asked. Looks at memory it does not own.
#pragma once

#include <functional>
#include <utility>
#include <variant>

#include "tile/kernel_strips.hpp"
#include "tile/nearest.hpp"
#include "tile/within.hpp"

namespace stylobate::tile {

class Pairs {
 public:
    template <class T>
    static Pairs dense(const MatrixView<T>& x, const MatrixView<T>& y, const MeasureChoice& choice);
    // Rows that are packed already; their measure is the pairs'.
    template <class T>
    static Pairs packed(const MatrixView<T>& x, std::shared_ptr<const PackedRows<T>> y,
                        MeasureChoice choice);
    template <class I>
    static Pairs sparse(const SparseView<double, I>& x, const SparseView<double, I>& y,
                        Measure measure);
    // A kernel of pairs that have as many queries and rows each.
    static Pairs kernel(std::vector<Pairs> measures, KernelForm form);
    // Values of 0–1 rows: the map of their inner products and sums, of `columns` columns.
    Pairs counted(Map map, std::vector<double> x_sums, std::vector<double> y_sums,
                  double columns) const;

    Index queries() const { return queries_; }
    Index rows() const { return rows_; }
    Measure measure() const { return measure_; }
    // Strips of all queries, or of `count` of them in this order; the list must outlive the strips.
    std::unique_ptr<Strips> strips(const Index* which = nullptr, Index count = 0) const;

    // values and rows: queries × k
    Looked nearest(const Nearest& wish, double* values, std::int64_t* rows) const;
    Lists within(const Within& wish) const;
    void visit(const Within& wish, const Hit& hit) const;
    void count(const Within& wish, std::int64_t* counts) const;

 private:
    using Make = std::function<std::unique_ptr<Strips>(const Index* which, Index count)>;
    template <class T>
    using Tables = std::pair<MatrixView<T>, MatrixView<T>>;

    Pairs(Measure measure, Index queries, Index rows, Make make)
        : measure_(measure), queries_(queries), rows_(rows), make_(std::move(make)) {}

    Measure measure_;
    Index queries_, rows_;
    Make make_;
    // Dense tables whose searches go through filters.
    std::variant<std::monostate, Tables<double>, Tables<float>> filtered_;
};

}  // namespace stylobate::tile
