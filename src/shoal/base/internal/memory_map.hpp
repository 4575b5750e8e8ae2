/// What lies where in the memory of this process, as the system tells: to say what an address means.
#pragma once

#include <cstdint>
#include <vector>

namespace shoal::internal {

/// The kinds of mapped memory that matter to a message. Memory that processes share may lie at one address in all of
/// them, so it is none of these.
enum class private_memory : std::uint8_t {
  none,  // not mapped, shared, or only reserved: inaccessible, or above 1 TiB like the shadow memory of sanitizers
  file,  // the program, a library or a file, mapped privately
  stack,  // the calling thread's or fiber's
  other,  // heap, other stacks, anonymous mappings
};

class memory_map {
public:
  /// What `address` was when the map was last read; read_again asks the system. Below 4 GiB everything is none: there,
  /// numbers would be taken for addresses. Local.
  private_memory at(std::uintptr_t address) const noexcept;

  /// Takes tens of microseconds. Leaves the map empty where the system does not tell (no /proc).
  void read_again();

private:
  struct area {
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;
    private_memory is = private_memory::none;
  };
  std::vector<area> areas_;  // by address, without those that are none
};

}  // namespace shoal::internal
