#include "stylobate/simd.hpp"

#include <cstdlib>
#include <string_view>

namespace stylobate {

#define STYLOBATE_DECLARE(set)                                                                     \
    namespace set {                                                                                \
    void gram(const double*, Index, Index, Index, Index, double*, Index, const void*, Index);      \
    void pack_f64(const MatrixView<double>&, const double*, double*, Index);                       \
    void pack_f32(const MatrixView<float>&, const double*, double*, Index);                        \
    void quadratics(const double*, Index, Index, const double*, Index, double*, double*);          \
    void exp(const double*, Index, double*);                                                       \
    void logistic(const double*, Index, double*, double*);                                         \
    void row_products(const double*, Index, Index, Index, const double*, double*);                 \
    void add_rows(const double*, Index, Index, Index, const double*, double*);                     \
    void gram_f32(const float*, Index, Index, Index, Index, float*, Index);                        \
    void multiply(const double*, Index, Index, Index, Index, const double*, Index, Index, double*, \
                  Index);                                                                          \
    void real_keys(const double*, Index, unsigned long long*, unsigned long long*);                \
    void hash_keys(const unsigned long long*, Index, unsigned long long*);                         \
    bool all_finite(const double*, Index);                                                         \
    void extent(const double*, Index, double*);                                                    \
    void power_sums(const double*, Index, double, double, double*);                                \
    void column_extent(const double*, Index, Index, Index, const double*, double* const*);         \
    void column_squares(const double*, Index, Index, Index, const double*, const double*,          \
                        const double*, double*, double*);                                          \
    void add_class_rows(const double*, Index, Index, Index, const Index*, const double*,           \
                        const double*, double*, double*);                                          \
    void lane_pack(const double*, Index, Index, Index, const double*, double*);                    \
    void lane_linear(const double*, Index, Index, const double*, const double*, Index, double*,    \
                     Index);                                                                       \
    void lane_squares(const double*, Index, Index, const double*, const double*, const double*,    \
                      Index, double*, Index);                                                      \
    void lane_triangular(const double*, Index, Index, const double*, const double*, double,        \
                         double*, double*);                                                        \
    void lane_highest(const double*, Index, Index, double*, double*);                              \
    Index tile_queries();                                                                          \
    Index tile_bytes();                                                                            \
    void tile_product_f64(const double*, Index, const double*, Index, const double*, double*);     \
    void tile_product_f32(const float*, Index, const float*, Index, const float*, float*);         \
    Index tile_candidates_f64(const double*, Index, const double*, TileBits*);                     \
    Index tile_candidates_f32(const float*, Index, const float*, TileBits*);                       \
    RowCode tile_encode(const double*, Index, double, double, signed char*);                       \
    Index tile_codes(const signed char*, Index, const unsigned char*, Index, const float*,         \
                     const float*, const CodeQuery*, float*, TileBits*);                           \
    Index tile_squares(double*, Index, const double*, const double*, double, TileBits*);           \
    void tile_direct(int, const double*, Index, const double*, Index, const double*, double,       \
                     double*);                                                                     \
    unsigned leaf_values(int, const double*, const double*, Index, const double*, double, double,  \
                         double*);                                                                 \
    void tile_sparse_product(const double*, const Index*, Index, const double*, double*);          \
    void tile_sparse_manhattan(const double*, const Index*, Index, const double*, double*);        \
    bool tile_map(int, double, double, double, double*, Index);                                    \
    double tile_sum(const double*, const double*, Index);                                          \
    void bump_sums(int, double, double, const PointGroups&, const PointGroups&, const double*,     \
                   double*);                                                                       \
    void bump_moments(const PointGroups&, const double*, const double*, const double*, double,     \
                      double, const MonomialTerms&, double*);                                      \
    void bump_series(const double*, Index, const double*, const PointGroups&, double*);            \
    double squared_distance_f64(const double*, const double*, Index);                              \
    double squared_distance_f32(const float*, const float*, Index);                                \
    double inner_product_f64(const double*, const double*, Index);                                 \
    double inner_product_f32(const float*, const float*, Index);                                   \
    void code_distances(int, const unsigned char*, const unsigned char*, Index, const unsigned*,   \
                        Index, unsigned*);                                                         \
    void find_bins(const double*, Index, const double*, Index, unsigned char, unsigned char*);     \
    void key_extremes_16(const unsigned short*, Index, const unsigned*, Index, unsigned short*,    \
                         unsigned short*, unsigned short*);                                        \
    void key_extremes_32(const unsigned*, Index, const unsigned*, Index, unsigned*, unsigned*,     \
                         unsigned*);                                                               \
    void key_counts_16(const unsigned short*, Index, const unsigned*, const unsigned*, Index,      \
                       const unsigned short*, const unsigned short*, unsigned*);                   \
    void key_counts_32(const unsigned*, Index, const unsigned*, const unsigned*, Index,            \
                       const unsigned*, const unsigned*, unsigned*);                               \
    void key_sums_16(const unsigned short*, Index, const unsigned*, Index, const unsigned short*,  \
                     const unsigned short*, const double*, double, double*, unsigned*);            \
    void key_sums_32(const unsigned*, Index, const unsigned*, Index, const unsigned*,              \
                     const unsigned*, const double*, double, double*, unsigned*);                  \
    void key_part_16(const unsigned short*, Index, Index, Index, unsigned short, unsigned short,   \
                     unsigned short*, unsigned short*, unsigned char*);                            \
    void key_part_32(const unsigned*, Index, Index, Index, unsigned, unsigned, unsigned*,          \
                     unsigned*, unsigned char*);                                                   \
    void histogram_add(bool, Index, const unsigned char*, Index, const long long*, const int*,     \
                       Index, Index, long long*);                                                  \
    void histogram_unpack(int, long long*, Index, double*, double*, int*);                         \
    Index best_gain(const double*, const double*, Index, Index, const CutGains&, double&);         \
    Index part_rows(const unsigned char*, const int*, Index, Index, const bool*, int, int, int*,   \
                    int*);                                                                         \
    bool find_ranks(const double*, Index, const RankTable&, unsigned short*, Index);               \
    void walk_cells(const TreeCell*, const unsigned short*, Index, Index, bool, unsigned*,         \
                    unsigned*);                                                                    \
    void sort_keys(unsigned*, Index);                                                              \
    Index two_class_cuts(const unsigned*, Index, const TwoClassKeys&, const TwoClassNode&, Index,  \
                         float, TwoClassCut*);                                                     \
    Index two_class_codes(const unsigned long long*, Index, unsigned long long,                    \
                          const TwoClassNode&, const TwoClassRule&, TwoClassCut*);                 \
    float best_step_gain(const unsigned long long*, Index, const TwoClassNode&, Index);            \
    bool open_steps(const unsigned long long*, Index, const TwoClassNode&, float, long long*);     \
    constexpr Kernels table{&gram,                                                                 \
                            &pack_f64,                                                             \
                            &pack_f32,                                                             \
                            &quadratics,                                                           \
                            &exp,                                                                  \
                            &logistic,                                                             \
                            &row_products,                                                         \
                            &add_rows,                                                             \
                            &gram_f32,                                                             \
                            &multiply,                                                             \
                            &real_keys,                                                            \
                            &hash_keys,                                                            \
                            &all_finite,                                                           \
                            &extent,                                                               \
                            &power_sums,                                                           \
                            &column_extent,                                                        \
                            &column_squares,                                                       \
                            &add_class_rows,                                                       \
                            &lane_pack,                                                            \
                            &lane_linear,                                                          \
                            &lane_squares,                                                         \
                            &lane_triangular,                                                      \
                            &lane_highest,                                                         \
                            &tile_queries,                                                         \
                            &tile_bytes,                                                           \
                            &tile_product_f64,                                                     \
                            &tile_product_f32,                                                     \
                            &tile_candidates_f64,                                                  \
                            &tile_candidates_f32,                                                  \
                            &tile_encode,                                                          \
                            &tile_codes,                                                           \
                            false,                                                                 \
                            &tile_squares,                                                         \
                            &tile_direct,                                                          \
                            &leaf_values,                                                          \
                            &tile_sparse_product,                                                  \
                            &tile_sparse_manhattan,                                                \
                            &tile_map,                                                             \
                            &tile_sum,                                                             \
                            &bump_sums,                                                            \
                            &bump_moments,                                                         \
                            &bump_series,                                                          \
                            &squared_distance_f64,                                                 \
                            &squared_distance_f32,                                                 \
                            &inner_product_f64,                                                    \
                            &inner_product_f32,                                                    \
                            &code_distances,                                                       \
                            &find_bins,                                                            \
                            &key_extremes_16,                                                      \
                            &key_extremes_32,                                                      \
                            &key_counts_16,                                                        \
                            &key_counts_32,                                                        \
                            &key_sums_16,                                                          \
                            &key_sums_32,                                                          \
                            &key_part_16,                                                          \
                            &key_part_32,                                                          \
                            &histogram_add,                                                        \
                            &histogram_unpack,                                                     \
                            &best_gain,                                                            \
                            &part_rows,                                                            \
                            &find_ranks,                                                           \
                            &walk_cells,                                                           \
                            &sort_keys,                                                            \
                            &two_class_cuts,                                                       \
                            &two_class_codes,                                                      \
                            &best_step_gain,                                                       \
                            &open_steps};                                                          \
    }

STYLOBATE_DECLARE(base)
#ifdef STYLOBATE_X86
STYLOBATE_DECLARE(avx2)
STYLOBATE_DECLARE(avx512)

namespace avx512 {
Index tile_codes_vnni(const signed char*, Index, const unsigned char*, Index, const float*,
                      const float*, const CodeQuery*, float*, TileBits*);
}
namespace vnni {
constexpr Kernels with_byte_products(Kernels set) {
    set.tile_codes = &avx512::tile_codes_vnni;
    set.quick_codes = true;
    return set;
}
constexpr Kernels table = with_byte_products(avx512::table);
}  // namespace vnni
#endif

namespace {

bool machine_has([[maybe_unused]] Isa which) {
#ifdef STYLOBATE_X86
    const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    if (which == Isa::avx2) return avx2;
    const bool avx512 = avx2 && __builtin_cpu_supports("avx512f") &&
                        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
                        __builtin_cpu_supports("avx512bw");
    if (which == Isa::avx512) return avx512;
    if (which == Isa::vnni) return avx512 && __builtin_cpu_supports("avx512vnni");
#endif
    return which == Isa::base;
}

const char* name_of(Isa which) {
    switch (which) {
        case Isa::vnni:
            return "vnni";
        case Isa::avx512:
            return "avx512";
        case Isa::avx2:
            return "avx2";
        default:
            return "base";
    }
}

Isa best_isa() {
    const char* text = std::getenv("STYLOBATE_ISA");
    const std::string_view wish = text == nullptr ? "" : text;
    constexpr Isa sets[] = {Isa::vnni, Isa::avx512, Isa::avx2};
    bool allowed = wish != name_of(Isa::base);
    for (const Isa which : sets) allowed = allowed && wish != name_of(which);
    for (const Isa which : sets) {
        allowed = allowed || wish == name_of(which);
        if (allowed && machine_has(which)) return which;
    }
    return Isa::base;
}

}  // namespace

Isa isa() {
    static const Isa best = best_isa();
    return best;
}

const char* isa_name() {
    return name_of(isa());
}

const Kernels* kernels_of(Isa which) {
    if (!machine_has(which)) return nullptr;
#ifdef STYLOBATE_X86
    if (which == Isa::vnni) return &vnni::table;
    if (which == Isa::avx512) return &avx512::table;
    if (which == Isa::avx2) return &avx2::table;
#endif
    return &base::table;
}

const Kernels& kernels() {
    static const Kernels& best = *kernels_of(isa());
    return best;
}

}  // namespace stylobate
