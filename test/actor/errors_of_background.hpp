/// Mistakes with collectives in the background, for errors.program.cpp.
#pragma once

#include <array>
#include <climits>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "shoal/shoal.hpp"
#include "shoal/task/task.hpp"

namespace shoal::test {

/// In code that is not the main program.
inline bool background_elsewhere(world& w, std::string_view what) {
  std::vector<future<long>> sums;
  const auto start = [&] { sums.push_back(w.start_sum(1L)); };
  if (what == "background_in_handler") {
    actor lambda{w, [&](long) { start(); }};
    w.finish([&] { lambda.send(0, 1L); });
  } else if (what == "background_in_work") {
    w.finish([&] { w.defer(start); });
  } else if (what == "background_in_task") {
    w.finish([&] { async(start); });
  } else if (what == "background_in_what_waited") {
    w.start_barrier().then(start);
    w.barrier();
  } else if (what == "get_of_background_in_handler") {
    future<int> sum = w.my_pe() == 1 ? future<int>(0) : w.start_sum(1);
    actor lambda{w, [&](long) { sum.get(); }};
    w.finish([&] { lambda.send(0, 1L); });
  } else {
    return false;
  }
  return true;
}

inline bool misuse_of_background(world& w, std::string_view what) {
  const bool is_other = w.my_pe() == 1;
  std::array<double, 100> large{};
  struct unhappy {
    long operator()(long, long) const { throw std::runtime_error("no"); }
  };
  for (long i = 0; i < 9; ++i) static_cast<void>(w.start_broadcast(large, i % 3));
  if (what == "background_other_call") {
    if (is_other) {
      static_cast<void>(w.start_max(1L));
    } else {
      static_cast<void>(w.start_sum(1L));
    }
  } else if (what == "background_other_type") {
    is_other ? static_cast<void>(w.start_sum(1L)) : static_cast<void>(w.start_sum(1.0));
  } else if (what == "background_other_size") {
    is_other ? static_cast<void>(w.start_gather(1L)) : static_cast<void>(w.start_gather(large));
  } else if (what == "background_other_root") {
    static_cast<void>(w.start_broadcast(1L, w.my_pe()));
  } else if (what == "background_root_out_of_range") {
    static_cast<void>(w.start_broadcast(1L, 3));
  } else if (what == "background_root_negative") {
    static_cast<void>(w.start_broadcast(1L, -1));
  } else if (what == "background_sum_too_large") {
    static_cast<void>(w.start_sum(INT_MAX / 2));
  } else if (what == "background_throws") {
    static_cast<void>(w.start_all_reduce(1L, unhappy()));
  } else if (what == "background_in_team") {
    world team = w.split(w.my_pe() % 2, -w.my_pe());
    w.my_pe() == 0 ? static_cast<void>(team.start_sum(1L)) : static_cast<void>(team.start_barrier());
  } else if (what == "throw_beside_background") {
    world team = w.split(0);
    future<long> sum = w.start_sum(1L);
    if (is_other) throw std::runtime_error("no such file");
    static_cast<void>(team.start_gather(large));
    static_cast<void>(w.start_gather(large));
    if (w.my_pe() == 0) team.barrier();
  } else {
    return background_elsewhere(w, what);
  }
  return true;
}

}  // namespace shoal::test
