// The list of all kernels.
#include "kernels/histogram/problem.hpp"
#include "kernels/index_gather/problem.hpp"
#include "kernels/kernel.hpp"
#include "kernels/pagerank/problem.hpp"
#include "kernels/randperm/problem.hpp"
#include "kernels/triangle/problem.hpp"

namespace shoal::kernels {

const std::vector<kernel_description>& all_kernels() {
  static const std::vector<kernel_description> kernels = {
      describe_histogram(), describe_index_gather(), describe_pagerank(), describe_randperm(), describe_triangle(),
  };
  return kernels;
}

}  // namespace shoal::kernels
