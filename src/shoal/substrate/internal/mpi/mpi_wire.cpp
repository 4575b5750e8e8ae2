#include "shoal/substrate/internal/mpi/mpi_wire.hpp"

#include <sched.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <string_view>
#include <thread>

namespace shoal::internal::mpi {

namespace {

// What claims are answered with. Never freed, so the answers' requests need no keeping.
constexpr char yes = 1;
constexpr char no = 0;

MPI_Comm duplicate(MPI_Comm of) {
  MPI_Comm copy = MPI_COMM_NULL;
  MPI_Comm_dup(of, &copy);
  // The copy inherits the program's handler; we look at no error codes.
  MPI_Comm_set_errhandler(copy, MPI_ERRORS_ARE_FATAL);
  return copy;
}

// MPICH 4.0 flushes its connections in MPI_Finalize, and over UCX's TCP the peer must answer a flush. A rank may answer
// while it is still in an earlier call, such as a barrier. The other rank then goes on to wait in the process manager,
// where it answers nobody, so the first rank's own flush never ends (pmodels/mpich #6596). If both flush before they
// answer, both are answered. So nobody begins the end before all have left the calls before it.
#ifdef MPICH_VERSION
constexpr bool must_meet_before_end = true;
#else
constexpr bool must_meet_before_end = false;
#endif

}  // namespace

void cancel(MPI_Request& request) {
  if (request == MPI_REQUEST_NULL) return;
  MPI_Cancel(&request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

mpi_wire::mpi_wire(const session& of)
    : is_ours_(of.is_ours), data_(duplicate(of.parent)), small_(duplicate(of.parent)) {
  MPI_Comm_rank(data_, &rank_);
  MPI_Comm_size(data_, &n_ranks_);
  if (rank_ == 0 && n_ranks_ > 1) wait_for_claims();
}

std::string mpi_wire::library() const {
  char text[MPI_MAX_LIBRARY_VERSION_STRING];
  int length = 0;
  MPI_Get_library_version(text, &length);
  // "Open MPI v4.1.4, package: …" or "MPICH Version:\t4.0.2\nMPICH Release date: …".
  std::string_view first(text, static_cast<std::size_t>(length));
  first = first.substr(0, first.find_first_of(",\n"));
  const auto digit = std::min(first.find_first_of("0123456789"), first.size());
  const auto name = first.starts_with("Open MPI") ? std::string_view("Open MPI") : first.substr(0, first.find(' '));
  return std::string(name) + ' ' + std::string(first.substr(digit));
}

bool mpi_wire::is_over() const noexcept {
  int is_finalized = 0;
  MPI_Finalized(&is_finalized);
  return is_finalized != 0;
}

void mpi_wire::all_gather(const void* mine, void* all, std::size_t bytes) {
  MPI_Allgather(mine, static_cast<int>(bytes), MPI_BYTE, all, static_cast<int>(bytes), MPI_BYTE, small_);
}

int mpi_wire::first_that_failed(bool is_well) const {
  const int mine = is_well ? n_ranks_ : rank_;
  int first = n_ranks_;
  MPI_Allreduce(&mine, &first, 1, MPI_INT, MPI_MIN, small_);
  return first == n_ranks_ ? -1 : first;
}

void mpi_wire::open_small(const network::wire_sizes& sizes) {
  exchange_bytes_ = sizes.exchange_bytes;
  controls_.open(small_, control_tag);
  requests_.open(small_, first_request_tag, sizes.heap, [this](unsigned& patience) {
    answer_claims();
    pass_time(patience);
  });
}

bool mpi_wire::poll_control(control_message& into) {
  if (controls_.poll(into)) return true;
  requests_.serve_some();  // whoever waits for control messages may call nothing else
  return false;
}

void mpi_wire::close(const std::function<void()>& meet) {
  requests_.close();  // first: its ranks serve one another, and in the calls after it they do not
  end_transfers();
  controls_.close();
  cancel(claim_request_);
  if (is_ours_) MPI_Barrier(small_);
  MPI_Comm_free(&data_);
  MPI_Comm_free(&small_);
  if (!is_ours_) return;
  if (must_meet_before_end) meet();
  MPI_Finalize();
}

// A rank is at most one round ahead of another, so at most two messages of a step wait here for their receives.
void mpi_wire::start_exchange(int step, int parity, std::span<const std::byte> data, int to, std::byte* into,
                              int from) {
  const int its_tag = first_exchange_tag + 2 * step + parity;
  MPI_Irecv(into, static_cast<int>(exchange_bytes_), MPI_BYTE, from, its_tag, small_, &exchange_[0]);
  MPI_Isend(data.data(), static_cast<int>(data.size()), MPI_BYTE, to, its_tag, small_, &exchange_[1]);
}

bool mpi_wire::is_exchange_done(std::size_t& n_received) {
  int is_done = 0;
  MPI_Status statuses[2];
  MPI_Testall(2, exchange_, &is_done, statuses);
  if (is_done == 0) {
    answer_claims();
    return false;
  }
  int n_bytes = 0;
  MPI_Get_count(&statuses[0], MPI_BYTE, &n_bytes);
  n_received = static_cast<std::size_t>(n_bytes);
  return true;
}

void mpi_wire::wait_for_claims() {
  MPI_Irecv(&claim_, 1, MPI_CHAR, MPI_ANY_SOURCE, claim_tag, small_, &claim_request_);
}

void mpi_wire::answer_claims() {
  constexpr unsigned looks_per_test = 16;  // a test costs as much as the rest of an empty poll
  if (rank_ != 0 || claim_request_ == MPI_REQUEST_NULL || ++n_looks_ % looks_per_test != 0) return;
  int is_here = 0;
  MPI_Status status;
  MPI_Test(&claim_request_, &is_here, &status);
  if (is_here == 0) return;
  MPI_Request answer = MPI_REQUEST_NULL;
  MPI_Isend(is_claimed_ ? &no : &yes, 1, MPI_CHAR, status.MPI_SOURCE, answer_tag, small_, &answer);
  MPI_Request_free(&answer);
  is_claimed_ = true;
  wait_for_claims();
}

bool mpi_wire::claim_report() {
  if (rank_ == 0) {
    const bool is_first = !is_claimed_;
    is_claimed_ = true;
    return is_first;
  }
  // The job is about to end, so what is not answered in time stays open. Rank 0 may be the one that died.
  MPI_Comm_set_errhandler(small_, MPI_ERRORS_RETURN);
  MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  MPI_Irecv(&answer_, 1, MPI_CHAR, 0, answer_tag, small_, &requests[0]);
  MPI_Isend(&yes, 1, MPI_CHAR, 0, claim_tag, small_, &requests[1]);
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(1);
  int is_answered = 0;
  while (is_answered == 0 && std::chrono::steady_clock::now() < deadline) {
    MPI_Testall(2, requests, &is_answered, MPI_STATUSES_IGNORE);
    sched_yield();
  }
  return is_answered == 0 || answer_ == yes;
}

namespace {

// MPICH's launcher does not read what is left in our pipe when it hears of an abort. A terminal or a file has taken the
// report already.
void await_report_read() {
  int n_unread = 0;
  for (int i = 0; i < 200; ++i) {
    if (::ioctl(STDERR_FILENO, FIONREAD, &n_unread) != 0 || n_unread == 0) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

// Whether MPI_Abort exits with 1, whatever it is told: MPICH's does where a rank is alone, which may as well just leave.
// Open MPI's launcher takes two seconds to notice one that leaves.
bool is_deaf_to_status() {
#ifdef MPICH_VERSION
  int n_ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &n_ranks);
  return n_ranks == 1;
#else
  return false;
#endif
}

}  // namespace

// With any other communicator, MPICH 4.0 waits for the other ranks to call the library. Ranks that wait in shared
// memory never do.
void mpi_wire::abort(int status) {
  await_report_read();
  if (!is_deaf_to_status()) MPI_Abort(MPI_COMM_WORLD, std::clamp(status, 1, 255));
  std::_Exit(std::clamp(status, 1, 255));  // the standard does not promise that MPI_Abort stays away
}

}  // namespace shoal::internal::mpi
