#include "tile/pairs.hpp"

#include "stylobate/errors.hpp"

namespace stylobate::tile {

template <class T>
Pairs Pairs::dense(const MatrixView<T>& x, const MatrixView<T>& y, const MeasureChoice& choice) {
    Pairs pairs(choice.measure, x.rows, y.rows, [=](const Index* which, Index count) {
        return dense_strips<T>(SelectedRows<T>(x, which, count), y, choice);
    });
    if (choice.measure == Measure::squared || choice.measure == Measure::inner)
        pairs.filtered_ = Tables<T>{x, y};
    pairs.make_(nullptr, 0);  // refuses now what it would refuse later
    return pairs;
}

template <class T>
Pairs Pairs::packed(const MatrixView<T>& x, std::shared_ptr<const PackedRows<T>> y,
                    MeasureChoice choice) {
    choice.measure = y->measure;
    Pairs pairs(choice.measure, x.rows, y->rows.rows, [=](const Index* which, Index count) {
        return packed_strips<T>(SelectedRows<T>(x, which, count), y, choice);
    });
    pairs.make_(nullptr, 0);
    return pairs;
}

template <class I>
Pairs Pairs::sparse(const SparseView<double, I>& x, const SparseView<double, I>& y,
                    Measure measure) {
    return {measure, x.major, y.major, [=](const Index* which, Index count) {
                return sparse_strips(x, y, measure, which, count);
            }};
}

Pairs Pairs::kernel(std::vector<Pairs> measures, KernelForm form) {
    check_form(form, static_cast<Index>(measures.size()));
    const Index queries = measures[0].queries_, rows = measures[0].rows_;
    for (const Pairs& each : measures)
        if (each.queries_ != queries || each.rows_ != rows)
            throw InvalidArgument("the measures of a kernel must be of the same points");
    for (const PairFactors& each : form.factors)
        if (static_cast<Index>(each.queries.size()) != queries ||
            static_cast<Index>(each.rows.size()) != rows)
            throw InvalidArgument("one factor for each query and for each row");
    return {
        Measure::inner, queries, rows,  // larger is nearer
        [measures = std::move(measures), form = std::move(form)](const Index* which, Index count) {
            std::vector<std::unique_ptr<Strips>> strips;
            for (const Pairs& each : measures) strips.push_back(each.strips(which, count));
            return kernel_strips(std::move(strips), form, which);
        }};
}

Pairs Pairs::counted(Map map, std::vector<double> x_sums, std::vector<double> y_sums,
                     double columns) const {
    if (static_cast<Index>(x_sums.size()) != queries_ || static_cast<Index>(y_sums.size()) != rows_)
        throw InvalidArgument("one sum for each row");
    const Mapping mapping{map, 1.0, columns, 1.0};
    return {Measure::hamming, queries_, rows_,  // smallest first, as any distance
            [make = make_, mapping, x_sums = std::move(x_sums), y_sums = std::move(y_sums)](
                const Index* which, Index count) {
                std::vector<double> own = x_sums;
                if (which != nullptr) {
                    own.resize(static_cast<std::size_t>(count));
                    for (Index i = 0; i < count; ++i) own[i] = x_sums[which[i]];
                }
                return mapped_strips(make(which, count), mapping, std::move(own), y_sums);
            }};
}

std::unique_ptr<Strips> Pairs::strips(const Index* which, Index count) const {
    return make_(which, count);
}

Looked Pairs::nearest(const Nearest& wish, double* values, std::int64_t* rows) const {
    if (wish.k < 1 || wish.k > rows_ - (wish.skip_self ? 1 : 0))
        throw InvalidArgument("k must be in [1, number of rows a query sees]");
    const bool inner = measure_ == Measure::inner;
    if (const auto* both = std::get_if<Tables<double>>(&filtered_))
        return nearest_dense(both->first, both->second, inner, wish, values, rows);
    if (const auto* both = std::get_if<Tables<float>>(&filtered_))
        return nearest_dense(both->first, both->second, inner, wish, values, rows);
    tile::nearest(*strips(), inner, wish, values, rows);
    return {};
}

Lists Pairs::within(const Within& wish) const {
    if (measure_ == Measure::inner) throw InvalidArgument("an inner product has no radius");
    if (const auto* both = std::get_if<Tables<double>>(&filtered_))
        return within_dense(both->first, both->second, wish);
    if (const auto* both = std::get_if<Tables<float>>(&filtered_))
        return within_dense(both->first, both->second, wish);
    return tile::within(*strips(), wish);
}

void Pairs::visit(const Within& wish, const Hit& hit) const {
    if (measure_ == Measure::inner) throw InvalidArgument("an inner product has no radius");
    if (const auto* both = std::get_if<Tables<double>>(&filtered_))
        return visit_dense(both->first, both->second, wish, hit);
    if (const auto* both = std::get_if<Tables<float>>(&filtered_))
        return visit_dense(both->first, both->second, wish, hit);
    visit_within(*strips(), wish, hit);
}

void Pairs::count(const Within& wish, std::int64_t* counts) const {
    if (measure_ == Measure::inner) throw InvalidArgument("an inner product has no radius");
    if (const auto* both = std::get_if<Tables<double>>(&filtered_))
        return count_dense(both->first, both->second, wish, counts);
    if (const auto* both = std::get_if<Tables<float>>(&filtered_))
        return count_dense(both->first, both->second, wish, counts);
    count_within(*strips(), wish, counts);
}

template Pairs Pairs::dense(const MatrixView<double>&, const MatrixView<double>&,
                            const MeasureChoice&);
template Pairs Pairs::dense(const MatrixView<float>&, const MatrixView<float>&,
                            const MeasureChoice&);
template Pairs Pairs::packed(const MatrixView<double>&, std::shared_ptr<const PackedRows<double>>,
                             MeasureChoice);
template Pairs Pairs::packed(const MatrixView<float>&, std::shared_ptr<const PackedRows<float>>,
                             MeasureChoice);
template Pairs Pairs::sparse(const SparseView<double, std::int32_t>&,
                             const SparseView<double, std::int32_t>&, Measure);
template Pairs Pairs::sparse(const SparseView<double, std::int64_t>&,
                             const SparseView<double, std::int64_t>&, Measure);

}  // namespace stylobate::tile
