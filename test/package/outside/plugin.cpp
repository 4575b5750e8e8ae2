// A plugin that sends closures.
#include <shoal/shoal.hpp>

extern "C" [[gnu::visibility("default")]] void send_from_plugin(shoal::world& world, shoal::pe_handle<int> sum) {
  for (shoal::pe_id pe = 0; pe < world.n_pes(); ++pe) world.send(pe, [sum] { ++*sum; });
}
