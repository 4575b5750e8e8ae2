/// How this PE got its world, and how it may leave it.
#pragma once

#include <cstdint>

namespace shoal {
enum class exit_policy : std::uint8_t;  // job.hpp
}

namespace shoal::internal {

class stall_watch;

struct world_entry {
  std::uint64_t number = 0;  // number of this world on its substrate, from 1; 0: the substrate has only one
  std::uint64_t first_stream = 0;  // lowest stream number that no earlier world on this PE had
  bool is_job = false;  // opened by a shoal::job
  exit_policy at_exit{};  // report
  stall_watch* stalls = nullptr;  // outlives the world; null: nobody looks for stalls
};

}  // namespace shoal::internal
