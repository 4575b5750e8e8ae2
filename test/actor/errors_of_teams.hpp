/// Mistakes with teams, for errors.program.cpp.
#pragma once

#include <memory>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "shoal/codec/codec.hpp"
#include "shoal/conveyor/conveyor.hpp"
#include "shoal/shoal.hpp"

namespace shoal::test {

/// On 3 PEs, of which 0 and 2 are a team whose PEs are numbered backwards. Whether `what` is one of them.
inline bool misuse_of_teams(world& w, std::string_view what) {
  if (!what.starts_with("team_")) return false;
  if (what == "team_split_beside_barrier") {
    if (w.my_pe() == 1) w.barrier();
    world team = w.split(0);
  } else if (what == "team_split_in_handler") {
    w.finish([&] { w.send(0, [](world& here) { world team = here.split(0); }); });
  } else if (what == "team_outlives_job") {
    static world* const kept = new world(w.split(0));
    kept->barrier();
  }
  std::optional<per_pe<long>> left;
  world team = w.split(w.my_pe() % 2, -w.my_pe());
  per_pe<long> of_team(team, 0);
  if (what == "team_allocates") {
    static_cast<void>(team.allocate<long>(1));
  } else if (what == "team_gets") {
    static_cast<void>(team.get(w.allocate<long>(1), 0, 0));
  } else if (what == "team_uses_codec") {
    team.use_codec(codec_number::squeeze, nullptr);
  } else if (what == "team_makes_other_calls") {
    if (w.my_pe() == 0) static_cast<void>(team.sum(1.0));
    team.barrier();
  } else if (what == "team_constructs_others") {
    std::optional<conveyor<short>> more;
    if (w.my_pe() == 0) more.emplace(team);
    team.barrier();
  } else if (what == "team_destroyed_beside_barrier") {
    world half = team.split(0);
    if (w.my_pe() == 2) half.barrier();
  } else if (what == "team_sends_out_of_range") {
    team.finish([&] {
      if (w.my_pe() == 2) team.send(2, [] {});
    });
  } else if (what == "team_sends_outside_finish") {
    w.finish([&] { team.send(0, [] {}); });
  } else if (what == "team_throws_in_handler") {
    team.finish([&] {
      if (w.my_pe() == 0) team.send(0, [] { throw std::runtime_error("no such team"); });
    });
  } else if (what == "team_object_elsewhere") {
    w.finish([&] {
      if (w.my_pe() == 0) w.send(1, [h = of_team.handle()] { *h = 1; });
      w.send(0, [] {});
    });
    per_pe<char> other(team, 'x');
    w.finish([&] {
      if (w.my_pe() == 0) {
        w.send(2, [h = left.emplace(team, 5).handle()] { *h = 1; });
      }
    });
  } else if (what == "team_destroyed_in_its_finish") {
    auto half = std::unique_ptr<world>(new world(team.split(0)));
    half->finish([&] { half.reset(); });
  } else if (what == "team_too_many") {
    std::vector<std::unique_ptr<world>> many;
    for (int i = 0; i < 300; ++i) many.emplace_back(new world(team.split(0)));
  } else if (what == "team_sends_to_inner_finish") {
    w.finish([&] { team.finish([&] { w.send(w.my_pe(), [t = of_team.handle()](world&) { ++*t; }); }); });
    team.finish([&] {
      team.send(0, [](world&) { world::of_job().send(0, [] {}); });
      w.finish([] {});
    });
  } else if (what == "team_broadcasts_from_nobody") {
    static_cast<void>(team.broadcast(1, 2));
  } else if (what == "team_throws_beside_wait") {
    if (w.my_pe() == 0) throw std::runtime_error("lost");
    team.barrier();
  }
  return true;
}

}  // namespace shoal::test
