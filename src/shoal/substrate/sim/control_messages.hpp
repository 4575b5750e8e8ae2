/// Control messages of a simulated job: copies of those under way, and each PE's part.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "shoal/base/types.hpp"
#include "shoal/substrate/control.hpp"

namespace shoal::sim {

/// The copies. Each has a number, which its events carry, and which is free again once the message has been polled.
class control_messages {
public:
  static constexpr std::uint32_t none = UINT32_MAX;

  struct copy {
    control_message message;
    std::uint32_t next = none;  // in the list of those that have arrived at a PE
  };

  std::uint32_t keep(std::span<const std::byte> bytes, pe_id source);
  void forget(std::uint32_t number) { free_.push_back(number); }

  copy& entry(std::uint32_t number) noexcept { return all_[number]; }
  const control_message& at(std::uint32_t number) const noexcept { return all_[number].message; }

private:
  std::vector<copy> all_;
  std::vector<std::uint32_t> free_;
};

/// One PE's part: how many it may still send, and what has arrived.
class pe_controls {
public:
  /// `all` outlives this object.
  pe_controls(control_messages& all, pe_id my_pe) noexcept : all_(all), my_pe_(my_pe) {}

  bool has_place() const noexcept { return n_under_way_ < n_controls_max; }

  /// Takes a place, which take_back_place gives back once the message has been polled. The message's number.
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

}  // namespace shoal::sim
