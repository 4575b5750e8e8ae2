/// Where PE 0 writes the statistics: the file of SHOAL_STATS_FILE, or stderr.
#pragma once

#include <string>

#include "shoal/base/internal/descriptor.hpp"

namespace shoal::internal {

class statistics_file {
public:
  /// Opens `path`, and empties it unless a world of this process has done so; an empty path means stderr. If it cannot
  /// be opened, says so in one line and takes stderr.
  explicit statistics_file(const std::string& path);

  /// Whether what is added next stands at the beginning of the file, or on stderr, among other lines.
  bool is_new() const noexcept;

  /// Adds `text`. If that fails, says so in one line and writes `text` to stderr.
  void add(const std::string& text) const;

private:
  void complain() const;

  std::string path_;
  descriptor file_;  // closed: stderr
};

}  // namespace shoal::internal
