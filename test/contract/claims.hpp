/// Claims: what the contract promises on every substrate, each as a program that checks it. See README.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "shoal/actor/world.hpp"

namespace shoal::test {

struct claim {
  const char* name;
  /// Runs on each PE of any world, with any number of PEs and any sizes of buffers. What is sent follows from the seed
  /// alone, so every PE knows what the others do and checks what reaches it by itself.
  void (*check)(world& w, std::uint64_t seed);
  std::size_t n_streams = 1;  // most streams alive at once, including one for the closures of each depth of finish
  std::size_t slot_bytes = 64;  // least size of a slot, so that the claim's largest message fits
  bool is_of_job =
      false;  // promises something of the whole job: symmetric memory, what happens outside of all finishes
};

inline claim of_job(claim c) {
  c.is_of_job = true;
  return c;
}

inline std::ostream& operator<<(std::ostream& out, const claim& c) { return out << c.name; }

std::vector<claim> fixed_claims();  // conveyors whose items have one size
std::vector<claim> elastic_claims();  // conveyors whose items have any sizes
std::vector<claim> conveyor_claims();  // both

std::vector<claim> biconveyor_claims();
std::vector<claim> exstack_claims();  // exstack and exstack2
std::vector<claim> simple_conveyor_claims();
std::vector<claim> lifetime_claims();  // several conveyors, destroyed in any order
std::vector<claim> kind_claims();  // the four above

std::vector<claim> handler_claims();  // one handler at a time, order, exactly once
std::vector<claim> spill_claims();  // sends of handlers beyond the credits
std::vector<claim> finish_claims();  // supersteps: nesting, reuse, lives of actors
std::vector<claim> selector_claims();
std::vector<claim> closure_claims();
std::vector<claim> call_claims();
std::vector<claim> answer_claims();  // questions and their answers
std::vector<claim> coroutine_claims();  // handlers that wait for answers
std::vector<claim> future_claims();  // what follows answers; dropped and moved futures
std::vector<claim> promise_claims();
std::vector<claim> task_claims();
std::vector<claim> worker_claims();  // tasks on several workers of a PE: what they send
std::vector<claim> waiting_worker_claims();  // and what they wait for
std::vector<claim> parallel_claims();  // handlers of which several calls run at once
std::vector<claim> closing_claims();  // mailboxes that close by themselves
std::vector<claim> guard_claims();  // disabled mailboxes, priorities
std::vector<claim> combining_claims();  // messages that are merged by key
std::vector<claim> work_claims();  // what handlers leave for later
std::vector<claim> collective_claims();  // rounds and symmetric memory
std::vector<claim> array_claims();  // collectives of arrays
std::vector<claim> background_claims();  // collectives in the background
std::vector<claim> one_sided_claims();  // gets, puts and atomics
std::vector<claim> list_claims();
std::vector<claim> team_claims();  // several teams beside one another
std::vector<claim> overlapping_team_claims();
std::vector<claim> value_claims();  // lists, texts, and types that archives write
std::vector<claim> distributed_array_claims();
std::vector<claim> aggregate_claims();  // loops over elements of distributed arrays
std::vector<claim> placement_claims();  // where actors of graphs live
std::vector<claim> graph_claims();  // graphs of actors with ports, those on placement included
std::vector<claim> changing_graph_claims();  // those that change while they run
std::vector<claim> large_graph_claims();  // up to a thousand actors
std::vector<claim> actor_claims();  // the ones above, from handler_claims on

inline pe_id next_pe(const world& w) { return (w.my_pe() + 1) % w.n_pes(); }

/// Names a claim in a parameterised test.
struct claim_name {
  template <class Info>
  std::string operator()(const Info& info) const {
    return info.param.name;
  }
};

}  // namespace shoal::test
