#include "shoal/conveyor/detail/lockstep.hpp"

#include <cstring>
#include <span>

namespace shoal::detail {
namespace {

struct contribution {
  round_head head;
  std::uint32_t flags = 0;
};

void combine(std::byte* into, const std::byte* from, std::size_t) {
  combine_heads(into, from);
  reinterpret_cast<contribution*>(into)->flags |= reinterpret_cast<const contribution*>(from)->flags;
}

}  // namespace

std::uint32_t fold_flags(exchange& through, collective call, std::uint32_t serial, std::uint32_t flags) {
  substrate& machine = through.machine();
  const contribution mine{make_head(call, serial, {}, machine.my_pe()), flags};
  machine.arrive(std::as_bytes(std::span(&mine, 1)), combine);
  for (unsigned patience = 0; !machine.is_round_complete();) through.progress_or_idle(patience);
  check_heads(machine);
  contribution all;
  std::memcpy(&all, machine.round_result(), sizeof all);
  return all.flags;
}

}  // namespace shoal::detail
