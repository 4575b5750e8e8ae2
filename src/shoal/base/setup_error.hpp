/// The world is wrong before the job has begun: a bad option, no memory, a missing file.
#pragma once

#include <stdexcept>
#include <string>

namespace shoal {

/// Thrown on every PE or on none, by collective calls of the set-up phase. The text is one line: what
/// is wrong (why it matters), what to try.
class setup_error : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

}  // namespace shoal
