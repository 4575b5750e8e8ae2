#include "shoal/graph/memory.hpp"

#include <cstdio>

#include "shoal/base/machine.hpp"
#include "shoal/conveyor/internal/exchange.hpp"

namespace shoal {
namespace {

struct lacks_most {
  memory_shortage operator()(const memory_shortage& a, const memory_shortage& b) const {
    return b.needed_bytes - b.machine_bytes > a.needed_bytes - a.machine_bytes ? b : a;
  }
};

std::string in_gib(double bytes) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g GiB", bytes / (1024.0 * 1024 * 1024));
  return text;
}

}  // namespace

std::optional<memory_shortage> find_memory_shortage(world& w, double bytes) {
  const double average = w.sum(bytes) / static_cast<double>(w.n_pes());
  const memory_shortage here{.needed_bytes = average * static_cast<double>(w.backend().n_machine_pes()),
                             .machine_bytes = static_cast<double>(this_machine().memory_bytes)};
  const memory_shortage worst = w.all_reduce(here, lacks_most{});
  if (worst.needed_bytes <= worst.machine_bytes) return {};
  return worst;
}

std::string describe(const memory_shortage& found) {
  return "takes about " + in_gib(found.needed_bytes) + " on a machine that has " + in_gib(found.machine_bytes) +
         " of memory";
}

}  // namespace shoal
