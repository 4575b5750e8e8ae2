#include "shoal/compat/internal/gathering.hpp"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "shoal/actor/internal/main_program.hpp"
#include "shoal/actor/world.hpp"
#include "shoal/base/internal/ambient.hpp"
#include "shoal/compat/internal/far_calls.hpp"
#include "shoal/compat/internal/process_world.hpp"
#include "shoal/compat/internal/reach.hpp"
#include "shoal/control/internal/plane.hpp"
#include "shoal/control/internal/wave.hpp"
#include "shoal/conveyor/internal/exchange.hpp"

namespace shoal::internal::compat {
namespace {

// A round and a wave carry as much, and a round's head comes first.
constexpr std::size_t fold_bytes_max = round_payload_max / 64 * 64;

constexpr fold_kind bits = fold_of<unsigned char, op_or>;

}  // namespace

gathering::gathering(const pe_range& of, const char* call)
    : world_(world_for(call)), of_(of), call_(call), my_rank_(of.rank_of(world_.my_pe())), is_all_(of.is_all(n_pes())) {
  if (!of.is_within(n_pes())) {
    end_job(status_usage, std::string(call) + " of " + std::to_string(of.size) + " PEs from PE " +
                              std::to_string(of.start) + " on, in steps of " + std::to_string(of.stride) +
                              ": they are not all in the job, whose PEs are 0 to " + std::to_string(n_pes() - 1));
  }
  if (my_rank_ < 0) {
    end_job(status_usage, std::string(call) + " by PE " + std::to_string(world_.my_pe()) +
                              ", which is not one of the PEs that it is about");
  }
  if (here.far != nullptr) here.far->complete(call);
}

void gathering::meet() {
  if (is_all_) return world_.rounds().agree(collective_call::barrier, call_, 0, {});
  fold({}, bits);
}

void gathering::fold(std::span<std::byte> values, const fold_kind& kind) {
  if (is_all_) {
    const std::byte* const all = world_.rounds().round(collective_call::reduce, call_, values.size(), values,
                                                       kind.in_round, std::source_location{}, false);
    if (!values.empty()) std::memcpy(values.data(), all, values.size());
  } else if (of_.size > 1) {
    fold_in_wave(values, kind);
  }
}

// Each call makes a wave and destroys it after one generation, so all members may use the name again.
void gathering::fold_in_wave(std::span<std::byte> values, const fold_kind& kind) {
  exchange& through = world_.message_exchange();
  world_.require_main(call_);
  const main_program::wait note(world_.main(), through, call_, std::source_location{});
  control_plane& plane = through.parts().plane();
  through.parts().serve_waves();
  wave all(plane, group::strided(world_.backend(), of_.least(), std::abs(of_.stride), of_.size), {wave_kind::team, 0},
           {.bytes = values.size(),
            .combine = [&kind](std::byte* into, const std::byte* from,
                               std::size_t bytes) { kind.elements(into, from, bytes / kind.element_bytes); },
            .is_ordered = true});
  all.contribute(values);
  for (unsigned patience = 0; !all.is_complete();) through.progress_or_idle(patience);
  const std::span<const std::byte> result = all.take();
  std::copy(result.begin(), result.end(), values.begin());
  // Others wait for what this PE passes on, and it may not call Shoal for long.
  while (all.owes()) plane.progress();
}

std::byte* gathering::own_half(std::size_t half) const {
  return here.heap + scratch_offset() + half * scratch_half_bytes;
}

void gathering::read(void* into, pe_id rank, std::size_t half, std::size_t offset, std::size_t bytes) const {
  get_block(into, own_half(half) + offset, bytes, static_cast<int>(of_.at(rank)), true, call_);
}

// Long arrays: the PE of rank r folds part r of each half, and all read the parts.
void gathering::reduce(void* dest, const void* source, std::size_t n, const fold_kind& kind) {
  const std::size_t element = kind.element_bytes;
  if (n * element <= fold_bytes_max) {
    std::byte values[fold_bytes_max];
    if (n != 0) std::memcpy(values, source, n * element);
    fold({values, n * element}, kind);
    if (n != 0) std::memcpy(dest, values, n * element);
    return;
  }
  const auto size = static_cast<std::size_t>(of_.size);
  const std::size_t n_in_half = scratch_half_bytes / element;
  std::vector<std::byte> one;
  for (std::size_t done = 0; done < n; done += n_in_half) {
    const std::size_t n_now = std::min(n_in_half, n - done);
    std::memcpy(own_half(0), static_cast<const std::byte*>(source) + done * element, n_now * element);
    meet();
    const auto begin_of = [&](std::size_t rank) { return n_now * rank / size * element; };
    const std::size_t begin = begin_of(static_cast<std::size_t>(my_rank_));
    const std::size_t bytes = begin_of(static_cast<std::size_t>(my_rank_) + 1) - begin;
    std::byte* const mine = own_half(1);
    one.resize(bytes);
    for (pe_id rank = 0; rank < of_.size && bytes != 0; ++rank) {
      read(rank == 0 ? mine : one.data(), rank, 0, begin, bytes);
      here.memory->quiet();
      if (rank != 0) kind.elements(mine, one.data(), bytes / element);
    }
    meet();
    for (std::size_t rank = 0; rank < size; ++rank) {
      read(static_cast<std::byte*>(dest) + done * element + begin_of(rank), static_cast<pe_id>(rank), 1, 0,
           begin_of(rank + 1) - begin_of(rank));
    }
    here.memory->quiet();
  }
  meet();  // nobody reads this PE's scratch any more
}

void gathering::broadcast(void* dest, const void* source, std::size_t bytes, pe_id root, bool writes_root) {
  if (root < 0 || root >= of_.size) {
    end_job(status_usage, std::string(call_) + " from PE " + std::to_string(root) +
                              ", which is out of range; the PEs of the call are counted from 0 to " +
                              std::to_string(of_.size - 1));
  }
  const bool is_root = my_rank_ == root;
  const bool writes = !is_root || writes_root;
  if (bytes <= fold_bytes_max) {
    std::byte values[fold_bytes_max] = {};
    if (is_root && bytes != 0) std::memcpy(values, source, bytes);
    fold({values, bytes}, bits);
    if (writes && bytes != 0) std::memcpy(dest, values, bytes);
    return;
  }
  std::size_t half = 0;
  for (std::size_t done = 0; done < bytes; done += scratch_half_bytes, half ^= 1) {
    const std::size_t now = std::min(scratch_half_bytes, bytes - done);
    if (is_root) std::memcpy(own_half(half), static_cast<const std::byte*>(source) + done, now);
    meet();
    if (!is_root) read(static_cast<std::byte*>(dest) + done, root, half, 0, now);
    here.memory->quiet();
  }
  meet();
  if (is_root && writes && dest != source) std::memmove(dest, source, bytes);
}

void gathering::collect_equal(void* dest, const void* source, std::size_t bytes) {
  const auto size = static_cast<std::size_t>(of_.size);
  auto* const to = static_cast<std::byte*>(dest);
  const auto rank_here = static_cast<std::size_t>(my_rank_);
  if (bytes <= fold_bytes_max / size) {
    std::byte values[fold_bytes_max] = {};
    if (bytes != 0) std::memcpy(values + rank_here * bytes, source, bytes);
    fold({values, size * bytes}, bits);
    if (bytes != 0) std::memcpy(dest, values, size * bytes);
    return;
  }
  std::size_t half = 0;
  for (std::size_t done = 0; done < bytes; done += scratch_half_bytes, half ^= 1) {
    const std::size_t now = std::min(scratch_half_bytes, bytes - done);
    std::memcpy(own_half(half), static_cast<const std::byte*>(source) + done, now);
    meet();
    for (std::size_t i = 0; i < size; ++i) {
      const std::size_t rank = (rank_here + i) % size;  // not all from one PE at once
      read(to + rank * bytes + done, static_cast<pe_id>(rank), half, 0, now);
    }
    here.memory->quiet();
  }
  meet();
}

void gathering::collect(void* dest, const void* source, std::size_t bytes) {
  const auto size = static_cast<std::size_t>(of_.size);
  std::vector<std::uint64_t> all(size);
  const std::uint64_t mine = bytes;
  collect_equal(all.data(), &mine, sizeof mine);
  std::vector<std::size_t> begins(size + 1);
  for (std::size_t rank = 0; rank < size; ++rank) begins[rank + 1] = begins[rank] + all[rank];
  const std::size_t longest = *std::max_element(all.begin(), all.end());
  std::size_t half = 0;
  for (std::size_t done = 0; done < longest; done += scratch_half_bytes, half ^= 1) {
    const auto now = [&](std::size_t of) { return done < of ? std::min(scratch_half_bytes, of - done) : 0; };
    if (now(bytes) != 0) std::memcpy(own_half(half), static_cast<const std::byte*>(source) + done, now(bytes));
    meet();
    for (std::size_t rank = 0; rank < size; ++rank) {
      read(static_cast<std::byte*>(dest) + begins[rank] + done, static_cast<pe_id>(rank), half, 0, now(all[rank]));
    }
    here.memory->quiet();
  }
  meet();
}

void gathering::all_to_all(void* dest, const void* source, std::size_t bytes) {
  const auto size = static_cast<std::size_t>(of_.size);
  const auto rank_here = static_cast<std::size_t>(my_rank_);
  const std::size_t piece = std::max(scratch_half_bytes / size, std::size_t{1});
  if (size > scratch_half_bytes) {
    end_job(status_usage, std::string(call_) + " of " + std::to_string(size) + " PEs; it takes at most " +
                              std::to_string(scratch_half_bytes));
  }
  std::size_t half = 0;
  for (std::size_t done = 0; done < bytes; done += piece, half ^= 1) {
    const std::size_t now = std::min(piece, bytes - done);
    for (std::size_t rank = 0; rank < size; ++rank) {
      std::memcpy(own_half(half) + rank * piece, static_cast<const std::byte*>(source) + rank * bytes + done, now);
    }
    meet();
    for (std::size_t i = 0; i < size; ++i) {
      const std::size_t rank = (rank_here + i) % size;
      read(static_cast<std::byte*>(dest) + rank * bytes + done, static_cast<pe_id>(rank), half, rank_here * piece, now);
    }
    here.memory->quiet();
  }
  meet();
}

}  // namespace shoal::internal::compat
