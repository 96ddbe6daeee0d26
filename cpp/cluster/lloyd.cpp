#include "cluster/lloyd.hpp"

#include <bit>
#include <memory>
#include <numeric>
#include <optional>

#include "cluster/centre_sums.hpp"
#include "cluster/group_bounds.hpp"
#include "cluster/row_bounds.hpp"
#include "cluster/row_codes.hpp"
#include "stylobate/errors.hpp"
#include "tile/centre.hpp"

namespace stylobate::cluster {
namespace {

// How rows are measured, each way where the one before settles too little.
enum class Precision { codes, single, exact };

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
          bounds_(options.way == Way::full ? 0 : x.rows,
                  start.rows >= many_centres || by_groups(options.way)) {
        for (Index c = 0; c < k_; ++c)
            for (Index l = 0; l < p_; ++l) centres_[c * p_ + l] = rounded(start(c, l));
        if (by_groups(way_))
            groups_ = std::make_unique<GroupBounds<T>>(x, centres_, k_, way_ == Way::elkan);
        else
            codes_.emplace(x_, origin_);
        if (!codes_ || !codes_->usable()) precision_ = Precision::single;
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
        if (!out.strict) assign(), follow_changes();
        out.inertia = squares_ > 0.0 ? squares_ : inertia();
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
        plan_bounds(fresh);
        const Measures measures(*this, centres, fresh);
        if (measures.packs && norms_.empty()) {
            const Index rows = tile::round_up(x_.rows, 48);
            packed_ = tile::Aligned<float>(area(rows, p_));
            norms_.resize(static_cast<std::size_t>(rows));
        }
        over_rows(x_.rows, step_, [&](Index begin, Index end, Index c, Checkpoint& checkpoint) {
            if (measures.exact)
                assign_chunk(*measures.exact, measures, {begin, end}, outcomes[c], checkpoint);
            else
                assign_chunk(*measures.single, measures, {begin, end}, outcomes[c], checkpoint);
        });
        double looked = 0.0, again = 0.0;
        Index tried = 0, settled = 0, open = 0;
        for (const Outcome& each : outcomes) {
            looked += each.measured, again += each.rechecked;
            tried += each.tried, settled += each.settled, open += each.open;
        }
        rest(tried, settled, open);
        measured_ += looked;
        // where low precision settles little, the next one is quicker
        if (precision_ != Precision::exact && again * static_cast<double>(k_) > 0.05 * looked)
            lose_precision();
        packed_ready_ = packed_ready_ || measures.packs;
        codes_ready_ = codes_ready_ || measures.encodes;
        outcomes_ = std::move(outcomes);
        bool changed = false;
        for (const Outcome& each : outcomes_) changed = changed || !each.changes.empty();
        if (!fresh) return changed;
        sums_ = CentreSums(k_, p_);
        for (const Outcome& each : outcomes_) sums_.add(each.sums);
        total_ = sums_.squares;
        return true;
    }

    // A stretch of rows.
    struct Stretch {
        Index begin, end;
    };

    // What one chunk of an assignment came to.
    struct Outcome {
        std::vector<Change> changes;
        CentreSums sums;  // of the first assignment; else of the changes, where they are many
        double measured = 0.0, rechecked = 0.0;
        Index tried = 0, settled = 0;  // rows whose own centre was measured, and what it settled
        Index open = 0;                // rows that no bound held
    };

    // What rows of one assignment are measured by.
    struct Measures {
        const Centres<T>& centres;
        bool fresh, packs = false, encodes = false;  // panels or codes are made on the way
        std::optional<CodedCentres<T>> codes;
        std::optional<CentreFilter<T, float>> single;
        std::optional<CentreFilter<T, double>> exact;

        Measures(const Lloyd& all, const Centres<T>& from, bool first)
            : centres(from), fresh(first) {
            if (all.precision_ == Precision::exact) {
                exact.emplace(from, all.origin_);
                return;
            }
            single.emplace(from, all.origin_);
            if (all.precision_ == Precision::codes)
                codes.emplace(from, all.origin_, all.codes_->unit(), all.codes_->pairs());
            if (codes && !codes->usable()) codes.reset();
            packs = !codes && !all.groups_ && !all.packed_ready_;
            encodes = codes && !all.codes_ready_;
        }
    };

    void lose_precision() {
        precision_ = precision_ == Precision::codes ? Precision::single : Precision::exact;
        codes_.reset();
    }

    // Whether bounds are read and written: not by rows that seldom keep to them, for a while.
    void plan_bounds(bool fresh) {
        const bool held = !fresh && writes_;
        writes_ = way_ != Way::full && idle_ <= 1;
        reads_ = held;
        if (idle_ > 0) --idle_;
    }

    // Where a row's own centre seldom settles it, all are measured at once for a while; where most
    // rows are measured all the same, bounds are not kept for a while.
    void rest(Index tried, Index settled, Index open) {
        if (rest_ > 0) --rest_;
        if (3 * settled < tried) rest_ = 4;
        if (!reads_ || groups_ || k_ >= many_centres) return;
        if (open > x_.rows - x_.rows / 4) {
            idles_ = std::min(2 * idles_, 8);
            idle_ = idles_, writes_ = false;
        }
    }

    template <class F>
    void assign_chunk(const CentreFilter<T, F>& filter, const Measures& measures, Stretch rows,
                      Outcome& out, Checkpoint& checkpoint) {
        PanelScratch<F> scratch(p_);
        std::vector<Index> open;
        open.reserve(static_cast<std::size_t>(rows.end - rows.begin));
        const bool heavy = area(k_, p_) > 4096;
        for (Index i = rows.begin; i < rows.end; i += filter.width()) {
            const Index count = std::min(rows.end - i, filter.width());
            measure_panel(filter, measures, i, count, open, scratch, out);
            if (heavy || i % 3072 == 0) checkpoint();
        }
        if (groups_ && !measures.fresh)
            measure_groups(measures.centres, open, out, checkpoint);
        else
            measure_listed(filter, open, scratch, out, checkpoint);
        out.rechecked += static_cast<double>(scratch.rechecked);
        if (!open.empty())
            std::sort(out.changes.begin(), out.changes.end(),
                      [](const Change& a, const Change& b) { return a.row < b.row; });
        if (measures.fresh) {
            out.sums = CentreSums(k_, p_);
            out.sums.add_chunk(x_, w_, labels_.data(), rows.begin, rows.end, centres_.data());
        } else if (2 * static_cast<Index>(out.changes.size()) >= k_) {
            out.sums = CentreSums(k_, p_);
            out.sums.add_changes(x_, w_, out.changes, origin_.data());
        }
    }

    // Neighbouring rows: where many of them are open they are measured together, from a panel that
    // is packed the first time for all; else the open ones go on the list.
    template <class F>
    void measure_panel(const CentreFilter<T, F>& filter, const Measures& by, Index first,
                       Index count, std::vector<Index>& open, PanelScratch<F>& scratch,
                       Outcome& out) {
        unsigned long long rows = unsettled(by.centres, first, count, out);
        const Index here = std::popcount(rows);
        // a row by itself has to be fetched and packed, which costs as much as many centres
        const Index apart = here * (k_ + 250),
                    together = filter.width() * (k_ + (by.codes ? 7 : 14));
        bool panel = false;
        if constexpr (sizeof(F) == sizeof(float)) {
            panel = here > 0 && (by.fresh || (!groups_ && (here == count || apart >= together)));
            if (by.codes) {
                if (by.encodes) codes_->encode(first, count);
                if (panel) measure_codes(*by.codes, by.centres, first, count, scratch, out);
            } else if (panel || by.packs) {
                measure_single(filter, by, first, count, panel, scratch, out);
            }
        }
        if (panel) {
            out.measured += static_cast<double>(count * k_);
            return;
        }
        for (; rows != 0; rows &= rows - 1) open.push_back(first + std::countr_zero(rows));
    }

    // All rows of a panel from their codes.
    void measure_codes(const CodedCentres<T>& by, const Centres<T>& centres, Index first,
                       Index count, PanelScratch<float>& s, Outcome& out) {
        constexpr Index most = 64;
        int best[most], second[most], old[most] = {};
        const Index width = RowCodes<T>::width();
        const std::int32_t* labels = labels_.data() + first;
        if (count < width) labels = std::copy_n(labels, count, old) - count;
        const PanelLook look = kernels().nearest_codes(by.codes(), codes_->panel(first), by.limit(),
                                                       labels, best, second);
        const unsigned long long all = count < most ? (1ULL << count) - 1 : ~0ULL;
        const unsigned long long doubtful = look.doubtful | codes_->without(first);
        if (writes_) {
            kernels().code_leads(best, second, codes_->squares(first), by.scales(), by.bits(),
                                 drift_.at_least.data(), s.lead.data(), s.lower.data());
            std::copy_n(s.lead.data(), count, bounds_.lead.data() + first);
            if (!bounds_.far.empty())
                for (Index r = 0; r < count; ++r)
                    bounds_.set_far(first + r, by.label(best[r]), s.lower[r], drift_);
        }
        for (unsigned long long rows = (doubtful | look.moved) & all; rows != 0; rows &= rows - 1) {
            const Index r = std::countr_zero(rows);
            s.labels[r] = static_cast<std::int32_t>(by.label(best[r]));
            const bool again = (doubtful >> r & 1) != 0;
            if (again) s.set(r, nearest_of(x_.row(first + r), centres));
            relabel(first + r, s.labels[r], out);
            if (again && writes_)
                bounds_.set(first + r, s.labels[r], s.lead[r], s.lower[r], drift_);
        }
    }

    // The same from single precision; rows are packed on the way where they are not yet.
    void measure_single(const CentreFilter<T, float>& filter, const Measures& by, Index first,
                        Index count, bool panel, PanelScratch<float>& s, Outcome& out) {
        float *values = s.panel.data(), *norms = s.norms.data();
        if (!groups_) values = packed_.data() + first * p_, norms = norms_.data() + first;
        if (by.packs || groups_) filter.pack(x_, first, count, values, norms, s);
        if (!panel) return;
        filter.measure(x_, first, count, values, norms, s);
        for (Index r = 0; r < count; ++r) keep(first + r, r, s, out);
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

    // Bit r: row first + r may have to leave its centre.
    unsigned long long unsettled(const Centres<T>& centres, Index first, Index count,
                                 Outcome& out) {
        const unsigned long long all = count < 64 ? (1ULL << count) - 1 : ~0ULL;
        if (!reads_) return all;
        unsigned long long open = kernels().open_rows(
            bounds_.lead.data() + first, labels_.data() + first, drift_.both.data(), count);
        const Index here = std::popcount(open);
        out.open += here;
        if (groups_ || k_ < many_centres || rest_ > 0) return open;
        unsigned long long left = 0;
        for (; open != 0; open &= open - 1) {
            const Index r = std::countr_zero(open), i = first + r;
            const float upper = above(square(x_.row(i), centres.row(labels_[i]), p_));
            if (!bounds_.tighten(i, labels_[i], upper, drift_)) left |= 1ULL << r;
        }
        out.measured += static_cast<double>(here);
        out.tried += here, out.settled += here - std::popcount(left);
        return left;
    }

    // What was found of the r-th row of a panel.
    template <class F>
    void keep(Index row, Index r, const PanelScratch<F>& found, Outcome& out) {
        relabel(row, found.labels[r], out);
        if (!writes_) return;
        bounds_.set(row, found.labels[r], found.lead[r], found.lower[r], drift_);
        if (groups_) groups_->start(row, found.lower[r]);
    }

    void relabel(Index row, std::int32_t label, Outcome& out) {
        const std::int32_t old = labels_[row];
        if (old == label) return;
        if (old >= 0) out.changes.push_back({row, old, label});
        labels_[row] = label;
    }

    // --- centres ------------------------------------------------------------------------------

    // The means of the rows of each centre. The sums are about the centres the first time, then
    // about the origin.
    std::vector<double> updated(bool first) {
        if (first) {
            std::vector<double> moved = means(sums_, centres_);
            sums_.refer(centres_.data(), about_origin().data(), p_);
            total_ = sums_.squares;
            return moved;
        }
        for (const Outcome& each : outcomes_)
            if (each.sums.weight.empty())
                sums_.add_changes(x_, w_, each.changes, origin_.data());
            else
                sums_.add(each.sums);
        return means(sums_, about_origin());
    }

    // The origin, once for each centre.
    std::vector<double> about_origin() const {
        std::vector<double> about(static_cast<std::size_t>(area(k_, p_)));
        for (Index c = 0; c < k_; ++c)
            std::copy(origin_.begin(), origin_.end(), about.begin() + c * p_);
        return about;
    }

    // The same from sums that do not remember earlier labels.
    std::vector<double> updated_afresh() {
        const auto chunks = static_cast<std::size_t>((x_.rows + step_ - 1) / step_);
        std::vector<CentreSums> parts(chunks);
        over_rows(x_.rows, step_, [&](Index begin, Index end, Index c, Checkpoint&) {
            CentreSums sums(k_, p_);
            sums.add_chunk(x_, w_, labels_.data(), begin, end, centres_.data());
            parts[c] = std::move(sums);
        });
        CentreSums all(k_, p_);
        for (const CentreSums& part : parts) all.add(part);
        std::vector<double> moved = means(all, centres_);
        const double before = all.squares;
        all.refer(centres_.data(), moved.data(), p_);
        // digits are lost where the centres still went far
        squares_ = all.squares > 0.5 * before ? all.squares : -1.0;
        return moved;
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

    // The squares of the last sums for the labels of a later assignment.
    void follow_changes() {
        const Centres<T> centres(centres_.data(), k_, p_);
        const double before = squares_;
        for (const Outcome& each : outcomes_)
            for (const Change& change : each.changes) {
                const T* const row = x_.row(change.row);
                squares_ += (w_ == nullptr ? 1.0 : w_[change.row]) *
                            (square(row, centres.row(change.to), p_) -
                             square(row, centres.row(change.from), p_));
            }
        if (!(squares_ > 0.5 * before)) squares_ = -1.0;
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
    Precision precision_ = Precision::codes;
    std::optional<RowCodes<T>> codes_;
    tile::Aligned<float> packed_;  // the rows less the origin, in panels
    std::vector<float> norms_;     // their squared norms
    bool packed_ready_ = false, codes_ready_ = false;
    std::unique_ptr<GroupBounds<T>> groups_;
    CentreSums sums_;
    std::vector<Outcome> outcomes_;  // of the last assignment
    double total_ = 0.0, squares_ = -1.0, measured_ = 0.0;
    int rest_ = 0;              // iterations without measuring a row's own centre first
    int idle_ = 0, idles_ = 1;  // assignments without bounds: still to come, and the last time
    bool started_ = false, reads_ = false, writes_ = false;  // reads_, writes_: bounds
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
