// The life of a port and its receiving side. port_sending.cpp fills buffers, port_posting.cpp sends them.
#include "shoal/conveyor/port.hpp"

#include <algorithm>
#include <utility>

#include "shoal/base/ambient.hpp"
#include "shoal/base/contract.hpp"
#include "shoal/conveyor/exchange.hpp"

namespace shoal {
port::port(exchange& through, const port_options& options)
    : exchange_(through),
      hop_number_(options.hop_number),
      latency_ns_(through.options_.latency_ns),
      only_kind_(options.kind),
      serial_(through.enlist(*this)),
      consumer_(options.consumer),
      may_overrun_(options.may_overrun) {
  lay_links(options.hop);
  claim_early_arrivals();
}

port::~port() { leave(); }

void port::take_route(const hop_links* hop, std::uint8_t hop_number) {
  SHOAL_ASSERT(is_empty() && !is_in_session_);
  leave();
  hop_number_ = hop_number;
  n_slots_ = 0;
  n_open_ = 0;
  is_ready_ = false;
  spills_into_.clear();
  counts_ = {};
  serial_ = exchange_.enlist(*this);
  lay_links(hop);
  claim_early_arrivals();
}

void port::lay_links(const hop_links* hop) {
  neighbours_ = hop == nullptr ? std::span<const pe_id>{} : hop->neighbours;
  n_senders_ = hop == nullptr ? static_cast<std::size_t>(exchange_.n_pes()) : hop->n_senders;
  tag_bytes_ = hop == nullptr ? 0 : hop->tag_bytes;
  const std::size_t n_links = hop == nullptr ? n_senders_ : neighbours_.size();
  own_link_ = hop == nullptr
                  ? static_cast<std::size_t>(exchange_.my_pe())
                  : static_cast<std::size_t>(std::ranges::find(neighbours_, exchange_.my_pe()) - neighbours_.begin());
  links_ = std::make_unique<link_end[]>(n_links);
  states_ = std::vector<link_state>(n_links);
  for (link_state& state : states_) state.next_span = static_cast<std::uint32_t>(exchange_.payload_bytes() / 16);
  if (exchange_.has_codec()) {
    choices_.assign(n_links, codec_choice({.ns_per_byte = exchange_.options_.ns_per_byte}));
  }
  if (has_runs()) return;
  for (std::size_t link = 0; link < n_links; ++link) links_[link].kind = &only_kind_;
}

void port::claim_early_arrivals() {
  std::vector<buffer*>& unclaimed = exchange_.unclaimed_;
  const auto is_mine = [&](buffer* b) { return b->header.mailbox == serial_; };
  for (buffer* b : unclaimed) {
    if (is_mine(b)) deliver(*b);
  }
  std::erase_if(unclaimed, is_mine);
}

// Gives everything back, and is no port of the exchange any more.
void port::leave() noexcept {
  for (std::size_t i = 0; i < states_.size(); ++i) {
    while (!states_[i].spilled.empty()) exchange_.recycle_spill_block(states_[i].spilled.pop());
    if (states_[i].open == nullptr) continue;
    if (states_[i].is_spill) {
      exchange_.recycle_spill_block(*states_[i].open);
    } else {
      exchange_.give_back(*states_[i].open);
    }
  }
  while (!pending_.empty()) exchange_.give_back(pending_.pop());
  while (!early_.empty()) exchange_.give_back(early_.pop());
  exchange_.delist(*this);
}

// --- Receiving

void port::deliver(buffer& b) noexcept {
  if (b.header.session > session_) {
    early_.push(b);
    return;
  }
  if (b.header.session < session_ || !is_in_session_) {
    end_job(status_usage, describe() + ": a message from PE " + std::to_string(b.header.source) +
                              " came after its superstep had ended; a handler of an outer finish's mailbox "
                              "must not send to a mailbox of an inner one");
  }
  n_last_arrived_ += (b.header.flags & buffer_header::last) != 0;
  if ((b.header.flags & buffer_header::encoded) != 0) exchange_.decode(b, only_kind_.bytes);
  pending_.push(b);
  if (consumer_ != nullptr) exchange_.mark_ready(*this);
}

bool port::consume_pending() {
  bool has_moved = false;
  while (!pending_.empty()) {
    std::uint64_t n_items = 0;
    const bool is_used_up = consumer_->consume(*pending_.front(), reading_, n_items);
    counts_.n_handled += n_items;
    has_moved = true;
    if (is_used_up) finish_front();
    if (exchange_.delivery_end == nullptr) break;  // a handler overran its credits
    exchange_.post_overdue();
  }
  return has_moved;
}

void port::drop_front(std::uint64_t n_items) noexcept {
  counts_.n_handled += n_items;
  finish_front();
}

void port::finish_front() noexcept {
  buffer& b = pending_.pop();
  reading_ = {};
  ++counts_.n_received;
  exchange_.give_back(b);
}

std::string port::describe_backlog() const {
  std::string text = describe();
  text += ": sent " + std::to_string(counts_.n_sent) + ", handled " + std::to_string(counts_.n_handled);
  if (!pending_.empty()) text += ", " + std::to_string(pending_.size()) + " buffers unread";
  if (!early_.empty()) text += ", " + std::to_string(early_.size()) + " buffers of the next superstep";
  if (n_spilled_ != 0) text += ", " + std::to_string(n_spilled_) + " buffers beyond the credits";
  return text;
}

void port::begin_session() {
  SHOAL_ASSERT(pending_.empty() && n_spilled_ == 0);
  ++session_;
  is_in_session_ = true;
  n_last_arrived_ = 0;
  is_presumed_on_cycle_ = false;
  for (link_state& state : states_) state.has_sent_last = false;
  buffer_queue early = std::exchange(early_, {});
  while (!early.empty()) deliver(early.pop());
}

}  // namespace shoal
