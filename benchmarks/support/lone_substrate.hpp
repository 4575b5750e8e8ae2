/// A substrate for one PE alone: the benchmark plays all other PEs, so that one end of a link is timed on one core.
///
/// Posted buffers come back at once and are reused oldest first, like those that other PEs have read. The benchmark
/// fills the buffers for this PE, and they arrive in the order in which it feeds them. Rounds, the heap and one-sided
/// access do nothing: the program must not make collective calls.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <new>
#include <utility>
#include <vector>

#include "shoal/base/setup_error.hpp"
#include "shoal/substrate/internal/substrate.hpp"
#include "shoal/substrate/substrate_kind.hpp"

namespace shoal::bench {

/// The pages of the memory for buffers.
enum class page_kind : std::uint8_t {
  shared,  // a memfd, as on `local`: huge only if the administrator allows it for shared memory
  small,  // private, pages of the smallest size
  huge,  // private, huge pages
};

/// Adjacent buffers, as in a pool of `local`.
class buffer_memory {
public:
  buffer_memory(std::size_t n_buffers, std::size_t payload_bytes, page_kind pages)
      : stride_(sizeof(internal::buffer) + payload_bytes), bytes_(round_up(n_buffers * stride_)) {
    const int fd = pages == page_kind::shared ? ::memfd_create("bench", MFD_CLOEXEC) : -1;
    if (pages == page_kind::shared && (fd < 0 || ::ftruncate(fd, static_cast<off_t>(bytes_)) != 0)) {
      throw setup_error("cannot get shared memory for buffers");
    }
    const int flags = pages == page_kind::shared ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS;
    // Room to align it to a huge page.
    mapped_bytes_ = bytes_ + (fd < 0 ? huge_page_bytes : 0);
    mapped_ = ::mmap(nullptr, mapped_bytes_, PROT_READ | PROT_WRITE, flags, fd, 0);
    if (fd >= 0) ::close(fd);
    if (mapped_ == MAP_FAILED) throw setup_error("cannot map memory for buffers");
    const auto address = reinterpret_cast<std::uintptr_t>(mapped_);
    begin_ = reinterpret_cast<std::byte*>(fd >= 0 ? address : round_up(address));
    ::madvise(begin_, bytes_, pages == page_kind::huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
    for (std::size_t i = 0; i < n_buffers; ++i) new (begin_ + i * stride_) internal::buffer;
    // Touches all pages, as a substrate does, so that the timed part has no page faults.
    for (std::size_t at = 0; at < n_buffers * stride_; at += 512) {
      if (at % stride_ >= sizeof(internal::buffer)) begin_[at] = std::byte{0};
    }
  }
  ~buffer_memory() { ::munmap(mapped_, mapped_bytes_); }
  buffer_memory(const buffer_memory&) = delete;
  buffer_memory& operator=(const buffer_memory&) = delete;

  internal::buffer& at(std::size_t i) const noexcept {
    return *reinterpret_cast<internal::buffer*>(begin_ + i * stride_);
  }

private:
  static constexpr std::size_t huge_page_bytes = std::size_t{2} << 20;
  static constexpr std::size_t round_up(std::size_t bytes) {
    return (bytes + huge_page_bytes - 1) / huge_page_bytes * huge_page_bytes;
  }

  std::size_t stride_;
  std::size_t bytes_;
  std::size_t mapped_bytes_ = 0;
  void* mapped_ = nullptr;
  std::byte* begin_ = nullptr;
};

/// Buffers in order of arrival; a ring of fixed size.
class buffer_ring {
public:
  explicit buffer_ring(std::size_t n_most) : ring_(n_most + 1) {}

  void push(internal::buffer& b) noexcept {
    ring_[end_] = &b;
    end_ = end_ + 1 == ring_.size() ? 0 : end_ + 1;
  }
  internal::buffer* pop() noexcept {
    if (begin_ == end_) return nullptr;
    internal::buffer* const b = ring_[begin_];
    begin_ = begin_ + 1 == ring_.size() ? 0 : begin_ + 1;
    return b;
  }
  std::size_t size() const noexcept { return (end_ + ring_.size() - begin_) % ring_.size(); }

private:
  std::vector<internal::buffer*> ring_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

struct lone_options {
  pe_id n_pes = 1;
  std::size_t n_slots = 8;
  std::size_t payload_bytes = 512;
  page_kind pages = page_kind::shared;
};

class lone_substrate final : public internal::substrate {
public:
  explicit lone_substrate(const lone_options& options)
      : internal::substrate(0, options.n_pes),
        pool_(options.n_slots, options.payload_bytes, options.pages),
        free_(options.n_slots),
        arrived_(options.n_slots) {
    payload_bytes_ = options.payload_bytes;
    n_slots_ = options.n_slots;
    for (std::size_t i = 0; i < n_slots_; ++i) {
      pool_.at(i).slot = static_cast<std::uint32_t>(i);
      free_.push(pool_.at(i));
    }
  }

  /// Called with every posted buffer and its target before the buffer comes back; may be null.
  std::function<void(const internal::buffer&, pe_id)> on_post;

  /// Makes a buffer arrive whose slot number is one of another PE's pool. At most as many at once as a pool has slots.
  void feed(internal::buffer& b) noexcept { arrived_.push(b); }

  substrate_kind kind() const noexcept override { return substrate_kind::local; }
  std::size_t n_free() noexcept override { return free_.size(); }
  internal::buffer* try_acquire() noexcept override { return free_.pop(); }
  void post(internal::buffer& full, pe_id target) noexcept override {
    if (on_post) on_post(full, target);
    free_.push(full);
  }
  internal::buffer* poll() noexcept override { return arrived_.pop(); }
  void release(internal::buffer& done) noexcept override {
    if (owns(done)) free_.push(done);
  }

  bool try_send_control(std::span<const std::byte>, pe_id) noexcept override { return false; }
  bool poll_control(internal::control_message&) noexcept override { return false; }

  void arrive(std::span<const std::byte>, internal::combine_function) noexcept override {}
  bool is_round_complete() noexcept override { return true; }
  const std::byte* round_result() noexcept override { return nullptr; }
  const std::byte* round_contribution(pe_id) noexcept override { return nullptr; }
  void wait(unsigned&) noexcept override {}
  void pause(unsigned&) noexcept override {}
  internal::flow_counts flow() const noexcept override { return {}; }
  internal::symmetric_memory& heap() noexcept override { std::abort(); }
  internal::pe_threads& threads() noexcept override { std::abort(); }
  std::uint64_t now_ns() noexcept override {
    timespec now;
    ::clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(now.tv_nsec);
  }
  [[noreturn]] void end_job(int status, std::string_view report) noexcept override {
    std::fprintf(stderr, "%.*s\n", static_cast<int>(report.size()), report.data());
    std::_Exit(status);
  }

private:
  buffer_memory pool_;
  buffer_ring free_;
  buffer_ring arrived_;
};

}  // namespace shoal::bench
