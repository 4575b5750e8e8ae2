#include "shoal/base/internal/machine_context.hpp"

#include <cstdint>
#include <cstdlib>

#if SHOAL_FIBER_SWITCH_IN_ASSEMBLY

// What the System V ABI requires a function to preserve: six registers and the control words of both floating point
// units. The compiler saves everything else around the call, as around any call.
extern "C" void shoal_switch_stacks(void** from, void* to);
asm(R"(
    .text
    .p2align 4
    .globl shoal_switch_stacks
    .hidden shoal_switch_stacks
    .type shoal_switch_stacks, @function
shoal_switch_stacks:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    subq  $8, %rsp
    stmxcsr (%rsp)
    fnstcw 4(%rsp)
    movq  %rsp, (%rdi)
    movq  %rsi, %rsp
    ldmxcsr (%rsp)
    fldcw 4(%rsp)
    addq  $8, %rsp
    popq  %r15
    popq  %r14
    popq  %r13
    popq  %r12
    popq  %rbx
    popq  %rbp
    ret
    .size shoal_switch_stacks, .-shoal_switch_stacks
)");

namespace shoal::internal {

const char* machine_context::kind() noexcept { return "assembly"; }

// Lays out what shoal_switch_stacks pops: control words, six registers, and `run` as the return address. Zero above
// that is the return address of `run`, at which debuggers stop.
void machine_context::start(std::span<std::byte> stack, void (*run)()) {
  const auto top = reinterpret_cast<std::uintptr_t>(stack.data() + stack.size()) & ~std::uintptr_t{15};
  auto* word = reinterpret_cast<std::uint64_t*>(top);
  *--word = 0;  // at an odd multiple of 8: the alignment after a call of `run`
  *--word = reinterpret_cast<std::uint64_t>(run);
  for (int i = 0; i < 6; ++i) *--word = 0;
  std::uint32_t sse_control = 0;
  std::uint16_t x87_control = 0;
  asm volatile("stmxcsr %0\n\tfnstcw %1" : "=m"(sse_control), "=m"(x87_control));
  *--word = sse_control | std::uint64_t{x87_control} << 32;
  stack_pointer_ = word;
}

void machine_context::switch_to(machine_context& next) noexcept {
  shoal_switch_stacks(&stack_pointer_, next.stack_pointer_);
}

}  // namespace shoal::internal

#else

namespace shoal::internal {

const char* machine_context::kind() noexcept { return "ucontext"; }

void machine_context::start(std::span<std::byte> stack, void (*run)()) {
  if (::getcontext(&registers_) != 0) std::abort();  // documented never to fail
  registers_.uc_stack.ss_sp = stack.data();
  registers_.uc_stack.ss_size = stack.size();
  registers_.uc_link = nullptr;
  ::makecontext(&registers_, run, 0);
}

#if SHOAL_ADDRESS_SANITIZER

// AddressSanitizer intercepts swapcontext: it prints a warning and clears its marks of the new stack, for programs that
// do not announce their switches. Shoal announces them (fiber.cpp), so avoid swapcontext.
void machine_context::switch_to(machine_context& next) noexcept {
  volatile bool is_resumed = false;
  ::getcontext(&registers_);  // returns a second time when a fiber switches back
  if (is_resumed) return;
  is_resumed = true;
  ::setcontext(&next.registers_);
  std::abort();  // setcontext only fails for a bad address
}

#else

void machine_context::switch_to(machine_context& next) noexcept {
  if (::swapcontext(&registers_, &next.registers_) != 0) std::abort();  // only fails for a bad address
}

#endif

}  // namespace shoal::internal

#endif
