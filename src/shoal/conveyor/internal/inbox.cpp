#include "shoal/conveyor/internal/inbox.hpp"

#include <algorithm>
#include <utility>

#include "shoal/base/internal/ambient.hpp"
#include "shoal/base/internal/contract.hpp"
#include "shoal/base/internal/signal_text.hpp"
#include "shoal/base/internal/source_place.hpp"
#include "shoal/conveyor/internal/team_members.hpp"

namespace shoal::internal {
namespace {

// `sum_of_ended`: of the numbers of the others.
std::string describe_missing_ends(std::size_t n_missing, std::size_t n_senders, std::size_t sum_of_ended,
                                  std::size_t n_pes) {
  if (n_missing == 1 && n_senders == n_pes) {  // any PE may send here
    return "PE " + std::to_string(n_pes * (n_pes - 1) / 2 - sum_of_ended) + " is not done";
  }
  return std::to_string(n_missing) + " of " + std::to_string(n_senders) + " senders are not done";
}

}  // namespace

void tell_message(signal_text& into, const char* type) noexcept { into << "message " << type; }

void sink::tell(signal_text& into, const buffer& b, const void* /*address*/) const noexcept {
  into << "messages from PE " << std::int64_t{b.header.source};
}

void inbox::join(std::uint64_t serial, std::size_t n_senders, std::uint32_t tag_bytes) noexcept {
  SHOAL_ASSERT(is_empty() && !is_in_session_);
  team_ = team_of_hop(serial);
  n_senders_ = n_senders;
  tag_bytes_ = tag_bytes;
}

void inbox::leave() noexcept {
  unpark();
  while (!pending_.empty()) slots_.give_back(pending_.pop());
  while (!early_.empty()) slots_.give_back(early_.pop());
  if (is_ready_) std::erase(ready_, this);
  is_ready_ = false;
  reading_ = {};
  n_handled_ = n_received_ = handling_ns_ = 0;
}

void inbox::deliver(buffer& b) noexcept {
  const auto n_ahead = static_cast<std::int32_t>(b.header.session - session_);
  if (n_ahead > 0) {
    early_.push(b);
    return;
  }
  if (n_ahead < 0 || !is_in_session_) {
    end_job(status_usage, describe() + ": a message from PE " + std::to_string(b.header.source) +
                              " came after its superstep had ended; a handler of an outer finish's mailbox "
                              "must not send to a mailbox of an inner one");
  }
  if ((b.header.flags & buffer_header::last) != 0) {
    ++n_last_arrived_;
    sum_of_ended_ += static_cast<std::size_t>(b.header.source);
  }
  SHOAL_ASSERT(n_last_arrived_ <= n_senders_);
  if ((b.header.flags & buffer_header::encoded) != 0) {
    if (own_codec_ != nullptr) {
      codec_.decode_by(*own_codec_, b);
    } else {
      codec_.decode(b, item_bytes_);
    }
  }
  // Nobody need pull it, and its sender may need the slot to tell other PEs of the end.
  if (consumer_ == nullptr && b.header.n_items == 0) return finish(b);
  pending_.push(b);
  if (consumer_ != nullptr) mark_ready();
}

bool inbox::park() noexcept {
  bool has_moved = false;
  for (; !pending_.empty(); parked_.push(pending_.pop())) {
    buffer& front = *pending_.front();
    if (slots_.is_copy(front)) continue;
    buffer* const copy = slots_.copy_of(front);
    if (copy == nullptr) break;
    slots_.give_back(pending_.pop());
    pending_.push_front(*copy);
    has_moved = true;
  }
  return has_moved;
}

void inbox::take_early() {
  buffer_queue early = std::exchange(early_, {});
  while (!early.empty()) deliver(early.pop());
}

void inbox::mark_ready() {
  if (std::exchange(is_ready_, true)) return;
  ready_.push_back(this);
}

void inbox::drop_front(std::uint64_t n_items) noexcept {
  n_handled_ += n_items;
  finish_front();
}

void inbox::finish_front() noexcept {
  reading_ = {};
  finish(pending_.pop());
}

void inbox::finish(buffer& b) noexcept {
  ++n_received_;
  slots_.give_back(b);
}

std::string inbox::describe_backlog(pe_id n_pes) const {
  std::string text;
  const std::size_t n_unread = pending_.size() + parked_.size();
  if (n_unread != 0) text += ", " + std::to_string(n_unread) + " buffers unread";
  if (!parked_.empty()) {
    text += ", " + std::to_string(parked_.size()) + " of them copied until handlers may run";
    if (!pending_.empty()) text += " (SHOAL_MEMORY has no room for more)";
  }
  if (!early_.empty()) text += ", " + std::to_string(early_.size()) + " buffers of the next superstep";
  if (!is_enabled_) text += ", disabled (" + source_place(disabled_at_) + ")";
  if (is_in_conveyor_session() && !has_last_arrived()) {
    text += ", " + describe_missing_ends(n_senders_ - n_last_arrived_, n_senders_, sum_of_ended_,
                                         static_cast<std::size_t>(n_pes));
  }
  return text;
}

}  // namespace shoal::internal
