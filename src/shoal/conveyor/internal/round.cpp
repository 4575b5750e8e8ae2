#include "shoal/conveyor/internal/round.hpp"

#include <algorithm>
#include <cstring>
#include <span>
#include <string>

#include "shoal/base/internal/ambient.hpp"
#include "shoal/base/internal/contract.hpp"
#include "shoal/conveyor/internal/exchange.hpp"
#include "shoal/substrate/internal/round_head.hpp"

namespace shoal::internal {

call_name name_of_conveyor_call(call_tag tag) noexcept {
  switch (static_cast<conveyor_call>(tag)) {
    case conveyor_call::exstack_proceed: return {"is in proceed of exstack", call_digest::object};
    case conveyor_call::simple_conveyor_advance: return {"is in advance of simple_conveyor", call_digest::object};
  }
  return {};
}

namespace {

// Of the same bytes on all PEs, which this function only shows to all.
template <class T>
void show(substrate& backend, const T& mine) {
  static_assert(sizeof(T) <= round_bytes_max);
  backend.arrive(std::as_bytes(std::span(&mine, 1)), [](std::byte*, const std::byte*, std::size_t) {});
  for (unsigned patience = 0; !backend.is_round_complete();) backend.wait(patience);
}

template <class T>
T shown_by(substrate& backend, pe_id pe) {
  T it;
  std::memcpy(&it, backend.round_contribution(pe), sizeof it);
  return it;
}

struct shown_text {
  char bytes[400] = {};
};

shown_text to_show(const std::string& text) {
  shown_text shown;
  text.copy(shown.bytes, sizeof shown.bytes - 1);
  return shown;
}

// Only a PE itself knows in which file its call is and how the program spells it. All PEs come here, since all have
// seen the same round.
[[gnu::cold]] void ask_for_calls(substrate& backend, mismatch& found) {
  show(backend, to_show(describe_call_here(backend)));
  const std::string one = shown_by<shown_text>(backend, found.pe).bytes;
  found.take_descriptions(one, shown_by<shown_text>(backend, found.other).bytes);
}

// As ask_for_calls. No handler runs any more: it may not be the right one.
[[noreturn, gnu::cold]] void report_constructions(exchange& through, const mismatch& found) {
  substrate& backend = through.backend();
  const constructions& mine = through.objects();
  show(backend, mine.remembered());
  using history = constructions::history;
  const auto one = shown_by<history>(backend, found.pe);
  const auto other = shown_by<history>(backend, found.other);
  const std::uint64_t first = constructions::first_difference(one, other);
  const bool may_be_earlier = first != 0 && std::max(one.n, other.n) - first >= constructions::n_kept;
  show(backend, to_show(mine.describe_from(first, 4)));
  const auto has = [&](pe_id pe) {
    return "PE " + std::to_string(pe) + " has constructed " + shown_by<shown_text>(backend, pe).bytes;
  };
  end_job(status_usage, "the PEs have constructed different objects: after " +
                            std::string(may_be_earlier ? "at most " : "the first ") + std::to_string(first) + ", " +
                            has(found.pe) + "; " + has(found.other) +
                            "; construct the same ones in the same order on all PEs (noticed when " + found.calls +
                            ")");
}

}  // namespace

void check_round(exchange& through) {
  mismatch found = find_mismatch(through.backend());
  if (!found) return;
  ask_for_calls(through.backend(), found);
  if (found.is_of_objects) report_constructions(through, found);
  end_job(status_usage, found.report());
}

void await_round(exchange& through) {
  SHOAL_ASSERT(through.now().running() == nullptr);  // a handler must not wait
  substrate& backend = through.backend();
  const stopwatch::lap its(through.watch(), activity::waiting);
  for (unsigned patience = 0; !backend.is_round_complete();) through.progress_or_idle(patience);
  check_round(through);
}

}  // namespace shoal::internal
