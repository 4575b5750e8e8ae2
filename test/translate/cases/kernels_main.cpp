// Runs a variant of each kernel that is named, with its options, and says whether its answer is right: linked with what
// shoal-translate makes of the lambdas.
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "kernels/kernel.hpp"
#include "shoal/shoal.hpp"

namespace {

// VARIANT KERNEL --OPTION VALUE… KERNEL --OPTION VALUE…
struct job {
  std::string kernel;
  shoal::kernels::option_list options;
};

std::vector<job> jobs_of(int argc, char** argv) {
  std::vector<job> jobs;
  for (int i = 2; i < argc; ++i) {
    if (std::strncmp(argv[i], "--", 2) == 0) {
      jobs.back().options.emplace_back(argv[i] + 2, argv[i + 1]);
      ++i;
    } else {
      jobs.push_back({argv[i], {}});
    }
  }
  return jobs;
}

bool is_right(shoal::world& world, const std::string& variant, const job& j) {
  for (const shoal::kernels::kernel_description& each : shoal::kernels::all_kernels()) {
    if (each.name != j.kernel) continue;
    const auto kernel = each.make(world, j.options);
    std::string why;
    kernel->prepare(world, variant);
    world.barrier();
    const std::uint64_t n_messages = world.sum(kernel->run(world, variant).n_messages);
    world.barrier();
    const bool verdict = kernel->verify(world, why);
    if (world.my_pe() == 0)
      std::printf("%s: %s, %llu messages\n", j.kernel.c_str(), verdict ? "right" : why.c_str(),
                  static_cast<unsigned long long>(n_messages));
    return verdict;
  }
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string variant = argc > 1 ? argv[1] : "lambda";
  const std::vector<job> jobs = jobs_of(argc, argv);
  return shoal::run(argc, argv, [&](shoal::world& world) {
    bool all_right = true;
    for (const job& each : jobs) all_right = is_right(world, variant, each) && all_right;
    return all_right ? 0 : 1;
  });
}
