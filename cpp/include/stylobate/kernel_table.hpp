// How an engine's kernels.cpp makes its tables, one for each instruction set.
//
// STYLOBATE_KERNELS(X) lists the members of the engine's `Kernels`; a kernel has the name of its
// member, and its type is the member's, so that the two cannot differ.
#pragma once

#include <type_traits>

#include "stylobate/simd.hpp"

#define STYLOBATE_DECLARE_KERNEL(name) std::remove_pointer_t<decltype(Kernels::name)> name;
#define STYLOBATE_ENTER_KERNEL(name) made.name = &name;
#define STYLOBATE_TABLE(engine, set)              \
    namespace stylobate::set {                    \
    using engine::Kernels;                        \
    STYLOBATE_KERNELS(STYLOBATE_DECLARE_KERNEL)   \
    constexpr Kernels table = [] {                \
        Kernels made{};                           \
        STYLOBATE_KERNELS(STYLOBATE_ENTER_KERNEL) \
        return made;                              \
    }();                                          \
    }

#ifdef STYLOBATE_X86
#define STYLOBATE_TABLES(engine)  \
    STYLOBATE_TABLE(engine, base) \
    STYLOBATE_TABLE(engine, avx2) \
    STYLOBATE_TABLE(engine, avx512)
#else
#define STYLOBATE_TABLES(engine) STYLOBATE_TABLE(engine, base)
#endif

// kernels_of and kernels of an engine; `best_table` is what machines with byte products use.
#ifdef STYLOBATE_X86
#define STYLOBATE_SETS(best_table) &base::table, &avx2::table, &avx512::table, &best_table
#else
#define STYLOBATE_SETS(best_table) &base::table
#endif
#define STYLOBATE_CHOICE(engine, best_table)                                   \
    namespace stylobate::engine {                                              \
    const Kernels* kernels_of(Isa which) {                                     \
        static constexpr const Kernels* sets[] = {STYLOBATE_SETS(best_table)}; \
        return machine_has(which) ? sets[static_cast<int>(which)] : nullptr;   \
    }                                                                          \
    const Kernels& kernels() {                                                 \
        static const Kernels& best = *kernels_of(isa());                       \
        return best;                                                           \
    }                                                                          \
    }
