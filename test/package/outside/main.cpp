// outside [PLUGIN]: every PE sends one message to every PE from this file, from part.cpp and from the plugin.
#include <dlfcn.h>

#include <cstdio>

#include "part.hpp"

int main(int argc, char** argv) {
  return shoal::run(argc, argv, [&](shoal::world& world) {
    shoal::per_pe<int> sum{world, 0};
    const auto here = sum.handle();
    void* const plugin = argc > 1 ? ::dlopen(argv[1], RTLD_NOW) : nullptr;
    if (argc > 1 && plugin == nullptr) std::printf("%s\n", ::dlerror());
    world.barrier();
    world.finish([&] {
      for (shoal::pe_id pe = 0; pe < world.n_pes(); ++pe) world.send(pe, [here] { ++*here; });
      if (plugin == nullptr) return;
      using function = void (*)(shoal::world&, shoal::pe_handle<int>);
      reinterpret_cast<function>(::dlsym(plugin, "send_from_plugin"))(world, here);
    });
    const int n_received = *sum + count_from_all(world);
    std::printf("PE %d of %d received %d\n", static_cast<int>(world.my_pe()), static_cast<int>(world.n_pes()), n_received);
  });
}
