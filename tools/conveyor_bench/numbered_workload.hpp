/// Traffic of items that name themselves.
#pragma once

#include <span>
#include <string>

#include "tools/conveyor_bench/numbered_items.hpp"
#include "tools/conveyor_bench/pool_workload.hpp"

namespace shoal::cli {

/// Traffic whose checked runs push items to random targets one by one, and identify each item by its contents.
template <class Stream>
class numbered_workload : public pool_workload<Stream> {
  using base = pool_workload<Stream>;

public:
  [[gnu::cold]] numbered_workload(world& w, const bench_options& options) : base(w, options), items_(w, options) {}
  [[gnu::cold, gnu::noinline]] ~numbered_workload() override = default;

  [[gnu::cold]] void prepare(const run_plan& plan) override {
    base::prepare(plan);
    items_.prepare(plan, this->pool_, Stream::is_elastic);
  }

  [[gnu::cold]] std::string describe_pairs() override { return items_.describe_pairs(); }

protected:
  // Pushes until there is no room; calls `on_pushed` with each item's identity. Returns whether all are pushed.
  template <class OnPushed>
  [[gnu::cold]] bool push_checked(const OnPushed& on_pushed) {
    while (items_.draw() && push_item()) {
      on_pushed(items_.name());
      items_.note_pushed();
    }
    return items_.has_pushed_all();
  }

  numbered_items items_;

private:
  bool push_item() {
    if constexpr (Stream::is_elastic) {
      return this->stream_->push(items_.item(), items_.target());
    } else {
      return this->stream_->push(items_.item().data(), items_.target());
    }
  }
};

}  // namespace shoal::cli
