// The terms of one document, one after the other, in a buffer of bounded size.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "scan/text.hpp"
#include "stylobate/parallel.hpp"

namespace stylobate::scan {

// Emits every term of documents as (bytes, hash). One per thread at work.
template <class Emit>
class Analyst {
 public:
    Analyst(const Analysis& analysis, Emit& emit, Checkpoint& checkpoint)
        : how_(analysis),
          emit_(emit),
          checkpoint_(checkpoint),
          kinds_(analysis.lowercase ? analysis.alphabet->lowered_kinds.data()
                                    : analysis.alphabet->kinds.data()),
          lower_(analysis.alphabet->lower.data()),
          cased_(analysis.lowercase ? static_cast<std::uint32_t>(analysis.alphabet->lower.size())
                                    : 0),
          text_(first_room) {
        for (std::uint32_t c = 0; c < 256; ++c)
            in_words_[c] = is(c, Alphabet::word) ? lowered(c) : 0;
    }

    void read(const Document& document) {
        checkpoint_();
        switch (document.width) {
            case 1:
                return read_units(static_cast<const std::uint8_t*>(document.units),
                                  document.length);
            case 2:
                return read_units(static_cast<const std::uint16_t*>(document.units),
                                  document.length);
            default:
                return read_units(static_cast<const std::uint32_t*>(document.units),
                                  document.length);
        }
    }

 private:
    static constexpr std::size_t first_room = 1 << 12, full = 1 << 16;
    static constexpr Index between_questions = 1 << 14;  // pieces, or characters passed over
    static constexpr Index burst = 1 << 10;              // characters of a word at a time
    struct Piece {
        std::size_t begin, end;
    };

    template <class Char>
    void read_units(const Char* text, Index n) {
        size_ = 0;
        pieces_.clear();
        switch (how_.unit) {
            case Unit::words:
                return read_words(text, n);
            case Unit::characters:
                return read_characters(text, n);
            default:
                return read_inside_words(text, n);
        }
    }

    // Words are runs of word characters; a term is several of them with single spaces between,
    // which is how they are written to the buffer.
    template <class Char>
    void read_words(const Char* text, Index n) {
        for (Index i = 0; i < n;) {
            while (i < n && in_word(text[i]) == 0) ask(++i);
            const Index begin = i;
            const std::size_t from = size_;
            i = write_word(text, i, n);
            if (i - begin < how_.shortest || i == begin) {
                size_ = from;
                continue;
            }
            const Piece piece{from, size_};
            if (how_.stop_words != nullptr && is_stop_word(piece)) {
                size_ = from;
            } else if (how_.most == 1) {
                emit(from, size_);
                size_ = from;
            } else {
                text_[size_++] = ' ';
                add_piece(piece);
            }
        }
    }

    // Writes the word that begins at i; returns where it ends.
    template <class Char>
    Index write_word(const Char* text, Index i, Index n) {
        while (i < n) {
            const Index stop = std::min(n, i + burst);
            char* out = room_for(burst);
            std::uint32_t c = 0;
            while (i < stop && (c = in_word(text[i])) != 0) {
                if (c < 0x80) {
                    *out++ = static_cast<char>(c);
                } else {
                    out = put(out, c);
                }
                ++i;
            }
            size_ = static_cast<std::size_t>(out - text_.data());
            if (c == 0) break;
            checkpoint_();
        }
        return i;
    }

    // Two or more white spaces in a row count as one space, a single one as itself.
    template <class Char>
    void read_characters(const Char* text, Index n) {
        for (Index i = 0; i < n;) {
            std::uint32_t point = text[i];
            if (is(text[i++], Alphabet::space) && i < n && is(text[i], Alphabet::space)) {
                while (i < n && is(text[i], Alphabet::space)) ask(++i);
                point = ' ';
            }
            const std::size_t begin = size_;
            add_piece({begin, write(point)});
            ask(i);
        }
    }

    // Characters of each word with a space on either side; words shorter than a term count once.
    template <class Char>
    void read_inside_words(const Char* text, Index n) {
        for (Index i = 0; i < n;) {
            while (i < n && is(text[i], Alphabet::space)) ask(++i);
            if (i == n) break;
            size_ = 0;
            pieces_.clear();
            add_character(' ');
            for (; i < n && !is(text[i], Alphabet::space); ask(++i)) add_character(text[i]);
            add_character(' ');
            emit_windows();
        }
    }

    void add_character(std::uint32_t point) {
        const std::size_t begin = size_;
        pieces_.push_back({begin, write(point)});
    }

    void emit_windows() {
        const auto count = static_cast<Index>(pieces_.size());
        for (Index n = how_.least; n <= how_.most; ++n) {
            if (n >= count) {
                emit(pieces_.front().begin, pieces_.back().end);
                return;
            }
            for (Index i = 0; i + n <= count; ++i) {
                ask(i);
                emit(pieces_[i].begin, pieces_[i + n - 1].end);
            }
        }
    }

    // Emits the terms that end with this piece, and forgets pieces no term will begin with.
    void add_piece(const Piece& piece) {
        pieces_.push_back(piece);
        const auto count = static_cast<Index>(pieces_.size());
        for (Index n = how_.least; n <= std::min(how_.most, count); ++n) {
            ask(n);
            emit(pieces_[count - n].begin, piece.end);
        }
        if (size_ > full && count > 2 * how_.most) forget();
    }

    void forget() {
        const auto kept = how_.most - 1;
        const std::size_t shift = kept == 0 ? size_ : pieces_.end()[-kept].begin;
        std::memmove(text_.data(), text_.data() + shift, size_ - shift);
        size_ -= shift;
        pieces_.erase(pieces_.begin(), pieces_.end() - kept);
        for (Piece& piece : pieces_) piece = {piece.begin - shift, piece.end - shift};
    }

    void emit(std::size_t begin, std::size_t end) {
        const char* const bytes = text_.data() + begin;
        emit_(std::string_view(bytes, end - begin), term_hash(bytes, end - begin));
    }

    bool is_stop_word(const Piece& piece) const {
        const std::string_view word(text_.data() + piece.begin, piece.end - piece.begin);
        return how_.stop_words->find(word, term_hash(word.data(), word.size())) != Terms::none;
    }

    void ask(Index step) {
        if (step % between_questions == 0) checkpoint_();
    }

    bool is(std::uint32_t point, std::uint8_t kind) const {
        return point < code_points && (kinds_[point] & kind) != 0;
    }

    std::uint32_t lowered(std::uint32_t point) const {
        return point < cased_ ? lower_[point] : point;
    }

    // The character a word has for this one; 0 if it is in no word.
    std::uint32_t in_word(std::uint32_t point) const {
        if (point < 256) return in_words_[point];
        return is(point, Alphabet::word) ? lowered(point) : 0;
    }

    // Where n more characters and a space may be written.
    char* room_for(Index n) {
        const std::size_t most = size_ + 4 * static_cast<std::size_t>(n) + 1 + term_padding;
        if (most > text_.size()) text_.resize(2 * most);
        return text_.data() + size_;
    }

    // Appends a character; returns where it ends.
    std::size_t write(std::uint32_t point) {
        size_ = static_cast<std::size_t>(put(room_for(1), lowered(point)) - text_.data());
        return size_;
    }

    // A code point as UTF-8; lone surrogates like any other.
    static char* put(char* out, std::uint32_t c) {
        if (c < 0x80) {
            *out++ = static_cast<char>(c);
            return out;
        }
        if (c < 0x800) {
            *out++ = static_cast<char>(0xc0 | (c >> 6));
        } else {
            if (c < 0x10000) {
                *out++ = static_cast<char>(0xe0 | (c >> 12));
            } else {
                *out++ = static_cast<char>(0xf0 | (c >> 18));
                *out++ = static_cast<char>(0x80 | ((c >> 12) & 0x3f));
            }
            *out++ = static_cast<char>(0x80 | ((c >> 6) & 0x3f));
        }
        *out++ = static_cast<char>(0x80 | (c & 0x3f));
        return out;
    }

    const Analysis& how_;
    Emit& emit_;
    Checkpoint& checkpoint_;
    const std::uint8_t* kinds_;
    const std::uint32_t* lower_;
    std::uint32_t cased_;          // code points that have an entry in lower_
    std::uint32_t in_words_[256];  // in_word of the first code points
    std::vector<char> text_;
    std::size_t size_ = 0;
    std::vector<Piece> pieces_;
};

}  // namespace stylobate::scan
