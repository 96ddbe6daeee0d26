// k-medoids and k-centres.
#include "cluster/medoids.hpp"

#include "cluster/k_centers.hpp"
#include "pairs.hpp"

namespace stylobate::bindings {
namespace {

using Numbers = Vector<std::int64_t>;

std::vector<Index> indices(const Numbers& which) {
    return {which.data(), which.data() + which.shape(0)};
}

Array<std::int64_t> numbers(const std::vector<Index>& which) {
    return owned(std::vector<std::int64_t>(which.begin(), which.end()));
}

// The core's costs of points and candidates, and what they look at.
class MedoidCosts {
 public:
    MedoidCosts(const Pairs& by_point, const Pairs& by_candidate, const std::string& map, double a,
                double b, double p, const std::optional<Numbers>& own)
        : costs_(by_point.core(), by_candidate.core(), {tile::map_named(map), a, b, p},
                 own ? indices(*own) : std::vector<Index>{}) {
        held_.push_back(nb::cast(by_point));
        held_.push_back(nb::cast(by_candidate));
    }
    template <class T>
    explicit MedoidCosts(const Matrix<T>& matrix) : costs_(view(matrix)) {
        held_.push_back(nb::cast(matrix));
    }

    // labels, costs of the nearest and of the second nearest
    nb::tuple serve(const Numbers& medoids) const {
        const auto n = static_cast<std::size_t>(costs_.points());
        std::unique_ptr<medoids::Service> service;
        const std::vector<double> ones(n, 1.0);
        {
            const std::vector<Index> which = checked(medoids);
            GilReleased release;
            service = served(which);
            service->settle(costs_, ones.data());
        }
        std::vector<std::int64_t> labels(service->label.begin(), service->label.begin() + n);
        service->nearest.resize(n), service->second.resize(n);
        return nb::make_tuple(owned(std::move(labels)), owned(std::move(service->nearest)),
                              owned(std::move(service->second)));
    }

    // costs of these candidates: one row each
    Output distances(const Numbers& candidates) const {
        const std::vector<Index> which = checked(candidates);
        const auto n = static_cast<std::size_t>(costs_.points());
        std::vector<double> all(which.size() * n);
        {
            GilReleased release;
            const auto strips = costs_.candidate_strips(which.data(), Index(which.size()));
            tile::write(*strips, {}, tile::Half::none, all.data(), costs_.points());
            costs_.finish(all.data(), static_cast<Index>(all.size()), all.data());
        }
        return owned(std::move(all), {which.size(), n});
    }

    Output below(const std::optional<Vector<double>>& levels, const Vector<double>& weights) const {
        check(weights);
        require(!levels || static_cast<Index>(levels->shape(0)) == costs_.points(),
                "one level for each point");
        std::vector<double> sums(static_cast<std::size_t>(costs_.candidates()));
        {
            GilReleased release;
            medoids::sum_below(costs_, levels ? levels->data() : nullptr, weights.data(),
                               sums.data());
        }
        return owned(std::move(sums));
    }

    Array<std::int64_t> build(Index k, const Vector<double>& weights) const {
        check(weights);
        std::vector<Index> found;
        {
            GilReleased release;
            found = medoids::build(costs_, k, weights.data());
        }
        return numbers(found);
    }

    // medoids, totals, passes, settled
    nb::tuple swap(const Numbers& medoids, const Vector<double>& weights, bool eager,
                   Index most_passes) const {
        check(weights);
        medoids::Found found;
        {
            std::vector<Index> start = checked(medoids);
            GilReleased release;
            found = medoids::swap_medoids(costs_, std::move(start), weights.data(),
                                          {eager, most_passes});
        }
        return nb::make_tuple(numbers(found.medoids), owned(std::move(found.totals)), found.passes,
                              found.settled);
    }

    // points, radii
    nb::tuple farthest_first(Index start, Index k) const {
        medoids::FarPoints far;
        {
            GilReleased release;
            far = medoids::farthest_first(costs_, start, k);
        }
        return nb::make_tuple(numbers(far.points), owned(std::move(far.radii)));
    }

    const medoids::Costs& core() const { return costs_; }
    std::vector<Index> checked(const Numbers& medoids) const {
        std::vector<Index> which = indices(medoids);
        require(!which.empty(), "there must be at least one medoid");
        for (const Index m : which)
            require(m >= 0 && m < costs_.candidates(), "medoids must be numbers of candidates");
        return which;
    }
    std::unique_ptr<medoids::Service> served(const std::vector<Index>& which) const {
        auto service = std::make_unique<medoids::Service>(costs_);
        service->add(costs_, which.data(), static_cast<Index>(which.size()));
        return service;
    }

 private:
    void check(const Vector<double>& weights) const {
        require(static_cast<Index>(weights.shape(0)) == costs_.points(),
                "one weight for each point");
    }

    medoids::Costs costs_;
    std::vector<nb::object> held_;
};

// radius, candidate, centre: of the exchange of a centre and one of the candidates of `some`
nb::tuple replacement(const MedoidCosts& all, const MedoidCosts& some, const Numbers& centres) {
    require(all.core().points() == some.core().points(), "both must be of the same points");
    const std::vector<Index> which = all.checked(centres);
    medoids::Replacement best;
    {
        GilReleased release;
        best = medoids::best_replacement(some.core(), *all.served(which));
    }
    return nb::make_tuple(best.radius, best.candidate, best.centre);
}

}  // namespace

void bind_medoids(nb::module_& module) {
    nb::class_<MedoidCosts>(module, "MedoidCosts",
                            "What it costs to serve points by candidates, looked at by tiles.")
        .def(nb::init<const Pairs&, const Pairs&, const std::string&, double, double, double,
                      const std::optional<Numbers>&>(),
             nb::arg("by_point"), nb::arg("by_candidate"), nb::arg("map") = "identity",
             nb::arg("a") = 1.0, nb::arg("b") = 0.0, nb::arg("p") = 1.0,
             nb::arg("own").none() = nb::none())
        .def(nb::init<const Matrix<double>&>(), nb::arg("matrix").noconvert())
        .def(nb::init<const Matrix<float>&>(), nb::arg("matrix").noconvert())
        .def("serve", &MedoidCosts::serve, nb::arg("medoids"),
             "Labels, and the costs of the nearest and of the second nearest medoid.")
        .def("distances", &MedoidCosts::distances, nb::arg("candidates"),
             "What it costs to serve every point by each of these candidates.")
        .def("below", &MedoidCosts::below, nb::arg("levels").none(), nb::arg("weights"),
             "For each candidate, the sum of w (cost - level) over points with a cost below it.")
        .def("build", &MedoidCosts::build, nb::arg("k"), nb::arg("weights"),
             "Medoids chosen one after the other, each to lower the total most.")
        .def("swap", &MedoidCosts::swap, nb::arg("medoids"), nb::arg("weights"), nb::arg("eager"),
             nb::arg("most_passes"),
             "Swaps that lower the total: medoids, totals, passes, and whether none is left.")
        .def("farthest_first", &MedoidCosts::farthest_first, nb::arg("start"), nb::arg("k"),
             "k + 1 points, each farthest from those before, and the radii about them.")
        .def_static("replacement", &replacement, nb::arg("all"), nb::arg("some"),
                    nb::arg("centres"),
                    "Radius, candidate and centre of the best exchange for a candidate of some.");
}

}  // namespace stylobate::bindings
