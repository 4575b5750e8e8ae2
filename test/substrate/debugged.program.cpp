// Each PE calls `stop_here` between two barriers; for debugger.test.py.
#include <shoal/shoal.hpp>

extern "C" [[gnu::noinline]] void stop_here(shoal::pe_id pe) { asm volatile("" : : "r"(pe) : "memory"); }

int main(int argc, char** argv) {
  return shoal::run(argc, argv, [](shoal::world& world) {
    world.barrier();
    stop_here(world.my_pe());
    world.barrier();
  });
}
