/// Elastic biconveyors: queries of any size, and replies of any size in the order in which the queries were pushed.
///
/// The contract is a biconveyor's (biconveyor.hpp), with bytes in place of types. Queries and replies may be empty or
/// larger than a buffer (elastic_conveyor.hpp).
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "shoal/conveyor/elastic_conveyor.hpp"
#include "shoal/conveyor/kinds/biconveyor.hpp"

namespace shoal {

class elastic_biconveyor final : public biconveyor_base {
public:
  /// Answers `query` of PE `from` by appending to `reply`, which is empty.
  using answer_function =
      std::function<void(std::span<const std::byte> query, pe_id from, std::vector<std::byte>& reply)>;

  /// Collective: all PEs construct the same conveyors in the same order. Does not wait. Throws setup_error if there are
  /// not two buffer slots left to reserve. May be destroyed only while dormant or complete.
  explicit elastic_biconveyor(internal::exchange& through, const biconveyor_options& options = {});
  ~elastic_biconveyor() { check_end(); }

  /// dormant -> working. `answer` is called once for each query that arrives, in this PE's advance, until reset. It may
  /// push to this biconveyor or others. All PEs call it; does not wait.
  void begin(answer_function answer);

  /// Offers one query to `target`. Local, nonblocking; legal while working. False: no room now, in the window or in a
  /// buffer; pull, advance and offer it again. The query is copied.
  [[nodiscard]] bool push(std::span<const std::byte> query, pe_id target);

  /// The reply to the oldest query whose reply was not pulled; null if it has not arrived (only `advance` tells whether
  /// more will come). Readable until the next pull that succeeds, or reset. Local, nonblocking; legal unless dormant.
  [[nodiscard]] const std::vector<std::byte>* pull();

private:
  void answer_arrived();
  void take_replies() override;

  elastic_conveyor queries_;
  elastic_conveyor replies_;
  answer_function answer_;
  std::vector<std::vector<std::byte>> ring_;  // by place
  std::vector<std::byte> packet_;  // place and bytes, before a push
  std::vector<std::byte> kept_;  // the packet of an answer that found no room
  pe_id kept_target_ = -1;
  std::vector<std::byte> reply_;  // the answer being made
};

}  // namespace shoal
