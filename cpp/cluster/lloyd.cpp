#include "cluster/lloyd.hpp"

#include <memory>
#include <numeric>

#include "cluster/centre_sums.hpp"
#include "cluster/group_bounds.hpp"
#include "cluster/row_bounds.hpp"
#include "stylobate/errors.hpp"
#include "tile/centre.hpp"

namespace stylobate::cluster {
namespace {

constexpr Index many_centres = 24;  // from so many on it pays to measure a row's own centre first

bool by_groups(Way way) {
    return way == Way::yinyang || way == Way::elkan;
}

template <class T>
class Lloyd {
 public:
    Lloyd(const MatrixView<T>& x, const double* weights, const MatrixView<double>& start,
          const LloydOptions& options)
        : x_(x),
          w_(weights),
          k_(start.rows),
          p_(x.cols),
          step_(rows_per_chunk(x.rows, start.rows, x.cols)),
          way_(options.way),
          origin_(tile::centre_rows(x)),
          labels_(static_cast<std::size_t>(x.rows), -1),
          centres_(static_cast<std::size_t>(area(k_, p_))),
          drift_(k_),
          bounds_(x.rows, start.rows >= many_centres || by_groups(options.way)),
          packed_(area(tile::round_up(x.rows, 48), x.cols)),
          norms_(static_cast<std::size_t>(tile::round_up(x.rows, 48))) {
        for (Index c = 0; c < k_; ++c)
            for (Index l = 0; l < p_; ++l) centres_[c * p_ + l] = rounded(start(c, l));
        if (by_groups(way_))
            groups_ = std::make_unique<GroupBounds<T>>(x, centres_, k_, way_ == Way::elkan);
    }

    LloydRun run(Index max_iter, double tol) {
        LloydRun out;
        for (Index i = 0; i < max_iter; ++i) {
            out.iterations = i + 1;
            const bool same = !assign() && i > 0;
            if (i == 0 && !std::isfinite(total_)) return refused(out);
            std::vector<double> moved = updated(i == 0);
            double shift = shift_to(moved);
            if (i > 0 && (same || shift <= tol || i + 1 == max_iter)) moved = updated_afresh();
            out.trace.push_back(trace_value());
            move_to(std::move(moved));
            out.strict = same || shift == 0.0;  // centres at rest are a fixed point as well
            if (same || shift <= tol) break;
        }
        if (!out.strict) assign();
        out.inertia = inertia();
        out.centres = std::move(centres_);
        out.labels = std::move(labels_);
        out.measured = measured_;
        return out;
    }

 private:
    static double rounded(double value) { return static_cast<double>(static_cast<T>(value)); }

    LloydRun& refused(LloydRun& out) const {
        out.inertia = total_;
        return out;
    }

    // --- labels -------------------------------------------------------------------------------

    // Labels for the centres as they are; whether any changed. The first time also the sums.
    bool assign() {
        const bool fresh = !started_;
        started_ = true;
        const Centres<T> centres(centres_.data(), k_, p_);
        const auto chunks = static_cast<std::size_t>((x_.rows + step_ - 1) / step_);
        std::vector<Outcome> outcomes(chunks);
        if (precise_)
            assign_by<double>(centres, fresh, outcomes);
        else
            assign_by<float>(centres, fresh, outcomes);
        double looked = 0.0, again = 0.0;
        Index tried = 0, settled = 0;
        for (const Outcome& each : outcomes) {
            looked += each.measured, again += each.rechecked;
            tried += each.tried, settled += each.settled;
        }
        // where a row's own centre seldom settles it, all are measured at once for a while
        if (rest_ > 0) --rest_;
        if (3 * settled < tried) rest_ = 4;
        measured_ += looked;
        // where single precision settles little, double precision is quicker
        if (again * static_cast<double>(k_) > 0.05 * looked) precise_ = true;
        if (fresh) {
            sums_ = CentreSums(k_, p_);
            total_ = 0.0;
            for (const Outcome& each : outcomes) sums_.add(each.sums), total_ += each.squares;
            return true;
        }
        changes_.clear();
        for (const Outcome& each : outcomes)
            changes_.insert(changes_.end(), each.changes.begin(), each.changes.end());
        return !changes_.empty();
    }

    // What one chunk of an assignment came to.
    struct Outcome {
        std::vector<Change> changes;
        CentreSums sums;
        double squares = 0.0, measured = 0.0, rechecked = 0.0;
        Index tried = 0, settled = 0;  // rows whose own centre was measured, and what it settled
    };

    template <class F>
    void assign_by(const Centres<T>& centres, bool fresh, std::vector<Outcome>& outcomes) {
        const CentreFilter<T, F> filter(centres, origin_);
        over_rows(x_.rows, step_, [&](Index begin, Index end, Index c, Checkpoint& checkpoint) {
            Outcome& out = outcomes[c];
            PanelScratch<F> scratch(p_);
            std::vector<Index> open;
            open.reserve(static_cast<std::size_t>(end - begin));
            const bool heavy = area(k_, p_) > 4096;
            for (Index i = begin; i < end; i += filter.width()) {
                const Index count = std::min(end - i, filter.width());
                measure_panel(filter, centres, i, count, fresh, open, scratch, out);
                if (heavy || i % 3072 == 0) checkpoint();
            }
            if (groups_ && !fresh)
                measure_groups(centres, open, out, checkpoint);
            else
                measure_listed(filter, open, scratch, out, checkpoint);
            out.rechecked = static_cast<double>(scratch.rechecked);
            std::sort(out.changes.begin(), out.changes.end(),
                      [](const Change& a, const Change& b) { return a.row < b.row; });
            if (!fresh) return;
            out.sums = CentreSums(k_, p_);
            out.sums.add_chunk(x_, w_, labels_.data(), begin, end, centres_.data());
            out.squares = squares_about_origin(begin, end);
        });
    }

    // Neighbouring rows: where many of them are open they are measured together, from a panel that
    // is packed the first time for all; else the open ones go on the list.
    template <class F>
    void measure_panel(const CentreFilter<T, F>& filter, const Centres<T>& centres, Index first,
                       Index count, bool fresh, std::vector<Index>& open, PanelScratch<F>& scratch,
                       Outcome& out) {
        Index rows[48];
        const Index here = unsettled(centres, first, count, fresh, rows, out);
        // a row by itself has to be fetched and packed, which costs as much as many centres
        const Index apart = here * (k_ + 250), together = filter.width() * (k_ + 14);
        bool packed = false;
        if constexpr (sizeof(F) == sizeof(float)) {
            float* const panel = packed_.data() + first * p_;
            float* const norms = norms_.data() + first;
            packed = here > 0 && (fresh || (!groups_ && (here == count || apart >= together)));
            if (fresh) filter.pack(x_, first, count, panel, norms, scratch);
            if (packed) filter.measure(x_, first, count, panel, norms, scratch);
        }
        if (!packed) {
            open.insert(open.end(), rows, rows + here);
            return;
        }
        for (Index r = 0; r < count; ++r) keep(first + r, r, scratch, out);
        out.measured += static_cast<double>(count * k_);
    }

    template <class F>
    void measure_listed(const CentreFilter<T, F>& filter, const std::vector<Index>& open,
                        PanelScratch<F>& scratch, Outcome& out, Checkpoint& checkpoint) {
        const Index width = filter.width(), all = static_cast<Index>(open.size());
        const tile::SelectedRows<T> rows(x_, open.data(), all);
        for (Index i = 0; i < all; i += width) {
            const Index count = std::min(width, all - i);
            for (Index r = i + width; r < std::min(all, i + 2 * width); ++r)
                prefetch_row(x_, open[r]);
            filter.pack(rows, i, count, scratch.panel.data(), scratch.norms.data(), scratch);
            filter.measure(rows, i, count, scratch.panel.data(), scratch.norms.data(), scratch);
            for (Index r = 0; r < count; ++r) keep(open[i + r], r, scratch, out);
            checkpoint();
        }
        out.measured += static_cast<double>(all * k_);
    }

    void measure_groups(const Centres<T>& centres, const std::vector<Index>& open, Outcome& out,
                        Checkpoint& checkpoint) {
        GroupScratch room(groups_->count());
        for (std::size_t i = 0; i < open.size(); ++i) {
            if (i + 4 < open.size()) prefetch_row(x_, open[i + 4]);
            out.measured +=
                groups_->measure(open[i], centres, labels_, drift_, bounds_, out.changes, room);
            checkpoint();
        }
    }

    // Lists the rows that may have to leave their centre, and returns how many.
    Index unsettled(const Centres<T>& centres, Index first, Index count, bool fresh, Index* rows,
                    Outcome& out) {
        if (fresh || way_ == Way::full) {
            std::iota(rows, rows + count, first);
            return count;
        }
        const float *const lead = bounds_.lead.data(), *const both = drift_.both.data();
        const std::int32_t* const labels = labels_.data();
        Index here = 0;
        for (Index i = first; i < first + count; ++i) {
            rows[here] = i;
            here += lead[i] > both[labels[i]] ? 0 : 1;
        }
        if (groups_ || k_ < many_centres || rest_ > 0) return here;
        Index left = 0;
        for (Index r = 0; r < here; ++r) {
            const Index i = rows[r];
            const float upper = above(square(x_.row(i), centres.row(labels[i]), p_));
            if (!bounds_.tighten(i, labels[i], upper, drift_)) rows[left++] = i;
        }
        out.measured += static_cast<double>(here);
        out.tried += here, out.settled += here - left;
        return left;
    }

    // What was found of the r-th row of a panel.
    template <class F>
    void keep(Index row, Index r, const PanelScratch<F>& found, Outcome& out) {
        const std::int32_t label = found.labels[r], old = labels_[row];
        if (old != label) {
            if (old >= 0) out.changes.push_back({row, old, label});
            labels_[row] = label;
        }
        if (way_ == Way::full) return;
        bounds_.set(row, label, found.lead[r], found.lower[r], drift_);
        if (groups_) groups_->start(row, found.lower[r]);
    }

    double squares_about_origin(Index begin, Index end) const {
        double sum = 0.0;
        for (Index i = begin; i < end; ++i) {
            double away = 0.0;
            if constexpr (sizeof(T) == sizeof(double)) {
                away = square(x_.row(i), origin_.data(), p_);
            } else {
                for (Index l = 0; l < p_; ++l) {
                    const double off = static_cast<double>(x_(i, l)) - origin_[l];
                    away += off * off;
                }
            }
            sum += w_ == nullptr ? away : w_[i] * away;
        }
        return sum;
    }

    // --- centres ------------------------------------------------------------------------------

    // The means of the rows of each centre. The sums are about the centres the first time, then
    // about the origin.
    std::vector<double> updated(bool first) {
        if (first) {
            std::vector<double> moved = means(sums_, centres_);
            for (Index c = 0; c < k_; ++c)
                for (Index l = 0; l < p_; ++l)
                    sums_.deviations[c * p_ + l] +=
                        sums_.weight[c] * (centres_[c * p_ + l] - origin_[l]);
            return moved;
        }
        apply_changes(x_, w_, changes_, origin_, sums_);
        std::vector<double> about(static_cast<std::size_t>(area(k_, p_)));
        for (Index c = 0; c < k_; ++c)
            std::copy(origin_.begin(), origin_.end(), about.begin() + c * p_);
        return means(sums_, about);
    }

    // The same from sums that do not remember earlier labels.
    std::vector<double> updated_afresh() const {
        const auto chunks = static_cast<std::size_t>((x_.rows + step_ - 1) / step_);
        std::vector<CentreSums> parts(chunks);
        over_rows(x_.rows, step_, [&](Index begin, Index end, Index c, Checkpoint&) {
            CentreSums sums(k_, p_);
            sums.add_chunk(x_, w_, labels_.data(), begin, end, centres_.data());
            parts[c] = std::move(sums);
        });
        CentreSums all(k_, p_);
        for (const CentreSums& part : parts) all.add(part);
        return means(all, centres_);
    }

    std::vector<double> means(CentreSums sums, std::vector<double> about) const {
        for (Index c = 0; c < k_; ++c)
            if (sums.rows[c] == 0) {
                sums.weight[c] = 0.0;  // of sums by differences rounding is left
                std::fill_n(sums.deviations.begin() + c * p_, p_, 0.0);
            }
        relocate(sums, about);
        Index heaviest = 0;
        for (Index c = 0; c < k_; ++c) {
            const double scale = sums.weight[c] > 0.0 ? 1.0 / sums.weight[c] : 0.0;
            for (Index l = 0; l < p_; ++l)
                about[c * p_ + l] =
                    rounded(about[c * p_ + l] + sums.deviations[c * p_ + l] * scale);
            if (sums.weight[c] > sums.weight[heaviest]) heaviest = c;
        }
        for (Index c = 0; c < k_; ++c)  // a centre without rows goes where most of them are
            if (!(sums.weight[c] > 0.0))
                std::copy_n(about.begin() + heaviest * p_, p_, about.begin() + c * p_);
        return about;
    }

    // Centres without rows take the rows farthest from theirs.
    void relocate(CentreSums& sums, std::vector<double>& about) const {
        std::vector<Index> empty;
        for (Index c = 0; c < k_; ++c)
            if (sums.rows[c] == 0) empty.push_back(c);
        if (empty.empty()) return;
        const std::vector<Index> far = farthest(static_cast<Index>(empty.size()));
        for (std::size_t e = 0; e < far.size(); ++e) {
            const Index row = far[e], old = labels_[row], c = empty[e];
            const double weight = w_ == nullptr ? 1.0 : w_[row];
            sums.weight[old] -= weight;
            sums.weight[c] = weight;
            if (--sums.rows[old] == 0) sums.weight[old] = 0.0;
            for (Index l = 0; l < p_; ++l) {
                const double value = static_cast<double>(x_(row, l));
                sums.deviations[old * p_ + l] -= weight * (value - about[old * p_ + l]);
                about[c * p_ + l] = value, sums.deviations[c * p_ + l] = 0.0;
            }
        }
    }

    // Rows of positive weight farthest from their centres, farthest first; none where all are
    // there.
    std::vector<Index> farthest(Index count) const {
        const Centres<T> centres(centres_.data(), k_, p_);
        std::vector<double> away(static_cast<std::size_t>(x_.rows));
        over_rows(x_.rows, step_, [&](Index begin, Index end, Index, Checkpoint&) {
            for (Index i = begin; i < end; ++i)
                away[i] = w_ != nullptr && w_[i] == 0.0
                              ? -1.0
                              : square(x_.row(i), centres.row(labels_[i]), p_);
        });
        std::vector<Index> order(away.size());
        std::iota(order.begin(), order.end(), Index{0});
        const auto enough = order.begin() + std::min<Index>(count, x_.rows);
        std::partial_sort(order.begin(), enough, order.end(), [&](Index a, Index b) {
            return away[a] > away[b] || (away[a] == away[b] && a < b);
        });
        order.erase(enough, order.end());
        while (!order.empty() && away[order.back()] < 0.0) order.pop_back();
        if (!order.empty() && away[order.front()] == 0.0) order.clear();
        return order;
    }

    double shift_to(const std::vector<double>& moved) {
        shifts_.resize(static_cast<std::size_t>(k_));
        double sum = 0.0;
        for (Index c = 0; c < k_; ++c) {
            const double shift = square(moved.data() + c * p_,
                                        static_cast<const double*>(centres_.data()) + c * p_, p_);
            shifts_[c] = std::sqrt(shift) * (1.0 + 1e-12);
            sum += shift;
        }
        return sum;
    }

    void move_to(std::vector<double>&& moved) {
        shift_to(moved);
        centres_ = std::move(moved);
        drift_.add(shifts_);
        if (groups_) groups_->drift(shifts_);
    }

    // Σ w ‖x − mean‖² of the labels as they are.
    double trace_value() const {
        double value = total_;
        for (Index c = 0; c < k_; ++c) {
            double square = 0.0;
            for (Index l = 0; l < p_; ++l)
                square += sums_.deviations[c * p_ + l] * sums_.deviations[c * p_ + l];
            if (sums_.weight[c] > 0.0) value -= square / sums_.weight[c];
        }
        return std::max(value, 0.0);
    }

    double inertia() const {
        const Centres<T> centres(centres_.data(), k_, p_);
        std::vector<double> parts(static_cast<std::size_t>((x_.rows + step_ - 1) / step_));
        over_rows(x_.rows, step_, [&](Index begin, Index end, Index c, Checkpoint&) {
            double sum = 0.0;
            for (Index i = begin; i < end; ++i)
                sum +=
                    (w_ == nullptr ? 1.0 : w_[i]) * square(x_.row(i), centres.row(labels_[i]), p_);
            parts[c] = sum;
        });
        return std::accumulate(parts.begin(), parts.end(), 0.0);
    }

    MatrixView<T> x_;
    const double* w_;
    Index k_, p_, step_;
    Way way_;
    std::vector<double> origin_;
    std::vector<std::int32_t> labels_;
    std::vector<double> centres_, shifts_;
    Drift drift_;
    RowBounds bounds_;
    tile::Aligned<float> packed_;  // the rows less the origin, in panels
    std::vector<float> norms_;     // their squared norms
    std::unique_ptr<GroupBounds<T>> groups_;
    CentreSums sums_;
    std::vector<Change> changes_;
    double total_ = 0.0, measured_ = 0.0;
    int rest_ = 0;  // iterations without measuring a row's own centre first
    bool started_ = false, precise_ = false;
};

}  // namespace

template <class T>
LloydRun lloyd(const MatrixView<T>& x, const double* weights, const MatrixView<double>& start,
               const LloydOptions& options) {
    if (start.rows < 1 || start.cols != x.cols || x.rows < 1)
        throw InvalidArgument("rows and centres differ in columns, or there are none");
    if (start.rows >= (Index{1} << 24)) throw InvalidArgument("there are too many centres");
    if (!x.rows_contiguous()) throw InvalidArgument("the columns of a row must lie side by side");
    return Lloyd<T>(x, weights, start, options).run(options.max_iter, options.tol);
}

template LloydRun lloyd(const MatrixView<double>&, const double*, const MatrixView<double>&,
                        const LloydOptions&);
template LloydRun lloyd(const MatrixView<float>&, const double*, const MatrixView<double>&,
                        const LloydOptions&);

}  // namespace stylobate::cluster
