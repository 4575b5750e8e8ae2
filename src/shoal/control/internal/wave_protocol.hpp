/// The protocol of a wave on one PE: reacts to the program and to other PEs, and keeps what this PE owes them.
///
/// A wave keeps one accumulator and one result. Contributions and results alternate on each edge of the tree, so
/// neither is overwritten before it has been forwarded. docs/design/control-plane.md has the proof; the assertions in
/// wave_protocol.cpp are its steps. A message that the substrate refuses stays owed: the accumulator or the result is
/// its memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "shoal/control/internal/group.hpp"
#include "shoal/control/internal/message.hpp"
#include "shoal/control/internal/wave.hpp"

namespace shoal::internal {

/// Identifies a wave on a PE.
struct wave_key {
  std::uint64_t group = 0;
  std::uint32_t name = 0;  // kind and number
  auto operator<=>(const wave_key&) const = default;
};

/// The key of a wave; ends the job if the name's number is too large.
wave_key key_of(const group& among, wave_name name);

/// What the wave is used for.
wave_kind kind_of_wave(const wave_key& key) noexcept;

/// Ends the job: "wave mailbox 12 of group 0: " and what is wrong.
[[noreturn]] void misused(const wave_key& key, std::string_view how);

class wave_protocol {
public:
  wave_protocol(std::shared_ptr<const group> among, wave_key key, wave_options options, std::uint16_t opening);

  // --- For the program; see wave.hpp

  void contribute(std::span<const std::byte> mine);
  std::span<const std::byte> take();
  void call();
  bool is_open() const noexcept { return phase_ == phase::open; }
  bool is_complete() const noexcept { return phase_ == phase::complete; }

  std::vector<pe_id> lacking() const;

  // --- For the plane

  /// Receives a message of this wave from PE `source`. Needs no other memory.
  void take_in(const wave_header& header, pe_id source, std::span<const std::byte> piece);

  /// Whether a message is for the next wave of this name: its sender has destroyed this one.
  bool is_for_successor(const wave_header& header) const noexcept {
    return header.kind == wave_message::contribution && header.is_first && !is_first_;
  }

  /// Runs on_call if this PE has been called and its program does not know yet. Returns whether it ran.
  bool run_on_call();

  /// Sends what is owed until the substrate refuses. Returns the number of messages.
  std::size_t send_owed(control_transport& transport);

  bool owes() const noexcept { return owes_request_ || n_up_owed_ > 0 || n_results_owed_ > 0 || n_calls_owed_ > 0; }
  bool has_work() const noexcept { return owes() || (must_tell_ && is_open()); }

  /// Whether messages will arrive soon or this PE's contribution is expected: it has contributed, requested, or been
  /// called.
  bool is_expected() const noexcept { return is_under_way() || has_requested_ || is_called_; }

  /// The program destroys the wave. It still sends the results that it owes its children.
  void end();

  const wave_key& key() const noexcept { return key_; }
  bool is_queued = false;  // used by the plane: the wave is in its list of waves with work

private:
  enum class phase : std::uint8_t { open, contributed, passed_on, complete };

  bool is_under_way() const noexcept { return phase_ == phase::contributed || phase_ == phase::passed_on; }
  [[noreturn]] void misuse(std::string_view how) const { misused(key_, how); }
  void take_contribution(const wave_header& header, pe_id source, std::span<const std::byte> piece);
  void take_result(const wave_header& header, std::span<const std::byte> piece);
  void take_request(std::uint32_t generation);
  void take_call(std::uint32_t generation);

  void try_pass_on();
  void complete();
  void want();
  void be_called();
  bool send_next(control_transport& transport);
  bool send(control_transport& transport, pe_id target, wave_message kind, std::uint32_t generation, std::size_t piece,
            const std::byte* data) const;

  std::size_t n_children() const noexcept { return place_.children.size(); }
  std::size_t child_of(pe_id pe) const noexcept;  // n_children() if it is not a child
  std::size_t n_pieces() const noexcept { return n_pieces_of(options_.bytes); }
  std::size_t all_pieces() const noexcept { return (std::size_t{1} << n_pieces()) - 1; }  // one bit per piece
  bool is_called_wave() const noexcept { return static_cast<bool>(options_.on_call); }
  bool has_accumulated() const noexcept { return n_arrived_ > 0 || phase_ == phase::contributed; }
  bool keeps_contributions() const noexcept { return options_.is_ordered || n_pieces() > 1; }

  std::size_t stride() const noexcept { return (options_.bytes + 7) & ~std::size_t{7}; }
  std::byte* accumulator() const noexcept { return storage_.get(); }
  std::byte* result() const noexcept { return storage_.get() + stride(); }
  std::byte* kept(std::size_t child) const noexcept { return storage_.get() + (2 + child) * stride(); }

  std::shared_ptr<const group> among_;
  const tree_place& place_;
  wave_key key_;
  wave_options options_;
  std::unique_ptr<std::byte[]> storage_;  // accumulator, result, and each child's contribution if those are kept
  std::vector<std::uint8_t> arrived_;  // of the open generation: one bit per piece of each child
  // The generation that is open or under way, or will be after the program takes the result.
  std::uint32_t generation_ = first_generation;
  bool is_first_ = true;  // no generation has ended
  std::uint16_t opening_;
  std::uint16_t n_results_owed_ = 0;  // pieces, children in order
  std::uint8_t n_calls_owed_ = 0;  // children in order
  std::uint8_t n_up_owed_ = 0;  // pieces of the accumulator
  std::uint8_t n_arrived_ = 0;  // children whose contributions have arrived
  std::uint8_t result_pieces_ = 0;  // of the result under way: one bit per piece that has arrived
  phase phase_ = phase::open;
  bool is_called_ = false;  // in this generation
  bool is_called_next_ = false;  // the call for the next generation has overtaken this one's result
  bool must_tell_ = false;  // the program has not learnt yet that it is called
  bool wants_ = false;  // the program has called and not contributed since
  bool has_requested_ = false;  // in this generation
  bool owes_request_ = false;
};

}  // namespace shoal::internal
