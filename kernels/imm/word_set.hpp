/// A set of words, for who belongs to which set. Open addressing with linear probing, at most half full.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "shoal/base/random.hpp"

namespace shoal::kernels::imm {

/// Words other than `nothing`.
class word_set {
public:
  static constexpr std::uint64_t nothing = ~std::uint64_t{0};

  /// Adds a word. Whether it is new.
  bool insert(std::uint64_t word) {
    if (2 * size_ >= slots_.size()) grow();
    std::uint64_t& slot = find(word);
    if (slot == word) return false;
    slot = word;
    ++size_;
    return true;
  }

  bool has(std::uint64_t word) const { return size_ != 0 && slots_[place_of(word)] == word; }

  std::size_t size() const noexcept { return size_; }

  /// Forgets the words and keeps the memory.
  void clear() {
    std::ranges::fill(slots_, nothing);
    size_ = 0;
  }

  /// Where a search for the word begins, to have it in the cache by then.
  const std::uint64_t* first_slot(std::uint64_t word) const {
    return size_ == 0 ? nullptr : &slots_[mixed_bits(word) & (slots_.size() - 1)];
  }

private:
  // Where the word is, or the empty slot where it would be.
  std::size_t place_of(std::uint64_t word) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = mixed_bits(word) & mask;
    while (slots_[at] != word && slots_[at] != nothing) at = (at + 1) & mask;
    return at;
  }
  std::uint64_t& find(std::uint64_t word) { return slots_[place_of(word)]; }

  void grow() {
    const std::vector<std::uint64_t> old =
        std::exchange(slots_, std::vector<std::uint64_t>(std::max<std::size_t>(64, 2 * slots_.size()), nothing));
    for (const std::uint64_t word : old) {
      if (word != nothing) find(word) = word;
    }
  }

  std::vector<std::uint64_t> slots_;  // a power of two, or none
  std::size_t size_ = 0;
};

}  // namespace shoal::kernels::imm
