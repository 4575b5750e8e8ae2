#include "shoal/base/internal/fiber.hpp"

#include <cxxabi.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>

#if SHOAL_ADDRESS_SANITIZER
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#if SHOAL_THREAD_SANITIZER
#include <sanitizer/tsan_interface.h>
#endif

#include "shoal/base/internal/ambient.hpp"
#include "shoal/base/setup_error.hpp"

namespace shoal::internal {
namespace {

constexpr std::uint64_t end_mark = 0x5a0a'f1be'57ac'd00d;

std::size_t page_bytes() noexcept { return static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)); }

// The Itanium C++ ABI keeps, per thread, a chain of the exceptions in flight or being handled, and a count of those in
// flight. Both belong to a stack, so they move with the fiber. Otherwise a fiber that switches inside a catch block
// would let another fiber end or rethrow its exception.
struct exception_state {
  void* caught = nullptr;
  unsigned int n_uncaught = 0;
};

exception_state exchange_exception_state(const exception_state& incoming) noexcept {
  auto* const globals = reinterpret_cast<std::byte*>(abi::__cxa_get_globals());
  exception_state outgoing;
  std::memcpy(&outgoing, globals, sizeof outgoing);
  std::memcpy(globals, &incoming, sizeof incoming);
  return outgoing;
}

// Which fiber switched away last on this thread. The first function of a fiber needs it, because arguments cannot be
// passed to it portably; and so do the sanitizers, which want the previous stack.
struct last_switch {
  fiber* from = nullptr;
  fiber* to = nullptr;
};
constinit thread_local last_switch switching;

}  // namespace

// --- Stacks

fiber_stacks::fiber_stacks(std::size_t n, std::size_t stack_bytes, std::string_view advice) {
  const std::size_t page = page_bytes();
  guard_bytes_ = n <= n_guarded_max ? page : 0;
  stride_ = (stack_bytes + page - 1) / page * page + guard_bytes_;
  mapped_bytes_ = n * stride_;
  void* const got = ::mmap(nullptr, mapped_bytes_, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (got == MAP_FAILED) {
    throw setup_error("cannot reserve " + std::to_string(n) + " fiber stacks of " + std::to_string(stack_bytes) +
                      " bytes (" + std::strerror(errno) + "); " + std::string(advice));
  }
  base_ = static_cast<std::byte*>(got);
  for (std::size_t i = 0; i < n; ++i) {
    if (!has_guards()) {
      std::memcpy(stack(i).data(), &end_mark, sizeof end_mark);
    } else if (::mprotect(base_ + i * stride_, guard_bytes_, PROT_NONE) != 0) {
      const std::string reason = std::strerror(errno);
      ::munmap(base_, mapped_bytes_);
      throw setup_error("cannot guard " + std::to_string(n) + " fiber stacks (" + reason +
                        "): raise vm.max_map_count, or " + std::string(advice));
    }
  }
}

fiber_stacks::~fiber_stacks() {
#if SHOAL_ADDRESS_SANITIZER
  // Frames from which a fiber never returned are still poisoned; the next mapping at this address is not ours.
  __asan_unpoison_memory_region(base_, mapped_bytes_);
#endif
  ::munmap(base_, mapped_bytes_);
}

std::span<std::byte> fiber_stacks::stack(std::size_t index) const noexcept {
  return {base_ + index * stride_ + guard_bytes_, stride_ - guard_bytes_};
}

std::size_t fiber_stacks::index_of(const void* address) const noexcept {
  const std::size_t offset = reinterpret_cast<std::uintptr_t>(address) - reinterpret_cast<std::uintptr_t>(base_);
  return offset < mapped_bytes_ && offset % stride_ >= guard_bytes_ ? offset / stride_ : none;
}

std::size_t fiber_stacks::guard_index_of(const void* address) const noexcept {
  const std::size_t offset = reinterpret_cast<std::uintptr_t>(address) - reinterpret_cast<std::uintptr_t>(base_);
  return offset < mapped_bytes_ && offset % stride_ < guard_bytes_ ? offset / stride_ : none;
}

bool fiber_stacks::is_intact(std::size_t index) const noexcept {
  return has_guards() || std::memcmp(stack(index).data(), &end_mark, sizeof end_mark) == 0;
}

void set_access(std::span<std::byte> pages, bool is_allowed) noexcept {
  if (::mprotect(pages.data(), pages.size(), is_allowed ? PROT_READ | PROT_WRITE : PROT_NONE) == 0) return;
  end_job(status_failure, std::string("cannot change who may access a fiber's stack (") + std::strerror(errno) +
                              "): raise vm.max_map_count, lower SHOAL_PES or leave out SHOAL_SIM=lock_stacks");
}

// --- Fibers

fiber::fiber() noexcept {
#if SHOAL_THREAD_SANITIZER
  tsan_fiber_ = __tsan_get_current_fiber();
#endif
}

fiber::fiber(std::span<std::byte> stack, entry run, void* argument)
    : run_(run), argument_(argument), stack_(stack), stack_bottom_(stack.data()), stack_bytes_(stack.size()) {
  context_.start(stack, [] { first_function(); });
#if SHOAL_THREAD_SANITIZER
  tsan_fiber_ = __tsan_create_fiber(0);
#endif
}

fiber::~fiber() {
#if SHOAL_THREAD_SANITIZER
  if (run_ != nullptr) __tsan_destroy_fiber(tsan_fiber_);
#endif
}

void fiber::lock_stack() noexcept {
  is_locked_ = true;
  set_access(stack_, false);
}

void fiber::switch_to(fiber& next) noexcept {
  const exception_state exceptions = exchange_exception_state({});
  pe_context* const context = current_pe;
  pe_worker* const its_worker = current_worker;
  announce_switch_to(next, false);
  context_.switch_to(next.context_);
  arrived_from_elsewhere();
  current_pe = context;
  current_worker = its_worker;
  exchange_exception_state(exceptions);
}

void fiber::leave_to(fiber& next) noexcept {
  exchange_exception_state({});
  announce_switch_to(next, true);
  context_.switch_to(next.context_);
  std::abort();  // no fiber may switch to one that has left
}

// Exception state and ambient PE are empty here: the fiber that switched to this one has saved its own.
void fiber::first_function() noexcept {
  fiber& self = *switching.to;
  self.arrived_from_elsewhere();
  current_pe = nullptr;
  current_worker = nullptr;
  self.run_(self.argument_);
  std::abort();  // `run` must end with leave_to
}

void fiber::announce_switch_to(fiber& next, [[maybe_unused]] bool for_ever) noexcept {
  switching = {this, &next};
  if (next.is_locked_) set_access(next.stack_, true);
#if SHOAL_ADDRESS_SANITIZER
  __sanitizer_start_switch_fiber(for_ever ? nullptr : &fake_stack_, next.stack_bottom_, next.stack_bytes_);
#endif
#if SHOAL_THREAD_SANITIZER
  tsan_fiber_ = __tsan_get_current_fiber();
  __tsan_switch_to_fiber(next.tsan_fiber_, 0);
#endif
}

void fiber::arrived_from_elsewhere() noexcept {
  const fiber& from = *switching.from;
  if (from.is_locked_) set_access(from.stack_, false);
#if SHOAL_ADDRESS_SANITIZER
  __sanitizer_finish_switch_fiber(fake_stack_, &switching.from->stack_bottom_, &switching.from->stack_bytes_);
#endif
}

}  // namespace shoal::internal
