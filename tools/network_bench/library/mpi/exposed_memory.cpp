#include "tools/network_bench/library/mpi/exposed_memory.hpp"

#include <array>
#include <atomic>
#include <cstring>

namespace network_bench {
namespace {

// MPI_Win_allocate, but an error is returned instead of ending the job.
int allocate(MPI_Aint bytes, void* memory, MPI_Win* window) {
  MPI_Errhandler before = MPI_ERRHANDLER_NULL;
  MPI_Comm_get_errhandler(MPI_COMM_WORLD, &before);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  const int error = MPI_Win_allocate(bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, memory, window);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, before);
  MPI_Errhandler_free(&before);
  return error;
}

std::string text_of(int error) {
  std::array<char, MPI_MAX_ERROR_STRING> text;
  int length = 0;
  MPI_Error_string(error, text.data(), &length);
  return {text.data(), static_cast<std::size_t>(length)};
}

}  // namespace

exposed_memory::exposed_memory(std::size_t bytes) {
  // Whole pages: with MPICH 4.0.2 on one node, what rank 0 puts to rank 1 lands 8 bytes too early if the size is not a
  // multiple of 16.
  constexpr std::size_t page_bytes = 4096;
  const std::size_t in_all = (line_bytes + bytes + page_bytes - 1) / page_bytes * page_bytes;
  const int error = allocate(static_cast<MPI_Aint>(in_all), &memory_, &window_);
  const int mine = error == MPI_SUCCESS ? 0 : 1;
  int n_failed = 0;
  MPI_Allreduce(&mine, &n_failed, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (n_failed != 0) {
    fault_ = "MPI_Win_allocate: " + (mine == 0 ? std::string("failed in the other process") : text_of(error));
    return;
  }
  MPI_Win_lock_all(MPI_MODE_NOCHECK, window_);
  std::memset(memory_, 0, in_all);
  publish();
  MPI_Barrier(MPI_COMM_WORLD);
}

exposed_memory::~exposed_memory() {
  if (!fault_.empty()) return;
  MPI_Win_unlock_all(window_);
  MPI_Win_free(&window_);
}

std::span<std::byte> exposed_memory::messages(std::size_t bytes) {
  MPI_Win_sync(window_);
  return {memory_ + line_bytes, bytes};
}

std::uint64_t exposed_memory::word() {
  MPI_Win_sync(window_);
  return std::atomic_ref(*reinterpret_cast<std::uint64_t*>(memory_)).load(std::memory_order_acquire);
}

}  // namespace network_bench
