/// Memory for the tasks that one worker makes.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>

namespace shoal::internal {

/// Hands out blocks of few sizes, whole cache lines each. The worker that ran a task frees it: to itself, or by
/// take_back_from_other to the worker that made it. Otherwise a PE that makes tasks which others run would need ever
/// more memory.
class task_memory {
public:
  task_memory() = default;
  ~task_memory();
  task_memory(const task_memory&) = delete;
  task_memory& operator=(const task_memory&) = delete;

  /// The class of blocks of at least `bytes`.
  static constexpr std::size_t class_of(std::size_t bytes) noexcept {
#if defined(__SANITIZE_ADDRESS__)
    static_cast<void>(bytes);
    return n_classes;  // the address sanitizer has to see the end of each block's life
#else
    const std::size_t its = (bytes + block_bytes - 1) / block_bytes - 1;
    return its < n_classes ? its : n_classes;
#endif
  }

  /// `its_class` is class_of(bytes). For the worker itself.
  void* allocate(std::size_t bytes, std::size_t its_class) {
    if (its_class == n_classes) [[unlikely]]
      return allocate_large(bytes);
    if (free_[its_class] == nullptr) [[unlikely]]
      refill(its_class);
    block* const its = free_[its_class];
    free_[its_class] = its->next;
    return its;
  }
  void deallocate(void* memory, std::size_t its_class) noexcept {
    if (its_class == n_classes) [[unlikely]]
      return deallocate_large(memory);
    free_[its_class] = ::new (memory) block{free_[its_class]};
  }

  /// The same, called by another worker.
  void take_back_from_other(void* memory, std::size_t its_class) noexcept {
    if (its_class == n_classes) [[unlikely]]
      return deallocate_large(memory);
    std::atomic<block*>& list = returned_[its_class];
    block* const its = ::new (memory) block{list.load(std::memory_order_relaxed)};
    while (!list.compare_exchange_weak(its->next, its, std::memory_order_release, std::memory_order_relaxed)) {
    }
  }

private:
  struct block {
    block* next;
  };
  struct chunk;
  static constexpr std::size_t block_bytes = 64;
  static constexpr std::size_t n_classes = 16;  // up to 1 KiB; larger functions are rare
  static constexpr std::size_t chunk_bytes = std::size_t{32} << 10;

  static void* allocate_large(std::size_t bytes);
  static void deallocate_large(void* memory) noexcept;
  [[gnu::cold]] void refill(std::size_t its_class);

  std::array<block*, n_classes> free_{};
  chunk* chunks_ = nullptr;  // the last; each knows the one before
  alignas(block_bytes) std::array<std::atomic<block*>, n_classes> returned_{};  // by other workers
};

}  // namespace shoal::internal
