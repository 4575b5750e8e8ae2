/// Whether a loop's iterations may overtake each other.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tools/translate/loop.hpp"

namespace shoal::translate {

/// What the iterations of a loop touch.
struct touches {
  std::vector<touch> all;
  std::vector<memory> memories;
  std::vector<range> loops;  // the loop itself first, and those within
  std::vector<bool> is_vouched;  // of each: the program says that its turns do not depend on each other
  std::vector<std::size_t> declared_at;  // by variable: the position from which on it is one thing
};

struct dependence {
  std::size_t position = 0;
  std::string name;
  std::string reason;
};

/// Nothing if what waits for answers can run in any order, and after the code that does not wait.
std::optional<dependence> dependence_of(const touches& of, const loop& l);

}  // namespace shoal::translate
