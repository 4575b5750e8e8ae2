/// What the tests of all kernels do: run every variant as the command does.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "kernels/kernel.hpp"

namespace shoal::test {

/// Collective. One run of one variant; whether the kernel found its answer right.
inline bool is_right(world& w, kernels::kernel& kernel, const std::string& variant, std::string& why) {
  kernel.prepare(w, variant);
  w.barrier();
  kernel.run(w, variant);
  w.barrier();
  return kernel.verify(w, why);
}

/// Which variants a test runs. Those that send messages need an input larger than buffers; for one-sided access it would
/// only be slow where each access is a call of a library.
enum class variants_run { all, with_messages };

/// Collective. Runs the variants that the substrate can, twice over in turn; expects them right. All: the plain loop too.
inline void expect_all_right(world& w, const kernels::kernel_description& description,
                             const kernels::option_list& options, variants_run which = variants_run::all) {
  const std::unique_ptr<kernels::kernel> kernel = description.make(w, options);
  std::vector<std::string> variants = description.variants;
  if (description.has_loop && which == variants_run::all) variants.emplace_back("loop");
  const bool is_one_sided = w.is_one_sided() && which == variants_run::all;
  for (int turn = 0; turn < 2; ++turn) {
    for (const std::string& variant : variants) {
      if (!description.can_run(variant, is_one_sided)) continue;
      std::string why;
      EXPECT_TRUE(is_right(w, *kernel, variant, why)) << variant << ": " << why;
    }
  }
}

/// Collective. Runs each variant that the substrate can once, expects them right and of one answer, and returns it as the
/// command prints it.
inline std::string answer_of(world& w, const kernels::kernel_description& description,
                             const kernels::option_list& options) {
  const std::unique_ptr<kernels::kernel> kernel = description.make(w, options);
  std::string answer;
  for (const std::string& variant : description.variants) {
    if (!description.can_run(variant, w.is_one_sided())) continue;
    std::string why;
    EXPECT_TRUE(is_right(w, *kernel, variant, why)) << variant << ": " << why;
    const std::string its = kernel->answer_json(w);
    EXPECT_TRUE(answer.empty() || answer == its) << variant << ": " << its << " after " << answer;
    answer = its;
  }
  return answer;
}

}  // namespace shoal::test
