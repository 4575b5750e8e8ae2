#include "tools/conveyor_bench/numbered_items.hpp"

namespace shoal::cli {

numbered_items::numbered_items(world& w, const bench_options& options)
    : world_(w), options_(options), item_(options.item_bytes), pairs_(w) {}

numbered_items::~numbered_items() = default;

item_contents numbered_items::contents(const run_plan& plan, std::uint64_t seed, bool is_elastic) const {
  return {seed, plan.item_bytes, options_.entropy_bits, is_elastic && plan.is_checked};
}

void numbered_items::prepare(const run_plan& plan, item_pool& pool, bool is_elastic) {
  // Timed runs choose sizes in another way, and push the first bytes of the pool's items.
  contents_.emplace(contents(plan, options_.seed + plan.number, is_elastic));
  fault_.clear();
  if (plan.is_checked) {
    pairs_.clear();
    return;
  }
  for (std::size_t i = 0; i < pool.size; ++i) {
    contents_->write({world_.my_pe(), pool.targets[i], i}, pool.items.data() + i * plan.item_bytes);
  }
}

void numbered_items::restart(const run_plan& plan, std::uint64_t n_pushes) {
  random_.emplace(options_.seed + plan.number, static_cast<std::uint64_t>(world_.my_pe()));
  n_left_ = n_pushes;
  waiting_for_ = -1;
}

bool numbered_items::draw() {
  if (n_left_ == 0) return false;
  if (waiting_for_ < 0) {
    waiting_for_ = static_cast<pe_id>(random_->below(static_cast<std::uint64_t>(world_.n_pes())));
    n_item_bytes_ = contents_->write(name(), item_.data());
  }
  return true;
}

void numbered_items::note_pushed() {
  pair_sum& pair = pairs_.pushed(waiting_for_);
  ++pair.n_items;
  pair.sum += sum_of_words(item_.data(), n_item_bytes_);
  waiting_for_ = -1;
  --n_left_;
}

identity numbered_items::check_arrived(std::span<const std::byte> item, pe_id from, const char* what) {
  pair_sum& pair = pairs_.pulled(from);
  const identity due{from, world_.my_pe(), pair.n_items};
  if (fault_.empty() && !contents_->matches(due, item)) fault_ = what + contents_->describe_fault(due, item);
  ++pair.n_items;
  pair.sum += sum_of_words(item.data(), item.size());
  return due;
}

std::string numbered_items::fault(const run_plan& plan, const std::string& of_puller) {
  const std::string of_pairs = plan.is_checked ? pairs_.compare() : std::string();
  if (has_fault()) return fault_;
  return of_puller.empty() ? of_pairs : of_puller;
}

}  // namespace shoal::cli
