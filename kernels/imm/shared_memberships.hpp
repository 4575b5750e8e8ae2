/// The memberships of a PE's vertices, for several threads that add to them at the same time.
#pragma once

#include <array>
#include <cstddef>
#include <mutex>
#include <span>
#include <vector>

#include "kernels/imm/selection.hpp"
#include "kernels/imm/word_set.hpp"
#include "shoal/base/random.hpp"
#include "shoal/base/types.hpp"

namespace shoal::kernels::imm {

/// Parts with a lock each; the hash of a membership tells in which it is.
class shared_memberships {
public:
  /// Adds a batch. Returns those that are new. Locks each part once: those of one part are looked for together, so that the next
  /// ones come into the cache meanwhile.
  std::vector<membership> insert(std::span<const membership> batch) {
    std::array<std::size_t, n_parts + 1> ends{};
    for (const membership m : batch) ++ends[part_of(m) + 1];
    for (std::size_t i = 0; i < n_parts; ++i) ends[i + 1] += ends[i];
    std::vector<membership> by_part(batch.size());
    for (const membership m : batch) by_part[ends[part_of(m)]++] = m;
    std::vector<membership> fresh;
    fresh.reserve(batch.size());
    std::size_t begin = 0;
    for (std::size_t i = 0; i < n_parts; ++i) {
      insert(parts_[i], std::span(by_part).subspan(begin, ends[i] - begin), fresh);
      begin = ends[i];
    }
    return fresh;
  }

  /// Forgets them and keeps the memory. While nobody adds any.
  void clear() {
    for (part& each : parts_) each.words.clear();
  }

private:
  static constexpr std::size_t n_part_bits = 6;
  static constexpr std::size_t n_parts = std::size_t{1} << n_part_bits;
  static constexpr std::size_t n_ahead = 8;

  struct alignas(cache_line_bytes) part {
    std::mutex guard;
    word_set words;
  };

  // The first bits of the hash, since a part uses the last ones.
  static std::size_t part_of(membership m) { return mixed_bits(m.word()) >> (64 - n_part_bits); }

  static void insert(part& into, std::span<const membership> batch, std::vector<membership>& fresh) {
    const std::lock_guard lock(into.guard);
    for (std::size_t i = 0; i < batch.size(); ++i) {
      if (i + n_ahead < batch.size()) __builtin_prefetch(into.words.first_slot(batch[i + n_ahead].word()));
      if (into.words.insert(batch[i].word())) fresh.push_back(batch[i]);
    }
  }

  std::vector<part> parts_ = std::vector<part>(n_parts);
};

}  // namespace shoal::kernels::imm
