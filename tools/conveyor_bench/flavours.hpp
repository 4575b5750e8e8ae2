/// Kinds of conveyors, kinds of traffic, and item sizes that have a type.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "shoal/actor/world.hpp"

namespace shoal::cli {

class workload;
struct bench_options;

/// A kind of conveyor. To add one, add an entry to the table of flavours.cpp.
struct flavour {
  std::string name;
  std::string summary;
  int n_hops;  // 0: as the job's settings say
  /// Collective: constructs the conveyors and the traffic for them.
  std::unique_ptr<workload> (*make)(world&, const bench_options&);

  bool is_typed_only = false;  // its items have types known at compile time, unless they are elastic
  bool can_be_elastic = false;  // there is also a variant with items of any size
  bool has_boxes = false;  // room for a fixed number of items to each PE; --capacity is its bytes
  bool answers_queries = false;  // it has one conveyor for queries and one for their replies
};

std::span<const flavour> all_flavours();
std::vector<std::string> flavour_names();

enum class traffic : std::uint8_t { all_to_all, histogram, index_gather };
std::string_view name_of(traffic kind);
/// Items of fewer bytes have no room for the data of this traffic.
std::size_t item_bytes_min(traffic kind);

/// Item sizes for which there is a type.
std::span<const std::size_t> typed_sizes();
/// The same for a message: "4, 8 or 16".
std::string typed_sizes_text();

}  // namespace shoal::cli
