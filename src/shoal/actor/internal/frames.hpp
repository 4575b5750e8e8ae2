/// Memory for what waits for answers: frames of coroutines, and functions given to `then`.
#pragma once

#include <array>
#include <cstddef>
#include <new>

namespace shoal::internal {

/// Hands out blocks of few sizes, aligned to 16 bytes, in less time than std::pmr::unsynchronized_pool_resource.
class frames {
public:
  /// `is_shared`: several workers call at once; then all memory comes from the heap.
  explicit frames(bool is_shared) noexcept : is_shared_(is_shared) {}
  ~frames();
  frames(const frames&) = delete;
  frames& operator=(const frames&) = delete;

  void* allocate(std::size_t bytes) {
    const std::size_t its_class = class_of(bytes);
    if (its_class >= n_classes) [[unlikely]]
      return ::operator new(bytes);
    if (free_[its_class] == nullptr) [[unlikely]]
      return allocate_slowly(its_class, bytes);
    block* const its = free_[its_class];
    free_[its_class] = its->next;
    __builtin_prefetch(its->next, 1);
    return its;
  }
  /// `bytes` as for allocate.
  void deallocate(void* memory, std::size_t bytes) noexcept {
    const std::size_t its_class = class_of(bytes);
    if (its_class >= n_classes || is_shared_) [[unlikely]]
      return ::operator delete(memory);
    free_[its_class] = ::new (memory) block{free_[its_class]};
  }

private:
  struct block {
    block* next;
  };
  struct chunk;
  static constexpr std::size_t step_bytes = 32;  // from class to class
  static constexpr std::size_t n_classes = 32;  // up to 1 KiB; larger frames are rare
  static constexpr std::size_t chunk_bytes = std::size_t{32} << 10;

  static std::size_t class_of(std::size_t bytes) noexcept {
#if defined(__SANITIZE_ADDRESS__)
    return n_classes + bytes;  // the address sanitizer has to see the end of each block's life
#else
    return (bytes + step_bytes - 1) / step_bytes - 1;
#endif
  }
  [[gnu::cold]] void* allocate_slowly(std::size_t its_class, std::size_t bytes);

  const bool is_shared_;
  std::array<block*, n_classes> free_{};
  chunk* chunks_ = nullptr;  // the last; each knows the one before
};

}  // namespace shoal::internal
