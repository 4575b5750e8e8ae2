// Every PE sends one message to every PE.
#include <cstdio>

#include <shoal/shoal.hpp>

int main(int argc, char** argv) {
  return shoal::run(argc, argv, [](shoal::world& world) {
    int n_received = 0;
    shoal::actor count{world, [&](int one) { n_received += one; }};
    world.finish([&] {
      for (shoal::pe_id pe = 0; pe < world.n_pes(); ++pe) count.send(pe, 1);
    });
    std::printf("PE %d of %d received %d\n", static_cast<int>(world.my_pe()), static_cast<int>(world.n_pes()),
                n_received);
  });
}
