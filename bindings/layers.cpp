// Layers of networks: what goes forward, and the derivatives that come back.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <tuple>

#include "layer_arrays.hpp"
#include "network/activations.hpp"
#include "network/convolution.hpp"
#include "network/matrix_product.hpp"
#include "network/pooling.hpp"

namespace stylobate::bindings {
namespace {

using namespace stylobate::network;

Curve curve_of(const std::string& name) {
    const char* names[] = {"identity", "sigmoid", "tanh", "relu", "leaky_relu", "selu", "mish"};
    for (int k = 0; k < 7; ++k)
        if (name == names[k]) return static_cast<Curve>(k);
    throw InvalidArgument("there is no activation of this name");
}

// channels, height, width; then pairs of sizes, strides, paddings, dilations
std::pair<Image, Window> geometry_of(const std::vector<Index>& g, Index cols) {
    require(g.size() == 11, "a window has eleven numbers");
    constexpr Index most = Index{1} << 31;
    for (std::size_t k = 0; k < g.size(); ++k)
        require(g[k] >= (k == 7 || k == 8 ? 0 : 1) && g[k] < most, "a window's number is wrong");
    const Image image{g[0], g[1], g[2]};
    const Window window{{g[3], g[4]}, {g[5], g[6]}, {g[7], g[8]}, {g[9], g[10]}};
    require(area(g[0], area(g[1], g[2])) == cols, "the rows are not images of this size");
    const Pair out = window.output(image);
    require(out.y >= 1 && out.x >= 1, "the window is larger than the image");
    return {image, window};
}

Index places_of(const Image& image, const Window& window) {
    const Pair out = window.output(image);
    return area(out.y, out.x);
}

template <class T>
Convolution convolution_of(const std::vector<Index>& g, Index cols, Index filters, Index groups,
                           const Vector<T>& weights) {
    const auto [image, window] = geometry_of(g, cols);
    require(groups >= 1 && filters >= 1 && image.channels % groups == 0 && filters % groups == 0,
            "groups do not divide the channels");
    const Convolution c{image, window, filters, groups};
    require(area(filters, area(image.channels / groups, area(window.size.y, window.size.x))) ==
                static_cast<Index>(weights.size()),
            "the weights do not fit the convolution");
    return c;
}

template <class T>
void bind_products(nb::module_& module) {
    module.def(
        "matrix_multiply",
        [](const Matrix<T>& a, const Matrix<T>& b, std::optional<Vector<T>> bias) {
            const MatrixView<T> left = view(a), right = view(b);
            require(left.cols == right.rows, "the matrices do not fit together");
            require(!bias || static_cast<Index>(bias->size()) == right.cols,
                    "the biases do not fit the layer");
            Fresh<T> out(left.rows, right.cols);
            {
                GilReleased release;
                multiply<T>(
                    {left.data, left.rows, left.cols, left.row_stride, left.col_stride},
                    {right.data, right.rows, right.cols, right.row_stride, right.col_stride},
                    bias ? bias->data() : nullptr, false, out.data());
            }
            return std::move(out).given();
        },
        nb::arg("a"), nb::arg("b"), nb::arg("bias").none(), "A·B + bias, whatever the strides.");
}

Finish finish_of(const std::string& name) {
    const char* names[] = {"none", "rectified", "halved"};
    for (int k = 0; k < 3; ++k)
        if (name == names[k]) return static_cast<Finish>(k);
    throw InvalidArgument("there is no finish of this name");
}

Index finished_cols(const Convolution& c, Finish finish) {
    const Pair behind = finished(finish, c.window.output(c.image));
    require(behind.y >= 1 && behind.x >= 1, "there is no window of 2 × 2 places");
    return area(c.filters, area(behind.y, behind.x));
}

template <class T>
void bind_convolutions(nb::module_& module) {
    module.def(
        "convolve",
        [](const Packed<T>& x, const std::vector<Index>& geometry, Index filters, Index groups,
           const Vector<T>& weights, const Vector<T>& bias, const std::string& finish) {
            const Convolution c = convolution_of(geometry, cols_of(x), filters, groups, weights);
            require(static_cast<Index>(bias.size()) == filters, "the biases do not fit the layer");
            const Finish chosen = finish_of(finish);
            const Index cols = finished_cols(c, chosen);
            const bool chooses = chosen == Finish::halved;
            Fresh<T> out(rows_of(x), cols);
            Fresh<unsigned char> which(chooses ? rows_of(x) : 0, cols);
            {
                GilReleased release;
                convolve<T>(c, x.data(), rows_of(x), weights.data(), bias.data(),
                            {chosen, out.data(), chooses ? which.data() : nullptr});
            }
            return std::make_pair(std::move(out).given(), std::move(which).given());
        },
        nb::arg("x"), nb::arg("geometry"), nb::arg("filters"), nb::arg("groups"),
        nb::arg("weights"), nb::arg("bias"), nb::arg("finish") = "none",
        "Images convolved with filters, a row each, and what follows at once; where windows are "
        "halved, also which entries were the largest.");
    module.def(
        "convolve_back",
        [](const Packed<T>& x, const std::vector<Index>& geometry, Index filters, Index groups,
           const Vector<T>& weights, const Packed<T>& dy, bool by_images, const std::string& finish,
           const Packed<T>& y, const Packed<unsigned char>& which) {
            const Convolution c = convolution_of(geometry, cols_of(x), filters, groups, weights);
            const Finish chosen = finish_of(finish);
            const Index rows = rows_of(x), cols = finished_cols(c, chosen);
            require_like(dy, rows, cols);
            if (chosen == Finish::rectified) require_like(y, rows, cols);
            if (chosen == Finish::halved) require_like(which, rows, cols);
            Fresh<T> dx(by_images ? rows : 0, cols_of(x)),
                dw(1, static_cast<Index>(weights.size())), db(1, filters);
            {
                GilReleased release;
                const Slopes<T> slopes(chosen, dy.data(), y.data(), which.data());
                if (by_images) convolve_inputs_back(c, rows, weights.data(), slopes, dx.data());
                convolve_weights_back(c, x.data(), rows, slopes, dw.data(), db.data());
            }
            return std::make_tuple(std::move(dx).given(), std::move(dw).given(),
                                   std::move(db).given());
        },
        nb::arg("x"), nb::arg("geometry"), nb::arg("filters"), nb::arg("groups"),
        nb::arg("weights"), nb::arg("dy"), nb::arg("by_images"), nb::arg("finish"), nb::arg("y"),
        nb::arg("which"),
        "Derivatives by images (none unless asked for), filters and biases, given those behind "
        "what follows the convolution.");
}

template <class T>
void bind_pools(nb::module_& module) {
    module.def(
        "pool",
        [](const Packed<T>& x, bool largest, const std::vector<Index>& geometry) {
            const auto [image, window] = geometry_of(geometry, cols_of(x));
            const Index cols = area(image.channels, places_of(image, window));
            Fresh<T> out(rows_of(x), cols);
            {
                GilReleased release;
                pool(largest ? Pool::largest : Pool::mean, image, window, x.data(),
                     rows_of(x) * image.channels, out.data());
            }
            return std::move(out).given();
        },
        nb::arg("x"), nb::arg("largest"), nb::arg("geometry"),
        "The largest or the mean entry of windows.");
    module.def(
        "pool_back",
        [](const Packed<T>& x, bool largest, const std::vector<Index>& geometry,
           const Packed<T>& dy) {
            const auto [image, window] = geometry_of(geometry, cols_of(x));
            require_like(dy, rows_of(x), area(image.channels, places_of(image, window)));
            Fresh<T> dx(rows_of(x), cols_of(x));
            {
                GilReleased release;
                pool_back(largest ? Pool::largest : Pool::mean, image, window, x.data(),
                          rows_of(x) * image.channels, dy.data(), dx.data());
            }
            return std::move(dx).given();
        },
        nb::arg("x"), nb::arg("largest"), nb::arg("geometry"), nb::arg("dy"),
        "The derivative by the images.");
}

template <class T>
void bind_activations(nb::module_& module) {
    module.def(
        "activate",
        [](const Packed<T>& x, const std::string& kind, double slope) {
            Fresh<T> out(rows_of(x), cols_of(x));
            const bool is_softmax = kind == "softmax";
            const Curve curve = is_softmax ? Curve::identity : curve_of(kind);
            {
                GilReleased release;
                if (is_softmax)
                    softmax(x.data(), rows_of(x), cols_of(x), out.data());
                else
                    activate(curve, slope, x.data(), rows_of(x) * cols_of(x), out.data());
            }
            return std::move(out).given();
        },
        nb::arg("x"), nb::arg("kind"), nb::arg("slope"), "f of every entry; softmax of every row.");
    module.def(
        "activate_back",
        [](const Packed<T>& x, const Packed<T>& y, const Packed<T>& dy, const std::string& kind,
           double slope) {
            require_like(y, rows_of(x), cols_of(x));
            require_like(dy, rows_of(x), cols_of(x));
            Fresh<T> dx(rows_of(x), cols_of(x));
            const bool is_softmax = kind == "softmax";
            const Curve curve = is_softmax ? Curve::identity : curve_of(kind);
            {
                GilReleased release;
                if (is_softmax)
                    softmax_back(y.data(), dy.data(), rows_of(x), cols_of(x), dx.data());
                else
                    activate_back(curve, slope, x.data(), y.data(), dy.data(),
                                  rows_of(x) * cols_of(x), dx.data());
            }
            return std::move(dx).given();
        },
        nb::arg("x"), nb::arg("y"), nb::arg("dy"), nb::arg("kind"), nb::arg("slope"),
        "The derivative by x.");
}

template <class T>
void bind(nb::module_& module) {
    bind_products<T>(module);
    bind_convolutions<T>(module);
    bind_pools<T>(module);
    bind_activations<T>(module);
}

}  // namespace

void bind_layers(nb::module_& module) {
    bind<double>(module);
    bind<float>(module);
}

}  // namespace stylobate::bindings
