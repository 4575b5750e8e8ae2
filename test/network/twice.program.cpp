// Calls shoal::run twice, for own_library.test.py: a library that Shoal initialised lives until the process ends.
#include <cstdio>

#include "shoal/shoal.hpp"

int main(int argc, char** argv) {
  for (int turn = 1; turn <= 2; ++turn) {
    const int status = shoal::run(argc, argv, [&](shoal::world& w) {
      w.barrier();
      if (w.my_pe() == 0) std::printf("turn %d\n", turn);
    });
    if (status != 0) return status;
  }
}
