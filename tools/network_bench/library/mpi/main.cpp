// Measures what an MPI library itself does on the link between two processes.
#include <cstdio>

#include "tools/network_bench/library/mpi/job.hpp"
#include "tools/network_bench/library/mpi/measures.hpp"
#include "tools/network_bench/library/support/options.hpp"
#include "tools/network_bench/library/support/session.hpp"

using namespace network_bench;

namespace {

const std::vector<measure_group> groups = {
    {"latency", measure_latency},
    {"bandwidth", measure_bandwidth},
    {"rate", measure_rate},
    {"send_modes", measure_send_modes},
    {"eager", measure_eager},
    {"put", measure_put},
    {"put_to_absent", measure_put_to_absent},
    {"get", measure_get},
    {"put_notified", measure_put_notified},
    {"put_bandwidth", measure_put_bandwidth},
    {"put_rate", measure_put_rate},
    {"fetch_add", measure_fetch_add},
    {"add", measure_add},
    {"overlap", measure_overlap},
};
const std::vector<measure_group> groups_of_threads = {
    {"thread_latency", measure_thread_latency},
    {"thread_bandwidth", measure_thread_bandwidth},
    {"thread_rate", measure_thread_rate},
};

command_line known_options() {
  command_line known{"network_bench/mpi", {}};
  for (const measure_group& group : groups) known.measures.push_back(group.name);
  for (const measure_group& group : groups_of_threads) {
    known.measures.push_back(group.name);
    known.measures_of_threads.push_back(group.name);
  }
  return known;
}

int refuse(const job& all, const std::string& line) {
  if (all.is_first()) std::fprintf(stderr, "%s\n", line.c_str());
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  const options given = parsed(known_options(), argc, argv);
  job all(given.thread_level);
  if (all.n_processes() != 2) {
    return refuse(all, "this program measures the link between 2 processes, not " + std::to_string(all.n_processes()) +
                           "; start it with this library's mpirun -n 2");
  }
  if (!all.has_level()) {
    return refuse(all, job::library() + " provides thread level " + all.provided_level() + ", not " +
                           given.thread_level + "; ask for less with --thread-level, or use another library");
  }
  session measures(all, given);
  const std::vector<std::string> hosts = all.hosts();
  measures.print(
      json_line().text("library", job::library()).text("thread_level", all.provided_level()).texts("hosts", hosts));
  std::vector<measure_group> wanted = groups;
  if (given.thread_level == "multiple") wanted.insert(wanted.end(), groups_of_threads.begin(), groups_of_threads.end());
  return measure_all(measures, wanted);
}
