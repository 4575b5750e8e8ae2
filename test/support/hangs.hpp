/// Ways in which a job can hang inside Shoal, each chosen by a seed, and what each PE must then say. For tests and for
/// programs of tests.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "shoal/base/random.hpp"
#include "shoal/conveyor/conveyor.hpp"
#include "shoal/conveyor/kinds/exstack.hpp"
#include "shoal/shoal.hpp"

namespace shoal::test {

/// Items that nobody pulls hold all slots of one PE, the victim. It then waits for room, or its handler's message does,
/// and all others wait for it. Or it disables a mailbox that has a message, and nobody enables it.
struct hang {
  enum class cause : std::uint8_t { send, send_deep, handler, guard };
  enum class call : std::uint8_t { finish, inner_finish, barrier, all_reduce, gather, close, proceed, end, team };

  cause why{};
  call where{};  // the others wait; finish, if a handler's message or a disabled mailbox's is stuck
  pe_id victim = 0;
  pe_id holder = 0;  // does not pull
  int n_conveyors = 4;
};

/// Sizes that a hang needs. SHOAL_SLOTS and SHOAL_SLOT_BYTES give them to programs.
inline constexpr std::size_t n_slots_of_hang = 16;
inline constexpr std::size_t slot_bytes_of_hang = 64;

// Pushes until the pool of `how.victim` is used up and nothing changes any more.
inline void fill_slots(world& w, const hang& how, std::deque<conveyor<long>>& all) {
  for (int i = 0; i < how.n_conveyors; ++i) all.emplace_back(w);
  for (conveyor<long>& c : all) c.begin();
  for (int n_quiet = 0; n_quiet < 4;) {
    long n_pushed = 0;
    for (conveyor<long>& c : all) {
      // A simulated network refuses 64 times in a row at most.
      for (int n_refused = 0; w.my_pe() == how.victim && n_refused < 200;) {
        c.push(1, how.holder) ? ++n_pushed : ++n_refused;
        static_cast<void>(c.advance(false));
      }
    }
    n_quiet = w.sum(n_pushed) == 0 ? n_quiet + 1 : 0;
  }
}

inline void wait_in(world& w, world& team, hang::call where, exstack<long>& bulk, mailbox& ends) {
  switch (where) {
    case hang::call::inner_finish: w.finish([] {}); break;
    case hang::call::barrier: w.barrier(); break;
    case hang::call::all_reduce: static_cast<void>(w.sum(1)); break;
    case hang::call::gather: static_cast<void>(w.gather(1)); break;
    case hang::call::proceed: static_cast<void>(bulk.proceed(true)); break;
    case hang::call::end:  // the victim is never done with it
      ends.done();
      ends.closed().get();
      break;
    case hang::call::team: team.barrier(); break;
    case hang::call::finish:
    case hang::call::close: break;
  }
}

inline hang hang_of(std::uint64_t seed, pe_id n_pes) {
  random_engine random(seed, 815);
  const auto any_pe = [&] { return static_cast<pe_id>(random.below(static_cast<std::uint64_t>(n_pes))); };
  hang how;
  how.why = static_cast<hang::cause>(random.below(4));
  const bool is_message_stuck = how.why == hang::cause::handler || how.why == hang::cause::guard;
  how.where = is_message_stuck ? hang::call::finish : static_cast<hang::call>(random.below(9));
  how.victim = any_pe();
  how.holder = any_pe();
  how.n_conveyors = 3 + static_cast<int>(random.below(3));
  return how;
}

/// Hangs. On all PEs.
inline void run_hang(world& w, const hang& how) {
  const bool is_victim = w.my_pe() == how.victim;
  world team = w.split(0, -w.my_pe());
  std::deque<conveyor<long>> all;
  if (how.why != hang::cause::guard) fill_slots(w, how, all);
  // From here on, reserves are among the slots that do not come back.
  exstack<long> bulk(w, 1);
  actor late{w, [](long) {}, "late"};
  actor asks{w, [&](long) { late.send(how.holder, 1L); }, "asks"};
  actor ends{w, [](long) {}, "ends"};
  ends.fed_by();
  w.finish([&] {
    if (how.why == hang::cause::handler) {
      if (w.my_pe() == how.holder) asks.send(how.victim, 1L);
      return;
    }
    if (how.why == hang::cause::guard) {
      if (is_victim) late.disable();
      if (w.my_pe() == how.holder) late.send(how.victim, 1L);
      return;
    }
    if (how.why == hang::cause::send_deep) {
      w.finish([&] {
        if (is_victim) late.send(how.holder, 1L);
        wait_in(w, team, how.where, bulk, ends);
        if (how.where == hang::call::close) late.close();
      });
    } else {
      if (is_victim) late.send(how.holder, 1L);
      wait_in(w, team, how.where, bulk, ends);
      if (how.where == hang::call::close) late.close();
    }
  });
}

/// A regular expression for what each PE says of its wait.
inline std::vector<std::string> expected_waits(const hang& how, pe_id n_pes) {
  const std::string place = " \\(\\S*hangs\\.hpp:[0-9]+\\)";
  const std::string room = "for room to send \\(.*\\), in the body of finish" + place + ".*conveyor: sent [0-9]+.*";
  std::string other;
  switch (how.where) {
    case hang::call::finish:
    case hang::call::inner_finish: other = "in finish" + place; break;
    case hang::call::team:
    case hang::call::barrier: other = "in barrier" + place; break;
    case hang::call::all_reduce: other = "in (all_reduce|sum)" + place; break;
    case hang::call::gather: other = "in gather" + place; break;
    case hang::call::close: other = "in close or the destructor of an actor"; break;
    case hang::call::end:
      other =
          "in get of a future" + place + ".*; actor ends, message long: cannot close before other PEs are done with it";
      break;
    case hang::call::proceed: other = "in proceed of exstack, in the body of finish" + place; break;
  }
  std::vector<std::string> waits(static_cast<std::size_t>(n_pes), other + ".*");
  std::string& of_victim = waits[static_cast<std::size_t>(how.victim)];
  if (how.why == hang::cause::guard) {
    of_victim = "in finish" + place + ".*; actor late, message long: sent [01], handled 0, 1 buffers unread, disabled" +
                place + ";.*";
  } else if (how.why != hang::cause::handler) {
    of_victim = room;
  } else if (how.victim == how.holder) {
    of_victim = "(" + room + "|in finish" + place + ".*beyond the credits.*)";
  } else {
    of_victim = "in finish" + place + ".*beyond the credits.*";
  }
  return waits;
}

}  // namespace shoal::test
