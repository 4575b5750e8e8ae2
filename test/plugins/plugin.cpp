// A plugin that sends closures. Plugins of this source differ in PLUGIN_NUMBER only, so their closures have equal names
// and different code.
#include "test/plugins/counting.hpp"

// With external linkage: the dynamic linker could take another plugin's.
struct add_number {
  counting::total sum;
  void operator()() const { *sum += PLUGIN_NUMBER; }
};

extern "C" [[gnu::visibility("default")]] void send_all(shoal::world& world, counting::total sum) {
  counting::add_from_header(world, sum, PLUGIN_NUMBER);
  for (shoal::pe_id pe = 0; pe < world.n_pes(); ++pe) {
    world.send(pe, [sum] { *sum += PLUGIN_NUMBER; });
    world.send(pe, add_number{sum});
  }
}

namespace plugin_only {
struct state {
  long number = PLUGIN_NUMBER;
};
}  // namespace plugin_only

extern "C" [[gnu::visibility("default")]] void construct(shoal::world& world) {
  const shoal::per_pe<plugin_only::state> mine{world};
}
