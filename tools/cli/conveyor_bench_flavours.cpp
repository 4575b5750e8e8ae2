// The table of flavours, and from a flavour, a kind of traffic and an item size to code that was compiled for them.
#include <array>

#include "tools/cli/conveyor_bench_all_to_all.hpp"
#include "tools/cli/conveyor_bench_applications.hpp"

namespace shoal::cli {
namespace {

// Items of `Bytes` bytes whose type the compiler knows.
template <std::size_t Bytes>
struct words {
  std::uint64_t word[Bytes / sizeof(std::uint64_t)];
};

template <class Stream>
std::unique_ptr<workload> make_traffic(world& w, const bench_request& request) {
  switch (request.what) {
    case traffic::histogram:
      return std::make_unique<histogram<Stream>>(w, request);
    case traffic::index_gather:
      // Typed items of fewer bytes have no room for a query.
      if constexpr (!std::is_same_v<Stream, typed_stream<std::uint32_t>>) {
        return std::make_unique<index_gather<Stream>>(w, request);
      }
      break;
    case traffic::all_to_all:
      break;
  }
  return std::make_unique<all_to_all<Stream>>(w, request);
}

// Conveyors that route over the flavour's number of hops.
std::unique_ptr<workload> make_routed(world& w, const bench_request& request) {
  if (!is_typed(request)) return make_traffic<byte_stream>(w, request);
  switch (request.item_bytes) {
    case 4:
      return make_traffic<typed_stream<std::uint32_t>>(w, request);
    case 8:
      return make_traffic<typed_stream<std::uint64_t>>(w, request);
    case 16:
      return make_traffic<typed_stream<words<16>>>(w, request);
    case 24:
      return make_traffic<typed_stream<words<24>>>(w, request);
    case 32:
      return make_traffic<typed_stream<words<32>>>(w, request);
    case 64:
      return make_traffic<typed_stream<words<64>>>(w, request);
    default:
      return make_traffic<typed_stream<words<128>>>(w, request);
  }
}

const std::array flavours = {
    flavour{"vector", "asynchronous, straight to every PE", 1, make_routed},
    flavour{"matrix", "asynchronous, two hops: over the node, to the other node", 2, make_routed},
    flavour{"tensor", "asynchronous, three hops: over the node, to another node, over that node", 3,
            make_routed},
};

}  // namespace

std::span<const flavour> all_flavours() { return flavours; }

bool is_typed(const bench_request& request) {
  constexpr std::size_t sizes[] = {4, 8, 16, 24, 32, 64, 128};
  return !request.is_untyped && !request.has_random_size &&
         std::ranges::count(sizes, request.item_bytes) != 0;
}

std::string_view name_of(traffic kind) {
  switch (kind) {
    case traffic::histogram:
      return "histogram";
    case traffic::index_gather:
      return "index-gather";
    default:
      return "all-to-all";
  }
}

std::size_t item_bytes_min(traffic kind) {
  switch (kind) {
    case traffic::histogram:
      return 4;
    case traffic::index_gather:
      return 8;
    default:
      return 1;
  }
}

}  // namespace shoal::cli
