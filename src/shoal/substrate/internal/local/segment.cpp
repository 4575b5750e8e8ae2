#include "shoal/substrate/internal/local/segment.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <new>
#include <string>

#include "shoal/base/setup_error.hpp"

namespace shoal::internal::local {
namespace {

constexpr std::size_t page_bytes = 4096;

constexpr std::size_t page_align(std::size_t bytes) { return (bytes + page_bytes - 1) / page_bytes * page_bytes; }

// An odd number of lines from slot to slot. With a power of two, the open buffers of all links would compete for the
// same few sets of the first-level cache.
std::size_t odd_lines(std::size_t bytes) {
  const std::size_t n_lines = (bytes + cache_line_bytes - 1) / cache_line_bytes;
  return (n_lines | 1) * cache_line_bytes;
}

std::byte* map(std::size_t bytes, int flags, int fd) {
  void* base = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, flags | MAP_NORESERVE, fd, 0);
  if (base == MAP_FAILED) {
    throw setup_error("cannot map " + std::to_string(bytes >> 20) + " MiB of shared memory (" + std::strerror(errno) +
                      "); lower SHOAL_HEAP or SHOAL_MEMORY");
  }
  return static_cast<std::byte*>(base);
}

}  // namespace

segment_layout::segment_layout(pe_id n_pes_, std::size_t n_slots_, std::size_t payload_bytes, std::size_t heap_bytes_,
                               std::size_t extra_bytes)
    : n_pes(n_pes_),
      n_slots(n_slots_),
      slot_stride(odd_lines(sizeof(buffer) + payload_bytes)),
      pool_bytes(page_align(n_slots_ * slot_stride)),
      heap_bytes(page_align(heap_bytes_)),
      round_offset(job_page_bytes),
      pages_offset(page_align(round_offset + sizeof(round_page))),
      pools_offset(page_align(pages_offset + static_cast<std::size_t>(n_pes_) * sizeof(pe_page))),
      heaps_offset(pools_offset + static_cast<std::size_t>(n_pes_) * pool_bytes),
      extra_offset(heaps_offset + static_cast<std::size_t>(n_pes_) * heap_bytes),
      total_bytes(extra_offset + page_align(extra_bytes)) {}

segment::segment(const segment_layout& layout, int job_fd) : layout_(layout), fd_(job_fd) {
  if (fd_ < 0) {
    map_alone();
    return;
  }
  struct stat status{};
  if (::fstat(fd_, &status) != 0) {
    throw setup_error("descriptor " + std::to_string(fd_) +
                      " from SHOAL_JOB_FD is not open (was it closed before shoal::run?)");
  }
  // All PEs compute the same size, so any of them may be first. A zeroed page is a valid initial state of everything in
  // the segment (see the static_asserts that atomics are lock-free).
  if (static_cast<std::size_t>(status.st_size) < layout_.total_bytes &&
      ::ftruncate(fd_, static_cast<off_t>(layout_.total_bytes)) != 0) {
    throw setup_error("cannot grow the job's shared memory to " + std::to_string(layout_.total_bytes >> 20) + " MiB (" +
                      std::strerror(errno) + "); lower SHOAL_HEAP");
  }
  base_ = map(layout_.total_bytes, MAP_SHARED, fd_);
}

segment::segment(const segment_layout& layout) : layout_(layout) { map_alone(); }

void segment::map_alone() {
  base_ = map(layout_.total_bytes, MAP_SHARED | MAP_ANONYMOUS, -1);
  new (base_) job_page{.n_pes = static_cast<std::int32_t>(layout_.n_pes)};
}

segment::~segment() { ::munmap(base_, layout_.total_bytes); }

}  // namespace shoal::internal::local
