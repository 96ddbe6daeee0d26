#include "cluster/feature_tree.hpp"

#include <algorithm>
#include <limits>

#include "stylobate/errors.hpp"

namespace stylobate::cluster {

struct FeatureTree::Feature {
    double count = 0.0, squares = 0.0, norm = 0.0;  // norm: of the centre, squared
    std::vector<double> sum, centre;
    std::unique_ptr<Node> below;
};

struct FeatureTree::Node {
    std::vector<Feature> features;
    Node *before = nullptr, *after = nullptr;  // of a leaf: the leaves beside it

    bool is_leaf() const { return features.empty() || features.front().below == nullptr; }
};

namespace {

double dot(const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0.0;
    for (std::size_t l = 0; l < a.size(); ++l) sum += a[l] * b[l];
    return sum;
}

}  // namespace

FeatureTree::FeatureTree(Index cols, double threshold, Index most)
    : cols_(cols), threshold_(threshold), most_(most), root_(std::make_unique<Node>()) {}

FeatureTree::~FeatureTree() = default;

FeatureTree::FeatureTree(const FeatureTreeState& state, Index cols, double threshold, Index most)
    : FeatureTree(cols, threshold, most) {
    std::vector<std::unique_ptr<Node>> nodes;
    Node* last = nullptr;
    std::size_t at = 0;
    const auto total = state.counts.size();
    if (state.squares.size() != total || state.children.size() != total ||
        state.sums.size() != total * static_cast<std::size_t>(cols))
        throw InvalidArgument("a tree of features has as many numbers of each kind");
    for (const std::int64_t count : state.nodes) {
        auto node = std::make_unique<Node>();
        for (std::int64_t j = 0; j < count; ++j, ++at) {
            if (at >= total) throw InvalidArgument("a tree of features lacks some");
            Feature feature;
            feature.count = state.counts[at], feature.squares = state.squares[at];
            const double* const sum = state.sums.data() + at * static_cast<std::size_t>(cols);
            feature.sum.assign(sum, sum + cols);
            feature.centre.resize(feature.sum.size());
            const std::int64_t child = state.children[at];
            if (child >= static_cast<std::int64_t>(nodes.size()) || child < -1 ||
                (child >= 0 && nodes[child] == nullptr))
                throw InvalidArgument("a feature sums a node that comes before, once");
            for (std::size_t l = 0; l < feature.sum.size(); ++l)
                feature.centre[l] = child < 0 ? 1.0 / feature.count * feature.sum[l]
                                              : feature.sum[l] / feature.count;
            feature.norm = dot(feature.centre, feature.centre);
            if (child >= 0) feature.below = std::move(nodes[child]);
            node->features.push_back(std::move(feature));
        }
        if (last != nullptr && node->is_leaf()) last->after = node.get(), node->before = last;
        if (node->is_leaf()) last = node.get();
        nodes.push_back(std::move(node));
    }
    if (nodes.empty() || at != total) throw InvalidArgument("a tree of features has too many");
    root_ = std::move(nodes.back());
}

FeatureTree::Feature FeatureTree::single(const double* row) const {
    Feature feature;
    feature.count = 1.0;
    feature.sum.assign(row, row + cols_);
    feature.centre = feature.sum;
    feature.squares = feature.norm = dot(feature.sum, feature.sum);
    return feature;
}

void FeatureTree::add(Feature& to, const Feature& other) const {
    to.sum.resize(static_cast<std::size_t>(cols_), 0.0);
    to.centre.resize(to.sum.size());
    to.count += other.count;
    to.squares += other.squares;
    for (std::size_t l = 0; l < to.sum.size(); ++l) {
        to.sum[l] += other.sum[l];
        to.centre[l] = to.sum[l] / to.count;
    }
    to.norm = dot(to.centre, to.centre);
}

// Whether both fit into one feature, which `to` then is: r² = Σ‖x‖²/n − ‖c‖² within the threshold.
bool FeatureTree::merge(Feature& to, const Feature& other) const {
    const double count = to.count + other.count, squares = to.squares + other.squares;
    std::vector<double> sum = to.sum, centre(sum.size());
    for (std::size_t l = 0; l < sum.size(); ++l) {
        sum[l] += other.sum[l];
        centre[l] = 1.0 / count * sum[l];
    }
    const double norm = dot(centre, centre);
    if (!(squares / count - norm <= threshold_ * threshold_)) return false;
    to.count = count, to.squares = squares, to.norm = norm;
    to.sum = std::move(sum), to.centre = std::move(centre);
    return true;
}

Index FeatureTree::nearest(const Node& node, const Feature& feature) const {
    Index best = 0;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t j = 0; j < node.features.size(); ++j) {
        const Feature& other = node.features[j];
        const double value = dot(other.centre, feature.centre) * -2.0 + other.norm;
        if (value < least) least = value, best = static_cast<Index>(j);
    }
    return best;
}

void FeatureTree::insert(const double* row) {
    Feature added = single(row);
    if (!insert(*root_, added)) return;
    auto above = std::make_unique<Node>();
    above->features.emplace_back();
    above->features[0].below = std::move(root_);
    root_ = std::move(above);
    split(*root_, 0);
}

// Whether the node has too many features now.
bool FeatureTree::insert(Node& node, Feature& added) {
    if (node.features.empty()) {
        node.features.push_back(std::move(added));
        return false;
    }
    const Index place = nearest(node, added);
    Feature& closest = node.features[static_cast<std::size_t>(place)];
    if (closest.below != nullptr) {
        Feature kept;  // `added` may move into a leaf
        kept.count = added.count, kept.squares = added.squares, kept.sum = added.sum;
        if (!insert(*closest.below, added)) {
            add(closest, kept);
            return false;
        }
        split(node, place);
    } else if (!merge(closest, added)) {
        node.features.push_back(std::move(added));
    }
    return static_cast<Index>(node.features.size()) > most_;
}

// Two leaves in the place of one.
void FeatureTree::replace(const Node& old, Node& one, Node& two) {
    one.before = old.before, one.after = &two;
    two.before = &one, two.after = old.after;
    if (one.before != nullptr) one.before->after = &one;
    if (two.after != nullptr) two.after->before = &two;
}

// The node below a feature becomes two, around the two features that are farthest apart.
void FeatureTree::split(Node& parent, Index place) {
    const std::unique_ptr<Node> old =
        std::move(parent.features[static_cast<std::size_t>(place)].below);
    std::vector<Feature>& all = old->features;
    const std::size_t n = all.size();
    const auto square = [&](std::size_t i, std::size_t j) {
        const double value = -2.0 * dot(all[i].centre, all[j].centre) + all[i].norm + all[j].norm;
        return i == j ? 0.0 : std::max(value, 0.0);
    };
    std::size_t one = 0, two = 0;
    double farthest = 0.0;
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = i + 1; j < n; ++j)
            if (const double value = square(i, j); value > farthest)
                farthest = value, one = i, two = j;
    Feature halves[2];
    for (Feature& half : halves) half.below = std::make_unique<Node>();
    if (old->is_leaf()) replace(*old, *halves[0].below, *halves[1].below);
    std::vector<bool> first(n);
    for (std::size_t i = 0; i < n; ++i) first[i] = i == one || square(one, i) < square(two, i);
    for (std::size_t i = 0; i < n; ++i) {
        Feature& half = halves[first[i] ? 0 : 1];
        add(half, all[i]);
        half.below->features.push_back(std::move(all[i]));
    }
    parent.features[static_cast<std::size_t>(place)] = std::move(halves[0]);
    parent.features.push_back(std::move(halves[1]));
}

void FeatureTree::write(const Node& node, FeatureTreeState& out) const {
    for (const Feature& feature : node.features) {
        out.counts.push_back(feature.count), out.squares.push_back(feature.squares);
        out.sums.insert(out.sums.end(), feature.sum.begin(), feature.sum.end());
    }
    out.nodes.push_back(static_cast<std::int64_t>(node.features.size()));
}

// The number of a node among those written; it and what is below it are written before.
std::int64_t FeatureTree::number(const Node& node, const Numbers& leaves,
                                 FeatureTreeState& out) const {
    if (node.is_leaf()) return leaves.at(&node);
    std::vector<std::int64_t> below;
    for (const Feature& feature : node.features)
        below.push_back(number(*feature.below, leaves, out));
    out.children.insert(out.children.end(), below.begin(), below.end());
    write(node, out);
    return static_cast<std::int64_t>(out.nodes.size()) - 1;
}

FeatureTreeState FeatureTree::state() const {
    const Node* leaf = root_.get();
    while (!leaf->is_leaf()) leaf = leaf->features.front().below.get();
    while (leaf->before != nullptr) leaf = leaf->before;
    FeatureTreeState out;
    Numbers numbers;
    for (; leaf != nullptr; leaf = leaf->after) {
        numbers[leaf] = out.leaves++;
        write(*leaf, out);
    }
    out.children.assign(out.counts.size(), -1);
    number(*root_, numbers, out);
    return out;
}

}  // namespace stylobate::cluster
