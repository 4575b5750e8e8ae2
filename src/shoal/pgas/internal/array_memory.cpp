#include "shoal/pgas/internal/array_memory.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <exception>
#include <new>
#include <span>
#include <string>

#include "shoal/base/internal/ambient.hpp"
#include "shoal/base/internal/source_place.hpp"
#include "shoal/base/setup_error.hpp"
#include "shoal/conveyor/internal/exchange.hpp"

namespace shoal::internal {
namespace {

// A part of a third-level cache of today. Measured: both ways to gather cost the same where all parts have some 8 MiB.
constexpr std::size_t cached_bytes = std::size_t{8} << 20;

}  // namespace

void array_memory::free_aligned::operator()(std::byte* memory) const noexcept {
  ::operator delete(memory, std::align_val_t{cache_line_bytes});
}

array_memory::array_memory(world& home, std::size_t bytes, bool reads_directly, const std::source_location& where)
    : home_(home),
      reads_directly_(reads_directly && !home.is_team()),
      parts_(static_cast<std::size_t>(home.n_pes())),
      n_exceptions_(std::uncaught_exceptions()) {
  if (home.is_team()) {
    const std::size_t n = std::max(bytes, cache_line_bytes);
    own_.reset(static_cast<std::byte*>(::operator new(n, std::align_val_t{cache_line_bytes})));
    mine_ = own_.get();
    std::memset(mine_, 0, n);
    return;
  }
  shared_ = home.allocate<std::byte>(bytes, where);
  mine_ = home.local(shared_).data();
  if (!reads_directly_) return;
  std::size_t n_direct_bytes = 0;
  const node_layout& nodes = home.message_exchange().nodes();
  for (pe_id pe = 0; pe < home.n_pes(); ++pe) {
    if (nodes.node_of(pe) != nodes.node_of(home.my_pe())) continue;
    const std::byte* const its = home.backend().heap().peer(pe);
    if (its == nullptr) continue;
    parts_[static_cast<std::size_t>(pe)] = its + shared_.offset;
    n_direct_bytes += bytes;
  }
  is_cached_ = n_direct_bytes <= cached_bytes;
  reads_all_directly_ = std::ranges::find(parts_, nullptr) == parts_.end();
}

array_memory::~array_memory() {
  const bool outlives_world = current_pe != &home_;  // which released the memory
  if (own_ == nullptr && !outlives_world && std::uncaught_exceptions() == n_exceptions_) home_.deallocate(shared_);
}

void array_memory::refuse_in_team(const std::source_location& where) {
  end_job(status_usage,
          source_place(where) +
              ": element access one by one, by [], needs symmetric memory, which a team has not; use get and "
              "put, or an array of the whole job");
}

void refuse_index(std::int64_t index, std::int64_t size, const std::source_location& where) {
  end_job(status_usage, source_place(where) + ": index " + std::to_string(index) +
                            " is out of range; the distributed array has " + std::to_string(size) +
                            " elements, counted from 0");
}

void refuse_sizes(const char* what, std::size_t n_indices, std::size_t n_values, const std::source_location& where) {
  end_job(status_usage, source_place(where) + ": " + what + " of " + std::to_string(n_indices) + " indices and " +
                            std::to_string(n_values) + " values; give one value for each index, fewer than 2^32");
}

void refuse_overlap(const char* what, const std::source_location& where) {
  end_job(status_usage,
          source_place(where) + ": " + what +
              " of an array into or from its own part: it would change elements that are still to be read; give "
              "other memory, or copy the part first");
}

std::int64_t checked_size(std::int64_t size, const std::source_location& where) {
  if (size < 0) {
    end_job(status_usage,
            source_place(where) + ": a distributed array of " + std::to_string(size) + " elements; give 0 or more");
  }
  return size;
}

void refuse_distribution(std::int64_t index, const place& at, const std::source_location& where) {
  end_job(status_usage, source_place(where) + ": the distribution of a distributed array puts index " +
                            std::to_string(index) + " on PE " + std::to_string(at.pe) + " at place " +
                            std::to_string(at.local) +
                            ", where its n_local or global say otherwise; all its functions must agree");
}

void check_array(world& home, std::int64_t n_local_max, pe_id n_pes, std::uint64_t digest,
                 const std::source_location& where) {
  if (n_pes != home.n_pes()) {
    end_job(status_usage, source_place(where) + ": a distributed array over " + std::to_string(n_pes) +
                              " PEs in a world of " + std::to_string(home.n_pes()) + "; give as many as it has");
  }
  // They are the same everywhere if the greatest is the least.
  std::array<std::uint64_t, 2> both = {digest, ~digest};
  home.max(std::span<std::uint64_t>(both), where);
  if (both[0] != ~both[1]) {
    end_job(status_usage, source_place(where) +
                              ": PEs construct the distributed array with different sizes, distributions or "
                              "options; give the same on all");
  }
  if (n_local_max > std::int64_t{UINT32_MAX}) {
    throw setup_error("a distributed array with " + std::to_string(n_local_max) +
                      " elements on one PE; at most 4,294,967,295 are possible, so use more PEs");
  }
}

}  // namespace shoal::internal
