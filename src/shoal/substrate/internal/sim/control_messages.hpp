/// Control messages of a simulated job: copies of those in transit, and each PE's part.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "shoal/base/types.hpp"
#include "shoal/substrate/internal/control.hpp"

namespace shoal::internal::sim {

/// The copies. Each has a number, which its events carry, and which may be reused once the message has been polled.
class control_messages {
public:
  static constexpr std::uint32_t none = UINT32_MAX;

  struct copy {
    control_message message;
    std::uint32_t next = none;  // in the list of messages that have arrived at a PE
  };

  std::uint32_t keep(std::span<const std::byte> bytes, pe_id source);
  void forget(std::uint32_t number) { free_.push_back(number); }

  copy& entry(std::uint32_t number) noexcept { return all_[number]; }
  const control_message& at(std::uint32_t number) const noexcept { return all_[number].message; }

private:
  std::vector<copy> all_;
  std::vector<std::uint32_t> free_;
};

/// One PE's part: how many messages it may still send, and which have arrived.
class pe_controls {
public:
  /// `all` outlives this object.
  pe_controls(control_messages& all, pe_id my_pe) noexcept : all_(all), my_pe_(my_pe) {}

  bool has_place() const noexcept { return n_under_way_ < n_controls_max; }

  /// Stores a copy and returns its number. Takes one of this PE's places, which take_back_place frees once the message
  /// has been polled.
  std::uint32_t send(std::span<const std::byte> bytes);
  void take_back_place() noexcept { --n_under_way_; }

  bool has_arrived() const noexcept { return first_ != control_messages::none; }
  void append_arrived(std::uint32_t number) noexcept;

  /// Copies the message that arrived first; false if there is none.
  bool take_arrived(control_message& into);

private:
  control_messages& all_;
  pe_id my_pe_;
  std::size_t n_under_way_ = 0;
  std::uint32_t first_ = control_messages::none;
  std::uint32_t last_ = control_messages::none;
};

}  // namespace shoal::internal::sim
