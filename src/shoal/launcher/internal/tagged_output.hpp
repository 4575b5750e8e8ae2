/// Puts "[pe] " before each line that the PEs print.
#pragma once

#include <string>
#include <vector>

#include "shoal/base/internal/descriptor.hpp"

namespace shoal::internal::launcher {

/// A stream of one PE and the descriptor to which its lines go.
struct tagged_stream {
  descriptor source;
  int target = -1;
  std::string prefix;  // "[3] "
  std::string partial;  // the beginning of an incomplete line
};

/// A longer line continues on another line with the same prefix. A line is held until it is complete, and a program may
/// print one that never ends.
inline constexpr std::size_t tagged_line_bytes_max = std::size_t{16} << 20;

/// Copies whole lines until every stream has ended. Once `job_is_over` reaches its end, it copies only what can be read
/// at once, since a process that outlives the job may keep a stream open for ever. It completes an unfinished last
/// line. If a target's reader is gone, it closes the streams to that target, so that the PEs notice as they would
/// without a tagger.
///
/// Waits for the readers of its targets, and therefore needs a process of its own.
void tag_lines(std::vector<tagged_stream> streams, descriptor job_is_over);

}  // namespace shoal::internal::launcher
