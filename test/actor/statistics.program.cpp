// Sends known numbers of messages, for statistics.test.py: 40 from each PE to PE 0, and 10 to each PE. The actor's name
// has what CSV and JSON must escape. With an argument, PE 0 ends with that status.
#include <cstdlib>

#include "shoal/shoal.hpp"

int main(int argc, char** argv) {
  const int status = argc > 1 ? std::atoi(argv[1]) : 0;
  return shoal::run(argc, argv, [status](shoal::world& w) {
    long n_here = 0;
    shoal::actor heavy{w,
                       [&](long n) {
                         n_here += n;
                         w.charge_ns(1000);
                       },
                       "a \"hot\", \\ spot;\n\xc3\xa9\x1b\xff"};
    w.finish([&] {
      for (int i = 0; i < 40; ++i) heavy.send(0, 1);
      for (shoal::pe_id pe = 0; pe < w.n_pes(); ++pe) {
        for (int i = 0; i < 10; ++i) w.send(pe, [](shoal::world&) {});
      }
    });
    if (w.sum(n_here) != 40 * w.n_pes()) return 1;
    return w.my_pe() == 0 ? status : 0;
  });
}
