/// Maps a flavour, a kind of traffic and an item size to the code compiled for them. Each kind of conveyor has its own
/// file, make_*.cpp, because compiling takes long.
#pragma once

#include <array>
#include <memory>
#include <type_traits>
#include <utility>

#include "tools/conveyor_bench/options.hpp"
#include "tools/conveyor_bench/workload.hpp"

namespace shoal::cli {

std::unique_ptr<workload> make_routed(world& w, const bench_options& options);
std::unique_ptr<workload> make_simple(world& w, const bench_options& options);
std::unique_ptr<workload> make_exstack(world& w, const bench_options& options);
std::unique_ptr<workload> make_exstack2(world& w, const bench_options& options);
std::unique_ptr<workload> make_biconveyor(world& w, const bench_options& options);

/// Item sizes that have a type.
using sizes_with_types = std::index_sequence<4, 8, 16, 28, 32, 64, 128>;

/// Items of `Bytes` bytes with a type known at compile time.
template <std::size_t Bytes>
struct item_of {
  using word_type = std::conditional_t<Bytes % sizeof(std::uint64_t) == 0, std::uint64_t, std::uint32_t>;
  word_type word[Bytes / sizeof(word_type)];
};

/// Calls `make(item)` with an item of the type of the requested size, which must be one that has a type.
template <class Make, std::size_t... Bytes>
std::unique_ptr<workload> make_by_size(std::size_t item_bytes, const Make& make, std::index_sequence<Bytes...>) {
  std::unique_ptr<workload> made;
  ((item_bytes == Bytes ? void(made = make(item_of<Bytes>{})) : void()), ...);
  return made;
}

}  // namespace shoal::cli
