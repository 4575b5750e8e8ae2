/// A whole job in one thread: PEs as fibers, a modelled network between them, one virtual clock.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "shoal/base/random.hpp"
#include "shoal/base/settings.hpp"
#include "shoal/substrate/run.hpp"
#include "shoal/substrate/sim/fiber.hpp"
#include "shoal/substrate/sim/network.hpp"
#include "shoal/substrate/sim/rounds.hpp"
#include "shoal/substrate/sim/scheduler.hpp"
#include "shoal/substrate/sim/simulated_pe.hpp"
#include "shoal/substrate/sim/stall_report.hpp"
#include "shoal/substrate/sim/world_memory.hpp"
#include "shoal/substrate/substrate.hpp"

namespace shoal::sim {

/// Everything that happens follows from the settings, the seed among them, and the program: no real
/// clock, no address and no other source of chance decides anything. docs/design/simulator.md.
class simulation final : private event_handler {
public:
  /// Throws setup_error.
  explicit simulation(const settings& chosen);
  ~simulation();
  simulation(const simulation&) = delete;
  simulation& operator=(const simulation&) = delete;

  /// Runs `body` once per PE, and returns when all have returned: 0, or the status of the PE that failed
  /// first in virtual time. To be called once. Ends the process with a report if nothing can move.
  int run(const pe_body& body);

  /// A hash over everything that happened, in order. Equal for equal settings and programs.
  std::uint64_t trace_hash() const noexcept { return trace_; }

  /// The latest time of any PE.
  std::uint64_t now_ns() const noexcept;

  std::uint64_t n_events() const noexcept { return scheduler_.n_events(); }
  std::uint64_t n_switches() const noexcept { return scheduler_.n_switches(); }

private:
  friend class simulated_pe;

  // A PE whose calls found nothing this many times while nothing changed anywhere lets all blocked PEs
  // look again, in case something happened behind the simulator's back, in shared memory.
  static constexpr std::uint64_t n_fruitless_per_look = 250'000;
  static constexpr unsigned n_looks_before_endless = 3;  // so it is reported after 1,000,000 calls
  static constexpr unsigned n_looks_before_stall = 100;

  // A one-sided operation that its PE has started and that is still under way.
  struct one_sided {
    std::byte* target = nullptr;  // what it writes or adds to
    const std::byte* source = nullptr;  // of a get
    std::uint64_t operand = 0;  // of an addition
    std::uint64_t answered_ns = 0;  // of a get: when its data are back
    pe_id asker = 0;
    std::vector<std::byte> data = {};
  };

  static void run_pe(void* self) noexcept;
  static std::size_t wire_bytes(const buffer& full) noexcept { return sizeof(buffer_header) + full.header.bytes; }

  void apply(const event& due) noexcept override;
  void nothing_can_move() noexcept override;
  void deliver(simulated_pe& to, const simulated_pe::arrival& what);
  void answer(std::uint32_t index);
  void finish_transfer(std::uint32_t index) noexcept;
  void finish_addition(std::uint32_t index) noexcept;

  simulated_pe& pe(pe_id number) noexcept { return *pes_[static_cast<std::size_t>(number)]; }
  void schedule(event_kind kind, pe_id where, std::uint32_t subject, std::uint64_t time_ns) {
    scheduler_.add({time_ns, 0, static_cast<std::int32_t>(where), subject, kind});
  }
  std::uint32_t keep(one_sided started);

  // A PE has changed something that another one, or itself later, may see.
  void changed(const task& by, std::uint64_t what) noexcept {
    ++n_changes_;
    note(by.now_ns, static_cast<std::uint64_t>(by.pe) << 32 ^ what);
  }
  void note(std::uint64_t time_ns, std::uint64_t what) noexcept { trace_ = mixed_bits(trace_ ^ time_ns) + what; }

  bool let_all_look_again(unsigned n_looks_max);
  void suspect_endless_loop(simulated_pe& spinning) noexcept;
  void check_stack(simulated_pe& running) noexcept;
  void returned(simulated_pe& from, int status) noexcept;
  std::vector<pe_account> accounts(const simulated_pe* spinning) const;
  std::string place_and_replay() const;
  [[noreturn]] void end(const std::string& text, int status) noexcept;

  settings chosen_;
  // Each kind of chance has a stream of its own, so that turning one knob leaves the others' draws.
  random_engine refusals_;
  random_engine preemptions_;
  double refuse_;
  double preempt_;
  network network_;
  scheduler scheduler_;
  world_memory memory_;
  rounds rounds_;
  fiber_stacks stacks_;
  std::vector<std::unique_ptr<simulated_pe>> pes_;  // after what they use
  std::vector<one_sided> in_flight_;
  std::vector<std::uint32_t> free_in_flight_;

  const pe_body* body_ = nullptr;
  int status_ = 0;
  std::uint64_t failed_ns_ = never_ns;
  bool is_ending_ = false;

  std::uint64_t trace_ = 0;
  std::uint64_t n_changes_ = 0;
  std::uint64_t n_changes_at_look_ = 0;
  unsigned n_looks_ = 0;  // since the world changed last
};

}  // namespace shoal::sim
