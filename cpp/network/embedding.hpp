// Vectors that are learnt in place of codes of categories.
#pragma once

#include <vector>

#include "stylobate/views.hpp"

namespace stylobate::network {

struct Embedded {
    std::vector<Index> plain;       // columns handed on as they are, first in the output
    std::vector<Index> columns;     // those that hold codes
    std::vector<Index> categories;  // of each
    Index size;                     // numbers a category becomes

    Index outputs() const {
        return static_cast<Index>(plain.size()) + static_cast<Index>(columns.size()) * size;
    }
};

// The first row and place in `columns` whose entry is no code, or −1.
struct WrongCode {
    Index row = -1, place = -1;
};

template <class T>
WrongCode first_wrong_code(const Embedded& e, const T* x, Index rows, Index cols);

template <class T>
void embed(const Embedded& e, const std::vector<const T*>& tables, const T* x, Index rows,
           Index cols, T* y);

// Derivatives by x (zero for codes) and by the tables, whose rows are summed in the order of rows.
template <class T>
void embed_back(const Embedded& e, const T* x, const T* dy, Index rows, Index cols, T* dx,
                const std::vector<T*>& d_tables);

}  // namespace stylobate::network
