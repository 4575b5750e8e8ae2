// The list of all kernels.
#include "kernels/bfs/problem.hpp"
#include "kernels/components/problem.hpp"
#include "kernels/histogram/problem.hpp"
#include "kernels/imm/problem.hpp"
#include "kernels/index_gather/problem.hpp"
#include "kernels/jaccard/problem.hpp"
#include "kernels/kcore/problem.hpp"
#include "kernels/kernel.hpp"
#include "kernels/pagerank/problem.hpp"
#include "kernels/permute/problem.hpp"
#include "kernels/random_access/problem.hpp"
#include "kernels/randperm/problem.hpp"
#include "kernels/sssp/problem.hpp"
#include "kernels/toposort/problem.hpp"
#include "kernels/transpose/problem.hpp"
#include "kernels/triangle/problem.hpp"
#include "kernels/triangle_centrality/problem.hpp"

namespace shoal::kernels {

const std::vector<kernel_description>& all_kernels() {
  static const std::vector<kernel_description> kernels = {
      describe_histogram(),     describe_index_gather(), describe_randperm(),
      describe_transpose(),     describe_permute(),      describe_toposort(),
      describe_pagerank(),      describe_triangle(),     describe_triangle_centrality(),
      describe_jaccard(),       describe_bfs(),          describe_sssp(),
      describe_components(),    describe_kcore(),        describe_imm(),
      describe_random_access(),
  };
  return kernels;
}

}  // namespace shoal::kernels
