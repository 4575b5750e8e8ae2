#include "shoal/substrate/internal/mpi/window.hpp"

#include "shoal/base/types.hpp"
#include "shoal/substrate/internal/mpi/chunks.hpp"

namespace shoal::internal::mpi {

namespace {

constexpr std::size_t page_bytes = 4096;

bool is_unified(MPI_Win window) {
  int* model = nullptr;
  int is_known = 0;
  MPI_Win_get_attr(window, MPI_WIN_MODEL, &model, &is_known);
  return is_known != 0 && *model == MPI_WIN_UNIFIED;
}

// Here a failure must be returned, not end the job. A window that does not exist yet reports it through `among`.
template <class Make>
bool is_made(MPI_Comm among, const Make& make) {
  MPI_Errhandler before = MPI_ERRHANDLER_NULL;
  MPI_Comm_get_errhandler(among, &before);
  MPI_Comm_set_errhandler(among, MPI_ERRORS_RETURN);
  const int status = make();
  MPI_Comm_set_errhandler(among, before);
  MPI_Errhandler_free(&before);
  return status == MPI_SUCCESS;
}

}  // namespace

bool window::allocate(std::size_t bytes, MPI_Comm among) {
  std::byte* allocated = nullptr;
  // MPICH 4.0 lays the parts of a node side by side. If their sizes are not multiples of 16, ranks disagree about where
  // each begins, and puts land in the wrong place.
  const std::size_t with_slack = (bytes + cache_line_bytes + page_bytes - 1) / page_bytes * page_bytes;
  const bool is_there = is_made(among, [&] {
    return MPI_Win_allocate(static_cast<MPI_Aint>(with_slack), 1, MPI_INFO_NULL, among, &allocated, &window_);
  });
  const auto address = reinterpret_cast<std::uintptr_t>(allocated);
  const std::size_t skipped = -address % cache_line_bytes;
  start_ = allocated + skipped;
  return finish_making(is_there, skipped, among);
}

bool window::create(std::byte* memory, std::size_t bytes, MPI_Comm among) {
  const bool is_there = is_made(
      among, [&] { return MPI_Win_create(memory, static_cast<MPI_Aint>(bytes), 1, MPI_INFO_NULL, among, &window_); });
  start_ = memory;
  return finish_making(is_there, 0, among);
}

bool window::finish_making(bool is_there, std::size_t skipped, MPI_Comm among) {
  if (!is_there) {
    window_ = MPI_WIN_NULL;
    return false;
  }
  const auto mine = static_cast<MPI_Aint>(skipped);
  int n_ranks = 0;
  MPI_Comm_size(among, &n_ranks);
  starts_.resize(static_cast<std::size_t>(n_ranks));
  is_touched_.resize(static_cast<std::size_t>(n_ranks));
  answers_.resize(static_cast<std::size_t>(n_ranks));
  MPI_Allgather(&mine, 1, MPI_AINT, starts_.data(), 1, MPI_AINT, among);
  // Others' puts must reach the memory that this rank's loads read, without a call of ours between.
  return is_unified(window_);
}

void window::open_to_all() {
  // Nobody ever locks for itself alone, so MPI need not ask the others for this lock.
  MPI_Win_lock_all(MPI_MODE_NOCHECK, window_);
  is_open_ = true;
  synchronize();
}

void window::free() {
  if (window_ == MPI_WIN_NULL) return;
  if (is_open_) MPI_Win_unlock_all(window_);
  MPI_Win_free(&window_);
}

void window::touch(int rank) {
  if (is_touched_[static_cast<std::size_t>(rank)] != 0) return;
  is_touched_[static_cast<std::size_t>(rank)] = 1;
  touched_.push_back(rank);
}

void window::put(int rank, std::size_t offset, const void* source, std::size_t bytes) {
  touch(rank);
  in_chunks(bytes, [&](std::size_t done, int n) {
    MPI_Put(static_cast<const std::byte*>(source) + done, n, MPI_BYTE, rank, at(rank, offset + done), n, MPI_BYTE,
            window_);
  });
}

void window::get(void* target, std::size_t offset, std::size_t bytes, int rank) {
  touch(rank);
  in_chunks(bytes, [&](std::size_t done, int n) {
    MPI_Get(static_cast<std::byte*>(target) + done, n, MPI_BYTE, rank, at(rank, offset + done), n, MPI_BYTE, window_);
  });
}

void window::get_with_requests(void* target, std::size_t offset, std::size_t bytes, int rank,
                               std::vector<MPI_Request>& requests) {
  in_chunks(bytes, [&](std::size_t done, int n) {
    MPI_Rget(static_cast<std::byte*>(target) + done, n, MPI_BYTE, rank, at(rank, offset + done), n, MPI_BYTE, window_,
             &requests.emplace_back());
  });
}

void window::put_with_requests(int rank, std::size_t offset, const void* source, std::size_t bytes,
                               std::vector<MPI_Request>& requests) {
  in_chunks(bytes, [&](std::size_t done, int n) {
    MPI_Rput(static_cast<const std::byte*>(source) + done, n, MPI_BYTE, rank, at(rank, offset + done), n, MPI_BYTE,
             window_, &requests.emplace_back());
  });
  holds_back_ = true;
}

void window::put_word(int rank, std::size_t offset, const std::uint64_t& value) {
  MPI_Put(&value, 1, MPI_UINT64_T, rank, at(rank, offset), 1, MPI_UINT64_T, window_);
  holds_back_ = true;
}

// Open MPI's `pt2pt` collects small puts until somebody flushes. MPICH sends them at once, and its local flush would
// wait for the target's answer.
void window::send_off() {
#ifndef MPICH_VERSION
  if (holds_back_) MPI_Win_flush_local_all(window_);
#endif
  holds_back_ = false;
}

// A get in MPICH may not involve the target's processor; an accumulate does. Open MPI's accumulates lock the target and
// spin; its gets with requests end with an atomic at the target, ordered after all else.
MPI_Request window::ask(int rank) {
  std::uint64_t& answer = answers_[static_cast<std::size_t>(rank)];
  MPI_Request request = MPI_REQUEST_NULL;
#ifdef MPICH_VERSION
  MPI_Rget_accumulate(nullptr, 0, MPI_UINT64_T, &answer, 1, MPI_UINT64_T, rank, at(rank, 0), 1, MPI_UINT64_T, MPI_NO_OP,
                      window_, &request);
#else
  MPI_Rget(&answer, 1, MPI_UINT64_T, rank, at(rank, 0), 1, MPI_UINT64_T, window_, &request);
#endif
  return request;
}

void window::complete_all() {
  // One by one: MPICH 4.0's MPI_Win_flush_all over UCX returns before gets have arrived.
  for (const int rank : touched_) {
    complete(rank);
    is_touched_[static_cast<std::size_t>(rank)] = 0;
  }
  touched_.clear();
}

}  // namespace shoal::internal::mpi
