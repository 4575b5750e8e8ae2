// PEs that are threads change a variable that they share, with nothing between their accesses; for races.test.sh.
#include <shoal/shoal.hpp>

namespace {
int shared = 0;
}

int main(int argc, char** argv) {
  return shoal::run(argc, argv, [](shoal::world& world) {
    world.barrier();
    shared += static_cast<int>(world.my_pe());
    world.barrier();
  });
}
