// A program that opens plugins: host [--only PE] [--close] [--differ] [--late] PLUGIN…, where the digit in a plugin's name is
// its number. PEs with an odd number open them in reverse order. Prints "right" on PE 0 if each closure ran in its own
// object.
//
//   --only PE    the others open nothing, so they cannot run what PE sends
//   --close      closes all plugins after each superstep, runs one without them and opens them again, in the other order
//   --differ     PE 1 lets the first plugin construct a per_pe and closes it
//   --late       opens them in the superstep that uses them
#include <dlfcn.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "test/plugins/counting.hpp"

namespace {

using construct_function = void (*)(shoal::world&);
using send_all_function = void (*)(shoal::world&, counting::total);

struct plugin {
  explicit plugin(const std::string& path) : handle(::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) {
    if (handle == nullptr) {
      std::fprintf(stderr, "host: %s\n", ::dlerror());
      std::exit(3);
    }
    send_all = reinterpret_cast<send_all_function>(::dlsym(handle, "send_all"));
  }

  void* handle;
  send_all_function send_all;
};

struct request {
  int only = -1;
  bool closes = false;
  bool is_late = false;
  bool differs = false;
  std::vector<std::string> paths;
};

request parse(int argc, char** argv) {
  request asked;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--only") {
      asked.only = std::atoi(argv[++i]);
    } else if (word == "--close") {
      asked.closes = true;
    } else if (word == "--differ") {
      asked.differs = true;
    } else if (word == "--late") {
      asked.is_late = true;
    } else {
      asked.paths.emplace_back(word);
    }
  }
  return asked;
}

std::int64_t number_in(std::string_view path) {
  const std::size_t at = path.find_last_of("0123456789");
  return at == std::string_view::npos ? 0 : path[at] - '0';
}

// Opens the plugins, one way round or the other, and lets each send.
void send_from_plugins(shoal::world& world, const request& asked, bool is_reverse, counting::total sum) {
  std::vector<std::string> paths = asked.paths;
  if (is_reverse) std::ranges::reverse(paths);
  std::vector<plugin> open;
  const auto open_all = [&] {
    if (asked.only >= 0 && asked.only != world.my_pe()) return;
    for (const std::string& path : paths) open.emplace_back(path);
  };
  if (!asked.is_late) open_all();
  world.barrier();
  world.finish([&] {
    if (asked.is_late) {
      open_all();
      world.barrier();
    }
    counting::add_from_header(world, sum, 1);
    for (shoal::pe_id pe = 0; pe < world.n_pes(); ++pe) world.send(pe, [sum] { ++*sum; });
    for (const plugin& each : open) each.send_all(world, sum);
  });
  world.barrier();
  if (asked.closes) {
    for (const plugin& each : open) ::dlclose(each.handle);
    world.barrier();
    world.finish([&] { world.send((world.my_pe() + 1) % world.n_pes(), [sum] { ++*sum; }); });
  }
}

void construct_on_pe_1(shoal::world& world, const request& asked) {
  if (world.my_pe() == 1) {
    const plugin first(asked.paths.front());
    reinterpret_cast<construct_function>(::dlsym(first.handle, "construct"))(world);
    ::dlclose(first.handle);
  }
  world.barrier();
}

int count(shoal::world& world, const request& asked) {
  if (asked.differs) construct_on_pe_1(world, asked);
  constexpr int n_rounds = 3;
  shoal::per_pe<std::int64_t> sum{world, 0};
  std::int64_t expected = 0;
  for (int round = 0; round < n_rounds; ++round) {
    send_from_plugins(world, asked, (world.my_pe() + round) % 2 == 1, sum.handle());
    for (const std::string& path : asked.paths) expected += counting::added_by(number_in(path)) * world.n_pes();
    expected += 2 * world.n_pes() + (asked.closes ? 1 : 0);
  }
  const bool is_right = world.sum(std::int64_t{*sum != expected}) == 0;
  if (world.my_pe() == 0) std::puts(is_right ? "right" : "wrong");
  return is_right ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  return shoal::run(argc, argv, [asked = parse(argc, argv)](shoal::world& world) { return count(world, asked); });
}
