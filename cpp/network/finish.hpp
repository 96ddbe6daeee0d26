// What follows a convolution while its places are in the nearest cache.
#pragma once

#include "network/space.hpp"
#include "network/window.hpp"

namespace stylobate::network {

// Nothing; max(·, 0); or that and the largest of windows of 2 × 2 side by side. The last two may
// change places, so the few that are the largest are held against zero.
enum class Finish : int { none, rectified, halved };

inline Pair finished(Finish finish, const Pair& out) {
    return finish == Finish::halved ? Pair{out.y / 2, out.x / 2} : out;
}

// Where the places of images go.
template <class T>
struct Places {
    Finish finish;
    T* y;
    unsigned char* which = nullptr;  // of halved ones which entry is the largest, if asked for
};

// Derivatives by the places of one image at a time, given those behind the finish.
template <class T>
class Slopes {
 public:
    struct Room {
        Space<T> slopes, given;
        Space<unsigned char> which;
    };
    // `y` of rectified places and `which` of halved ones are what the way forward gave
    Slopes(Finish finish, const T* dy, const T* y = nullptr, const unsigned char* which = nullptr)
        : finish_(finish), dy_(dy), y_(y), which_(which) {}

    Room room(Index filters, const Pair& out) const {
        const Pair behind = finished(finish_, out);
        const Index given = finish_ == Finish::halved ? filters * behind.y * behind.x : 0;
        return {Space<T>(finish_ == Finish::none ? 0 : filters * out.y * out.x), Space<T>(given),
                Space<unsigned char>(given)};
    }
    // [filter][place]
    const T* of(Index image, Index filters, const Pair& out, Room& room) const {
        const Index places = out.y * out.x, size = filters * places;
        if (finish_ == Finish::none) return dy_ + image * size;
        T* to = room.slopes.data();
        if (finish_ == Finish::rectified) {
            const T *d = dy_ + image * size, *y = y_ + image * size;
            for (Index i = 0; i < size; ++i) to[i] = y[i] > T(0) ? d[i] : T(0);
            return to;
        }
        const Pair behind = finished(finish_, out);
        const Index windows = behind.y * behind.x;  // copied, for reads that run on
        std::copy_n(dy_ + image * filters * windows, filters * windows, room.given.data());
        std::copy_n(which_ + image * filters * windows, filters * windows, room.which.data());
        for (Index f = 0; f < filters; ++f)
            halve_back({room.given.data() + f * windows, room.which.data() + f * windows, out.y,
                        out.x, to + f * places});
        return to;
    }

 private:
    Finish finish_;
    const T *dy_, *y_;
    const unsigned char* which_;
};

}  // namespace stylobate::network
