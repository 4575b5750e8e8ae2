// MPI_Init and MPI_Finalize of programs that also begin jobs of ours. Both may come before or after shmem_init and
// shmem_finalize. Since a job may be carried by MPI, MPI begins with whoever is first, and ends after the job; it also ends
// if the program leaves without MPI_Finalize, as some do. A program that does not call MPI_Init does not link this.
//
// Types are the standard's, and no header of MPI is needed. MPI's functions have a second name each, PMPI_…, for those who
// put their own in between.

#include "shoal/compat/internal/mpi_of_program.hpp"

#include <dlfcn.h>
#include <stdlib.h>

#include <cstdlib>
#include <string>
#include <utility>

#include "shoal/base/internal/ambient.hpp"
#include "shoal/compat/internal/handler_points.hpp"
#include "shoal/compat/internal/process_world.hpp"
#include "shoal/substrate/internal/run.hpp"

namespace compat = shoal::internal::compat;

namespace {

constexpr int success = 0;  // MPI_SUCCESS

// Of this process. MPI is one library a process, too.
struct mpi_state {
  bool is_ours = false;  // Shoal has begun MPI, and ends it
  bool has_begun = false;  // the program has called MPI_Init
  bool has_ended = false;  // and MPI_Finalize
  bool must_end = false;  // MPI_Finalize came while a job was open
};
mpi_state& state() noexcept {
  static mpi_state one;
  return one;
}

template <class Function>
Function* mpi_function(const char* name) {
  void* const found = ::dlsym(RTLD_DEFAULT, name);
  if (found != nullptr) return reinterpret_cast<Function*>(found);
  shoal::internal::report_fault(std::string("MPI_Init: the program is not linked with an MPI library (no ") + name +
                                ")");
  std::_Exit(shoal::internal::status_usage);
}

bool answer_of(const char* name) {
  int flag = 0;
  mpi_function<int(int*)>(name)(&flag);
  return flag != 0;
}

int end_mpi() { return mpi_function<int()>("PMPI_Finalize")(); }

// The job has closed before, since its handler is younger or main has closed it. A PE that leaves with another status may be
// alone: then the launcher tells of it.
void end_mpi_at_exit(int status, void*) {
  if (status == 0 && !state().is_ours && !answer_of("PMPI_Finalized")) end_mpi();
}

template <class Begin>
int begin_mpi(const Begin& begin, int required, int* provided) {
  if (!std::exchange(state().has_begun, true) && answer_of("PMPI_Initialized")) {
    state().is_ours = true;
    *provided = required;
    return mpi_function<int(int*)>("PMPI_Query_thread")(provided);
  }
  const int result = begin();
  if (result == success) ::on_exit(end_mpi_at_exit, nullptr);
  return result;
}

}  // namespace

// The job's own handler would leave its requests and windows to the end of the process.
void compat::close_job_before_mpi_ends() noexcept {
  ::on_exit(
      [](int status, void*) {
        if (status == 0 && state().has_begun && !state().is_ours && !is_in_handler()) leave_all();
      },
      nullptr);
}

void compat::end_mpi_of_program() noexcept {
  if (std::exchange(state().must_end, false)) end_mpi();
}

extern "C" {

int MPI_Init(int* argc, char*** argv);
int MPI_Init_thread(int* argc, char*** argv, int required, int* provided);
int MPI_Finalize();
int MPI_Finalized(int* flag);

int MPI_Init(int* argc, char*** argv) {
  int provided = 0;
  return begin_mpi([=] { return mpi_function<int(int*, char***)>("PMPI_Init")(argc, argv); }, 0, &provided);
}

int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  const auto begin = [=] {
    return mpi_function<int(int*, char***, int, int*)>("PMPI_Init_thread")(argc, argv, required, provided);
  };
  return begin_mpi(begin, required, provided);
}

int MPI_Finalize() {
  const bool has_ended = std::exchange(state().has_ended, true);
  if (state().is_ours && !has_ended) return success;
  if (!has_ended && compat::is_open()) {
    state().must_end = true;
    return success;
  }
  return end_mpi();
}

int MPI_Finalized(int* flag) {
  *flag = state().has_ended || answer_of("PMPI_Finalized") ? 1 : 0;
  return success;
}

}  // extern "C"
