#include "shoal/conveyor/elastic_conveyor.hpp"

#include <algorithm>
#include <cstring>
#include <string>

#include "shoal/base/internal/ambient.hpp"
#include "shoal/conveyor/internal/exchange.hpp"
#include "shoal/conveyor/internal/relay.hpp"

namespace shoal {

using namespace internal;

elastic_conveyor::elastic_conveyor(exchange& through, const elastic_options& options)
    : conveyor_base(through, {.align = options.align},
                    {.steady = options.steady, .n_hops = options.n_hops, .max_latency_us = options.max_latency_us}),
      align_(options.align),
      whole_bytes_max_(whole_record_bytes_max(through.payload_bytes(), options.align)) {
  const bool is_power = align_ != 0 && (align_ & (align_ - 1)) == 0 && align_ <= cache_line_bytes;
  if (!is_power || whole_bytes_max_ <= sizeof(std::uint64_t)) {
    end_job(status_usage, "elastic conveyor: items aligned to " + std::to_string(align_) + " in buffers of " +
                              std::to_string(through.payload_bytes()) +
                              " bytes; the alignment is a power of two up to 64, and buffers want at least 128 "
                              "bytes (SHOAL_SLOT_BYTES)");
  }
}

bool elastic_conveyor::push(std::span<const std::byte> bytes, pe_id target) {
  check_push(target);
  // A second monster would need a second copy, and an item must not overtake a monster to the same target.
  const bool is_monster = bytes.size() > whole_bytes_max_;
  if (leaving_ != nullptr && (is_monster || leaving_->target == target)) return false;
  if (!is_monster) return send_record(record_kind::item, {}, bytes, target);
  leaving_ = std::make_unique<outgoing>(outgoing{.whole = monster_block(bytes.size()), .target = target});
  note_memory();
  std::memcpy(leaving_->whole.data(), bytes.data(), bytes.size());
  send_rest();
  return true;
}

// Sends one record that holds `head` and then `body`; false if there is no room now.
bool elastic_conveyor::send_record(record_kind kind, std::span<const std::byte> head, std::span<const std::byte> body,
                                   pe_id target) {
  const stream::way to = stream_.way_to(target);
  const run_header header{static_cast<std::uint32_t>(kind), static_cast<std::uint32_t>(head.size() + body.size())};
  std::byte* const place = stream_.make_record(to, header, align_, when_full::give_up);
  if (place == nullptr) return false;
  if (!head.empty()) std::memcpy(place, head.data(), head.size());
  if (!body.empty()) std::memcpy(place + head.size(), body.data(), body.size());
  to.write_tag();
  return true;
}

bool elastic_conveyor::send_rest() {
  while (leaving_ != nullptr) {
    outgoing& o = *leaving_;
    const std::uint64_t total = o.whole.size();
    const auto head = o.has_begun ? std::span<const std::byte>{} : std::as_bytes(std::span(&total, 1));
    const std::size_t n = std::min(whole_bytes_max_ - head.size(), o.whole.size() - o.n_sent);
    const record_kind kind = o.has_begun ? record_kind::fragment : record_kind::first_fragment;
    if (!send_record(kind, head, {o.whole.data() + o.n_sent, n}, o.target)) return false;
    o.has_begun = true;
    o.n_sent += n;
    if (o.n_sent < o.whole.size()) continue;
    leaving_.reset();
  }
  return true;
}

const elastic_conveyor::item* elastic_conveyor::pull() {
  if (is_unpulled_) {
    is_unpulled_ = false;
    may_unpull_ = true;
    return &last_;
  }
  while (open_front()) {
    if (next_ == front_->payload()) {
      records_ = record_reader(next_, end_);
      n_read_ = 0;
    }
    record r;
    if (!records_.read(r)) damaged(*front_);
    const pe_id from = origins_(stream_.tag_of(*front_, n_read_++));
    next_ = records_.at();
    if (take(r, from)) {
      may_unpull_ = true;
      return &last_;
    }
  }
  return nullptr;
}

// Returns whether a record completes an item, which becomes the last item.
bool elastic_conveyor::take(const record& r, pe_id from) {
  if (r.kind == record_kind::item) {
    last_ = {r.bytes, from};
    return true;
  }
  switch (arriving_.take(r, from, last_memory_)) {
    case monster_assembly::outcome::incomplete: note_memory(); return false;
    case monster_assembly::outcome::complete: break;
    case monster_assembly::outcome::contradiction: damaged(*front_);
    case monster_assembly::outcome::no_memory:
      end_job(status_failure, "elastic conveyor: no memory for an item of " + std::to_string(arriving_.bytes_wanted()) +
                                  " bytes from PE " + std::to_string(from));
  }
  last_ = {last_memory_.bytes(), from};
  ++n_monsters_pulled_;
  return true;
}

void elastic_conveyor::keep_last_item() {
  const bool lies_in_front = !last_.bytes.empty() && last_.bytes.data() >= front_->payload() &&
                             last_.bytes.data() < front_->payload() + front_->header.bytes;
  if (lies_in_front) {
    if (last_memory_.size() < last_.bytes.size()) last_memory_ = monster_block(whole_bytes_max_);
    std::memcpy(last_memory_.data(), last_.bytes.data(), last_.bytes.size());
    last_.bytes = {last_memory_.data(), last_.bytes.size()};
  }
  drop_front();
  next_ = end_ = nullptr;
}

bool elastic_conveyor::unpull() {
  require(state() != conveyor_state::dormant, "unpull");
  if (!may_unpull_ || state() == conveyor_state::complete) return false;
  may_unpull_ = false;
  is_unpulled_ = true;
  count_unpull();
  return true;
}

}  // namespace shoal
