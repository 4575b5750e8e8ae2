#include "shoal/actor/internal/background_calls.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "shoal/actor/internal/answers.hpp"
#include "shoal/actor/internal/superstep_part.hpp"
#include "shoal/actor/internal/supersteps.hpp"
#include "shoal/actor/internal/team_worlds.hpp"
#include "shoal/actor/world.hpp"
#include "shoal/base/internal/ambient.hpp"
#include "shoal/base/internal/contract.hpp"
#include "shoal/base/internal/digest.hpp"
#include "shoal/base/internal/source_place.hpp"
#include "shoal/control/internal/message.hpp"
#include "shoal/control/internal/plane.hpp"
#include "shoal/conveyor/internal/exchange.hpp"
#include "shoal/substrate/internal/round_head.hpp"

namespace shoal::internal {
namespace {

// A short wave takes one message for each edge.
constexpr std::size_t short_bytes = piece_bytes_max;
constexpr std::size_t room_in_short = short_bytes - sizeof(round_head);

// A long one has room for what two PEs say of their calls.
constexpr std::size_t description_bytes = round_bytes_max / 2;

constexpr std::uint32_t number_of_long = 4;

// Into `into`, which is folded already. Without an operation each byte was filled in by one PE, and is zero elsewhere.
void fold(const background_call& call, std::byte* into, const std::byte* from, std::size_t bytes) {
  if (call.fold != nullptr) return call.fold(into, from, 1);
  for (std::size_t i = 0; i < bytes; ++i) into[i] |= from[i];
}

std::uint64_t digest_of(const background_call& call) {
  digest all(call.digest);
  all.add(call.name);
  all.add_word(static_cast<std::uint64_t>(call.root));
  return all.value();
}

std::string describe_call(const background_call& call, const std::source_location& where) {
  return std::string(call.name) + " (" + source_place(where) + ")";
}

}  // namespace

background_calls::background_calls(world& home, exchange& through, main_program& caller)
    : home_(home), exchange_(through), caller_(caller), plane_(through.parts().plane()) {
  static_assert(number_of_long == n_lanes);
  exchange_.parts().spare.enter(*this);
  caller_.enter(*this);
}

background_calls::~background_calls() {
  exchange_.parts().spare.leave(*this);
  caller_.leave(*this);
  if (may_end_) return;
  std::vector<std::unique_ptr<wave>> waves;
  for (lane& each : lanes_) waves.push_back(std::move(each.its));
  waves.push_back(std::move(long_));
  std::erase(waves, nullptr);
  exchange_.parts().keep_broken(std::move(waves));
}

pending_answer& background_calls::start(const background_call& call, std::span<const std::byte> mine,
                                        const std::source_location& where) {
  caller_.require_order(call.name);
  const bool is_of_all = call.root == background_call::every_pe;
  if (!is_of_all && (call.root < 0 || call.root >= exchange_.n_pes())) {
    end_job(status_usage, std::string(call.name) + " from PE " + std::to_string(call.root) +
                              ", which is out of range; PEs are 0 to " + std::to_string(exchange_.n_pes() - 1) +
                              exchange_.of_name());
  }
  const auto me = static_cast<std::size_t>(exchange_.my_pe());
  const bool is_gather = call.fold == nullptr && is_of_all;
  std::vector<std::byte> bytes(is_gather ? static_cast<std::size_t>(exchange_.n_pes()) * mine.size() : mine.size());
  if (is_of_all || call.root == exchange_.my_pe()) {
    std::memcpy(bytes.data() + (is_gather ? me * mine.size() : 0), mine.data(), mine.size());
  }
  pending_answer& to = home_.answers().open(pending_answer::of_background, where);
  calls_.push_back({.call = call, .where = where, .number = n_started_++, .bytes = std::move(bytes), .to = &to});
  settle();  // so that it is on its way while this PE computes
  return to;
}

void background_calls::await_all(const char* call) {
  caller_.require(call);
  const main_program::wait note(caller_, exchange_, call, {});
  for (unsigned patience = 0; !calls_.empty();) exchange_.progress_or_idle(patience);
  may_end_ = true;
}

// What waits for a result may run at once, outside finish.
bool background_calls::run() {
  bool has_moved = advance();
  while (give_one(true)) has_moved = true;
  return has_moved;
}

bool background_calls::settle() {
  bool has_moved = advance();
  while (give_one(false)) has_moved = true;
  return has_moved;
}

// --- Waves

bool background_calls::is_longer_than_short(const started& its) const noexcept {
  return its.bytes.size() > room_in_short;
}

// PEs use the long wave in the order of their calls, so a call waits for it until all before it are complete.
bool background_calls::advance() {
  // The watch for stalls uses the plane, too. If its messages counted as a move, it would find none.
  const std::uint64_t n_before = plane_.n_messages_of_program();
  plane_.progress();
  bool has_moved = false;
  bool may_carry = true;
  for (started& each : calls_) {
    while (advance_one(each, may_carry)) has_moved = true;
    may_carry = may_carry && each.now == step::complete;
  }
  if (has_moved) plane_.progress();
  return has_moved || plane_.n_messages_of_program() != n_before;
}

bool background_calls::advance_one(started& its, bool may_carry) {
  lane& at = lane_of(its);
  switch (its.now) {
    case step::waits_for_lane:
      if (at.now != nullptr) return false;
      compare(its);
      return true;
    case step::compared:
      if (!at.its->is_complete()) return false;
      note_compared(its, at.its->take().data());
      at.now = nullptr;
      return true;
    case step::waits_for_long:
      if (!may_carry) return false;
      carry(its);
      return true;
    case step::carried:
      if (!long_->is_complete()) return false;
      note_carried(its, long_->take().data());
      return true;
    case step::complete: return false;
  }
  return false;
}

void background_calls::compare(started& its) {
  lane& at = lane_of(its);
  at.now = &its;
  *at.how = {.call = its.call, .bytes = its.bytes.size()};
  its.now = step::compared;
  if (at.its == nullptr) {
    const auto fold_short = [now = at.how](std::byte* into, const std::byte* from, std::size_t) {
      if (!combine_heads(into, from) || now->bytes > room_in_short) return;
      fold(now->call, into + sizeof(round_head), from + sizeof(round_head), now->bytes);
    };
    const wave_name name{wave_kind::background, static_cast<std::uint32_t>(its.number % n_lanes)};
    at.its = std::make_unique<wave>(plane_, exchange_.members(), name,
                                    wave_options{.bytes = short_bytes, .combine = fold_short, .is_ordered = true});
  }
  alignas(8) std::byte mine[short_bytes] = {};
  const round_head head = make_head(0, digest_of(its.call), 0, its.where, exchange_.my_pe());
  std::memcpy(mine, &head, sizeof head);
  if (!is_longer_than_short(its)) std::memcpy(mine + sizeof head, its.bytes.data(), its.bytes.size());
  at.its->contribute(mine);
}

void background_calls::note_compared(started& its, const std::byte* result) {
  round_head all;
  std::memcpy(&all, result, sizeof all);
  its.first_pe = all.pe;
  its.other_pe = all.mismatched_pe;
  if (its.is_mismatched() || is_longer_than_short(its)) {
    its.now = step::waits_for_long;
    return;
  }
  std::memcpy(its.bytes.data(), result + sizeof all, its.bytes.size());
  its.now = step::complete;
}

void background_calls::carry(started& its) {
  *how_long_ = {.call = its.call, .is_mismatched = its.is_mismatched()};
  its.now = step::carried;
  if (long_ == nullptr) {
    const auto fold_long = [now = how_long_](std::byte* into, const std::byte* from, std::size_t bytes) {
      static constexpr background_call of_descriptions{};
      fold(now->is_mismatched ? of_descriptions : now->call, into, from, bytes);
    };
    long_ = std::make_unique<wave>(plane_, exchange_.members(), wave_name{wave_kind::background, number_of_long},
                                   wave_options{.bytes = round_bytes_max, .combine = fold_long, .is_ordered = true});
  }
  std::byte mine[round_bytes_max] = {};
  if (its.is_mismatched()) {
    const std::string text = describe_call(its.call, its.where).substr(0, description_bytes - 1);
    const auto me = static_cast<std::int32_t>(exchange_.my_pe());
    if (me == its.first_pe || me == its.other_pe) {
      std::memcpy(mine + (me == its.first_pe ? 0 : description_bytes), text.data(), text.size());
    }
  } else {
    std::memcpy(mine, its.bytes.data() + its.n_carried, std::min(its.bytes.size() - its.n_carried, sizeof mine));
  }
  long_->contribute(mine);
}

void background_calls::note_carried(started& its, const std::byte* result) {
  if (its.is_mismatched()) report_mismatch(its, result);
  const std::size_t n = std::min(its.bytes.size() - its.n_carried, round_bytes_max);
  std::memcpy(its.bytes.data() + its.n_carried, result, n);
  its.n_carried += n;
  its.now = its.n_carried == its.bytes.size() ? step::complete : step::waits_for_long;
}

void background_calls::report_mismatch(const started& its, const std::byte* descriptions) const {
  const auto* const texts = reinterpret_cast<const char*>(descriptions);
  const std::string one = texts;
  const std::string other = texts + description_bytes;
  end_job(status_usage, "collective calls in the background do not match: number " + std::to_string(its.number + 1) +
                            " is " + other + " on PE " + std::to_string(its.other_pe) + " and " + one + " on PE " +
                            std::to_string(its.first_pe) + (one == other ? ", with other types or another root" : "") +
                            "; all PEs must start the same ones in the same order" +
                            (exchange_.is_team() ? " (numbers of PEs are those in " + exchange_.name() + ")" : ""));
}

// --- Results

// What waits in a superstep keeps that open on this PE, and runs in a message there. What waits outside of all runs where
// the main program is: at once outside finish, and inside while that can still take a message.
bool background_calls::may_give(const started& its, bool may_run) {
  answers& all = home_.answers();
  if (its.to->waiting == nullptr || all.is_any_ready()) return true;
  superstep_part* const whose = its.to->waiting->whose;
  supersteps& steps = whose == nullptr ? home_.teams().of_main() : whose->steps();
  if (steps.n_open() == 0) return may_run;
  return try_wake(home_.teams());
}

bool background_calls::give_one(bool may_run) {
  const auto next = std::ranges::find_if(
      calls_, [&](const started& each) { return each.now == step::complete && may_give(each, may_run); });
  if (next == calls_.end()) return false;
  std::list<started> its;
  its.splice(its.begin(), calls_, next);  // what runs now may start others
  const started& given = its.front();
  given.call.give(*given.to, given.bytes.data(), given.n_values());
  if (may_run && home_.teams().of_main().n_open() == 0) home_.answers().run_ready();
  return true;
}

// --- Reports

std::string background_calls::describe() const {
  constexpr int n_told = 3;
  std::string text;
  std::size_t n = 0;
  for (const started& each : calls_) {
    if (n++ >= n_told) continue;
    text += "; " + describe_call(each.call, each.where) + exchange_.of_name();
    switch (each.now) {
      case step::waits_for_lane: text += ", after those before it"; break;
      case step::compared: text += describe_lacking(*lanes_[each.number % n_lanes].its); break;
      case step::waits_for_long:
      case step::carried: text += ", under way"; break;
      case step::complete: text += ", complete; what waits for it has not run"; break;
    }
  }
  if (n > n_told) text += "; " + std::to_string(n - n_told) + " more calls in the background";
  return text;
}

// A subtree is an interval of numbers, and its root is the first of them.
std::string background_calls::describe_lacking(const wave& its) const {
  std::string text;
  bool are_several = false;
  for (pe_id child : its.lacking()) {
    if (exchange_.is_team()) child = std::ranges::find(exchange_.team().pes, child) - exchange_.team().pes.begin();
    const pe_id size = pe_id{1} << (std::countr_zero(static_cast<std::uint64_t>(child)) & ~1);
    const pe_id last = std::min(child + size, exchange_.n_pes()) - 1;
    are_several = are_several || !text.empty() || last != child;
    if (!text.empty()) text += ", ";
    text += last == child ? "PE " : "some of PEs ";
    text += std::to_string(child);
    if (last != child) text += " to " + std::to_string(last);
  }
  if (text.empty()) text = "some other PE";
  return ", which " + text + (are_several ? " have" : " has") + " not started";
}

}  // namespace shoal::internal
