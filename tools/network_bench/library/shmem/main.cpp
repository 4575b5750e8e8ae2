// Measures what an OpenSHMEM library itself does on the link between two PEs.
#include <cstdio>

#include "tools/network_bench/library/shmem/job.hpp"
#include "tools/network_bench/library/shmem/measures.hpp"
#include "tools/network_bench/library/support/options.hpp"
#include "tools/network_bench/library/support/session.hpp"

using namespace network_bench;

namespace {

const std::vector<measure_group> groups = {
    {"put", measure_put},
    {"put_to_absent", measure_put_to_absent},
    {"get", measure_get},
    {"put_notified", measure_put_notified},
    {"put_bandwidth", measure_put_bandwidth},
    {"put_rate", measure_put_rate},
    {"fetch_add", measure_fetch_add},
    {"add", measure_add},
};

}  // namespace

int main(int argc, char** argv) {
  command_line known{"network_bench/shmem", {}};
  for (const measure_group& group : groups) known.measures.push_back(group.name);
  const options given = parsed(known, argc, argv);
  job both;
  if (both.n_processes() != 2) {
    if (both.is_first()) {
      std::fprintf(stderr, "this program measures the link between 2 PEs, not %d; start it with oshrun -n 2\n",
                   both.n_processes());
    }
    return 2;
  }
  session measures(both, given);
  const std::vector<std::string> hosts = both.hosts();
  measures.print(json_line().text("library", job::library()).text("thread_level", "single").texts("hosts", hosts));
  return measure_all(measures, groups);
}
