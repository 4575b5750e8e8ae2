/// Claims: what the contract promises on every substrate, each as a program that checks it.
///
/// A claim runs on all PEs of any world, with any number of PEs and any sizes of buffers, and follows from a
/// seed alone, so that every PE knows what every other one does and checks what reaches it by itself. The
/// same claims run in the simulator under hostile conditions, on real PEs and on threads.
#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "shoal/actor/world.hpp"

namespace shoal::test {

struct claim {
  const char* name;
  void (*check)(world& w, std::uint64_t seed);
  std::size_t n_ports = 1;  // alive at once at most, the closures of each depth of finish among them
  std::size_t slot_bytes = 64;  // that hold its largest message
};

inline std::ostream& operator<<(std::ostream& out, const claim& c) { return out << c.name; }

std::vector<claim> fixed_claims();  // conveyors of items of one size
std::vector<claim> elastic_claims();  // of any size
std::vector<claim> conveyor_claims();  // both

std::vector<claim> handler_claims();  // one handler at a time, order, exactly once
std::vector<claim> spill_claims();  // sends of handlers beyond the credits
std::vector<claim> finish_claims();  // supersteps: nesting, reuse, lives of actors
std::vector<claim> selector_claims();
std::vector<claim> closure_claims();
std::vector<claim> collective_claims();  // rounds and symmetric memory
std::vector<claim> actor_claims();  // all of these but the conveyors'

/// Names a claim in a parameterised test.
struct claim_name {
  template <class Info>
  std::string operator()(const Info& info) const {
    return info.param.name;
  }
};

}  // namespace shoal::test
