// The accumulators of a tile: queries (broadcast) × vectors of rows (loaded). Kernel files only.
#pragma once

#include "stylobate/simd.hpp"

namespace stylobate::STYLOBATE_ISA {
namespace {

constexpr Index queries = STYLOBATE_TILE_COLUMNS;
constexpr Index vectors = 3;

}  // namespace
}  // namespace stylobate::STYLOBATE_ISA
