#include "shoal/compat/internal/static_data.hpp"

#include <elf.h>
#include <link.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>

namespace shoal::internal::compat {
namespace {

std::uintptr_t page_bytes() { return static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE)); }

// The first object is the program.
int take_first(dl_phdr_info* info, std::size_t, void* into) {
  const std::uintptr_t page = page_bytes();
  std::uintptr_t relro_end = 0;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = info->dlpi_phdr[i];
    if (part.p_type == PT_GNU_RELRO) relro_end = info->dlpi_addr + part.p_vaddr + part.p_memsz;
  }
  auto& found = *static_cast<static_segment*>(into);
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = info->dlpi_phdr[i];
    if (part.p_type != PT_LOAD || (part.p_flags & PF_W) == 0) continue;
    const std::uintptr_t first = info->dlpi_addr + part.p_vaddr;
    const std::uintptr_t end = (first + part.p_memsz + page - 1) / page * page;
    // The loader protects whole pages up to the one where read-only data end. That one stays writable.
    const bool has_relro = relro_end > first && relro_end <= end;
    const std::uintptr_t begin = (has_relro ? relro_end : first) / page * page;
    if (end - begin > found.bytes) found = {reinterpret_cast<std::byte*>(begin), end - begin};
  }
  return 1;
}

// Between the copy and the new mapping nothing may write to the segment. The C library's own variables lie in it
// (stdout, environ), and its functions are called through it. So this calls none, and the compiler must not turn its
// loops into calls of memcpy: hence volatile, and a system call in assembly.

#if defined(__x86_64__)
long call_mremap(const void* from, std::size_t bytes, int flags, const void* to) {
  long result = SYS_mremap;
  register long r10 asm("r10") = flags;
  register const void* r8 asm("r8") = to;
  asm volatile("syscall" : "+a"(result) : "D"(from), "S"(0L), "d"(bytes), "r"(r10), "r"(r8) : "rcx", "r11", "memory");
  return result;
}
#elif defined(__aarch64__)
long call_mremap(const void* from, std::size_t bytes, int flags, const void* to) {
  register long x8 asm("x8") = SYS_mremap;
  register long x0 asm("x0") = reinterpret_cast<long>(from);
  register long x1 asm("x1") = 0;
  register long x2 asm("x2") = static_cast<long>(bytes);
  register long x3 asm("x3") = flags;
  register long x4 asm("x4") = reinterpret_cast<long>(to);
  asm volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4) : "memory");
  return x0;
}
#endif

#if defined(__x86_64__) || defined(__aarch64__)
// Pages that hold only zeros are left out, so that large arrays which nobody has touched take no memory.
[[gnu::noinline]] long copy_and_map(const static_segment& of, std::byte* shared, std::size_t page) {
  using word = std::uint64_t;
  const std::size_t n_words = page / sizeof(word);
  for (std::size_t at = 0; at < of.bytes; at += page) {
    const auto* const from = reinterpret_cast<const volatile word*>(of.begin + at);
    auto* const to = reinterpret_cast<volatile word*>(shared + at);
    word any = 0;
    for (std::size_t i = 0; i < n_words; ++i) any |= from[i];
    if (any == 0) continue;
    for (std::size_t i = 0; i < n_words; ++i) to[i] = from[i];
  }
  // From no bytes of a shared mapping, mremap makes a second mapping of the same pages.
  return call_mremap(shared, of.bytes, MREMAP_MAYMOVE | MREMAP_FIXED, of.begin);
}
#endif

}  // namespace

static_segment find_static_segment() {
  static_segment found;
  ::dl_iterate_phdr(take_first, &found);
  return found;
}

bool can_map_statics() noexcept {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !(defined(__x86_64__) || defined(__aarch64__))
  return false;
#else
  return true;
#endif
}

// A word of the segment is changed, and looked for where it would then be, too. At first that memory is zero.
bool are_statics_mapped(const static_segment& of, std::byte* shared) noexcept {
  static volatile std::uint64_t word = 0;
  const auto place = reinterpret_cast<std::uintptr_t>(&word) - reinterpret_cast<std::uintptr_t>(of.begin);
  if (place >= of.bytes) return false;
  const auto* const there = reinterpret_cast<const volatile std::uint64_t*>(shared + place);
  for (int i = 0; i < 2; ++i) {
    word = word + 1;
    if (*there != word) return false;
  }
  return true;
}

std::string map_statics([[maybe_unused]] const static_segment& of, [[maybe_unused]] std::byte* shared) {
#if defined(__x86_64__) || defined(__aarch64__)
  if (!can_map_statics()) return "this build has a sanitizer";
  // The real one unmaps before it maps. So it is tried where it can do no harm.
  void* const tried = ::mremap(shared, 0, of.bytes, MREMAP_MAYMOVE);
  if (tried == MAP_FAILED) return std::string("the heap cannot be mapped twice: ") + std::strerror(errno);
  ::munmap(tried, of.bytes);
  sigset_t all;
  sigset_t before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  const long result = copy_and_map(of, shared, page_bytes());
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (reinterpret_cast<std::byte*>(result) == of.begin) return {};
  ::_exit(1);  // the segment is gone, and with it whatever could tell
#else
  return "this processor is not supported";
#endif
}

}  // namespace shoal::internal::compat
