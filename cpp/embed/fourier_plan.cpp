#include "embed/fourier_plan.hpp"

#include <cmath>
#include <numbers>

#include "stylobate/errors.hpp"

namespace stylobate::tsne {
namespace {

std::vector<Index> radices_of(Index n) {
    std::vector<Index> radices;
    for (const Index radix : {4, 2, 3, 5})
        for (; n % radix == 0; n /= radix) radices.push_back(radix);
    if (n != 1) throw InvalidArgument("the length of a transform must be 2^a 3^b 5^c");
    return radices;
}

bool is_quick(Index n) {
    for (const Index radix : {2, 3, 5})
        while (n % radix == 0) n /= radix;
    return n == 1;
}

}  // namespace

Index quick_length(Index least) {
    Index n = least <= 8 ? 8 : (least + 7) / 8 * 8;
    while (!is_quick(n)) n += 8;
    return n;
}

FourierPlan::FourierPlan(Index length) : length_(length) {
    const std::vector<Index> radices = radices_of(length);
    std::vector<Index> starts;
    Index n = length;
    for (const Index radix : radices) {
        starts.push_back(static_cast<Index>(twiddles_.size()));
        for (Index p = 0; p < n / radix; ++p)
            for (Index k = 1; k < radix; ++k) {
                const double angle = -2.0 * std::numbers::pi * static_cast<double>(p * k % n) /
                                     static_cast<double>(n);
                twiddles_.push_back(static_cast<float>(std::cos(angle)));
                twiddles_.push_back(static_cast<float>(std::sin(angle)));
            }
        n /= radix;
    }
    n = length;
    Index stride = 1;
    for (std::size_t i = 0; i < radices.size(); ++i) {
        const Index radix = radices[i];
        passes_.push_back({radix, n / radix, stride, twiddles_.data() + starts[i]});
        n /= radix;
        stride *= radix;
    }
}

}  // namespace stylobate::tsne
