/// The loop over messages that names the memory of later ones while it handles each.
#pragma once

#include <cstddef>

namespace shoal::internal {

// How many messages the prefetch runs ahead of the handler. A miss to memory takes some 100 ns and a message a few, so
// 16 to 32 hide it; more would overflow the line fill buffers.
inline constexpr std::ptrdiff_t prefetch_distance = 24;

/// Calls `handle` with the address of each message in [p, now.end()), and before it `fetch` with that of a later one;
/// `fetch` returns what the later message will touch. Messages have `bytes` bytes. `now` and the result as for handle_all.
/// `fetch.further`, if there is one, gets a message half as far ahead. It returns what that one will touch, too, and may read
/// what `fetch` has named.
template <class Bound, class Fetch, class Handle>
inline const std::byte* handle_fetching(Bound& now, const std::byte* p, std::ptrdiff_t bytes, const Fetch& fetch,
                                        const Handle& handle) {
  // The last messages have none after them to prefetch for. They have a loop of their own, which saves the others a
  // branch.
  const std::ptrdiff_t ahead = prefetch_distance * bytes;
  const std::byte* const end = now.end();
  if (end - p > ahead) {
    const std::byte* const main_end = end - ahead;
    for (; p < main_end && !now.must_stop(); p += bytes) {
      // With write intent: a handler that names an address nearly always changes what is there.
      __builtin_prefetch(fetch(p + ahead), 1);
      if constexpr (requires { fetch.further(p); }) __builtin_prefetch(fetch.further(p + ahead / 2), 1);
      handle(p);
    }
  }
  for (; p < now.end(); p += bytes) handle(p);
  return p;
}

}  // namespace shoal::internal
