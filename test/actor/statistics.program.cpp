// Sends known numbers of messages, for statistics.test.py: 40 from each PE to PE 0, and 10 to each PE. The actor's name
// has what CSV and JSON must escape. With a number, PE 0 ends with that status. With `leak`, the actor outlives its world. With
// `teams`, each PE also sends 5 to each PE of a team: the even ones, or the odd ones.
#include <cstdlib>
#include <memory>
#include <string_view>
#include <vector>

#include "shoal/shoal.hpp"

int main(int argc, char** argv) {
  const int status = argc > 1 ? std::atoi(argv[1]) : 0;
  const bool leaks = argc > 1 && std::string_view(argv[1]) == "leak";
  const bool sends_in_teams = argc > 1 && std::string_view(argv[1]) == "teams";
  return shoal::run(argc, argv, [status, leaks, sends_in_teams](shoal::world& w) {
    long n_here = 0;
    const auto count = [&](long n) {
      n_here += n;
      w.charge_ns(1000);
    };
    using counting = shoal::actor<decltype(count), long>;
    auto heavy = std::make_unique<counting>(w, count, "a \"hot\", \\ spot;\n\xc3\xa9\x1b\xff");
    w.finish([&] {
      for (int i = 0; i < 40; ++i) heavy->send(0, 1);
      for (shoal::pe_id pe = 0; pe < w.n_pes(); ++pe) {
        for (int i = 0; i < 10; ++i) w.send(pe, [](shoal::world&) {});
      }
    });
    if (w.sum(n_here) != 40 * w.n_pes()) return 1;
    if (sends_in_teams) {
      shoal::world team = w.split(w.my_pe() % 2);
      shoal::actor counter{team, [](long) {}, "counter"};
      team.finish([&] {
        for (shoal::pe_id pe = 0; pe < team.n_pes(); ++pe) {
          for (long i = 0; i < 5; ++i) counter.send(pe, i);
        }
      });
    }
    if (leaks) {
      static thread_local auto& leaked = *new std::vector<counting*>;  // a leak that a sanitizer does not see
      leaked.push_back(heavy.release());
    }
    return w.my_pe() == 0 ? status : 0;
  });
}
