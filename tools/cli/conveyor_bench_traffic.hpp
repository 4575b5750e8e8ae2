/// Picks the traffic for a stream.
#pragma once

#include "tools/cli/conveyor_bench_all_to_all.hpp"
#include "tools/cli/conveyor_bench_applications.hpp"
#include "tools/cli/conveyor_bench_makers.hpp"

namespace shoal::cli {

template <class Stream>
constexpr bool has_room_for_a_query() {
  if constexpr (requires { typename Stream::item_type; }) return sizeof(typename Stream::item_type) >= 8;
  return true;
}

template <class Stream>
std::unique_ptr<workload> make_traffic(world& w, const bench_request& request) {
  switch (request.what) {
    case traffic::histogram: return std::make_unique<histogram<Stream>>(w, request);
    case traffic::index_gather:
      if constexpr (has_room_for_a_query<Stream>()) return std::make_unique<index_gather<Stream>>(w, request);
      break;
    case traffic::all_to_all: break;
  }
  return std::make_unique<all_to_all<Stream>>(w, request);
}

/// The same for a kind of stream, with the type of the size that is asked for.
template <template <class> class Stream>
std::unique_ptr<workload> make_typed_traffic(world& w, const bench_request& request) {
  return make_by_size(
      request.item_bytes, [&]<class Item>(const Item&) { return make_traffic<Stream<Item>>(w, request); },
      sizes_with_types{});
}

}  // namespace shoal::cli
