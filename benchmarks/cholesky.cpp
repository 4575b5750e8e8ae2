// The Cholesky factor of a matrix: by a task for each column of blocks, which takes in the others as they come, and by a superstep for
// each column. The second waits for one PE, and for the network, at each column: docs/performance.md, tasks.
// pes: 1 2 3 4 7
#include "benchmarks/support/cholesky.hpp"

#include <cstdio>
#include <vector>

#include "benchmarks/support/benchmark.hpp"
#include "benchmarks/support/blocks.hpp"

int main(int argc, char** argv) {
  using namespace shoal;
  try {
    const bench::options given = bench::parse_options(argc, argv);
    const bench::block_options of =
        bench::parse_blocks(given, given.is_smoke ? bench::block_options{.n_blocks = 8, .n_rows = 10}
                                                  : bench::block_options{.n_blocks = 16, .n_rows = 64});
    return run(argc, argv, [&](world& w) {
      bench::benchmark all(w, "cholesky", given);
      const bench::cholesky matrix(of.n_blocks, of.n_rows, of.block_ns);
      const std::vector<double> expected = matrix.by_one_pe();
      bench::cholesky::columns factor;
      bench::compare_forms(
          all, of, matrix.measure_block_ns(w), [&] { factor = matrix.by_tasks(w); },
          [&] { factor = matrix.by_supersteps(w); }, [&] { return matrix.is_factor(factor, expected); });
      return all.status();
    });
  } catch (const setup_error& e) {
    std::fprintf(stderr, "bench_cholesky: %s\n", e.what());
    return 2;
  }
}
