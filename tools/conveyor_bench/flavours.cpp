#include "tools/conveyor_bench/flavours.hpp"

#include <array>
#include <utility>

#include "tools/conveyor_bench/makers.hpp"

namespace shoal::cli {
namespace {

template <std::size_t... Bytes>
constexpr std::array<std::size_t, sizeof...(Bytes)> array_of(std::index_sequence<Bytes...>) {
  return {Bytes...};
}
constexpr std::array sizes = array_of(sizes_with_types{});

const std::array flavours = {
    flavour{.name = "vector",
            .summary = "asynchronous, straight to every PE",
            .n_hops = 1,
            .make = make_routed,
            .can_be_elastic = true},
    flavour{.name = "matrix",
            .summary = "asynchronous, two hops: over the node, to the other node",
            .n_hops = 2,
            .make = make_routed,
            .can_be_elastic = true},
    flavour{.name = "tensor",
            .summary = "asynchronous, three hops: over the node, to another node, over that node",
            .n_hops = 3,
            .make = make_routed,
            .can_be_elastic = true},
    flavour{.name = "simple",
            .summary = "bulk-synchronous: all PEs exchange all buffers at once, when one wants it",
            .n_hops = 0,
            .make = make_simple,
            .is_typed_only = true,
            .has_boxes = true},
    flavour{.name = "twohop",
            .summary = "simple with exchanges of two hops: over the node, to the other node",
            .n_hops = 2,
            .make = make_simple,
            .is_typed_only = true,
            .has_boxes = true},
    flavour{.name = "exstack",
            .summary = "bulk-synchronous: all PEs exchange all buffers in each turn of their loop",
            .n_hops = 0,
            .make = make_exstack,
            .is_typed_only = true,
            .has_boxes = true},
    flavour{.name = "exstack2",
            .summary = "asynchronous, steady, with the verbs of exstacks",
            .n_hops = 0,
            .make = make_exstack2,
            .is_typed_only = true},
    flavour{.name = "biconveyor",
            .summary = "asynchronous, steady; every item is a query, replies come in push order",
            .n_hops = 0,
            .make = make_biconveyor,
            .is_typed_only = true,
            .can_be_elastic = true,
            .answers_queries = true},
};

}  // namespace

std::span<const flavour> all_flavours() { return flavours; }

std::vector<std::string> flavour_names() {
  std::vector<std::string> names;
  for (const flavour& f : flavours) names.push_back(f.name);
  return names;
}

std::span<const std::size_t> typed_sizes() { return sizes; }

std::string typed_sizes_text() {
  std::string text;
  for (const std::size_t bytes : sizes) {
    if (!text.empty()) text += bytes == sizes.back() ? " or " : ", ";
    text += std::to_string(bytes);
  }
  return text;
}

std::string_view name_of(traffic kind) {
  switch (kind) {
    case traffic::histogram: return "histogram";
    case traffic::index_gather: return "index-gather";
    default: return "all-to-all";
  }
}

std::size_t item_bytes_min(traffic kind) {
  switch (kind) {
    case traffic::histogram: return 4;
    case traffic::index_gather: return 8;
    default: return 1;
  }
}

}  // namespace shoal::cli
