// What the host and its plugins have in common.
#pragma once

#include <cstdint>

#include <shoal/shoal.hpp>

namespace counting {

using total = shoal::pe_handle<std::int64_t>;

// Its closure has the same name in every object that calls it, and each object has its own.
inline void add_from_header(shoal::world& world, total sum, std::int64_t n) {
  for (shoal::pe_id pe = 0; pe < world.n_pes(); ++pe) world.send(pe, [sum, n] { *sum += n; });
}

// What `send_all` adds on each PE: each PE sends it a closure of the object and one of this header.
constexpr std::int64_t added_by(std::int64_t number) { return 3 * number; }

}  // namespace counting
