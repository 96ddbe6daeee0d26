// Independent components and sparse codes.
#include <nanobind/stl/string.h>

#include <string>

#include "bindings.hpp"
#include "descend/pursuit.hpp"
#include "embed/contrast.hpp"
#include "scan/symmetric.hpp"
#include "stylobate/buffer.hpp"

namespace stylobate::bindings {
namespace {

embed::Contrast contrast_of(const std::string& name) {
    if (name == "logcosh") return embed::Contrast::logcosh;
    if (name == "exp") return embed::Contrast::exp;
    require(name == "cube", "there is no such contrast");
    return embed::Contrast::cube;
}

nb::tuple contrast_sums(const Packed<double>& z, Index rows, const Packed<double>& w,
                        const std::string& contrast, double alpha) {
    const std::size_t k = z.shape(0), directions = w.shape(0);
    require(w.shape(1) == k, "w must have one column per component of z");
    require(rows >= 0 && rows <= static_cast<Index>(z.shape(1)) && z.shape(1) % 8 == 0,
            "the rows of z must fill whole vectors");
    const embed::Contrast which = contrast_of(contrast);
    embed::ContrastSums sums;
    {
        GilReleased release;
        sums = embed::contrast_sums(
            {z.data(), static_cast<Index>(k), rows, static_cast<Index>(z.shape(1))}, w.data(),
            static_cast<Index>(directions), which, alpha);
    }
    return nb::make_tuple(owned(std::move(sums.products), {directions, k}),
                          owned(std::move(sums.slopes)));
}

Output pursue(const Packed<double>& gram, const Packed<double>& xy, Index most,
              const std::string& way) {
    const std::size_t count = xy.shape(0), atoms = xy.shape(1);
    require(gram.shape(0) == atoms && gram.shape(1) == atoms, "the Gram must be atoms × atoms");
    require(most >= 0, "the number of atoms of a code must be at least 0");
    require(way == "matching" || way == "least_angle", "there is no such way");
    const descend::Pursuits problems{gram.data(), xy.data(), static_cast<Index>(count),
                                     static_cast<Index>(atoms)};
    std::vector<double> codes;
    {
        GilReleased release;
        codes = descend::pursue(
            problems, way == "matching" ? descend::Greedy::matching : descend::Greedy::least_angle,
            most);
    }
    return array(std::move(codes), {count, atoms});
}

scan::SquareMatrix square(const Packed<double>& a) {
    require(a.shape(0) == a.shape(1), "the matrix must be square");
    return {a.data(), static_cast<Index>(a.shape(0))};
}

Output symmetric_product(const Packed<double>& a, const Packed<double>& v, bool squared) {
    const scan::SquareMatrix matrix = square(a);
    const std::size_t n = v.shape(0), columns = v.shape(1);
    require(static_cast<Index>(n) == matrix.order, "the block must have a row for each of a");
    std::vector<double> out(
        static_cast<std::size_t>(area(static_cast<Index>(n), static_cast<Index>(columns))));
    {
        GilReleased release;
        scan::symmetric_product(matrix, squared, v.data(), static_cast<Index>(columns), out.data());
    }
    return array(std::move(out), {n, columns});
}

nb::tuple symmetry(const Packed<double>& a) {
    const scan::SquareMatrix matrix = square(a);
    scan::Symmetry found{};
    {
        GilReleased release;
        found = scan::symmetry(matrix);
    }
    return nb::make_tuple(found.least, found.most, found.worst);
}

}  // namespace

void bind_decomposition(nb::module_& module) {
    module.def("symmetric_product", &symmetric_product, nb::arg("a").noconvert(),
               nb::arg("v").noconvert(), nb::arg("squared") = false,
               "A V of a symmetric matrix, or (A ∘ A) V; one half of A is read.");
    module.def(
        "symmetry", &symmetry, nb::arg("a").noconvert(),
        "Least and largest entry (0 among them, NaN left out), and the largest difference to "
        "the transpose: infinite where one of two entries is NaN.");
    module.def("contrast_sums", &contrast_sums, nb::arg("z").noconvert(), nb::arg("rows"),
               nb::arg("w").noconvert(), nb::arg("contrast"), nb::arg("alpha"),
               "Of white rows z (components × rows, padded to whole vectors): g(wz)zᵀ and Σ g′.");
    module.def("pursue", &pursue, nb::arg("gram").noconvert(), nb::arg("xy").noconvert(),
               nb::arg("most"), nb::arg("way"),
               "Codes of at most `most` atoms, found one atom at a time.");
}

}  // namespace stylobate::bindings
