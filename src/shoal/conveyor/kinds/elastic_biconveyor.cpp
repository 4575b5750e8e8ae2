#include "shoal/conveyor/kinds/elastic_biconveyor.hpp"

#include <cstring>

#include "shoal/base/internal/ambient.hpp"
#include "shoal/conveyor/internal/exchange.hpp"

namespace shoal {

using namespace internal;

namespace {

// A packet: the place of the reply in the asking PE's ring, then the query or reply.
void pack(std::vector<std::byte>& packet, std::uint32_t place, std::span<const std::byte> bytes) {
  packet.resize(sizeof place + bytes.size());
  std::memcpy(packet.data(), &place, sizeof place);
  if (!bytes.empty()) std::memcpy(packet.data() + sizeof place, bytes.data(), bytes.size());
}

std::uint32_t place_of(std::span<const std::byte> packet) {
  std::uint32_t place = 0;
  if (packet.size() < sizeof place) end_job(status_failure, "elastic biconveyor: a packet without its place");
  std::memcpy(&place, packet.data(), sizeof place);
  return place;
}

}  // namespace

elastic_biconveyor::elastic_biconveyor(exchange& through, const biconveyor_options& options)
    : biconveyor_base(through, options),
      queries_(through, {.steady = true}),
      replies_(through, {.steady = true}),
      ring_(std::size_t{window_} + 1) {
  attach(queries_, replies_);
}

void elastic_biconveyor::begin(answer_function answer) {
  answer_ = std::move(answer);
  begin_session([this] { answer_arrived(); });
}

bool elastic_biconveyor::push(std::span<const std::byte> query, pe_id target) {
  if (static_cast<std::uint64_t>(target) >= n_pushable_) refuse_push(target);
  if (n_in_flight_ == window_) {
    ++counts_.n_window_full;
    return false;
  }
  pack(packet_, pushed_, query);
  if (!queries_.push(packet_, target)) return false;
  pushed_ = after(pushed_);
  ++n_in_flight_;
  ++counts_.n_pushed;
  return true;
}

const std::vector<std::byte>* elastic_biconveyor::pull() {
  if (!is_present(pulled_)) {
    require(state() != conveyor_state::dormant, "pull");
    return nullptr;
  }
  const std::vector<std::byte>* reply = &ring_[pulled_];
  set_absent(pulled_);
  pulled_ = after(pulled_);
  --n_in_flight_;
  ++counts_.n_pulled;
  return reply;
}

// As biconveyor::answer_arrived: an answer without room is kept, and queries wait until it has gone.
void elastic_biconveyor::answer_arrived() {
  if (has_kept_) {
    if (!replies_.push(kept_, kept_target_)) return;
    has_kept_ = false;
  }
  while (const elastic_conveyor::item* asked = queries_.pull()) {
    const std::uint32_t place = place_of(asked->bytes);
    reply_.clear();
    const pe_id from = asked->from;
    answer_(asked->bytes.subspan(sizeof place), from, reply_);
    ++counts_.n_answered;
    pack(kept_, place, reply_);
    if (replies_.push(kept_, from)) continue;
    kept_target_ = from;
    has_kept_ = true;
    ++counts_.n_kept;
    return;
  }
}

void elastic_biconveyor::take_replies() {
  while (const elastic_conveyor::item* told = replies_.pull()) {
    const std::uint32_t place = place_of(told->bytes);
    if (place > window_) end_job(status_failure, "elastic biconveyor: a reply for a place that does not exist");
    const auto bytes = told->bytes.subspan(sizeof place);
    ring_[place].assign(bytes.begin(), bytes.end());
    set_present(place);
  }
}

}  // namespace shoal
