#include "shoal/conveyor/kinds/internal/lockstep.hpp"

#include <cstring>
#include <span>

#include "shoal/substrate/internal/round_head.hpp"

namespace shoal::internal {
namespace {

struct contribution {
  round_head head;
  std::uint32_t flags = 0;
};

void combine(std::byte* into, const std::byte* from, std::size_t) {
  if (!combine_heads(into, from)) return;
  reinterpret_cast<contribution*>(into)->flags |= reinterpret_cast<const contribution*>(from)->flags;
}

}  // namespace

std::uint32_t fold_flags(exchange& through, conveyor_call call, std::uint64_t serial, std::uint32_t flags) {
  group_rounds& rounds = through.rounds();
  // Reports number objects from 0 in each world.
  const std::uint64_t nth = serial - (through.next_number() - through.n_constructed());
  const contribution mine{make_head(static_cast<call_tag>(call), nth, through.objects().digest(), {}, through.my_pe()),
                          flags};
  rounds.arrive(std::as_bytes(std::span(&mine, 1)), combine);
  await_round(through);
  contribution all;
  std::memcpy(&all, rounds.round_result(), sizeof all);
  return all.flags;
}

}  // namespace shoal::internal
