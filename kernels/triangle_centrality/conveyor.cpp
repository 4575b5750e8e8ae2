// The layer below actors: one conveyor carries the questions, another one the answers.
#include <optional>

#include "kernels/exchange.hpp"
#include "kernels/triangle_centrality/problem.hpp"

namespace shoal::kernels::triangle_centrality {
namespace {

// Pushes the questions that `for_each_question(push)` makes, one after the other. Where a question arrives, `answer` may give
// an answer, which `keep` takes where the question came from.
template <class Question, class Answer, class ForEach, class Reply, class Keep>
void ask_all(world& w, problem& p, ForEach for_each_question, Reply answer, Keep keep) {
  conveyor<Question> questions{w};
  conveyor<Answer> answers{w};
  questions.begin();
  answers.begin();
  std::optional<Answer> held;  // an answer that found no room
  pe_id asker = 0;
  const auto turn = [&](bool is_done) {
    const bool is_answered = questions.advance(is_done) == progress::complete && !held;
    const bool is_over = answers.advance(is_answered) == progress::complete;
    while (true) {
      if (held && !answers.push(*held, asker)) break;
      p.n_messages += held.has_value();
      held.reset();
      const Question* q = questions.pull(asker);
      if (q == nullptr) break;
      held = answer(*q);
    }
    while (const Answer* a = answers.pull()) keep(*a);
    return is_over;
  };
  for_each_question([&](pe_id owner, const Question& question) {
    while (!questions.push(question, owner)) turn(false);
  });
  while (!turn(true)) {
  }
  questions.reset();
  answers.reset();
}

}  // namespace

void run_conveyor(world& w, problem& p) {
  ask_all<probe, hit>(
      w, p, [&](auto push) { for_each_probe(p, push); },
      [&](const probe& q) { return count(p, q) ? std::optional(hit{q.first, q.second}) : std::nullopt; },
      [&](hit h) { count(p, h); });
  exchange_by_conveyor<edge_count>(
      w, [&](const auto& send) { for_each_count(p, send); }, [&](edge_count c) { count(p, c); });
  begin_numerators(p);
  ask_all<meeting, share>(
      w, p, [&](auto push) { for_each_meeting(p, push); }, [&](const meeting& m) { return std::optional(meet(p, m)); },
      [&](const share& s) { add(p, s); });
}

}  // namespace shoal::kernels::triangle_centrality
