#include "shoal/actor/internal/symmetric_heap.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "shoal/actor/internal/collectives.hpp"
#include "shoal/base/internal/ambient.hpp"
#include "shoal/base/internal/contract.hpp"
#include "shoal/base/setup_error.hpp"
#include "shoal/conveyor/internal/misuse.hpp"
#include "shoal/substrate/internal/substrate.hpp"

namespace shoal::internal {

symmetric_heap::symmetric_heap(substrate& backend, collectives& all, bool of_team)
    : memory_(backend.heap()),
      direct_(memory_.direct().data()),
      n_pes_(of_team ? 0 : backend.n_pes()),
      collectives_(all),
      allocations_(std::make_unique<std::vector<allocation>>()) {}

symmetric_heap::~symmetric_heap() = default;

namespace {

[[noreturn]] void refuse_team(const char* what) {
  end_job(status_usage, std::string(what) +
                            " of a team, which has no symmetric memory; use the world of the whole job, "
                            "and team.pe_in_job for numbers of PEs");
}

}  // namespace

std::size_t symmetric_heap::allocate_bytes(std::size_t bytes, const std::source_location& where) {
  if (n_pes_ == 0) refuse_team("allocate");
  constexpr std::size_t align = cache_line_bytes;
  const std::size_t heap_bytes = memory_.bytes();
  const std::size_t begin = allocations_->empty() ? 0 : (allocations_->back().end() + align - 1) / align * align;
  if (bytes > heap_bytes || begin > heap_bytes - bytes) {
    throw setup_error("the symmetric heap is exhausted: " + std::to_string(bytes) + " bytes wanted, " +
                      std::to_string(heap_bytes - std::min(begin, heap_bytes)) + " of " + std::to_string(heap_bytes) +
                      " left on each PE; raise SHOAL_HEAP (shoalrun --heap), for example to " +
                      std::to_string((begin >> 20) + (bytes >> 20) + 2) + "M");
  }
  // PEs that give the same sizes compute the same offsets.
  collectives_.agree(collective_call::allocate, "allocate", bytes, where);
  allocations_->push_back({.offset = begin, .bytes = std::max(bytes, align)});
  std::memset(memory_.mine() + begin, 0, bytes);
  // Nobody writes into the array before all PEs have zeroed theirs.
  collectives_.agree(collective_call::allocate, "allocate", bytes, where);
  return begin;
}

std::size_t symmetric_heap::take_rest(const std::source_location& where) {
  if (n_pes_ == 0) refuse_team("take_heap");
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const std::size_t end = allocations_->empty() ? 0 : allocations_->back().end();
  // A library's heap need not begin at a page.
  const auto skew = reinterpret_cast<std::uintptr_t>(memory_.mine()) % page;
  const std::size_t begin = std::min((skew + end + page - 1) / page * page - skew, memory_.bytes());
  collectives_.agree(collective_call::allocate, "take_heap", begin, where);
  allocations_->push_back({.offset = begin, .bytes = memory_.bytes() - begin});
  return begin;
}

void symmetric_heap::deallocate(std::size_t offset, const std::source_location& where) {
  if (n_pes_ == 0) refuse_team("deallocate");
  collectives_.agree(collective_call::deallocate, "deallocate", offset, where);
  const std::size_t n_erased = std::erase_if(*allocations_, [&](const allocation& a) { return a.offset == offset; });
  SHOAL_ASSERT(n_erased <= 1);
  if (n_erased == 0) {
    end_job(status_usage, "deallocate of an array that is not allocated (offset " + std::to_string(offset) +
                              " of the symmetric heap); was it deallocated before?");
  }
}

void symmetric_heap::access_out_of_range(std::size_t index, std::size_t size, pe_id pe) const {
  refuse_access("element " + std::to_string(index), size, pe);
}

void symmetric_heap::block_out_of_range(std::size_t index, std::size_t n, std::size_t size, pe_id pe) const {
  refuse_access(std::to_string(n) + " elements from element " + std::to_string(index) + " on", size, pe);
}

void symmetric_heap::refuse_access(const std::string& what, std::size_t size, pe_id pe) const {
  if (n_pes_ == 0) refuse_team("one-sided access");
  if (other_worker() != nullptr) {
    refuse_elsewhere("one-sided access",
                     "ask the other PE instead, or make the access in a handler that is not parallel");
  }
  const bool is_there = pe >= 0 && pe < n_pes_;
  end_job(status_usage, "one-sided access to " + what + " of an array of " + std::to_string(size) + " on PE " +
                            std::to_string(pe) + ", which is out of range; " +
                            (is_there ? "elements are counted from 0" : "PEs are 0 to " + std::to_string(n_pes_ - 1)));
}

}  // namespace shoal::internal
