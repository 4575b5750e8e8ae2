/// What tasks on a PE's other workers write into, instead of the links of its streams, which belong to the PE's own thread. The
/// layer of tasks has it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "shoal/base/internal/pe_worker.hpp"
#include "shoal/base/types.hpp"
#include "shoal/conveyor/internal/delivery.hpp"
#include "shoal/conveyor/internal/item_kind.hpp"
#include "shoal/conveyor/internal/open_links.hpp"
#include "shoal/conveyor/internal/run.hpp"
#include "shoal/conveyor/internal/stream.hpp"

namespace shoal::internal {

/// For each worker and stream: links of the stream's first hop, with buffers that are handed over to the PE's own thread once
/// they are full.
class worker_links {
public:
  worker_links(const worker_links&) = delete;
  worker_links& operator=(const worker_links&) = delete;

  // --- For tasks on `by`, or the one that made the links

  /// `own`: those of the PE's own thread, of the stream's first hop.
  open_links& links_of(stream& through, const open_links& own, pe_worker& by) {
    const last_used& last = last_used_[by.number()];
    return last.number == own.number ? *last.links : find_links(through, own, by);
  }
  /// As outbox::make_room and make_record. False, or null, only under `give_up`: there is no room now.
  virtual bool make_room(open_links& its, std::size_t link, const item_kind& kind, when_full policy) = 0;
  virtual std::byte* make_record(open_links& its, std::size_t link, const run_header& header, std::uint32_t align,
                                 when_full policy) = 0;

  /// Lets the PE's own thread call what sends to this link, after what was written before and before what is written next.
  virtual void hand_over_call(open_links& its, std::size_t link, posted_call& call) = 0;

  // --- For the PE's own thread

  /// A stream ends, or takes another route: its links end, for which nothing lies here.
  virtual void forget(const open_links& own) noexcept = 0;

protected:
  explicit worker_links(std::size_t n_workers) : last_used_(n_workers) {}
  ~worker_links() = default;

  /// The links into which the worker's tasks wrote last.
  struct alignas(cache_line_bytes) last_used {
    static constexpr std::uint64_t none = UINT64_MAX;

    std::uint64_t number = none;
    open_links* links = nullptr;
  };
  last_used& last_used_by(std::size_t number) noexcept { return last_used_[number]; }

private:
  virtual open_links& find_links(stream& through, const open_links& own, pe_worker& by) = 0;

  std::vector<last_used> last_used_;  // by number
};

/// The way to a target in range, for a task that runs on `by`, which is not the PE's own thread.
inline stream::way way_of_worker(stream& through, worker_links& all, pe_worker& by, pe_id target) {
  const stream::way own = through.way_to(target);
  return {all.links_of(through, own.links, by), own.link_index, own.tag};
}

}  // namespace shoal::internal
