/// Which rows of a matrix directory belong to which writer, and the names of its files.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

namespace shoal::internal {

/// Blocks of rows, the first of which have one row more than the others. A value.
class writer_rows {
public:
  writer_rows(std::int64_t n_rows, std::int64_t n_writers) noexcept
      : quotient_(n_rows / n_writers), remainder_(n_rows % n_writers) {}

  /// The first row of a writer; that of the writer after the last is the number of rows.
  std::int64_t begin(std::int64_t writer) const noexcept { return writer * quotient_ + std::min(writer, remainder_); }
  std::int64_t size(std::int64_t writer) const noexcept { return quotient_ + (writer < remainder_); }

  std::int64_t writer_of(std::int64_t row) const noexcept {
    const std::int64_t n_in_larger = remainder_ * (quotient_ + 1);
    return row < n_in_larger ? row / (quotient_ + 1) : remainder_ + (row - n_in_larger) / quotient_;
  }

private:
  std::int64_t quotient_;
  std::int64_t remainder_;
};

/// "DIRECTORY/rowinfo_3"
inline std::string writer_file(const std::string& directory, const char* kind, std::int64_t writer) {
  return directory + "/" + kind + "_" + std::to_string(writer);
}

}  // namespace shoal::internal
