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

// Hands every term of documents to a sink, some at a time, so that the memory they need is on its
// way when they are looked up: sink.expect(hash), then sink.find(bytes, hash), then
// sink.add(what find gave). One per thread at work.
template <class Sink>
class Analyst {
 public:
    Analyst(const Analysis& analysis, Sink& sink, Checkpoint& checkpoint)
        : how_(analysis),
          sink_(sink),
          checkpoint_(checkpoint),
          kinds_(analysis.lowercase ? analysis.alphabet->lowered_kinds.data()
                                    : analysis.alphabet->kinds.data()),
          lower_(analysis.alphabet->lower.data()),
          cased_(analysis.lowercase ? static_cast<std::uint32_t>(analysis.alphabet->lower.size())
                                    : 0),
          text_(first_room) {
        for (std::uint32_t c = 0; c < 256; ++c)
            in_words_[c] = is(c, Alphabet::word) ? lowered(c) : 0;
        plain_ = true;
        for (std::uint32_t c = 0; c < 256; ++c) {
            const bool capital = c >= 'A' && c <= 'Z';
            in_plain_words_[c] = c < 0x80 && in_words_[c] != 0;
            if (in_plain_words_[c])
                plain_ = plain_ && in_words_[c] == (capital && analysis.lowercase ? c + 32 : c);
        }
    }

    void read(const Document& document) {
        checkpoint_();
        if (document.width == 1)
            read_units(static_cast<const std::uint8_t*>(document.units), document.length);
        else if (document.width == 2)
            read_units(static_cast<const std::uint16_t*>(document.units), document.length);
        else
            read_units(static_cast<const std::uint32_t*>(document.units), document.length);
        hand_over();
    }

 private:
    static constexpr std::size_t first_room = 1 << 12, full = 1 << 16;
    static constexpr Index between_questions = 1 << 14;  // pieces, or characters passed over
    static constexpr Index burst = 1 << 10;              // characters of a word at a time
    static constexpr std::size_t batch = 32;             // terms handed over at a time
    struct Piece {
        std::size_t begin, end;
    };
    struct Term {
        Piece piece;
        std::uint64_t hash;
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
                make_room();
            } else {
                text_[size_++] = ' ';
                add_piece(piece);
            }
        }
    }

    // Capital letters of ASCII, among eight bytes, in lower case.
    static std::uint64_t lowered_ascii(std::uint64_t bytes) {
        constexpr std::uint64_t each = 0x0101010101010101u;
        const std::uint64_t low = bytes & (0x7f * each);
        const std::uint64_t from_a = low + (0x80 - 'A') * each, past_z = low + (0x7f - 'Z') * each;
        return bytes | ((~bytes & (from_a ^ past_z) & (0x80 * each)) >> 2);
    }

    // The same as write_word for a word of ASCII, eight bytes at a time: they are read back so when
    // the word is looked up, and bytes stored one by one would have to be waited for. i if the word
    // is not plain.
    Index write_plain_word(const std::uint8_t* text, Index i, Index n) {
        const Index begin = i, stop = std::min(n, i + burst);
        while (i < stop && in_plain_words_[text[i]]) ++i;
        if (i == begin + burst || (i < n && in_words_[text[i]] != 0)) return begin;
        char* out = room_for(burst);
        for (Index k = begin; k < i; k += 8, out += 8) {
            std::uint64_t word = 0;
            std::memcpy(&word, text + k, k + 8 <= n ? 8 : static_cast<std::size_t>(n - k));
            if (how_.lowercase) word = lowered_ascii(word);
            std::memcpy(out, &word, 8);
        }
        size_ += static_cast<std::size_t>(i - begin);
        return i;
    }

    // Writes the word that begins at i; returns where it ends.
    template <class Char>
    Index write_word(const Char* text, Index i, Index n) {
        if constexpr (sizeof(Char) == 1) {
            if (plain_) {
                const Index end = write_plain_word(text, i, n);
                if (end != i) return end;
            }
        }
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
            make_room();
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
        hand_over();
        const auto kept = how_.most - 1;
        const std::size_t shift = kept == 0 ? size_ : pieces_.end()[-kept].begin;
        std::memmove(text_.data(), text_.data() + shift, size_ - shift);
        size_ -= shift;
        pieces_.erase(pieces_.begin(), pieces_.end() - kept);
        for (Piece& piece : pieces_) piece = {piece.begin - shift, piece.end - shift};
    }

    void emit(std::size_t begin, std::size_t end) {
        if (waiting_ == batch) hand_over();
        const std::uint64_t hash = term_hash(text_.data() + begin, end - begin);
        sink_.expect(hash);
        terms_[waiting_++] = {{begin, end}, hash};
    }

    // The buffer may be written over afterwards.
    void hand_over() {
        std::uint64_t found[batch];
        for (std::size_t k = 0; k < waiting_; ++k) {
            const auto& [piece, hash] = terms_[k];
            const std::string_view term(text_.data() + piece.begin, piece.end - piece.begin);
            found[k] = sink_.find(term, hash);
        }
        for (std::size_t k = 0; k < waiting_; ++k) sink_.add(found[k]);
        waiting_ = 0;
    }

    void make_room() {
        if (size_ <= full) return;
        hand_over();
        size_ = 0;
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
    Sink& sink_;
    Checkpoint& checkpoint_;
    const std::uint8_t* kinds_;
    const std::uint32_t* lower_;
    std::uint32_t cased_;          // code points that have an entry in lower_
    std::uint32_t in_words_[256];  // in_word of the first code points
    bool in_plain_words_[256];     // and which of them are ASCII
    bool plain_;                   // whether ASCII is lowered as usual
    std::vector<char> text_;
    std::size_t size_ = 0;
    std::vector<Piece> pieces_;
    Term terms_[batch];
    std::size_t waiting_ = 0;  // of terms_
};

}  // namespace stylobate::scan
