#include "shoal/dataflow/internal/work_balance.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "shoal/dataflow/internal/actor_requests.hpp"
#include "shoal/dataflow/internal/graph_part.hpp"

namespace shoal::internal {
namespace {

// Shorter ones would say what single acts took.
constexpr std::uint64_t ns_of_measurement = 5'000'000;
// Who has nothing to do asks so often at most, and who was asked looks so often.
constexpr std::uint64_t ns_between_questions = 500'000;
// An older question says too little of now.
constexpr std::uint64_t ns_of_question = 4 * ns_of_measurement;
// A smaller difference is worth no move.
constexpr double least_difference = 0.1;

void on_question_of(graph_part::handle part, pe_id thief, double load) { part->balance().on_question(thief, load); }

void on_idle_of(graph_part::handle part) { part->balance().on_idle(); }

void on_look_of(graph_part::handle part) { part->balance().look(); }

// True once in each interval, for one of the workers.
bool is_time(std::atomic<std::uint64_t>& last_ns, std::uint64_t now_ns) {
  std::uint64_t before = last_ns.load(std::memory_order_relaxed);
  return now_ns - before >= ns_between_questions &&
         last_ns.compare_exchange_strong(before, now_ns, std::memory_order_relaxed);
}

}  // namespace

work_balance::work_balance(graph_part& part)
    : part_(part), victims_(static_cast<std::uint64_t>(part.home().my_pe()), 21) {}

void work_balance::begin() {
  if (!is_on_ || part_.home().n_pes() == 1) return;
  measured_ns_ = part_.stopwatch_ns();
  if (!part_.actors().empty()) return;
  // It has no act after which it could ask again, so it asks some more.
  for (pe_id n = part_.home().n_pes(); n > 1; n /= 2) ask_some_pe();
}

void work_balance::note_act(bool is_idle) {
  const bool has_questions = has_questions_.load(std::memory_order_relaxed);
  if ((!is_idle && !has_questions) || part_.home().n_pes() == 1) return;
  const std::uint64_t now_ns = part_.stopwatch_ns();
  const pe_id me = part_.home().my_pe();
  if (is_idle && is_time(asked_ns_, now_ns)) part_.home().send<&on_idle_of>(me, part_.its_handle());
  if (has_questions && is_time(looked_ns_, now_ns)) part_.home().send<&on_look_of>(me, part_.its_handle());
}

void work_balance::on_idle() {
  measure();
  ask_some_pe();
}

void work_balance::ask_some_pe() {
  const pe_id me = part_.home().my_pe();
  const auto n_others = static_cast<std::uint64_t>(part_.home().n_pes() - 1);
  const auto drawn = static_cast<pe_id>(victims_.below(n_others));
  part_.home().send<&on_question_of>(drawn < me ? drawn : drawn + 1, part_.its_handle(), me, load_);
}

void work_balance::on_question(pe_id thief, double load) {
  if (!part_.is_running()) return;
  std::erase_if(questions_, [&](const question& each) { return each.thief == thief; });
  questions_.push_back({thief, load, part_.stopwatch_ns()});
  look();
}

void work_balance::look() {
  measure();
  const std::uint64_t now_ns = part_.stopwatch_ns();
  // Whose acts have ended since has asked again somewhere. One without acts cannot.
  const auto is_old = [&](const question& each) { return each.load > 0 && now_ns - each.asked_ns > ns_of_question; };
  std::erase_if(questions_, [&](const question& each) { return is_old(each) || answer(each); });
  has_questions_.store(!questions_.empty(), std::memory_order_relaxed);
}

void work_balance::measure() {
  const std::uint64_t now_ns = part_.stopwatch_ns();
  if (now_ns - measured_ns_ < ns_of_measurement) return;
  const auto elapsed_ns = static_cast<double>(now_ns - std::exchange(measured_ns_, now_ns));
  double load = 0;
  for (const auto& each : part_.actors()) load += each->node().cost().measure_share(elapsed_ns);
  load_ = load;
}

// Gives away at most half of the difference, the actors with most work first. False: there is nothing to give now.
bool work_balance::answer(const question& its) {
  double left = (load_ - its.load) / 2;
  if (left < least_difference / 2) return false;
  std::vector<actor_node*> movable;
  for (const auto& each : part_.actors()) {
    actor_node& node = each->node();
    const bool may_move = node.identity().mover != nullptr && node.identity().is_known && !node.has_finished() &&
                          !part_.care().is_moving(node.name());
    if (may_move && node.cost().share() > 0 && node.cost().share() <= left) movable.push_back(&node);
  }
  std::ranges::sort(movable, std::greater(), [](const actor_node* each) { return each->cost().share(); });
  double given = 0;
  for (actor_node* each : movable) {
    const double share = each->cost().share();
    if (share > left) continue;
    left -= share;
    given += share;
    part_.care().ask({actor_request::kind::move, each->name(), {}, its.thief, {}, 0});
  }
  load_ -= given;
  return given > 0;
}

}  // namespace shoal::internal
