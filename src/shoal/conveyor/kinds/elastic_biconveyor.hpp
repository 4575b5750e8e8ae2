/// Elastic biconveyors: queries of any size, and replies of any size in the order in which the queries were pushed.
///
/// The contract is a biconveyor's (biconveyor.hpp), with bytes for types. Queries and replies may be empty, and
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
  /// Makes the reply to `query`, which PE `from` asks, by appending to `reply`, which is empty.
  using answer_function =
      std::function<void(std::span<const std::byte> query, pe_id from, std::vector<std::byte>& reply)>;

  /// Collective: all PEs construct the same conveyors in the same order. Does not wait. Throws setup_error when
  /// no two buffer slots are left to reserve. Destruction: dormant or complete only.
  explicit elastic_biconveyor(exchange& through, const biconveyor_options& options = {});

  /// dormant -> working. `answer` is called once for each query that comes here, in this PE's advance, until
  /// reset. It may push to this biconveyor or others. All PEs do it; does not wait.
  void begin(answer_function answer);

  /// Offers one query to `target`. Local, nonblocking; legal while working. False means no room now, in the
  /// window or in a buffer: pull, advance and offer it again. The query is copied.
  [[nodiscard]] bool push(std::span<const std::byte> query, pe_id target);

  /// The reply to the oldest query not yet replied to, or null: it is not here yet (only advance can say
  /// whether any will come). Readable until the next pull that succeeds, or reset. Local, nonblocking; legal
  /// unless dormant.
  [[nodiscard]] const std::vector<std::byte>* pull();

private:
  void answer_arrived();
  void take_replies() override;

  elastic_conveyor queries_;
  elastic_conveyor replies_;
  answer_function answer_;
  std::vector<std::vector<std::byte>> ring_;  // by place
  std::vector<std::byte> packet_;  // place and bytes, on their way into a conveyor
  std::vector<std::byte> kept_;  // such a packet, of an answer that there was no room for
  pe_id kept_target_ = -1;
  std::vector<std::byte> reply_;  // an answer in the making
};

}  // namespace shoal
