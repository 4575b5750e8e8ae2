// Blocks of a table, each of which needs two others: by tasks that begin when what they need is there, and by a superstep for
// each diagonal. With time between the hosts, the second waits for it at each diagonal: docs/performance.md, tasks.
// pes: 1 2 3 4 7
#include "benchmarks/support/wavefront.hpp"

#include <cstdint>
#include <cstdio>

#include "benchmarks/support/benchmark.hpp"
#include "benchmarks/support/blocks.hpp"

int main(int argc, char** argv) {
  using namespace shoal;
  try {
    const bench::options given = bench::parse_options(argc, argv);
    const bench::block_options of = bench::parse_blocks(
        given, given.is_smoke ? bench::block_options{.n_blocks = 8, .n_rows = 30} : bench::block_options{});
    return run(argc, argv, [&](world& w) {
      bench::benchmark all(w, "wavefront", given);
      const bench::wavefront texts(of.n_blocks, of.n_rows, of.block_ns);
      const std::int32_t expected = texts.by_one_pe();
      std::int32_t distance = 0;
      bench::compare_forms(
          all, of, texts.measure_block_ns(w), [&] { distance = texts.by_tasks(w); },
          [&] { distance = texts.by_supersteps(w); }, [&] { return w.max(distance) == expected; });
      return all.status();
    });
  } catch (const setup_error& e) {
    std::fprintf(stderr, "bench_wavefront: %s\n", e.what());
    return 2;
  }
}
