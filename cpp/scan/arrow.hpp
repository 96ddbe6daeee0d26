// Arrow's C data interface: its structures as the specification lays them out, and columns of them.
//
// https://arrow.apache.org/docs/format/CDataInterface.html and CStreamInterface.html. The memory
// behind the pointers is the producer's word; everything that can be checked is.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "scan/column.hpp"

extern "C" {

struct ArrowSchema {
    const char* format;
    const char* name;
    const char* metadata;
    std::int64_t flags;
    std::int64_t n_children;
    ArrowSchema** children;
    ArrowSchema* dictionary;
    void (*release)(ArrowSchema*);
    void* private_data;
};

struct ArrowArray {
    std::int64_t length;
    std::int64_t null_count;
    std::int64_t offset;
    std::int64_t n_buffers;
    std::int64_t n_children;
    const void** buffers;
    ArrowArray** children;
    ArrowArray* dictionary;
    void (*release)(ArrowArray*);
    void* private_data;
};

struct ArrowArrayStream {
    int (*get_schema)(ArrowArrayStream*, ArrowSchema* out);
    int (*get_next)(ArrowArrayStream*, ArrowArray* out);
    const char* (*get_last_error)(ArrowArrayStream*);
    void (*release)(ArrowArrayStream*);
    void* private_data;
};
}

namespace stylobate::scan {

// Owners of what producers hand over: released once, when the last reader is done.
class OwnedSchema {
 public:
    OwnedSchema() : raw{} {}
    OwnedSchema(const OwnedSchema&) = delete;
    OwnedSchema& operator=(const OwnedSchema&) = delete;
    ~OwnedSchema() {
        if (raw.release != nullptr) raw.release(&raw);
    }
    ArrowSchema raw;
};
class OwnedArray {
 public:
    OwnedArray() : raw{} {}
    OwnedArray(const OwnedArray&) = delete;
    OwnedArray& operator=(const OwnedArray&) = delete;
    ~OwnedArray() {
        if (raw.release != nullptr) raw.release(&raw);
    }
    ArrowArray raw;
};

// What a producer said when it failed.
struct ProducerError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// A batch: as many columns as the schema has, each as long as the batch.
struct ArrowBatch {
    Index rows = 0;
    std::vector<std::shared_ptr<const Column>> columns;
};

// A stream of batches of one schema. Takes over `stream` (and marks it as moved away).
class ArrowReader {
 public:
    explicit ArrowReader(ArrowArrayStream* stream);
    ArrowReader(const ArrowReader&) = delete;
    ArrowReader& operator=(const ArrowReader&) = delete;
    ~ArrowReader();

    // The next batch; false at the end.
    bool next(ArrowBatch& out);
    const ArrowSchema& schema() const { return schema_->raw; }

 private:
    [[noreturn]] void fail(int code);
    ArrowArrayStream stream_;
    std::shared_ptr<OwnedSchema> schema_;
};

// A column of an array (`owner` keeps it alive); refused where the two do not fit. Cells
// first … first + length − 1 of it, for columns of a batch that starts inside its arrays.
std::shared_ptr<const Column> arrow_column(const ArrowSchema& schema, const ArrowArray& array,
                                           std::shared_ptr<const void> owner, Index first,
                                           Index length);

// Columns of a batch (a struct array), or the one column that an array of another type is.
ArrowBatch arrow_batch(const ArrowSchema& schema, std::shared_ptr<OwnedArray> array);

}  // namespace stylobate::scan
