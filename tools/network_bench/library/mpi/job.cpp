#include "tools/network_bench/library/mpi/job.hpp"

#include <array>
#include <chrono>
#include <thread>
#include <utility>

namespace network_bench {
namespace {

const std::array<std::pair<const char*, int>, 4> levels = {{{"single", MPI_THREAD_SINGLE},
                                                            {"funneled", MPI_THREAD_FUNNELED},
                                                            {"serialized", MPI_THREAD_SERIALIZED},
                                                            {"multiple", MPI_THREAD_MULTIPLE}}};

// MPICH 4.0 over TCP flushes its connections in MPI_Finalize. The flush hangs if the peer has answered this process's
// last message and has then ended first. So both leave the last barrier before either of them begins to end.
#ifdef MPICH_VERSION
constexpr std::chrono::milliseconds pause_before_end(100);
#else
constexpr std::chrono::milliseconds pause_before_end(0);
#endif

}  // namespace

job::job(const std::string& thread_level) {
  for (const auto& [name, level] : levels) {
    if (name == thread_level) wanted_ = level;
  }
  MPI_Init_thread(nullptr, nullptr, wanted_, &provided_);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &n_processes_);
}

job::~job() {
  MPI_Barrier(MPI_COMM_WORLD);
  std::this_thread::sleep_for(pause_before_end);
  MPI_Finalize();
}

void job::meet() { MPI_Barrier(MPI_COMM_WORLD); }

std::int64_t job::from_first(std::int64_t value) {
  MPI_Bcast(&value, 1, MPI_INT64_T, 0, MPI_COMM_WORLD);
  return value;
}

std::int64_t job::sum(std::int64_t mine) {
  std::int64_t all = 0;
  MPI_Allreduce(&mine, &all, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
  return all;
}

std::string job::provided_level() const {
  for (const auto& [name, level] : levels) {
    if (level == provided_) return name;
  }
  return "unknown";
}

// "Open MPI v4.1.4, package: …" or "MPICH Version:\t4.0.2\nMPICH Release date: …"
std::string job::library() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text;
  int length = 0;
  MPI_Get_library_version(text.data(), &length);
  std::string first(text.data(), static_cast<std::size_t>(length));
  first.resize(std::min(first.find_first_of(",\n"), first.size()));
  const std::size_t digit = first.find_first_of("0123456789");
  if (digit == std::string::npos) return first;
  const std::string name = first.starts_with("Open MPI") ? "Open MPI" : first.substr(0, first.find(' '));
  return name + ' ' + first.substr(digit);
}

std::vector<std::string> job::hosts() const {
  using host_name = std::array<char, MPI_MAX_PROCESSOR_NAME>;
  host_name mine{};
  int length = 0;
  MPI_Get_processor_name(mine.data(), &length);
  std::vector<host_name> all(static_cast<std::size_t>(n_processes_));
  MPI_Allgather(mine.data(), sizeof mine, MPI_CHAR, all.data(), sizeof mine, MPI_CHAR, MPI_COMM_WORLD);
  std::vector<std::string> names;
  for (const host_name& name : all) names.emplace_back(name.data());
  return names;
}

int other_rank() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return 1 - rank;
}

}  // namespace network_bench
