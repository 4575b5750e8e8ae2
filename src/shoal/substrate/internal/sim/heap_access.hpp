/// One-sided access of one simulated PE to the symmetric heap.
#pragma once

#include <cstddef>
#include <cstdint>

#include "shoal/base/types.hpp"
#include "shoal/substrate/internal/sim/fruitless_calls.hpp"
#include "shoal/substrate/internal/sim/job_parts.hpp"
#include "shoal/substrate/internal/sim/pe_time.hpp"
#include "shoal/substrate/internal/symmetric_memory.hpp"

namespace shoal::internal::sim {

/// Every call enters the PE's time, so none is direct.
class heap_access final : public symmetric_memory {
public:
  /// All outlive this object.
  heap_access(job_parts& job, pe_time& time, fruitless_calls& fruitless, pe_id my_pe) noexcept
      : symmetric_memory(job.memory.heap(my_pe), job.memory.heap_bytes()),
        job_(job),
        time_(time),
        fruitless_(fruitless),
        my_pe_(my_pe) {}

  std::byte* peer(pe_id pe) noexcept override;

  void get(void* target, std::size_t offset, std::size_t bytes, pe_id pe) noexcept override;
  void put(std::size_t offset, const void* source, std::size_t bytes, pe_id pe) noexcept override;
  std::uint64_t atomic(const atomic_call& call, std::size_t offset, pe_id pe) noexcept override;
  void start_get(void* target, std::size_t offset, std::size_t bytes, pe_id pe) noexcept override;
  void start_put(std::size_t offset, const void* source, std::size_t bytes, pe_id pe) noexcept override;
  void start_atomic(const atomic_call& call, std::size_t offset, pe_id pe) noexcept override;
  void quiet() noexcept override;
  void fence() noexcept override;

private:
  std::byte* place(std::size_t offset, std::size_t bytes, pe_id pe) const noexcept;
  std::byte* word(const atomic_call& call, std::size_t offset, pe_id pe) const noexcept;
  pe_time::call begin_remote_change(pe_id pe) noexcept;
  void completes_at(std::uint64_t done_ns) noexcept;

  job_parts& job_;
  pe_time& time_;
  fruitless_calls& fruitless_;
  pe_id my_pe_;
  std::uint64_t done_ns_ = 0;  // when this PE knows that all it has started is complete; 0: it is
  std::uint64_t unordered_until_ns_ = 0;  // when the last put lands that nothing orders before later ones; 0: none
  std::uint64_t ordered_until_ns_ = 0;  // when the last of the others lands
  std::uint64_t fenced_until_ns_ = 0;  // the same, at the last fence: puts that keep no order land after it
};

}  // namespace shoal::internal::sim
