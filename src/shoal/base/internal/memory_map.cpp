#include "shoal/base/internal/memory_map.hpp"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <memory>

namespace shoal::internal {
namespace {

constexpr std::uintptr_t lowest = std::uintptr_t{1} << 32;

// Of an area with a line such as "7f12a000-7f12c000 rw-p 00001000 08:01 1234  /usr/lib/libc.so.6".
struct area_line {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
  char permissions[5] = {};
  unsigned long inode = 0;

  bool read(const char* line) {
    return std::sscanf(line, "%" SCNxPTR "-%" SCNxPTR " %4s %*x %*s %lu", &begin, &end, permissions, &inode) == 4;
  }
  bool is_shared() const noexcept { return permissions[3] == 's'; }
  // What no program fills: nobody may access it, or it is as large as the shadow memory of a sanitizer.
  bool is_reserved_only() const noexcept {
    constexpr std::uintptr_t most = std::uintptr_t{1} << 40;
    return (permissions[0] == '-' && permissions[1] == '-') || end - begin > most;
  }
};

}  // namespace

private_memory memory_map::at(std::uintptr_t address) const noexcept {
  const auto after = std::ranges::upper_bound(areas_, address, {}, &area::begin);
  if (after == areas_.begin()) return private_memory::none;
  const area& last = *std::prev(after);
  return address < last.end ? last.is : private_memory::none;
}

void memory_map::read_again() {
  areas_.clear();
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> maps(std::fopen("/proc/self/maps", "re"), &std::fclose);
  if (maps == nullptr) return;
  const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  char line[512];
  while (std::fgets(line, sizeof line, maps.get()) != nullptr) {
    area_line one;
    // A name that is longer than `line` continues in what looks like a line and is none.
    if (!one.read(line) || one.is_shared() || one.is_reserved_only() || one.begin < lowest) continue;
    const bool is_stack = one.begin <= here && here < one.end;
    areas_.push_back({one.begin, one.end,
                      is_stack         ? private_memory::stack
                      : one.inode != 0 ? private_memory::file
                                       : private_memory::other});
  }
}

}  // namespace shoal::internal
