#include <nanobind/stl/string.h>

#include <string>

#include "bindings.hpp"
#include "descend/loss_choice.hpp"
#include "descend/multinomial.hpp"
#include "descend/penalties.hpp"

namespace stylobate::bindings {
namespace {

using namespace descend;
using Codes = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class Function>
Output each(std::size_t n, const Function& function) {
    std::vector<double> out(n);
    {
        GilReleased release;
        for (std::size_t i = 0; i < n; ++i) out[i] = function(i);
    }
    return array(std::move(out), {n});
}

Output loss(const std::string& name, double first, double second, const std::string& what,
            const Vector<double>& y, const Vector<double>& z, double t) {
    const std::size_t n = y.shape(0);
    require(z.shape(0) == n, "y and z differ in length");
    return with_loss({loss_kind(name), first, second}, [&](const auto& at) {
        const double *ys = y.data(), *zs = z.data();
        if (what == "value") return each(n, [&](auto i) { return at.value(ys[i], zs[i]); });
        if (what == "gradient") return each(n, [&](auto i) { return at.gradient(ys[i], zs[i]); });
        if (what == "curvature") return each(n, [&](auto i) { return at.curvature(ys[i], zs[i]); });
        if (what == "conjugate") return each(n, [&](auto i) { return at.conjugate(ys[i], zs[i]); });
        require(what == "prox", "there is no function of this name");
        return each(n, [&](auto i) { return at.prox(ys[i], zs[i], t); });
    });
}

Output penalty(const std::string& name, double first, double second, const std::string& what,
               const Vector<double>& w, double t) {
    const std::size_t n = w.shape(0);
    return with_penalty(name, first, second, [&](const auto& at) {
        const double* ws = w.data();
        if (what == "value") return each(n, [&](auto i) { return at.value(ws[i]); });
        if (what == "gradient") return each(n, [&](auto i) { return at.gradient(ws[i]); });
        if (what == "curvature") return each(n, [&](auto i) { return at.curvature(ws[i]); });
        if (what == "conjugate") return each(n, [&](auto i) { return at.conjugate(ws[i]); });
        require(what == "prox", "there is no function of this name");
        return each(n, [&](auto i) { return at.prox(ws[i], t); });
    });
}

// Groups are the rows of w.
Output group(double strength, const std::string& what, const Packed<double>& w, double t) {
    const std::size_t n = w.shape(0), k = w.shape(1);
    const Group at{strength};
    const auto row = [&](std::size_t i) { return w.data() + i * k; };
    const long width = static_cast<long>(k);
    if (what == "value") return each(n, [&](auto i) { return at.value(row(i), width); });
    if (what == "conjugate") return each(n, [&](auto i) { return at.conjugate(row(i), width); });
    std::vector<double> out(w.data(), w.data() + n * k);
    for (std::size_t i = 0; i < n; ++i) {
        if (what == "prox")
            at.prox(out.data() + i * k, width, t);
        else
            at.gradient(out.data() + i * k, width);
    }
    return array(std::move(out), {n, k});
}

Output multinomial(const std::string& what, const Codes& y, const Packed<double>& z, double t) {
    const std::size_t n = z.shape(0), k = z.shape(1);
    require(y.shape(0) == n && k >= 1, "y and z differ in rows, or z has no columns");
    for (std::size_t i = 0; i < n; ++i)
        require(y.data()[i] >= 0 && y.data()[i] < static_cast<std::int64_t>(k),
                "y must hold numbers of columns of z");
    const Multinomial at;
    const Index width = static_cast<Index>(k);
    const auto row = [&](std::size_t i) { return z.data() + i * k; };
    if (what == "value")
        return each(n, [&](auto i) { return at.value(y.data()[i], row(i), width); });
    if (what == "conjugate")
        return each(n, [&](auto i) { return at.conjugate(y.data()[i], row(i), width); });
    if (what == "curvature") {
        std::vector<double> out(n * k * k);
        for (std::size_t i = 0; i < n; ++i) at.curvature(row(i), width, out.data() + i * k * k);
        return array(std::move(out), {n, k, k});
    }
    std::vector<double> out(n * k);
    for (std::size_t i = 0; i < n; ++i) {
        if (what == "prox")
            at.prox(y.data()[i], row(i), width, t, out.data() + i * k);
        else
            at.gradient(y.data()[i], row(i), width, out.data() + i * k);
    }
    return array(std::move(out), {n, k});
}

}  // namespace

void bind_vocabulary(nb::module_& module) {
    module.def("loss", &loss, nb::arg("name"), nb::arg("first"), nb::arg("second"), nb::arg("what"),
               nb::arg("y"), nb::arg("z"), nb::arg("t"),
               "value, gradient, curvature, conjugate or prox of a loss, entry by entry.");
    module.def("penalty", &penalty, nb::arg("name"), nb::arg("first"), nb::arg("second"),
               nb::arg("what"), nb::arg("w"), nb::arg("t"),
               "value, gradient, curvature, conjugate or prox of a penalty, entry by entry.");
    module.def("group_penalty", &group, nb::arg("strength"), nb::arg("what"), nb::arg("w"),
               nb::arg("t"), "value, gradient, conjugate or prox of the group penalty of rows.");
    module.def("multinomial_loss", &multinomial, nb::arg("what"), nb::arg("y"), nb::arg("z"),
               nb::arg("t"), "value, gradient, curvature, conjugate or prox, row by row.");
}

}  // namespace stylobate::bindings
