// ℓ, ℓ′ and ℓ″ of a block of rows at once: Newton's step and boosting read these, so that the
// exponentials are taken by the vector kernels. The loss is chosen once a block.
#pragma once

#include "descend/loss_choice.hpp"
#include "stylobate/views.hpp"

namespace stylobate::descend {

constexpr Index most_block_rows = 512;

struct LossBlock {
    double value[most_block_rows], gradient[most_block_rows], curvature[most_block_rows];
};

// Of at most `most_block_rows` rows, with targets y and predictors z.
void differentiate(const LossChoice& choice, const double* y, const double* z, Index n,
                   LossBlock& out);

}  // namespace stylobate::descend
