#include "kernels/options.hpp"

#include <fstream>

#include "shoal/base/machine.hpp"
#include "shoal/base/parse.hpp"
#include "shoal/base/setup_error.hpp"

namespace shoal::kernels {

std::uint64_t whole_number(std::string_view option, std::string_view text, std::uint64_t low, std::uint64_t high) {
  return static_cast<std::uint64_t>(
      parse_integer(text, option, static_cast<std::int64_t>(low), static_cast<std::int64_t>(high)));
}

void require_memory(const world& w, std::string_view option, std::uint64_t bytes, std::string_view advice) {
  const std::uint64_t there_are = this_machine().memory_bytes;
  const auto n_pes = static_cast<std::uint64_t>(w.n_pes());
  if (bytes <= there_are / n_pes) return;
  throw setup_error(std::string(option) + " asks for " + std::to_string(bytes >> 20) + " MiB on each of " +
                    std::to_string(n_pes) + " PEs, but this machine has " + std::to_string(there_are >> 20) + " MiB; " +
                    std::string(advice));
}

std::size_t cache_bytes(int level) {
  const std::string folder = "/sys/devices/system/cpu/cpu0/cache/index";
  for (int index = 0; index < 8; ++index) {
    const std::string cache = folder + std::to_string(index);
    int its_level = 0;
    std::string type;
    std::string size;
    std::ifstream(cache + "/level") >> its_level;
    std::ifstream(cache + "/type") >> type;
    std::ifstream(cache + "/size") >> size;  // "512K"
    if (its_level == level && type != "Instruction" && !size.empty()) {
      return parse_bytes(size, cache + "/size");
    }
  }
  return 0;
}

}  // namespace shoal::kernels
