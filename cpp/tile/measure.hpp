// What a pair of rows is measured by, and what becomes of the number. No standard headers: kernel
// files read this.
#pragma once

namespace stylobate::tile {

// Distances are held in the form that is cheapest to compare: squares, sums of powers.
enum class Measure : int {
    squared,      // ‖x − y‖²
    inner,        // x·y
    manhattan,    // Σ |x − y|
    chebyshev,    // max |x − y|
    power,        // Σ |x − y|ᵖ
    canberra,     // Σ w |x − y| / (|x| + |y|)
    hamming,      // Σ w [x ≠ y]
    braycurtis,   // Σ |x − y| / Σ |x + y|
    nan_squared,  // ‖x − y‖² over the columns both have, times columns / those
    chi_square,   // Σ (x − y)² / (x + y)
    gower,        // Σ |w| dₗ / Σ |w| over the columns both have: |x − y|, or [x ≠ y] where w < 0
    ruzicka,      // p D / (S + (p − 1) D) of x, y ≥ 0: D = Σ w |x − y|, S = Σ w (x + y)
    haversine,    // sin² of half the angle; columns: half latitude, half longitude, cos latitude
};

// The value of a pair becomes, with a, b, p of the map:
enum class Map : int {
    identity,
    scale,              // a v
    root,               // √v
    power_root,         // v^(1/p)
    exponential,        // e^(a v)
    polynomial,         // (a v + b)^p
    sigmoid,            // tanh(a v + b)
    arc,                // 2 arcsin √v
    log_exponent,       // a v, summed as log Σ e^(a v)
    root_exponential,   // e^(a √v)
    log_root_exponent,  // a √v, summed as log Σ e^(a √v)
    tophat,             // [a v < 1], v a squared distance
    epanechnikov,       // max(1 − a v, 0)
    linear,             // max(1 − √(a v), 0)
    cosine,             // cos(π √(a v) / 2) where a v < 1
    jaccard,  // of inner products of 0–1 rows and their sums, with b = the number of columns
    dice,
    rogers_tanimoto,
    russell_rao,
    sokal_sneath,
    yule,
};

struct Mapping {
    Map kind = Map::identity;
    double a = 1.0, b = 0.0, p = 1.0;
};

}  // namespace stylobate::tile
