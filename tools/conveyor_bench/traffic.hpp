/// Picks the traffic for a stream.
#pragma once

#include "tools/conveyor_bench/all_to_all.hpp"
#include "tools/conveyor_bench/applications.hpp"
#include "tools/conveyor_bench/makers.hpp"

namespace shoal::cli {

template <class Stream>
constexpr bool has_room_for_a_query() {
  if constexpr (requires { typename Stream::item_type; }) return sizeof(typename Stream::item_type) >= 8;
  return true;
}

template <class Stream>
std::unique_ptr<workload> make_traffic(world& w, const bench_options& options) {
  switch (options.what) {
    case traffic::histogram: return std::make_unique<histogram<Stream>>(w, options);
    case traffic::index_gather:
      if constexpr (has_room_for_a_query<Stream>()) return std::make_unique<index_gather<Stream>>(w, options);
      break;
    case traffic::all_to_all: break;
  }
  return std::make_unique<all_to_all<Stream>>(w, options);
}

/// The same for a kind of stream, with the type of the requested size.
template <template <class> class Stream>
std::unique_ptr<workload> make_typed_traffic(world& w, const bench_options& options) {
  return make_by_size(
      options.item_bytes, [&]<class Item>(const Item&) { return make_traffic<Stream<Item>>(w, options); },
      sizes_with_types{});
}

}  // namespace shoal::cli
