#include "shoal/substrate/internal/sim/started_operations.hpp"

#include <cstring>
#include <utility>

namespace shoal::internal::sim {

std::uint32_t started_operations::start_put(std::byte* target, std::span<const std::byte> data) {
  return keep({.target = target, .bytes = data.size(), .data = {data.begin(), data.end()}});
}

std::uint32_t started_operations::start_late_put(std::byte* target, std::span<const std::byte> source) {
  return keep({.target = target, .source = source.data(), .bytes = source.size()});
}

std::uint32_t started_operations::start_get(std::span<std::byte> target, const std::byte* source, const answer& back) {
  return keep({.target = target.data(),
               .source = source,
               .bytes = target.size(),
               .back = back,
               .data = std::vector<std::byte>(target.size())});
}

std::uint32_t started_operations::start_atomic(std::byte* target, const atomic_call& call) {
  return keep({.target = target, .call = call});
}

started_operations::answer started_operations::read_for_get(std::uint32_t number) noexcept {
  operation& get = all_[number];
  if (!get.data.empty()) std::memcpy(get.data.data(), get.source, get.data.size());
  return get.back;
}

const std::byte* started_operations::memory_of_starter(std::uint32_t number) const noexcept {
  const operation& which = all_[number];
  const bool is_get = which.source != nullptr && !which.data.empty();
  return is_get ? which.target : which.source;
}

void started_operations::finish_transfer(std::uint32_t number) noexcept {
  const operation& done = all_[number];
  const std::byte* const from = done.data.empty() ? done.source : done.data.data();
  if (done.bytes != 0) std::memcpy(done.target, from, done.bytes);
  free_.push_back(number);
}

void started_operations::finish_atomic(std::uint32_t number) noexcept {
  const operation& done = all_[number];
  apply_atomic(done.call, done.target);
  free_.push_back(number);
}

std::uint32_t started_operations::keep(operation started) {
  if (free_.empty()) {
    free_.push_back(static_cast<std::uint32_t>(all_.size()));
    all_.emplace_back();
  }
  const std::uint32_t number = free_.back();
  free_.pop_back();
  all_[number] = std::move(started);
  return number;
}

}  // namespace shoal::internal::sim
