// Memory that growers need for a while, kept for the next: fresh pages cost more than their use.
#pragma once

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "forest_near.hpp"
#include "forest_splits.hpp"
#include "tree/growing_nodes.hpp"

namespace stylobate::forest {

struct Scratch {
    explicit Scratch(const RankedColumns& columns) : near(columns) {}
    NearRanks near;
    std::vector<TreeRow> spare;
    tree::GrowingNodes nodes;
    std::vector<NodeCut> cuts;
};

class ScratchShelf {
 public:
    explicit ScratchShelf(const RankedColumns& columns) : columns_(columns) {}

    // Scratch of one grower, put back when it goes.
    class Lease {
     public:
        explicit Lease(ScratchShelf& shelf) : shelf_(shelf), scratch_(shelf.take()) {}
        ~Lease() { shelf_.put(std::move(scratch_)); }
        Lease(const Lease&) = delete;
        Lease& operator=(const Lease&) = delete;
        Scratch* operator->() const { return scratch_.get(); }

     private:
        ScratchShelf& shelf_;
        std::unique_ptr<Scratch> scratch_;
    };

 private:
    std::unique_ptr<Scratch> take() {
        const std::lock_guard lock(mutex_);
        if (free_.empty()) return std::make_unique<Scratch>(columns_);
        std::unique_ptr<Scratch> last = std::move(free_.back());
        free_.pop_back();
        return last;
    }
    void put(std::unique_ptr<Scratch> scratch) {
        const std::lock_guard lock(mutex_);
        free_.push_back(std::move(scratch));
    }
    const RankedColumns& columns_;
    std::mutex mutex_;
    std::vector<std::unique_ptr<Scratch>> free_;
};

}  // namespace stylobate::forest
