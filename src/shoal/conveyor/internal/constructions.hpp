/// What a PE has constructed: conveyors, actors, objects of per_pe. Their numbers mean the same object everywhere only if
/// all PEs construct the same ones in the same order.
///
/// Each collective call of the program carries the digest of it all (round_head.hpp). Costs nothing per message.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace shoal::internal {

class constructions {
public:
  /// How many are remembered for a report.
  static constexpr std::size_t n_kept = 64;

  /// Notes one more. `what` ("actor of ") outlives this object. `type` may be null, and may lie in a plugin that is closed
  /// before a report. `bytes`: size of an item.
  void note(const char* what, const char* type, std::size_t bytes);

  /// Of all so far.
  std::uint64_t digest() const noexcept { return digest_; }

  /// What another PE must know to compare: the digests after those remembered, the nth (from 0 on) at n % n_kept.
  struct history {
    std::uint64_t n = 0;  // of all so far
    std::array<std::uint64_t, n_kept> digests{};
  };
  const history& remembered() const noexcept { return history_; }

  /// The first construction, by its number, in which two PEs differ. It may be the first that is remembered.
  static std::uint64_t first_difference(const history& a, const history& b) noexcept;

  /// What has been constructed from number `first` on, at most `n_most` of them: "actor of double, per_pe of int".
  std::string describe_from(std::uint64_t first, std::size_t n_most) const;

private:
  struct entry {
    const char* what;
    std::string type;  // empty: items of `bytes`
    std::size_t bytes;
  };

  std::uint64_t digest_ = 0;
  history history_;
  std::array<entry, n_kept> entries_{};
};

}  // namespace shoal::internal
