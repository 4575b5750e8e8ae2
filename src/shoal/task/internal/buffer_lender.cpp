#include "shoal/task/internal/buffer_lender.hpp"

#include "shoal/actor/world.hpp"
#include "shoal/base/internal/handled_messages.hpp"
#include "shoal/base/internal/pe_worker.hpp"
#include "shoal/conveyor/internal/exchange.hpp"
#include "shoal/task/internal/buffer_copies.hpp"
#include "shoal/task/internal/pe_tasks.hpp"

namespace shoal::internal {
namespace {

// What takes less is not lent: a copy, a task and perhaps a wake-up take a few microseconds.
constexpr double worthwhile_ns = 5'000;

// What the worker handles while this lives.
class handled_copy final : public handled_messages {
public:
  handled_copy(const sink& of, const buffer& copy) noexcept : mailbox_(of), copy_(copy) { this_worker()->handle(this); }
  ~handled_copy() { this_worker()->handle(nullptr); }
  handled_copy(const handled_copy&) = delete;
  handled_copy& operator=(const handled_copy&) = delete;

  std::string describe() const override { return mailbox_.describe(); }
  void tell(signal_text& into, const void* address) const noexcept override { mailbox_.tell(into, copy_, address); }

private:
  const sink& mailbox_;
  const buffer& copy_;
};

}  // namespace

struct buffer_lender::lent {
  buffer_lender* by;
  buffer_copies::copy copy;
  std::uint32_t offset;

  void operator()() {
    const handled_copy now(by->mailbox_, *copy);
    const std::uint64_t begin_ns = by->begin_ns();
    by->note_handled(by->handle_(*by, *copy, offset), begin_ns);
  }
};

buffer_lender::buffer_lender(world& home, const sink& of, handle_copy handle)
    : mailbox_(of),
      handle_(handle),
      backend_(home.message_exchange().backend()),
      tasks_(home.message_exchange().parts().has_workers ? &pe_tasks::of_this_pe() : nullptr),
      ns_per_message_(worthwhile_ns) {}

bool buffer_lender::lend(const buffer& b, std::uint32_t offset, std::size_t n) {
  if (tasks_ == nullptr) return false;
  if (static_cast<double>(n) * ns_per_message_.load(std::memory_order_relaxed) < worthwhile_ns) return false;
  buffer_copies::copy its = tasks_->copies().try_copy(b, offset);
  if (its == nullptr) return false;
  task_group& group = tasks_->group_now("a parallel handler", {});
  tasks_->here().spawn(lent{this, std::move(its), offset}, group, {});
  return true;
}

std::uint64_t buffer_lender::begin_ns() noexcept { return tasks_ == nullptr ? 0 : backend_.stopwatch_ns(); }

void buffer_lender::note_handled(std::size_t n, std::uint64_t begin_ns) noexcept {
  if (tasks_ == nullptr || n == 0) return;
  const auto took_ns = static_cast<double>(backend_.stopwatch_ns() - begin_ns);
  ns_per_message_.store(took_ns / static_cast<double>(n), std::memory_order_relaxed);
}

}  // namespace shoal::internal
