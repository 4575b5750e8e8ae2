// A put after which the target sees a flag: half of a round trip.
#include "tools/network_bench/library/shmem/measures.hpp"
#include "tools/network_bench/library/support/half_round_trip.hpp"
#include "tools/network_bench/library/support/memory.hpp"

namespace network_bench {
namespace {

#if SHMEM_MAJOR_VERSION > 1 || (SHMEM_MAJOR_VERSION == 1 && SHMEM_MINOR_VERSION >= 5)
constexpr const char* mode = "put_signal";
void put_and_notify(std::byte* target, const std::byte* message, std::size_t bytes, std::uint64_t* flag,
                    std::uint64_t round, int pe) {
  shmem_putmem_signal(target, message, bytes, flag, round, SHMEM_SIGNAL_SET, pe);
}
#else
constexpr const char* mode = "put, fence, put flag";
void put_and_notify(std::byte* target, const std::byte* message, std::size_t bytes, std::uint64_t* flag,
                    std::uint64_t round, int pe) {
  shmem_putmem(target, message, bytes, pe);
  shmem_fence();
  shmem_uint64_p(flag, round, pe);
}
#endif

void measure_size(session& all, std::size_t bytes) {
  symmetric_memory slot(bytes);
  symmetric_memory flag(sizeof(std::uint64_t));
  message_slots message(bytes);
  all.fill(message.span(), "put_notified");
  const int other = all.is_first() ? 1 : 0;
  std::uint64_t round = 0;
  // Not a loop of shmem_uint64_test: with Open MPI 4.1.4 that handles nothing of what arrives over TCP.
  const auto wait = [&] { shmem_uint64_wait_until(flag.word(), SHMEM_CMP_GE, round); };
  const auto answer = [&] { put_and_notify(slot.at(0), message.slot(0), bytes, flag.word(), round, other); };
  all.measure(
      {"put_notified", mode, bytes},
      [&](std::int64_t n) { return half_round_trip_ns(all.is_first(), n, round, answer, wait); },
      [&] { return all.has_arrived(slot.span(bytes)); });
}

}  // namespace

void measure_put_notified(session& all) {
  for (const std::size_t bytes : all.given().sizes) measure_size(all, bytes);
}

}  // namespace network_bench
