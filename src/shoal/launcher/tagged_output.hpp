/// Puts "[pe] " before each line that the PEs print.
#pragma once

#include <string>
#include <vector>

#include "shoal/base/descriptor.hpp"

namespace shoal::launcher {

/// A stream of one PE and the descriptor that its lines go to.
struct tagged_stream {
  descriptor source;
  int target = -1;
  std::string prefix;  // "[3] "
  std::string partial;  // the beginning of a line whose end has not come
};

/// A line that is longer is continued on a further line with the same prefix, because a line is held
/// until it is complete and a program may print one that never is.
inline constexpr std::size_t tagged_line_bytes_max = std::size_t{16} << 20;

/// Copies whole lines until every stream has ended or, once `job_is_over` reaches its end, until nothing
/// more is to be read: a process that outlives the job may hold a stream open for ever. A last line
/// without an end gets one. When a target's reader is gone, the streams to it are closed, so that the
/// PEs notice as they would without a tagger between.
///
/// Waits for the readers of its targets, which is why it has a process to itself.
void tag_lines(std::vector<tagged_stream> streams, descriptor job_is_over);

}  // namespace shoal::launcher
