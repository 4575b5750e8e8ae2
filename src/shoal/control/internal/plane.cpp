#include "shoal/control/internal/plane.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "shoal/base/internal/ambient.hpp"
#include "shoal/base/internal/contract.hpp"

namespace shoal::internal {
namespace {

wave_header header_of(const control_message& message) noexcept {
  wave_header header;
  std::memcpy(&header, message.data, sizeof header);
  return header;
}

std::span<const std::byte> piece_of(const control_message& message) noexcept {
  return {message.data + sizeof(wave_header), message.bytes - sizeof(wave_header)};
}

wave_key key_of(const wave_header& header) noexcept { return {header.group, header.name}; }

}  // namespace

control_plane::~control_plane() {
  if (!waves_.empty()) misused(waves_.begin()->first, "it outlives the control plane; destroy it before");
}

bool control_plane::progress() {
  if (is_in_progress_) end_job(status_usage, "control_plane::progress is called from a wave's on_call");
  is_in_progress_ = true;
  bool has_moved = false;
  for (control_message arrived; transport_.poll_control(arrived); has_moved = true) take_in(arrived);

  // After a refusal the other waves still try: it may concern only that target.
  in_turn_.swap(with_work_);
  for (wave_protocol* next : in_turn_) {
    if (next->run_on_call()) has_moved = true;
    if (const std::size_t n_sent = next->send_owed(transport_); n_sent != 0) {
      has_moved = true;
      if (is_of_program(next->key())) n_sent_ += n_sent;
    }
    next->is_queued = false;
    wake(*next);
  }
  in_turn_.clear();
  std::erase_if(ended_, [](const std::unique_ptr<wave_protocol>& ended) { return !ended->owes(); });
  is_in_progress_ = false;
  return has_moved;
}

void control_plane::take_in(const control_message& arrived) {
  SHOAL_ASSERT(arrived.bytes >= sizeof(wave_header));
  const wave_header header = header_of(arrived);
  if (is_of_program(key_of(header))) ++n_received_;
  if (header.opening != opening_) {
    // Closing a job is a collective call of all PEs, so no PE is two openings ahead.
    const bool is_next = header.opening == static_cast<std::uint16_t>(opening_ + 1);
    SHOAL_ASSERT(is_next || header.kind == wave_message::request);
    if (is_next) early_.push_back(arrived);
    return;
  }
  const auto found = waves_.find(key_of(header));
  if (found != waves_.end() && !found->second->is_for_successor(header)) {
    found->second->take_in(header, arrived.source, piece_of(arrived));
    wake(*found->second);
    return;
  }
  // Every message beyond the first generation needs this PE's contribution. But a request may be late, and its wave destroyed.
  SHOAL_ASSERT(header.kind != wave_message::result);
  SHOAL_ASSERT(header.is_first || header.kind == wave_message::request);
  if (header.is_first) early_.push_back(arrived);
}

bool control_plane::is_busy() const noexcept {
  const auto is_expected = [](const auto& entry) { return entry.second->is_expected(); };
  return !with_work_.empty() || std::any_of(waves_.begin(), waves_.end(), is_expected);
}

control_plane::traffic control_plane::traffic_of_program() const noexcept {
  const auto owes = [](const wave_protocol* its) { return is_of_program(its->key()) && its->owes(); };
  return {n_sent_, n_received_, std::any_of(with_work_.begin(), with_work_.end(), owes)};
}

void control_plane::reopen() noexcept {
  if (!waves_.empty()) misused(waves_.begin()->first, "it exists while the job is opened again; destroy it before");
  ++opening_;
  std::erase_if(early_, [this](const control_message& message) { return header_of(message).opening != opening_; });
}

wave_protocol& control_plane::attach(std::shared_ptr<const group> among, wave_name name, wave_options options) {
  const wave_key key = key_of(*among, name);
  if (is_in_progress_) misused(key, "it is made in a wave's on_call");
  if (waves_.contains(key)) misused(key, "this PE makes it twice");
  if (is_full()) {
    misused(
        key,
        std::to_string(n_waves_max) +
            " waves exist on this PE already, and no more are possible; each mailbox that closes by itself takes one, "
            "each team two, and the background calls of a world up to five");
  }
  auto made = std::make_unique<wave_protocol>(std::move(among), key, std::move(options), opening_);
  wave_protocol& fresh = *waves_.emplace(key, std::move(made)).first->second;
  std::erase_if(early_, [&](const control_message& message) {
    const wave_header header = header_of(message);
    if (header.opening != opening_ || key_of(header) != key) return false;
    fresh.take_in(header, message.source, piece_of(message));
    return true;
  });
  wake(fresh);
  return fresh;
}

void control_plane::detach(wave_protocol& ended) {
  if (is_in_progress_) misused(ended.key(), "it is destroyed in a wave's on_call");
  if (!is_closed_) ended.end();
  auto node = waves_.extract(ended.key());
  if (ended.owes() && !is_closed_) {
    ended_.push_back(std::move(node.mapped()));
  } else {
    std::erase(with_work_, &ended);
  }
}

void control_plane::wake(wave_protocol& changed) {
  if (changed.is_queued || !changed.has_work()) return;
  changed.is_queued = true;
  with_work_.push_back(&changed);
}

}  // namespace shoal::internal
