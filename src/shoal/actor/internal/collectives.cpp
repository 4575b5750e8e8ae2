#include "shoal/actor/internal/collectives.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "shoal/actor/internal/main_program.hpp"
#include "shoal/base/internal/ambient.hpp"
#include "shoal/base/internal/contract.hpp"
#include "shoal/base/internal/type_name.hpp"
#include "shoal/conveyor/internal/exchange.hpp"

namespace shoal::internal {
namespace {

call_name name_of_collective(call_tag tag) noexcept {
  switch (static_cast<collective_call>(tag)) {
    case collective_call::finish: return {"is in finish"};
    case collective_call::close_mailbox: return {"is closing a mailbox"};
    case collective_call::barrier: return {"is in barrier"};
    case collective_call::reduce: return {"is in all_reduce", call_digest::arguments};
    case collective_call::scan: return {"is in a scan", call_digest::arguments};
    case collective_call::broadcast: return {"is in broadcast", call_digest::arguments};
    case collective_call::gather: return {"is in gather", call_digest::arguments};
    case collective_call::reduce_arrays: return {"is in all_reduce of arrays", call_digest::arguments};
    case collective_call::scan_arrays: return {"is in a scan of arrays", call_digest::arguments};
    case collective_call::gather_arrays: return {"is in gather of arrays", call_digest::arguments};
    case collective_call::all_to_all: return {"is in all_to_all", call_digest::arguments};
    case collective_call::allocate: return {"is in allocate", call_digest::arguments};
    case collective_call::deallocate: return {"is in deallocate", call_digest::arguments};
    case collective_call::end_of_body: return {"left the program's body (returned)"};
    case collective_call::begin_world: return {"is in shoal::run or shoal::job, to begin world", call_digest::object};
    case collective_call::close_job: return {"closes its shoal::job"};
    case collective_call::end_of_process: return {"has ended its process"};
    case collective_call::split: return {"is in split"};
    case collective_call::end_of_team: return {"destroys a team"};
  }
  return name_of_conveyor_call(tag);
}

}  // namespace

void refuse_sum(const char* type) {
  end_job(status_usage, "a sum over PEs does not fit into " + readable_type_name(type) +
                            "; give a wider type, for instance std::int64_t{value}");
}

void refuse_exception_in_fold() noexcept {
  end_job(status_failure, "the operation of a reduction or scan threw an exception");
}

collectives::collectives(exchange& through, main_program& caller) noexcept
    : exchange_(through), rounds_(through.rounds()), my_pe_(through.my_pe()), n_pes_(through.n_pes()), caller_(caller) {
  through.backend().name_calls(name_of_collective);
}

void collectives::arrive(collective_call call, std::uint64_t digest, std::span<const std::byte> payload,
                         combine_function combine, const std::source_location& where) {
  SHOAL_ASSERT(!is_under_way_);
  SHOAL_ASSERT(payload.size() <= round_payload_max);
  std::byte contribution[round_bytes_max];
  const round_head head = make_head(static_cast<call_tag>(call), digest, exchange_.objects().digest(), where, my_pe_);
  std::memcpy(contribution, &head, sizeof head);
  if (!payload.empty()) std::memcpy(contribution + sizeof head, payload.data(), payload.size());
  is_under_way_ = true;
  rounds_.arrive({contribution, sizeof head + payload.size()}, combine);
}

const std::byte* collectives::try_result() {
  SHOAL_ASSERT(is_under_way_);
  if (!rounds_.is_round_complete()) return nullptr;
  is_under_way_ = false;
  check_round(exchange_);
  return rounds_.round_result() + sizeof(round_head);
}

const std::byte* collectives::round(collective_call call, const char* name, std::uint64_t digest,
                                    std::span<const std::byte> payload, combine_function combine,
                                    const std::source_location& where, bool is_exact) {
  caller_.require(name);
  const main_program::wait note(caller_, exchange_, name, where);
  const bool round_folds_it = is_exact || !exchange_.is_team();
  arrive(call, digest, payload, round_folds_it ? combine : combine_only_heads, where);
  await_round(exchange_);
  is_under_way_ = false;
  if (round_folds_it) return rounds_.round_result() + sizeof(round_head);
  await_contributions(exchange_, group_rounds::everybody);
  if (in_order_ == nullptr) in_order_ = std::make_unique<std::vector<std::byte>>(round_bytes_max);
  std::byte* const all = in_order_->data();
  std::memcpy(all, rounds_.round_contribution(0), sizeof(round_head) + payload.size());
  for (pe_id pe = 1; pe < n_pes_; ++pe) {
    combine(all, rounds_.round_contribution(pe), sizeof(round_head) + payload.size());
  }
  return all + sizeof(round_head);
}

void collectives::agree(collective_call call, const char* name, std::uint64_t digest,
                        const std::source_location& where) {
  round(call, name, digest, {}, combine_only_heads, where);
}

void collectives::broadcast_bytes(std::span<std::byte> bytes, pe_id root, const std::source_location& where) {
  if (root < 0 || root >= n_pes_) {
    end_job(status_usage, "broadcast from PE " + std::to_string(root) + ", which is out of range; PEs are 0 to " +
                              std::to_string(n_pes_ - 1) + exchange_.of_name());
  }
  // Heads carry the size and the root, so PEs that disagree get a report.
  const std::uint64_t digest = bytes.size() ^ (static_cast<std::uint64_t>(root) << 40);
  while (!bytes.empty()) {
    const std::span<std::byte> piece = bytes.first(std::min(bytes.size(), round_payload_max));
    round(collective_call::broadcast, "broadcast", digest, piece, combine_only_heads, where);
    await_contributions(exchange_, root);
    if (my_pe_ != root) {
      std::memcpy(piece.data(), rounds_.round_contribution(root) + sizeof(round_head), piece.size());
    }
    bytes = bytes.subspan(piece.size());
  }
}

}  // namespace shoal::internal
