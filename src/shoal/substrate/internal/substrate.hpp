/// The seam between Shoal and a machine: buffers with credits, control messages, rounds, symmetric memory, waiting.
///
/// A substrate knows processes and bytes; it knows no items, messages or actors. It is called once per buffer, round or
/// one-sided operation, never per item, so an abstract class is fast enough. One object serves one PE, and only that PE's
/// own thread calls it. docs/porting.md explains it function by function for authors of a new one.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <source_location>
#include <span>
#include <string>
#include <string_view>

#include "shoal/base/internal/owner.hpp"
#include "shoal/base/internal/questions.hpp"
#include "shoal/base/types.hpp"
#include "shoal/substrate/internal/buffer.hpp"
#include "shoal/substrate/internal/control.hpp"
#include "shoal/substrate/internal/group_rounds.hpp"
#include "shoal/substrate/internal/symmetric_memory.hpp"

namespace shoal {
enum class substrate_kind : std::uint8_t;  // substrate_kind.hpp
}

namespace shoal::internal {

struct link_costs;  // link_costs.hpp
class pe_threads;  // pe_threads.hpp

/// Identifies the collective call of the layers above that a round serves; the same on every PE.
using call_tag = std::uint32_t;

/// What the digest in a round's head describes.
enum class call_digest : std::uint8_t {
  nothing,
  arguments,  // the types, sizes and operations
  object,  // the number of the object whose member function was called
};

/// How reports name the calls with a tag. The layers above supply the words.
struct call_name {
  const char* predicate = "is in a collective call without a name";  // continues "PE 3 "
  call_digest digest = call_digest::nothing;
};

/// Counters of a substrate since the start of the job on this PE.
struct substrate_counts {
  std::uint64_t n_posted = 0;  // buffers handed over
  std::uint64_t n_received = 0;  // buffers received
  std::uint64_t n_bytes_away = 0;  // in those handed over for other nodes
  std::uint64_t n_waits = 0;  // times that this PE had nothing to do
  std::uint64_t n_sleeps = 0;  // times that it gave its core away
  std::uint64_t n_rounds = 0;
};

/// What has gone through this PE since the start of the job. Buffers to itself count as posted and received only.
struct flow_counts {
  std::uint64_t n_posted = 0;  // buffers handed over
  std::uint64_t n_received = 0;  // buffers received
  std::uint64_t n_released = 0;  // buffers of other PEs that this PE gave back
  std::uint64_t n_returned = 0;  // own slots that other PEs gave back and this PE has taken in
  std::uint64_t n_rounds = 0;  // rounds at which this PE has arrived
  bool is_in_round = false;  // it has not seen the last of them complete
  bool operator==(const flow_counts&) const = default;
};

/// What a PE does with items.
enum class item_work : std::uint8_t { push, relay, handling };

/// Whose stack an address that cannot be accessed lies on.
struct stack_fault {
  pe_id locked = -1;  // another PE, whose stack this one cannot access; -1: none
  std::size_t overflowed_bytes = 0;  // the size of this PE's own stack, if an overflow of it strikes there; otherwise 0
};

/// A call of the program that waits.
struct waiting_call {
  const char* name = nullptr;  // as the program spells it
  std::source_location where;  // without a line if unknown
};

/// Implemented by a layer above that knows what this PE waits for.
class wait_reporter {
public:
  /// The call in which this PE waits; without a name if there is none. Must not call the substrate.
  virtual waiting_call call_now() const noexcept { return {}; }

  /// One line for a stall report. Must not call the substrate.
  virtual std::string describe_wait() const = 0;

  /// How many free slots of this PE's pool the layer holds, which the substrate takes for used.
  virtual std::size_t n_free_slots() const noexcept { return 0; }

protected:
  ~wait_reporter() = default;
};

class substrate : public control_transport, public group_rounds {
public:
  ~substrate() override;

  virtual substrate_kind kind() const noexcept = 0;
  std::string_view name() const noexcept;  // of its kind, as users write it
  const substrate_counts& counts() const noexcept { return counts_; }

  /// PEs that share this machine's memory, this one included, whatever nodes SHOAL_NODE_SIZE defines.
  pe_id n_machine_pes() const noexcept { return n_machine_pes_; }

  // --- Buffers. A PE owns a fixed pool of slots; a free slot is the credit to fill and post it. Buffers from one PE to
  // another arrive in the order posted; those of different senders have no order.

  /// Payload size of a slot, a multiple of 64, the same on every PE.
  std::size_t payload_bytes() const noexcept { return payload_bytes_; }

  /// Number of slots in this PE's pool, the same on every PE.
  std::size_t n_slots() const noexcept { return n_slots_; }

  /// How many slots try_acquire could return now. Collects returned slots. Local, nonblocking.
  virtual std::size_t n_free() noexcept = 0;

  /// A free slot of this PE's pool; null: not now. A substrate may refuse although a slot is free (hostile conditions
  /// in `sim`), so only the answer counts. Local, nonblocking.
  virtual buffer* try_acquire() noexcept = 0;

  /// Sends a buffer from try_acquire, with its header filled in; `target` may be this PE. The slot belongs to the
  /// receiver until it releases it. Always succeeds. Local, nonblocking.
  virtual void post(buffer& full, pe_id target) noexcept = 0;

  /// The next buffer that has arrived here; null if there is none. It stays readable, and its sender's credit stays
  /// taken, until release. Local, nonblocking.
  virtual buffer* poll() noexcept = 0;

  /// Whether this is a slot of this PE's own pool. Local, nonblocking.
  virtual bool owns(const buffer& b) const noexcept { return b.slot / n_slots_ == static_cast<std::size_t>(my_pe_); }

  /// Returns a slot to its pool: one that poll returned, or an unposted one of this PE's. Local, nonblocking.
  virtual void release(buffer& done) noexcept = 0;

  /// What links cost: codecs, hops and open buffers are decided by it. The same on every PE, but for what it measures.
  const link_costs& links() const noexcept { return *links_; }
  void know_links(const link_costs& costs) noexcept;

  // --- Waiting

  /// Called when this PE has nothing to do. Passes time until a buffer or a control message arrives, a slot comes back
  /// or a round completes. May return early. `patience` counts the calls since something last happened (the caller
  /// resets it): the first calls spin, later ones yield and then sleep. A control message ends one wait; each
  /// poll_control that leaves more messages behind ends another. So poll until there is none, then wait. A PE that
  /// never polls control messages can still sleep. After a refusal by try_send_control, a place that becomes free ends
  /// one wait, too. May wait.
  virtual void wait(unsigned& patience) noexcept = 0;

  /// Like wait, but always returns soon: for a PE that could continue at a price and hopes to avoid that. Local.
  virtual void pause(unsigned& patience) noexcept = 0;

  /// The further threads of this PE, which run its tasks. They may call now_ns, charge_ns and end_job.
  virtual pe_threads& threads() noexcept = 0;

  /// Counts from which the layer above proves that nothing is in transit: if over all PEs as many buffers were received
  /// as posted, and as many slots returned as released, then no buffer and no slot is on its way. Local.
  virtual flow_counts flow() const noexcept = 0;

  /// Where the layers above keep one object for all PEs; null: none. Only for PEs that take turns in one memory.
  virtual std::shared_ptr<void>* common_place() noexcept { return nullptr; }

  /// Symmetric memory, and one-sided access to it.
  virtual symmetric_memory& heap() noexcept = 0;

  // --- Time

  /// Nanoseconds since some fixed moment, never decreasing: real, or the simulator's.
  virtual std::uint64_t now_ns() noexcept = 0;

  /// The same clock, for measurements that decide nothing: reading it takes no simulated time.
  virtual std::uint64_t stopwatch_ns() noexcept { return now_ns(); }

  /// Declares that this PE computed for `ns` nanoseconds. Only `sim` uses it.
  virtual void charge_ns([[maybe_unused]] std::uint64_t ns) noexcept {}

  /// Declares that this PE has pushed, passed on or handled `n` items. Only `sim` uses it, and knows what an item costs.
  virtual void charge_items([[maybe_unused]] item_work what, [[maybe_unused]] std::uint64_t n) noexcept {}

  // --- End

  /// Ends the job on every PE with status `status`. Prints `report` ("shoal: PE 3: …") unless it is empty or another PE
  /// has already reported, so that a job has one report. Never returns, never waits.
  [[noreturn]] virtual void end_job(int status, std::string_view report) noexcept = 0;

  /// What an address that cannot be accessed has to do with stacks, if that is known. Signal handlers may call it.
  virtual stack_fault stack_fault_at([[maybe_unused]] const void* address) const noexcept { return {}; }

  /// Claims the job's only report for this PE, as far as a signal handler can. False: another PE has it.
  virtual bool claim_report() noexcept { return true; }

  /// Whether this PE is inside a call of a library below the substrate. Local.
  virtual bool is_in_library() const noexcept { return false; }

  /// Called after the last round of a world: until the next world begins, this PE needs no other PE.
  virtual void finished() noexcept {}

  /// Sets the reporter that describes what this PE waits for, for questions and for a substrate that can prove a stall;
  /// null: none. The reporter must outlive the substrate or be unset before.
  void on_stall(const wait_reporter* asked) noexcept { stall_asks_ = asked; }
  waiting_call call_now() const noexcept { return stall_asks_ == nullptr ? waiting_call{} : stall_asks_->call_now(); }

  // --- Questions (signal_reports.hpp)

  /// To be called where this PE waits: prints what it waits for, if somebody has asked. Local, does not wait.
  void answer_question() noexcept {
    if (!has_open_question()) [[likely]]
      return;
    note_answer();
    say(" waits: ");
  }
  bool has_open_question() const noexcept {
    return n_questions.load(std::memory_order_relaxed) != n_answered_.load(std::memory_order_relaxed);
  }
  void note_answer() noexcept {
    n_answered_.store(n_questions.load(std::memory_order_relaxed), std::memory_order_relaxed);
  }

  /// Prints "shoal: PE 3", `how`, what this PE waits for, its free slots, and `more`, if a layer above knows what this PE
  /// waits for. Local.
  [[gnu::cold]] void say(std::string_view how, std::string_view more = {}) noexcept;

  /// Sets the function that names the calls of rounds for reports (round_head.hpp). It belongs to the topmost layer,
  /// which asks the layers below about their tags. It must not call the substrate.
  void name_calls(call_name (*names)(call_tag) noexcept) noexcept { names_ = names; }
  call_name name_of(call_tag tag) const noexcept { return names_ == nullptr ? call_name{} : names_(tag); }

protected:
  substrate(pe_id my_pe, pe_id n_pes);

  std::size_t payload_bytes_ = 0;
  std::size_t n_slots_ = 0;
  substrate_counts counts_;
  const wait_reporter* stall_asks_ = nullptr;
  pe_id n_machine_pes_;

private:
  owner<link_costs> links_;  // of shared memory, unless the substrate says otherwise
  call_name (*names_)(call_tag) noexcept = nullptr;
  std::atomic<std::uint32_t> n_answered_{n_questions.load(std::memory_order_relaxed)};  // a signal handler reads it
};

}  // namespace shoal::internal
