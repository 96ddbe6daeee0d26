#include "network/segments.hpp"

#include <algorithm>
#include <vector>

#include "stylobate/parallel.hpp"

namespace stylobate::network {

template <class T>
double step_segments(bool adaptive, const Weights<T>& w, const T* gradient, Step step,
                     const Segments& segments) {
    constexpr Index chunk_size = 1 << 16;
    const Index chunks = (w.count + chunk_size - 1) / chunk_size;
    std::vector<double> penalties(static_cast<std::size_t>(chunks), 0.0);
    parallel_for(chunks, [&](Index chunk, Checkpoint&) {
        const Index first = chunk * chunk_size, last = std::min(w.count, first + chunk_size);
        const auto* ends = segments.ends;
        auto part = static_cast<Index>(std::upper_bound(ends, ends + segments.count, first) - ends);
        Step own = step;
        for (Index at = first; at < last; ++part) {
            const Index end = std::min<Index>(last, ends[part]);
            const Weights<T> some{w.value + at, w.first + at,
                                  w.second == nullptr ? nullptr : w.second + at, end - at};
            own.decay = segments.decays[part];
            const double squares =
                adaptive ? adam(some, gradient + at, own) : momentum(some, gradient + at, own);
            penalties[static_cast<std::size_t>(chunk)] += 0.5 * own.decay * squares;
            at = end;
        }
    });
    double total = 0.0;
    for (const double penalty : penalties) total += penalty;
    return total;
}

template double step_segments(bool, const Weights<float>&, const float*, Step, const Segments&);
template double step_segments(bool, const Weights<double>&, const double*, Step, const Segments&);

}  // namespace stylobate::network
