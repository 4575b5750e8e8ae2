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
// Who has no act after which it could ask again asks so many at once.
constexpr pe_id n_asked_most = 16;
// A smaller difference is worth no move.
constexpr double least_difference = 0.1;
// An actor moves if its share of the time is at most so much of the difference. With half of it both PEs would be equal; with all of
// it they would change places.
constexpr double most_of_difference = 0.7;

void on_question_of(graph_part::handle part, pe_id thief, double load) { part->balance().on_question(thief, load); }

void on_idle_of(graph_part::handle part) { part->balance().on_idle(); }

void on_look_of(graph_part::handle part) { part->balance().look(); }

void on_offer_of(graph_part::handle part, pe_id victim) { part->balance().on_offer(victim); }

void on_acceptance_of(graph_part::handle part, pe_id thief, double load) { part->balance().on_acceptance(thief, load); }

void on_gift_of(graph_part::handle part, double given) { part->balance().on_gift(given); }

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
  if (part_.actors().empty()) ask_many();
}

void work_balance::note_act(bool is_idle) {
  const bool has_questions = has_questions_.load(std::memory_order_relaxed);
  if ((!is_idle && !has_questions) || part_.home().n_pes() == 1) return;
  const std::uint64_t now_ns = part_.stopwatch_ns();
  const pe_id me = part_.home().my_pe();
  if (is_idle && is_time(asked_ns_, now_ns)) part_.home().send<&on_idle_of>(me, part_.its_handle());
  if (has_questions && is_time(looked_ns_, now_ns)) part_.home().send<&on_look_of>(me, part_.its_handle());
}

void work_balance::note_last() {
  if (part_.home().n_pes() > 1) part_.home().send<&on_idle_of>(part_.home().my_pe(), part_.its_handle());
}

// --- Who has nothing to do

void work_balance::on_idle() {
  if (part_.n_live() == 0) {
    load_ = 0;
    return ask_many();
  }
  measure();
  ask_some_pe();
}

void work_balance::ask(pe_id other) {
  part_.home().send<&on_question_of>(other, part_.its_handle(), part_.home().my_pe(), load_);
}

void work_balance::ask_some_pe() {
  const auto n_others = static_cast<std::uint64_t>(part_.home().n_pes() - 1);
  const auto drawn = static_cast<pe_id>(victims_.below(n_others));
  ask(drawn < part_.home().my_pe() ? drawn : drawn + 1);
}

// The next ones from some PE on.
void work_balance::ask_many() {
  const pe_id n_pes = part_.home().n_pes();
  const pe_id me = part_.home().my_pe();
  const pe_id n_others = n_pes - 1;
  const auto first = static_cast<pe_id>(victims_.below(static_cast<std::uint64_t>(n_others)));
  for (pe_id i = 0; i < std::min(n_others, n_asked_most); ++i) ask((me + 1 + (first + i) % n_others) % n_pes);
}

void work_balance::on_offer(pe_id victim) {
  if (!part_.is_running()) return;
  if (takes_) {
    if (std::ranges::find(offers_, victim) == offers_.end()) offers_.push_back(victim);
    return;
  }
  takes_ = true;
  measure();
  part_.home().send<&on_acceptance_of>(victim, part_.its_handle(), part_.home().my_pe(), load_);
}

void work_balance::on_gift(double given) {
  takes_ = false;
  load_ += given;
  for (const pe_id each : std::exchange(offers_, {})) ask(each);
}

// --- Who has actors

void work_balance::on_question(pe_id thief, double load) {
  if (!part_.is_running()) return;
  keep({thief, load});
  look();
}

// A PE has one question. It stays until actors were given: its PE may have no act after which it could ask again, and says what its
// load is when it takes up an offer.
void work_balance::keep(const question& its) {
  std::erase_if(questions_, [&](const question& each) { return each.thief == its.thief; });
  questions_.push_back(its);
  has_questions_.store(true, std::memory_order_relaxed);
}

void work_balance::look() {
  measure();
  const std::vector<actor_node*> actors = movable();
  double least = 2;  // no share is above 1
  for (const actor_node* each : actors) least = std::min(least, each->cost().share());
  std::erase_if(questions_, [&](const question& each) {
    if (!has_for(each, least)) return false;
    part_.home().send<&on_offer_of>(each.thief, part_.its_handle(), part_.home().my_pe());
    return true;
  });
  has_questions_.store(!questions_.empty(), std::memory_order_relaxed);
}

bool work_balance::has_for(const question& its, double least_movable) const noexcept {
  const double difference = load_ - its.load;
  return difference >= least_difference && least_movable <= most_of_difference * difference;
}

void work_balance::measure() {
  const std::uint64_t now_ns = part_.stopwatch_ns();
  if (now_ns - measured_ns_ < ns_of_measurement) return;
  const auto elapsed_ns = static_cast<double>(now_ns - std::exchange(measured_ns_, now_ns));
  load_ = 0;
  for (const auto& each : part_.actors()) {
    actor_node& node = each->node();
    const double share = node.cost().measure_share(elapsed_ns);
    if (!node.has_finished() && !part_.care().is_moving(node.name())) load_ += share;
  }
}

std::vector<actor_node*> work_balance::movable() const {
  std::vector<actor_node*> found;
  for (const auto& each : part_.actors()) {
    actor_node& node = each->node();
    const bool may_move = node.identity().mover != nullptr && node.identity().is_known && !node.has_finished() &&
                          !part_.care().is_moving(node.name());
    if (may_move && node.cost().share() > 0) found.push_back(&node);
  }
  return found;
}

void work_balance::on_acceptance(pe_id thief, double load) {
  const double given = part_.is_running() ? give(thief, load_ - load) : 0;
  if (given == 0) keep({thief, load});
  part_.home().send<&on_gift_of>(thief, part_.its_handle(), given);
}

// Gives away what brings both nearer to each other, the actors with most work first. Returns their load.
double work_balance::give(pe_id thief, double difference) {
  std::vector<actor_node*> actors = movable();
  std::ranges::sort(actors, std::greater(), [](const actor_node* each) { return each->cost().share(); });
  double given = 0;
  for (actor_node* each : actors) {
    if (difference < least_difference) break;
    const double share = each->cost().share();
    if (share > most_of_difference * difference) continue;
    difference -= 2 * share;
    given += share;
    part_.care().ask({actor_request::kind::move, each->name(), {}, thief, {}, 0});
  }
  load_ -= given;
  return given;
}

}  // namespace shoal::internal
