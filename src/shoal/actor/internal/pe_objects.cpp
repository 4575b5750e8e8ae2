#include "shoal/actor/internal/pe_objects.hpp"

#include <algorithm>
#include <bit>
#include <string>

#include "shoal/actor/internal/team_worlds.hpp"
#include "shoal/actor/world.hpp"
#include "shoal/base/internal/ambient.hpp"
#include "shoal/base/internal/contract.hpp"
#include "shoal/base/internal/type_name.hpp"

namespace shoal::internal {
namespace {

constexpr std::size_t n_least = 16;  // entries to begin with

}  // namespace

std::uint32_t pe_objects::enlist(void* object, object_type type) {
  SHOAL_ASSERT(object != nullptr && type != 0);
  if (n_words_ > UINT32_MAX - words_of_entry) {
    end_job(status_usage,
            "this PE has constructed 2147483647 per_pe objects, and no more are possible; construct them "
            "before a loop, not in it");
  }
  const std::size_t n = n_words_ / words_of_entry;
  if (n == 0 || (n >= n_least && std::has_single_bit(n))) grow();
  entries_[n] = {object, type};
  n_words_ += words_of_entry;
  return static_cast<std::uint32_t>(n * words_of_entry);
}

void pe_objects::grow() {
  const std::size_t n = n_words_ / words_of_entry;
  auto larger = std::make_unique<entry[]>(std::max(n_least, 2 * n));
  std::copy_n(entries_.get(), n, larger.get());
  entries_ = std::move(larger);
}

void pe_objects::delist(std::uint32_t id) noexcept {
  SHOAL_ASSERT(id < n_words_ && entry_at(id)->type != 0);
  entries_[id / words_of_entry] = {};
}

// Objects of teams are rare, so this table need not know them.
const pe_objects::entry* pe_objects::of_team(std::uint32_t id, const char* name) noexcept {
  const pe_objects* const theirs = world::of_job().teams().objects_with(id);
  if (theirs == nullptr && (id & team_worlds::team_mark) != 0) {
    end_job(status_usage,
            "the handle of a per_pe of " + readable_type_name(name) +
                " was used on this PE, which is not in the team of the per_pe; send it to PEs of that team "
                "only, and let the team live until the finish whose messages use it has returned");
  }
  const std::uint32_t id_there = id & team_worlds::id_in_team_max;
  if (theirs == nullptr || id_there >= theirs->n_words_) refuse(nullptr, name);
  return theirs->entry_at(id_there);
}

void pe_objects::refuse(const entry* found, const char* type) noexcept {
  const std::string used = "the handle of a per_pe of " + readable_type_name(type) + " was used on this PE ";
  if (found != nullptr && found->type != 0) {
    end_job(status_usage, used +
                              "for an object of another type; construct the same per_pe objects in the same order on "
                              "all PEs");
  }
  end_job(status_usage, used +
                            "before the per_pe was constructed here, or after it was destroyed; construct it before "
                            "the finish whose messages use it, and let it live until that has returned");
}

}  // namespace shoal::internal
