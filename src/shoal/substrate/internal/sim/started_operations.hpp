/// One-sided operations that are under way: their PEs have gone on, and the memory has not changed yet.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "shoal/base/types.hpp"
#include "shoal/substrate/internal/atomic_call.hpp"

namespace shoal::internal::sim {

/// Each operation has a number, which its events carry, and which is free again once the operation is finished.
class started_operations {
public:
  /// When, and on which PE, the data of a get are written.
  struct answer {
    std::uint64_t time_ns = 0;
    pe_id asker = 0;
  };

  /// Copies `data`, which finish_transfer writes to `target`.
  std::uint32_t start_put(std::byte* target, std::span<const std::byte> data);

  /// finish_transfer reads `source`.
  std::uint32_t start_late_put(std::byte* target, std::span<const std::byte> source);

  /// read_for_get copies `source`, of the size of `target`; finish_transfer writes it there.
  std::uint32_t start_get(std::span<std::byte> target, const std::byte* source, const answer& back);

  /// finish_atomic carries `call` out on the word at `target`.
  std::uint32_t start_atomic(std::byte* target, const atomic_call& call);

  /// What finish_transfer reads or writes of the PE that started the operation: the target of a get, the source of a late
  /// put. Null if nothing.
  const std::byte* memory_of_starter(std::uint32_t number) const noexcept;

  answer read_for_get(std::uint32_t number) noexcept;
  void finish_transfer(std::uint32_t number) noexcept;
  void finish_atomic(std::uint32_t number) noexcept;

private:
  struct operation {
    std::byte* target = nullptr;  // what it writes or changes
    const std::byte* source = nullptr;  // of a get and of a late put
    std::size_t bytes = 0;  // of a transfer
    atomic_call call = {};  // of an atomic
    answer back = {};  // of a get
    std::vector<std::byte> data = {};  // not of a late put
  };

  std::uint32_t keep(operation started);

  std::vector<operation> all_;
  std::vector<std::uint32_t> free_;
};

}  // namespace shoal::internal::sim
