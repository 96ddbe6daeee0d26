// Arrow structures as they should be, and as nobody should write them.
#include "scan/arrow.hpp"

#include <cerrno>
#include <cstring>
#include <string>
#include <vector>

#include "check.hpp"
#include "scan/sketch_columns.hpp"
#include "stylobate/errors.hpp"

namespace stylobate {
namespace {

using namespace scan;

int released = 0;
void release_schema(ArrowSchema* schema) {
    ++released;
    schema->release = nullptr;
}
void release_array(ArrowArray* array) {
    ++released;
    array->release = nullptr;
}

ArrowSchema schema_of(const char* format, const char* name = "x") {
    return {format, name, nullptr, 0, 0, nullptr, nullptr, &release_schema, nullptr};
}
ArrowArray array_of(std::int64_t length, std::int64_t nulls, std::vector<const void*>& buffers,
                    std::int64_t offset = 0) {
    return {length,
            nulls,
            offset,
            static_cast<std::int64_t>(buffers.size()),
            0,
            buffers.data(),
            nullptr,
            nullptr,
            &release_array,
            nullptr};
}
std::shared_ptr<const Column> read(const ArrowSchema& schema, const ArrowArray& array) {
    return arrow_column(schema, array, nullptr, 0, static_cast<Index>(array.length));
}

ColumnSketch sketched(const ColumnView& view) {
    ColumnSketch out;
    parallel_for(1, [&](Index, Checkpoint& checkpoint) { out.absorb(view, {}, checkpoint); });
    return out;
}

}  // namespace

TEST(arrow_numbers_with_gaps_and_an_offset) {
    const std::int32_t values[] = {9, 1, 2, 3, 4};
    const std::uint8_t bits[] = {0b10110};
    std::vector<const void*> buffers = {bits, values};
    const auto column = read(schema_of("i"), array_of(4, -1, buffers, 1));
    CHECK(column->null_count == 1 && !column->view.is_there(2) && column->view.is_there(3));
    const ColumnSketch found = sketched(column->view);
    CHECK(found.missing == 1 && found.shape.count == 3.0);
    CHECK_CLOSE(found.shape.mean, (1 + 2 + 4) / 3.0, 1e-15);
}

TEST(arrow_texts_of_all_layouts) {
    const char bytes[] = "abécd";
    const std::int32_t offsets[] = {0, 2, 2, 4, 6};
    std::vector<const void*> buffers = {nullptr, offsets, bytes};
    const auto column = read(schema_of("u"), array_of(4, 0, buffers));
    const Text third = text_at(column->view, 2);
    CHECK(std::string(third.data, third.size) == "é");
    const ColumnSketch found = sketched(column->view);
    CHECK(found.lengths.empty == 1 && found.lengths.characters == 5 && found.lengths.bytes == 6);

    const char far[] = "a text of more than twelve bytes";
    std::int32_t views[8] = {};
    views[0] = 3;
    std::memcpy(views + 1, "abc", 3);
    views[4] = 32;
    const std::int64_t sizes[] = {32};
    std::vector<const void*> viewed = {nullptr, views, far, sizes};
    const auto short_and_long = read(schema_of("vu"), array_of(2, 0, viewed));
    const Text second = text_at(short_and_long->view, 1);
    CHECK(std::string(second.data, second.size) == far);
    for (const auto& [place, value] : std::vector<std::pair<int, int>>{
             {4, -1}, {4, 33}, {6, 1}, {6, -1}, {7, 1}, {7, -5}, {0, -3}}) {
        std::int32_t hostile[8];
        std::memcpy(hostile, views, sizeof views);
        hostile[place] = value;
        viewed[1] = hostile;
        const auto broken = read(schema_of("vu"), array_of(2, 0, viewed));
        CHECK_THROWS(InvalidArgument, sketched(broken->view));
    }
}

TEST(arrow_dictionaries_are_checked) {
    const char bytes[] = "xyz";
    const std::int32_t offsets[] = {0, 1, 3};
    std::vector<const void*> words = {nullptr, offsets, bytes};
    ArrowArray dictionary = array_of(2, 0, words);
    ArrowSchema word_schema = schema_of("u");
    for (const int last : {1, 2, -1, 127}) {
        const std::int8_t codes[] = {0, 1, static_cast<std::int8_t>(last)};
        std::vector<const void*> buffers = {nullptr, codes};
        ArrowArray array = array_of(3, 0, buffers);
        ArrowSchema schema = schema_of("c");
        array.dictionary = &dictionary;
        CHECK_THROWS(InvalidArgument, read(schema, array));
        schema.dictionary = &word_schema;
        const auto column = read(schema, array);
        if (last == 1)
            CHECK(sketched(column->view).frequent.entries().size() == 2);
        else
            CHECK_THROWS(InvalidArgument, sketched(column->view));
        ArrowSchema real = schema_of("g");
        real.dictionary = &word_schema;
        CHECK_THROWS(InvalidArgument, read(real, array));
    }
}

TEST(hostile_arrays_are_refused) {
    const double values[] = {1.0, 2.0};
    std::vector<const void*> good = {nullptr, values};
    CHECK(read(schema_of("g"), array_of(2, 0, good))->view.length == 2);
    const auto refused = [&](auto change, const char* format = "g") {
        std::vector<const void*> buffers = good;
        ArrowArray array = array_of(2, 0, buffers);
        ArrowSchema schema = schema_of(format);
        change(array, schema, buffers);
        CHECK_THROWS(InvalidArgument, read(schema, array));
    };
    refused([](ArrowArray& a, ArrowSchema&, auto&) { a.length = -1; });
    refused([](ArrowArray& a, ArrowSchema&, auto&) { a.offset = -5; });
    refused([](ArrowArray& a, ArrowSchema&, auto&) { a.length = INT64_MAX; });
    refused([](ArrowArray& a, ArrowSchema&, auto&) { a.offset = INT64_MAX; });
    refused([](ArrowArray& a, ArrowSchema&, auto&) { a.n_buffers = 1; });
    refused([](ArrowArray& a, ArrowSchema&, auto&) { a.n_buffers = -1; });
    refused([](ArrowArray& a, ArrowSchema&, auto&) { a.buffers = nullptr; });
    refused([](ArrowArray& a, ArrowSchema&, auto&) { a.null_count = 1; });
    refused([](ArrowArray&, ArrowSchema& s, auto&) { s.format = nullptr; });
    refused([](ArrowArray&, ArrowSchema&, auto& b) { b[1] = nullptr; });
    refused([](ArrowArray&, ArrowSchema&, auto&) {}, "u");   // two buffers
    refused([](ArrowArray&, ArrowSchema&, auto&) {}, "vu");  // two buffers
    for (const auto& offsets : std::vector<std::vector<std::int32_t>>{{0, 3, 2}, {-1, 0, 1}}) {
        std::vector<const void*> texts = {nullptr, offsets.data(), "abc"};
        CHECK_THROWS(InvalidArgument, read(schema_of("u"), array_of(2, 0, texts)));
    }
    for (const char* format :
         {"", "?x", "w:-3", "w:0", "d:", "d:3", "d:3,2,7", "+l", "tiM", "zz"}) {
        std::vector<const void*> buffers = good;
        CHECK(read(schema_of(format), array_of(2, 0, buffers))->view.cell == Cell::other);
    }
}

TEST(batches_are_released_once) {
    released = 0;
    const double values[] = {1.0, 2.0, 3.0};
    std::vector<const void*> buffers = {nullptr, values}, none = {nullptr};
    ArrowArray child = array_of(3, 0, buffers);
    ArrowArray* children[] = {&child};
    ArrowSchema child_schema = schema_of("g");
    ArrowSchema* child_schemas[] = {&child_schema};
    ArrowSchema schema = schema_of("+s");
    schema.n_children = 1;
    schema.children = child_schemas;
    {
        auto owned = std::make_shared<OwnedArray>();
        owned->raw = array_of(2, 0, none, 1);  // rows 1 and 2
        owned->raw.n_children = 1;
        owned->raw.children = children;
        const ArrowBatch batch = arrow_batch(schema, std::move(owned));
        CHECK(batch.rows == 2 && batch.columns.size() == 1 && released == 0);
        CHECK(sketched(batch.columns[0]->view).shape.mean == 2.5);
    }
    CHECK(released == 1);
    auto longer = std::make_shared<OwnedArray>();
    longer->raw = array_of(9, 0, none);
    longer->raw.n_children = 1;
    longer->raw.children = children;
    CHECK_THROWS(InvalidArgument, arrow_batch(schema, std::move(longer)));
    CHECK(released == 2);
    auto fewer = std::make_shared<OwnedArray>();
    fewer->raw = array_of(3, 0, none);
    CHECK_THROWS(InvalidArgument, arrow_batch(schema, std::move(fewer)));
}

TEST(streams_that_fail_say_what_their_producer_said) {
    released = 0;
    ArrowArrayStream stream{
        [](ArrowArrayStream*, ArrowSchema* out) {
            *out = schema_of("g");
            return 0;
        },
        [](ArrowArrayStream*, ArrowArray*) { return EIO; },
        [](ArrowArrayStream*) -> const char* { return "the disk is full of cats"; },
        [](ArrowArrayStream* self) {
            ++released;
            self->release = nullptr;
        },
        nullptr};
    ArrowArrayStream silent = stream;
    silent.get_last_error = nullptr;
    silent.get_schema = [](ArrowArrayStream*, ArrowSchema*) { return ENOMEM; };
    {
        ArrowReader reader(&stream);
        CHECK(stream.release == nullptr);
        ArrowBatch batch;
        std::string said;
        try {
            reader.next(batch);
        } catch (const ProducerError& error) {
            said = error.what();
        }
        CHECK(said == "the disk is full of cats");
    }
    CHECK(released == 2);  // schema and stream
    CHECK_THROWS(ProducerError, ArrowReader reader(&silent));
    CHECK(released == 3);
    CHECK_THROWS(InvalidArgument, ArrowReader reader(&stream));  // moved away before
}

}  // namespace stylobate
