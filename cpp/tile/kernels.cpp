#include "tile/kernels.hpp"

#include "stylobate/kernel_table.hpp"

// clang-format off
#define STYLOBATE_KERNELS(X) \
    X(tile_queries) X(tile_bytes) X(tile_product_f64) X(tile_product_f32) \
    X(tile_candidates_f64) X(tile_candidates_f32) X(tile_encode) X(tile_codes) \
    X(tile_squares) X(tile_direct) X(leaf_values) X(tile_sparse_product) \
    X(tile_sparse_manhattan) X(tile_map) X(tile_put) X(tile_transpose) X(tile_sum) X(tile_group_sums) \
    X(tile_group_ends) X(tile_two_nearest) X(tile_add_rows) \
    X(tile_nearest_f64) X(tile_nearest_f32) X(tile_leads) X(add_rows_f64) X(add_rows_f32) \
    X(encode_rows_f64) X(encode_rows_f32) X(nearest_codes) X(code_leads) X(open_rows) \
    X(move_rows_f64) X(move_rows_f32) \
    X(bump_sums) X(bump_moments) X(bump_series) X(squared_distance_f64) \
    X(squared_distance_f32) X(inner_product_f64) X(inner_product_f32) X(code_distances)
// clang-format on

STYLOBATE_TABLES(tile)

#ifdef STYLOBATE_X86
namespace stylobate::avx512 {
decltype(tile_codes) tile_codes_vnni;
decltype(nearest_codes) nearest_codes_vnni;
}  // namespace stylobate::avx512
namespace stylobate::vnni {
constexpr tile::Kernels with_byte_products(tile::Kernels set) {
    set.tile_codes = &avx512::tile_codes_vnni;
    set.quick_codes = true;
    set.nearest_codes = &avx512::nearest_codes_vnni;
    return set;
}
constexpr tile::Kernels table = with_byte_products(avx512::table);
}  // namespace stylobate::vnni
#endif

STYLOBATE_CHOICE(tile, vnni::table)
