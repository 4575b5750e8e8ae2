/// The registers of a suspended fiber: the only part of the simulator that depends on the processor.
///
/// x86-64 uses a few instructions, a tenth of the time of ucontext, which makes a system call per switch for a signal
/// mask that the simulator never changes (docs/design/simulator.md has the measurement). ucontext serves all other
/// processors, the sanitizers, which understand it, and shadow stacks, which it switches. SHOAL_FIBER_ASSEMBLY=0 at
/// compile time selects it, too.
#pragma once

#include <cstddef>
#include <span>

#if defined(__SANITIZE_ADDRESS__)
#define SHOAL_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SHOAL_ADDRESS_SANITIZER 1
#endif
#endif
#if defined(__SANITIZE_THREAD__)
#define SHOAL_THREAD_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define SHOAL_THREAD_SANITIZER 1
#endif
#endif

#ifndef SHOAL_FIBER_ASSEMBLY
#define SHOAL_FIBER_ASSEMBLY 1
#endif

#if defined(__CET__) && (__CET__ & 2) != 0
#define SHOAL_SHADOW_STACK 1
#endif

#if SHOAL_FIBER_ASSEMBLY && defined(__x86_64__) && !SHOAL_ADDRESS_SANITIZER && !SHOAL_THREAD_SANITIZER && \
    !SHOAL_SHADOW_STACK
#define SHOAL_FIBER_SWITCH_IN_ASSEMBLY 1
#else
#include <ucontext.h>
#endif

namespace shoal::internal {

class machine_context {
public:
  /// Prepares a first switch to this object, which calls `run` on `stack`; `run` must never return.
  void start(std::span<std::byte> stack, void (*run)());

  /// Saves the caller in *this and resumes `next`. Returns when another fiber switches back.
  void switch_to(machine_context& next) noexcept;

  static const char* kind() noexcept;

private:
#if SHOAL_FIBER_SWITCH_IN_ASSEMBLY
  void* stack_pointer_ = nullptr;
#else
  ucontext_t registers_;
#endif
};

}  // namespace shoal::internal
