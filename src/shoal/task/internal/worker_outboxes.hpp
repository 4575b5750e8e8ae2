/// What tasks on a PE's other workers send: buffers that a worker fills for itself, and how the PE's own thread sends them.
///
///     task --> links of its worker --> handed over, in order --> PE's own thread --> slots
///
/// A buffer is handed over when it is full, when the task waits or yields, when the worker has nothing more to run, and between two
/// tasks when the PE's own thread has asked for it. docs/design/tasks.md
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <vector>

#include "shoal/base/types.hpp"
#include "shoal/conveyor/internal/open_links.hpp"
#include "shoal/conveyor/internal/spare_work.hpp"
#include "shoal/conveyor/internal/worker_links.hpp"
#include "shoal/substrate/internal/buffer.hpp"

namespace shoal::internal {

class exchange;
class outbox;
class pe_threads;
class pe_worker;

class worker_outboxes final : public worker_links, private spare_work {
public:
  worker_outboxes(exchange& through, pe_threads& threads, std::size_t n_workers);
  ~worker_outboxes();

  // --- For workers that are not the PE's own thread; `number` is theirs

  bool make_room(open_links& its, std::size_t link, const item_kind& kind, when_full policy) override;
  std::byte* make_record(open_links& its, std::size_t link, const run_header& header, std::uint32_t align,
                         when_full policy) override;
  void hand_over_call(open_links& its, std::size_t link, posted_call& call) override;

  /// Hands over all that is open.
  void hand_over(std::size_t number) {
    if (of_workers_[number]->n_open.load(std::memory_order_relaxed) != 0) [[unlikely]]
      hand_over_all(*of_workers_[number]);
  }
  /// The same if the PE's own thread has asked for it since something was handed over last.
  void hand_over_if_asked(std::size_t number) {
    if (of_workers_[number]->is_asked.load(std::memory_order_relaxed)) [[unlikely]]
      hand_over(number);
  }
  /// Forgets what is open.
  void discard(std::size_t number) noexcept;

  // --- For the PE's own thread

  /// Sends what was handed over, as far as there are slots. Returns whether it could send any. `may_call`: it may wait and run
  /// handlers, as a call may that sends a large message.
  bool send(bool may_call);
  /// Whether something was handed over since.
  bool has_handed() const noexcept;
  /// Whether nothing is left to be sent, here or with the workers.
  bool is_empty() const noexcept { return n_under_way_.load(std::memory_order_seq_cst) == 0; }
  /// Asks the workers for what they have open, or for what they will send next.
  void ask_for_all() noexcept;
  void forget(const open_links& own) noexcept override;
  /// Tasks are being dropped, so that nobody waits any more; and what was handed over. Ends with `false`.
  void drop(bool is_dropping) noexcept;

private:
  struct free_block {
    void operator()(buffer* block) const noexcept;
  };
  using block = std::unique_ptr<buffer, free_block>;
  struct worker_part;
  // The links of one stream.
  struct stream_links final : open_links {
    stream_links(worker_links& all, worker_part& part, stream& through, const open_links& own, pe_worker& by);

    worker_part& home;
    stream& of;
    pe_worker& whose;
    std::vector<std::uint32_t> open;  // links with an open buffer
  };
  struct handed_item {
    stream* of;
    std::size_t link;
    block filled;  // null: a call
    posted_call* call = nullptr;
  };
  struct worker_part {
    std::vector<std::unique_ptr<stream_links>> all;
    std::atomic<std::size_t> n_open{0};  // buffers; only the worker changes it
    std::atomic<bool> is_asked{false};
    std::mutex handing;
    std::vector<handed_item> handed;  // under `handing`
    std::atomic<bool> has_handed{false};
    std::mutex forgetting;
    std::vector<std::uint64_t> forgotten;  // numbers of links; under `forgetting`
    std::atomic<bool> has_forgotten{false};
  };
  open_links& find_links(stream& through, const open_links& own, pe_worker& by) override;
  bool run() override { return send(true); }
  bool settle() override { return send(false); }
  void hand_over_all(worker_part& of);
  void hand_over(stream_links& its, std::size_t link);
  void hand_over(stream_links& its, handed_item&& next);
  void take_handed();
  bool send_one(handed_item& its, bool may_call);
  block close(stream_links& its, std::size_t link) noexcept;
  bool open_block(stream_links& its, std::size_t link, when_full policy);
  block try_take();
  void take_back(block done) noexcept;
  void forget_links(std::size_t number);
  void note_under_way(stream& of, int change) noexcept;

  exchange& exchange_;
  pe_threads& threads_;
  const std::size_t n_blocks_most_;
  std::vector<std::unique_ptr<worker_part>> of_workers_;  // by number; the first has none
  std::deque<handed_item> handed_;
  bool is_sending_ = false;
  std::atomic<int> n_under_way_{0};  // buffers: open, or handed over and not sent

  std::mutex blocks_;
  std::vector<block> spare_;  // under blocks_
  std::size_t n_made_ = 0;  // under blocks_
  std::atomic<std::size_t> n_available_;  // spare, or not made yet
  std::atomic<bool> is_dropping_{false};
};

}  // namespace shoal::internal
