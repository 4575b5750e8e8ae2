/// A matrix as a directory of files, piece by piece. `call` is the function that messages name.
#pragma once

#include <cstdint>
#include <string>

#include "shoal/compat/include/spmat.h"
#include "shoal/compat/internal/block_layout.hpp"

namespace shoal::internal::compat {

inline std::string file_of(const spmat_dataset_t& d, const char* kind, std::int64_t writer) {
  return std::string(d.dirname) + '/' + kind + '_' + std::to_string(writer);
}
inline block_layout files_of(const spmat_dataset_t& d) { return {d.numrows, d.nwriters}; }

/// Collective: the directory's file of metadata; nothing else is set.
spmat_dataset_t* read_metadata(const char* directory, const char* call);

/// Collective: this PE's block, if it is a reader.
spmat_dataset_t* open_to_read(const char* directory, std::int64_t n_readers, const char* call);

/// Collective: the lengths of the block's rows.
void read_lengths(spmat_dataset_t& d, const char* call);

/// Local: what is next to read; false after the last row.
bool begin_row(spmat_dataset_t& d, const char* call);
void read_nonzeros(spmat_dataset_t& d, std::int64_t* columns, double* values, std::int64_t n, const char* call);
void end_row(spmat_dataset_t& d);

/// Collective: this PE's block, one for each PE. Makes the directory.
spmat_dataset_t* open_to_write(const char* directory, const sparsemat_t& a, const char* call);
void write_metadata(const spmat_dataset_t& d, const char* call);
void write_lengths(spmat_dataset_t& d, const sparsemat_t& a, const char* call);

/// Local. The struct stays.
void release_parts(spmat_dataset_t& d);

}  // namespace shoal::internal::compat
