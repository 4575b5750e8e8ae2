#include "shoal/actor/internal/pe_objects.hpp"

#include "shoal/base/internal/ambient.hpp"
#include "shoal/base/internal/contract.hpp"

namespace shoal::internal {

std::uint32_t pe_objects::enlist(void* object) {
  SHOAL_ASSERT(object != nullptr);
  if (objects_.size() > UINT32_MAX) {
    end_job(status_usage,
            "this PE has constructed 4294967296 per_pe objects, and no more are possible; construct them "
            "before a loop, not in it");
  }
  objects_.push_back(object);
  return static_cast<std::uint32_t>(objects_.size() - 1);
}

void pe_objects::delist(std::uint32_t id) noexcept {
  SHOAL_ASSERT(id < objects_.size() && objects_[id] != nullptr);
  objects_[id] = nullptr;
}

void pe_objects::no_such_object() noexcept {
  end_job(status_usage,
          "the handle of a per_pe was used on this PE before the per_pe was constructed here, or "
          "after it was destroyed; construct it before the finish whose messages use it, and let "
          "it live until that has returned");
}

}  // namespace shoal::internal
