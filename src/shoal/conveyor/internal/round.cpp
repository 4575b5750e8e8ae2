#include "shoal/conveyor/internal/round.hpp"

#include <algorithm>
#include <cstring>
#include <span>
#include <string>

#include "shoal/base/internal/ambient.hpp"
#include "shoal/base/internal/contract.hpp"
#include "shoal/conveyor/internal/exchange.hpp"
#include "shoal/substrate/internal/mismatch.hpp"
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

// PEs that know that their calls differ only talk of that any more. No handler runs: it may not be the right one.
void await_without_handlers(exchange& through) {
  for (unsigned patience = 0; !through.rounds().is_round_complete();) through.backend().wait(patience);
}

void fetch_all(exchange& through) {
  if (through.rounds().must_fetch(group_rounds::everybody, round_bytes_max)) await_without_handlers(through);
}

template <class T>
struct shown {
  round_head head;
  T it;
};

// Of the same size on all PEs, which this function only shows to all.
template <class T>
void show(exchange& through, const T& it) {
  static_assert(sizeof(shown<T>) <= round_bytes_max);
  const shown<T> mine{{}, it};
  through.rounds().arrive(std::as_bytes(std::span(&mine, 1)), combine_only_heads);
  await_without_handlers(through);
  fetch_all(through);
}

template <class T>
T shown_by(exchange& through, pe_id pe) {
  shown<T> its;
  std::memcpy(static_cast<void*>(&its), through.rounds().round_contribution(pe), sizeof its);
  return its.it;
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
[[gnu::cold]] void ask_for_calls(exchange& through, mismatch& found) {
  show(through, to_show(describe_call_here(through.backend(), through.rounds(), through.my_pe())));
  const std::string one = shown_by<shown_text>(through, found.pe).bytes;
  found.take_descriptions(one, shown_by<shown_text>(through, found.other).bytes);
}

[[noreturn, gnu::cold]] void report_constructions(exchange& through, const mismatch& found) {
  const constructions& mine = through.objects();
  show(through, mine.remembered());
  using history = constructions::history;
  const auto one = shown_by<history>(through, found.pe);
  const auto other = shown_by<history>(through, found.other);
  const std::uint64_t first = constructions::first_difference(one, other);
  const bool may_be_earlier = first != 0 && std::max(one.n, other.n) - first >= constructions::n_kept;
  show(through, to_show(mine.describe_from(first, 4)));
  const auto has = [&](pe_id pe) {
    return "PE " + std::to_string(pe) + " has constructed " + shown_by<shown_text>(through, pe).bytes;
  };
  end_job(status_usage, "the PEs" + through.of_name() + " have constructed different objects: after " +
                            std::string(may_be_earlier ? "at most " : "the first ") + std::to_string(first) + ", " +
                            has(found.pe) + "; " + has(found.other) +
                            "; construct the same ones in the same order on all PEs (noticed when " + found.calls +
                            ")");
}

}  // namespace

void check_round(exchange& through) {
  if (!are_calls_different(through.rounds())) return;
  fetch_all(through);
  mismatch found = find_mismatch(through.backend(), through.rounds());
  ask_for_calls(through, found);
  if (found.is_of_objects) report_constructions(through, found);
  end_job(status_usage,
          found.report() + (through.is_team() ? " (numbers of PEs are those in " + through.name() + ")" : ""));
}

void await_round(exchange& through) {
  SHOAL_ASSERT(through.now().running() == nullptr);  // a handler must not wait
  const stopwatch::lap its(through.parts().watch, activity::waiting);
  for (unsigned patience = 0; !through.rounds().is_round_complete();) through.progress_or_idle(patience);
  check_round(through);
}

void await_contributions(exchange& through, pe_id whose, std::size_t bytes) {
  if (!through.rounds().must_fetch(whose, bytes)) return;
  const stopwatch::lap its(through.parts().watch, activity::waiting);
  for (unsigned patience = 0; !through.rounds().is_round_complete();) through.progress_or_idle(patience);
}

}  // namespace shoal::internal
