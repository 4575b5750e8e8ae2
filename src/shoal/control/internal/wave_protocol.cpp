#include "shoal/control/internal/wave_protocol.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "shoal/base/internal/ambient.hpp"
#include "shoal/base/internal/contract.hpp"

namespace shoal::internal {
namespace {

constexpr int number_bits = 24;
constexpr std::uint32_t n_numbers = 1U << number_bits;

void copy(std::byte* into, std::span<const std::byte> from) noexcept {
  if (!from.empty()) std::memcpy(into, from.data(), from.size());
}

}  // namespace

wave_key key_of(const group& among, wave_name name) {
  const wave_key key{among.id(), static_cast<std::uint32_t>(name.kind) << number_bits | name.number % n_numbers};
  if (name.number >= n_numbers) misused(key, "its number is not less than " + std::to_string(n_numbers));
  return key;
}

wave_kind kind_of_wave(const wave_key& key) noexcept { return static_cast<wave_kind>(key.name >> number_bits); }

void misused(const wave_key& key, std::string_view how) {
  const wave_name name{kind_of_wave(key), key.name % n_numbers};
  end_job(status_usage, "wave " + to_string(name) + " of group " + std::to_string(key.group) + ": " + std::string(how));
}

wave_protocol::wave_protocol(std::shared_ptr<const group> among, wave_key key, wave_options options,
                             std::uint16_t opening)
    : among_(std::move(among)),
      place_(options.is_ordered ? among_->by_rank() : among_->by_node()),
      key_(key),
      options_(std::move(options)),
      arrived_(place_.children.size()),
      opening_(opening) {
  if (options_.bytes > round_bytes_max) {
    misuse("contributions of " + std::to_string(options_.bytes) + " bytes are too large; at most " +
           std::to_string(round_bytes_max) + " are possible");
  }
  if (options_.bytes > 0 && !options_.combine) misuse("contributions have bytes, but nothing combines them");
  const std::size_t n_kept = keeps_contributions() ? n_children() : 0;
  storage_ = std::make_unique<std::byte[]>((2 + n_kept) * stride());
}

// --- The program

void wave_protocol::contribute(std::span<const std::byte> mine) {
  if (is_under_way()) misuse("this PE contributes twice to a generation; take the result first");
  if (is_complete()) misuse("this PE contributes before it has taken the last result");
  if (is_called_wave() && (!is_called_ || must_tell_)) misuse("this PE contributes before it is called");
  if (mine.size() != options_.bytes) {
    misuse("this PE contributes " + std::to_string(mine.size()) + " bytes instead of " +
           std::to_string(options_.bytes));
  }
  if (keeps_contributions() || !has_accumulated()) {
    copy(accumulator(), mine);
  } else if (!mine.empty()) {
    options_.combine(accumulator(), mine.data(), mine.size());
  }
  phase_ = phase::contributed;
  wants_ = false;
  try_pass_on();
}

std::span<const std::byte> wave_protocol::take() {
  if (!is_complete()) misuse("there is no result to take yet");
  phase_ = phase::open;
  return {result(), options_.bytes};
}

std::vector<pe_id> wave_protocol::lacking() const {
  std::vector<pe_id> children;
  if (phase_ != phase::contributed) return children;
  for (std::size_t child = 0; child < n_children(); ++child) {
    if (arrived_[child] != all_pieces()) children.push_back(place_.children[child]);
  }
  return children;
}

void wave_protocol::call() {
  if (!is_called_wave()) misuse("it cannot be called, since it has no on_call");
  wants_ = true;
  if (!is_under_way()) want();  // otherwise after the result: this PE contributed before it called
}

void wave_protocol::end() {
  if (is_under_way()) misuse("this PE destroys it while its contribution is under way; wait for the result");
  if (is_called_) misuse("this PE destroys it while it is called; contribute, and wait for the result");
  if (std::any_of(arrived_.begin(), arrived_.end(), [](std::uint8_t pieces) { return pieces != 0; })) {
    misuse("this PE destroys it while other members contribute to it");
  }
  owes_request_ = false;
}

// --- Messages

void wave_protocol::take_in(const wave_header& header, pe_id source, std::span<const std::byte> piece) {
  const bool has_data = header.kind == wave_message::contribution || header.kind == wave_message::result;
  if (has_data && header.bytes != options_.bytes) {
    misuse("PE " + std::to_string(source) + " contributes " + std::to_string(header.bytes) + " bytes, this PE " +
           std::to_string(options_.bytes));
  }
  SHOAL_ASSERT(header.kind != wave_message::request || child_of(source) < n_children());
  SHOAL_ASSERT(header.kind == wave_message::request || header.kind == wave_message::contribution ||
               source == place_.parent);
  SHOAL_ASSERT(!has_data ||
               (header.piece < n_pieces() &&
                piece.size() == std::min(piece_bytes_max, options_.bytes - header.piece * piece_bytes_max)));
  switch (header.kind) {
    case wave_message::contribution: return take_contribution(header, source, piece);
    case wave_message::result: return take_result(header, piece);
    case wave_message::request: return take_request(header.generation);
    case wave_message::call: return take_call(header.generation);
  }
}

std::size_t wave_protocol::child_of(pe_id pe) const noexcept {
  const auto found = std::find(place_.children.begin(), place_.children.end(), pe);
  return static_cast<std::size_t>(found - place_.children.begin());
}

void wave_protocol::take_contribution(const wave_header& header, pe_id source, std::span<const std::byte> piece) {
  const std::size_t child = child_of(source);
  if (child == n_children()) {
    misuse("PE " + std::to_string(source) + " contributes to this PE, but the order of members or is_ordered differ");
  }
  // The child has the last result, which this PE forwarded. Before that, that generation's accumulator had gone up.
  SHOAL_ASSERT(header.generation == generation_);
  SHOAL_ASSERT(phase_ != phase::passed_on && n_up_owed_ == 0);
  SHOAL_ASSERT(is_called_ == is_called_wave());
  const auto bit = static_cast<std::uint8_t>(1U << header.piece);
  SHOAL_ASSERT((arrived_[child] & bit) == 0);  // an edge carries each piece once

  if (keeps_contributions()) {
    copy(kept(child) + header.piece * piece_bytes_max, piece);
  } else if (!has_accumulated()) {
    copy(accumulator(), piece);
  } else if (!piece.empty()) {
    options_.combine(accumulator(), piece.data(), piece.size());
  }
  arrived_[child] = static_cast<std::uint8_t>(arrived_[child] | bit);
  if (arrived_[child] == all_pieces()) {
    ++n_arrived_;
    try_pass_on();
  }
}

void wave_protocol::take_result(const wave_header& header, std::span<const std::byte> piece) {
  SHOAL_ASSERT(header.generation == generation_);
  SHOAL_ASSERT(phase_ == phase::passed_on && n_up_owed_ == 0);  // it includes this PE's contribution
  SHOAL_ASSERT((result_pieces_ & (1U << header.piece)) == 0);
  copy(result() + header.piece * piece_bytes_max, piece);
  result_pieces_ = static_cast<std::uint8_t>(result_pieces_ | 1U << header.piece);
  if (result_pieces_ == all_pieces()) complete();
}

void wave_protocol::take_request(std::uint32_t generation) {
  SHOAL_ASSERT(static_cast<std::int32_t>(generation_ - generation) >= 0);
  SHOAL_ASSERT(is_called_wave());
  if (generation == generation_) want();  // otherwise it was answered while it was under way
}

void wave_protocol::take_call(std::uint32_t generation) {
  SHOAL_ASSERT(is_called_wave());
  if (generation == generation_) {
    SHOAL_ASSERT(!is_called_);
    be_called();
  } else {
    // The parent has the result of this generation and still owes it to this PE.
    SHOAL_ASSERT(generation == generation_ + 1 && phase_ == phase::passed_on && !is_called_next_);
    is_called_next_ = true;
  }
}

// --- State transitions

// Forwards the fold once it includes this PE and all its children.
void wave_protocol::try_pass_on() {
  if (phase_ != phase::contributed || n_arrived_ < n_children()) return;
  if (keeps_contributions() && options_.bytes > 0) {
    for (std::size_t child = 0; child < n_children(); ++child) {
      options_.combine(accumulator(), kept(child), options_.bytes);
    }
  }
  std::fill(arrived_.begin(), arrived_.end(), std::uint8_t{0});
  n_arrived_ = 0;
  phase_ = phase::passed_on;
  if (place_.parent >= 0) {
    n_up_owed_ = static_cast<std::uint8_t>(n_pieces());
  } else {
    copy(result(), {accumulator(), options_.bytes});
    complete();
  }
}

// The result has arrived. Every child has contributed, so it has been called and has the last result.
void wave_protocol::complete() {
  SHOAL_ASSERT(n_calls_owed_ == 0);
  SHOAL_ASSERT(n_results_owed_ == 0);
  ++generation_;
  is_first_ = false;
  phase_ = phase::complete;
  result_pieces_ = 0;
  n_results_owed_ = static_cast<std::uint16_t>(n_children() * n_pieces());
  is_called_ = false;
  has_requested_ = false;
  owes_request_ = false;
  if (std::exchange(is_called_next_, false)) {
    be_called();
  } else if (wants_) {
    want();
  }
}

// The program or a child asks for a call of this generation.
void wave_protocol::want() {
  if (is_called_ || has_requested_) return;
  if (place_.parent < 0) return be_called();
  has_requested_ = true;
  owes_request_ = true;
}

void wave_protocol::be_called() {
  is_called_ = true;
  must_tell_ = true;
  owes_request_ = false;
  n_calls_owed_ = static_cast<std::uint8_t>(n_children());
}

bool wave_protocol::run_on_call() {
  if (!must_tell_ || !is_open()) return false;
  must_tell_ = false;
  options_.on_call();
  return true;
}

// --- Sending

std::size_t wave_protocol::send_owed(control_transport& transport) {
  std::size_t n_sent = 0;
  while (owes() && send_next(transport)) ++n_sent;
  return n_sent;
}

bool wave_protocol::send_next(control_transport& transport) {
  if (n_results_owed_ > 0) {
    const std::size_t n_sent = n_children() * n_pieces() - n_results_owed_;
    const pe_id child = place_.children[n_sent / n_pieces()];
    if (!send(transport, child, wave_message::result, generation_ - 1, n_sent % n_pieces(), result())) return false;
    --n_results_owed_;
  } else if (n_calls_owed_ > 0) {
    const pe_id child = place_.children[n_children() - n_calls_owed_];
    if (!send(transport, child, wave_message::call, generation_, 0, nullptr)) return false;
    --n_calls_owed_;
  } else if (n_up_owed_ > 0) {
    const std::size_t piece = n_pieces() - n_up_owed_;
    if (!send(transport, place_.parent, wave_message::contribution, generation_, piece, accumulator())) return false;
    --n_up_owed_;
  } else {
    if (!send(transport, place_.parent, wave_message::request, generation_, 0, nullptr)) return false;
    owes_request_ = false;
  }
  return true;
}

bool wave_protocol::send(control_transport& transport, pe_id target, wave_message kind, std::uint32_t generation,
                         std::size_t piece, const std::byte* data) const {
  wave_header header{.group = key_.group,
                     .name = key_.name,
                     .generation = generation,
                     .opening = opening_,
                     .kind = kind,
                     .piece = static_cast<std::uint8_t>(piece),
                     .is_first = is_first_};
  std::byte message[control_bytes_max];
  std::size_t n_data = 0;
  if (kind == wave_message::contribution || kind == wave_message::result) {
    header.bytes = static_cast<std::uint16_t>(options_.bytes);
    const std::size_t first = piece * piece_bytes_max;
    n_data = std::min(piece_bytes_max, options_.bytes - first);
    copy(message + sizeof header, {data + first, n_data});
  }
  std::memcpy(message, &header, sizeof header);
  return transport.try_send_control({message, sizeof header + n_data}, target);
}

}  // namespace shoal::internal
