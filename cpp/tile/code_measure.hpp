// How codes of rows are compared. No standard headers: kernel files read this.
#pragma once

namespace stylobate::tile {

enum class CodeMeasure : int { byte_squared, byte_manhattan, float_squared, float_manhattan };

}  // namespace stylobate::tile
