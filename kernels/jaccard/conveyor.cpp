// The layer below actors: one conveyor carries the questions, another one the answers. A question for a degree is a probe
// of no vertex, because a conveyor has items of one type.
#include "shoal/conveyor/conveyor.hpp"

#include "kernels/jaccard/problem.hpp"

namespace shoal::kernels::jaccard {
namespace {

constexpr std::uint32_t no_vertex = UINT32_MAX;

probe as_probe(const probe& q) { return q; }
probe as_probe(degree_query q) { return {q.row, no_vertex, q.edge}; }

// An answer to a probe has degree 0.
void keep(problem& p, degree_reply r) {
  if (r.degree == 0) {
    ++p.n_common[r.edge];
  } else {
    p.degrees[r.edge] = r.degree;
  }
}

}  // namespace

void run_conveyor(world& w, problem& p) {
  conveyor<probe> questions{w, {.steady = true}};
  conveyor<degree_reply> answers{w, {.steady = true}};
  questions.begin();
  answers.begin();
  bool is_answered = false;
  const auto turn = [&](bool is_done) {
    is_answered = questions.advance(is_done) == progress::complete;
    const bool is_over = answers.advance(is_answered) == progress::complete;
    pe_id from = 0;
    while (const probe* q = questions.pull(from)) {
      const bool is_degree = q->vertex == no_vertex;
      if (!is_degree && !has(p, *q)) continue;
      if (answers.push({q->edge, is_degree ? degree(p, q->row) : 0}, from)) continue;
      questions.unpull();
      break;
    }
    while (const degree_reply* r = answers.pull()) keep(p, *r);
    return is_over;
  };
  for_each_question(p, [&](pe_id owner, const auto& question) {
    while (!questions.push(as_probe(question), owner)) turn(false);
  });
  while (!turn(true)) {
  }
  questions.reset();
  answers.reset();
}

}  // namespace shoal::kernels::jaccard
