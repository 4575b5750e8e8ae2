/// Collective calls in the background of a world's PE: waves of the control plane, in the order of the calls.
/// docs/design/collectives-in-background.md
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <source_location>
#include <span>
#include <string>
#include <vector>

#include "shoal/actor/internal/late_part.hpp"
#include "shoal/actor/internal/main_program.hpp"
#include "shoal/actor/started_collectives.hpp"
#include "shoal/control/internal/wave.hpp"
#include "shoal/conveyor/internal/spare_work.hpp"

namespace shoal {
class world;
}

namespace shoal::internal {

class control_plane;
class exchange;

/// All functions but `await_all` are local and do not wait.
class background_calls final : public late_part, public spare_work, public reporting_part {
public:
  /// All outlive this object.
  background_calls(world& home, exchange& through, main_program& caller);
  /// If an exception cut the calls short, their waves are kept until the job ends.
  ~background_calls() override;
  background_calls(const background_calls&) = delete;
  background_calls& operator=(const background_calls&) = delete;

  /// started_collectives: the place of the result.
  pending_answer& start(const background_call& call, std::span<const std::byte> mine,
                        const std::source_location& where);

  void await_all(const char* call) override;

  bool run() override;
  bool settle() override;
  [[gnu::cold]] std::string describe() const override;

private:
  // Calls take turns in these short waves; each carries one call at a time.
  static constexpr std::size_t n_lanes = 4;

  enum class step : std::uint8_t {
    waits_for_lane,
    compared,  // in the short wave: calls, and short values
    waits_for_long,
    carried,  // in the long wave: longer values, or what PEs say of calls that differ
    complete,
  };
  struct started {
    background_call call;
    std::source_location where;
    std::uint64_t number;
    std::vector<std::byte> bytes;  // what this PE gives, and then the result
    pending_answer* to;
    step now = step::waits_for_lane;
    std::size_t n_carried = 0;  // bytes
    std::int32_t first_pe = -1;  // if calls differ, of these two PEs
    std::int32_t other_pe = -1;

    bool is_mismatched() const noexcept { return other_pe >= 0; }
    std::size_t n_values() const noexcept { return bytes.size() / call.value_bytes; }
  };
  // How a wave folds what it carries now. The wave has a part in it, and goes on to fold if an exception destroys this object.
  struct folding {
    background_call call{};
    std::size_t bytes = 0;  // in a short wave
    bool is_mismatched = false;
  };
  struct lane {
    std::unique_ptr<wave> its;  // made on first use
    std::shared_ptr<folding> how = std::make_shared<folding>();
    started* now = nullptr;
  };

  lane& lane_of(const started& its) noexcept { return lanes_[its.number % n_lanes]; }
  bool is_longer_than_short(const started& its) const noexcept;
  void compare(started& its);
  void note_compared(started& its, const std::byte* result);
  void carry(started& its);
  void note_carried(started& its, const std::byte* result);
  bool advance_one(started& its, bool may_carry);
  bool advance();
  bool give_one(bool may_run);
  bool may_give(const started& its, bool may_run);
  [[noreturn]] void report_mismatch(const started& its, const std::byte* descriptions) const;
  std::string describe_lacking(const wave& its) const;

  world& home_;
  exchange& exchange_;
  main_program& caller_;
  control_plane& plane_;
  std::list<started> calls_;  // those whose results have not been given, in their order
  std::uint64_t n_started_ = 0;
  std::array<lane, n_lanes> lanes_;
  std::unique_ptr<wave> long_;  // made on first use
  std::shared_ptr<folding> how_long_ = std::make_shared<folding>();
  bool may_end_ = false;
};

}  // namespace shoal::internal
