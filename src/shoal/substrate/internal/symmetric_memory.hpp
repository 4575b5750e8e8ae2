/// The symmetric heap of a job, as a substrate has it: as many bytes on every PE. An offset means the same object on
/// every PE.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "shoal/base/types.hpp"
#include "shoal/substrate/internal/atomic_call.hpp"

namespace shoal::internal {

class symmetric_memory {
public:
  symmetric_memory(const symmetric_memory&) = delete;
  symmetric_memory& operator=(const symmetric_memory&) = delete;

  /// Of each PE.
  std::size_t bytes() const noexcept { return bytes_; }

  /// Where this PE's part lies in its own memory. At one address on all PEs if one could be found.
  std::byte* mine() const noexcept { return mine_; }

  /// By PE: its part, if loads, stores and atomic instructions of this processor do there what the calls below do; else
  /// null. Empty if they do so on no PE. The same for as long as this PE runs.
  const std::vector<std::byte*>& direct() const noexcept { return direct_; }

  /// Where PE `pe`'s part is mapped here, or null if loads and stores cannot reach it.
  virtual std::byte* peer(pe_id pe) noexcept = 0;

  /// Whether gets and puts reach every PE whatever its program does. Where they do not (two-sided MPI), a PE of another
  /// node serves them inside its next calls of poll, wait or poll_control, or of those below.
  virtual bool is_one_sided() const noexcept { return true; }

  /// One-sided access at offset `offset` of PE `pe`'s part; returns when the data are there (get), when the source may be
  /// reused (put), or with what the word was (atomic). Atomics are atomic with one another, whoever calls them. May wait
  /// for the network, and until the target serves them: gets and puts as `is_one_sided` says, atomics over MPI always.
  /// A PE that waits here serves others and handles nothing.
  virtual void get(void* target, std::size_t offset, std::size_t bytes, pe_id pe) noexcept = 0;
  virtual void put(std::size_t offset, const void* source, std::size_t bytes, pe_id pe) noexcept = 0;
  virtual std::uint64_t atomic(const atomic_call& call, std::size_t offset, pe_id pe) noexcept = 0;

  /// As get, put and atomic, but they may return before anything has happened; quiet completes them. Until then `target`
  /// is not read, and `source` stays as it is.
  virtual void start_get(void* target, std::size_t offset, std::size_t bytes, pe_id pe) noexcept {
    get(target, offset, bytes, pe);
  }
  virtual void start_put(std::size_t offset, const void* source, std::size_t bytes, pe_id pe) noexcept {
    put(offset, source, bytes, pe);
  }
  virtual void start_atomic(const atomic_call& call, std::size_t offset, pe_id pe) noexcept {
    atomic(call, offset, pe);
  }

  /// All that this PE has begun is complete everywhere.
  virtual void quiet() noexcept = 0;

  /// Puts that this PE has begun reach each PE before those that it begins later. May do as much as quiet.
  virtual void fence() noexcept { quiet(); }

protected:
  symmetric_memory(std::byte* mine, std::size_t bytes) noexcept : mine_(mine), bytes_(bytes) {}
  ~symmetric_memory() = default;

  std::byte* mine_;
  std::size_t bytes_;
  std::vector<std::byte*> direct_;
};

}  // namespace shoal::internal
