#include "kernels/generated_graph.hpp"

#include <algorithm>
#include <map>
#include <span>
#include <string_view>

#include "kernels/graph_input.hpp"
#include "shoal/base/parse.hpp"
#include "shoal/base/setup_error.hpp"

namespace shoal::kernels {

const char* const generated_graph_help =
    "a graph to make: er:n=N, geometric:n=N, rmat:scale=S or stars:leaves=AxBxC; er:? lists the keys of er";

namespace {

constexpr std::int64_t n_vertices_max = UINT32_MAX;

// The keys and values of one graph: "KEY=VALUE,…". Every key must be one of the kind's.
class parts {
public:
  // `known`: the keys, with a comma between them.
  parts(const std::string& text, std::string kind, const char* known) : text_(text), kind_(std::move(kind)) {
    std::string_view rest = std::string_view(text_).substr(std::min(text_.size(), kind_.size() + 1));
    while (!rest.empty()) {
      const std::string_view part = rest.substr(0, rest.find(','));
      const std::string key(part.substr(0, part.find('=')));
      if ((std::string(", ") + known + ",").find(", " + key + ",") == std::string::npos) {
        fail("has no key \"" + key + "\"; " + kind_ + " takes " + known);
      }
      if (key.size() == part.size()) fail("has no value for " + key + "; write " + key + "=VALUE");
      if (!values_.emplace(key, part.substr(key.size() + 1)).second) fail("has " + key + " twice");
      rest.remove_prefix(std::min(rest.size(), part.size() + 1));
    }
  }

  bool has(const std::string& key) const { return values_.contains(key); }

  std::string value(const std::string& key, const std::string& otherwise) const {
    const auto found = values_.find(key);
    return found == values_.end() ? otherwise : found->second;
  }
  std::int64_t integer(const std::string& key, const std::string& otherwise, std::int64_t low,
                       std::int64_t high) const {
    return parse_integer(value(key, otherwise), name(key), low, high);
  }
  double real(const std::string& key, const std::string& otherwise, double low, double high) const {
    return parse_real(value(key, otherwise), name(key), low, high);
  }
  bool is_on(const std::string& key) const { return parse_switch("graph " + kind_ + ": " + key, value(key, "no")); }

  [[noreturn]] void fail(const std::string& what) const { throw setup_error("--graph=" + text_ + " " + what); }

private:
  std::string name(const std::string& key) const { return "--graph " + kind_ + ": " + key; }

  std::string text_;
  std::string kind_;
  std::map<std::string, std::string> values_;
};

void read_size(const parts& from, generated_graph& into, pe_id n_pes) {
  if (from.has("n") == from.has("per_pe"))
    from.fail("needs either n=, the number of vertices, or per_pe=, that of each PE");
  into.n_vertices = from.has("n") ? from.integer("n", "", 0, n_vertices_max)
                                  : n_pes * from.integer("per_pe", "", 0, n_vertices_max / n_pes);
}

void read_common(const parts& from, generated_graph& into) {
  into.how.seed = static_cast<std::uint64_t>(from.integer("seed", "1", 0, INT64_MAX));
  into.how.is_directed = from.is_on("directed");
  into.how.has_loops = from.is_on("loops");
  if (into.how.has_loops) into.n_edges += static_cast<double>(into.n_vertices);
}

// The number of edges at each vertex, both ends of an edge counted; directed: that leave it.
double degree_of(const parts& from) { return from.real("degree", "10", 0, static_cast<double>(n_vertices_max)); }

void parse_erdos_renyi(const parts& from, generated_graph& into, pe_id n_pes) {
  read_size(from, into, n_pes);
  const auto others = static_cast<double>(std::max<std::int64_t>(1, into.n_vertices - 1));
  if (from.has("p") && from.has("degree")) from.fail("has p and degree; give one of them");
  into.probability = from.has("p") ? from.real("p", "", 0, 1) : std::min(1.0, degree_of(from) / others);
  const double n_ends = into.probability * others * static_cast<double>(into.n_vertices);
  read_common(from, into);
  into.n_edges += into.how.is_directed ? n_ends : n_ends / 2;
}

void parse_geometric(const parts& from, generated_graph& into, pe_id n_pes) {
  read_size(from, into, n_pes);
  if (from.has("radius") && from.has("degree")) from.fail("has radius and degree; give one of them");
  into.radius = from.has("radius") ? from.real("radius", "", 0, 2) : radius_for(into.n_vertices, degree_of(from));
  read_common(from, into);
  const auto n = static_cast<double>(into.n_vertices);
  into.n_edges += n * n / 2 * std::min(1.0, 3.1416 * into.radius * into.radius);
}

void parse_rmat(const parts& from, generated_graph& into) {
  into.rmat.scale = static_cast<int>(from.integer("scale", "16", 0, 31));
  into.rmat.n_edges_per_vertex = from.integer("factor", "16", 0, 1 << 20);
  into.rmat.a = from.real("a", "0.57", 0, 1);
  into.rmat.b = from.real("b", "0.19", 0, 1);
  into.rmat.c = from.real("c", "0.19", 0, 1);
  if (into.rmat.a + into.rmat.b + into.rmat.c > 1) from.fail("has a, b and c that add up to more than 1");
  into.n_vertices = std::int64_t{1} << into.rmat.scale;
  read_common(from, into);
  into.n_edges += static_cast<double>(into.n_vertices * into.rmat.n_edges_per_vertex);
}

void parse_stars(const parts& from, generated_graph& into) {
  const std::string leaves = from.value("leaves", "");
  if (leaves.empty()) from.fail("needs leaves=, the numbers of leaves of the stars, such as leaves=3x4x5");
  into.n_vertices = 1;
  for (std::string_view rest = leaves;;) {
    const std::string_view part = rest.substr(0, rest.find('x'));
    into.n_leaves.push_back(parse_integer(part, "--graph stars: leaves", 1, n_vertices_max));
    const std::int64_t n = into.n_leaves.back() + 1;
    if (into.n_vertices > n_vertices_max / n) from.fail("has more than 2^32 - 1 vertices");
    into.n_vertices *= n;
    if (part.size() == rest.size()) break;
    rest.remove_prefix(part.size() + 1);
  }
  const std::string loop = from.value("loop", "none");
  if (loop != "none" && loop != "hub" && loop != "leaf") {
    from.fail("has loop=" + loop + ", which is neither none, hub nor leaf");
  }
  into.loop = loop == "none" ? star_loop::none : loop == "hub" ? star_loop::hub : star_loop::last_leaf;
  const double n_loops = into.loop == star_loop::none ? 0 : 1;
  double n_ends = 1;
  for (const std::int64_t n : into.n_leaves) n_ends *= 2 * static_cast<double>(n) + n_loops;
  into.n_edges = (n_ends - n_loops) / 2;
}

}  // namespace

generated_graph parse_generated_graph(const std::string& text, pe_id n_pes) {
  const std::string kind = text.substr(0, text.find(':'));
  generated_graph made;
  if (kind == "er") {
    made.kind = graph_kind::erdos_renyi;
    parse_erdos_renyi({text, kind, "n, per_pe, p, degree, seed, directed, loops"}, made, n_pes);
  } else if (kind == "geometric") {
    made.kind = graph_kind::geometric;
    parse_geometric({text, kind, "n, per_pe, radius, degree, seed, directed, loops"}, made, n_pes);
  } else if (kind == "rmat") {
    made.kind = graph_kind::rmat;
    parse_rmat({text, kind, "scale, factor, a, b, c, seed, directed, loops"}, made);
  } else if (kind == "stars") {
    made.kind = graph_kind::stars;
    parse_stars({text, kind, "leaves, loop"}, made);
  } else {
    throw setup_error("--graph=" + text +
                      " is of no known kind; there are er, geometric, rmat and stars, such as rmat:scale=18");
  }
  return made;
}

sparse_matrix generate(world& w, const generated_graph& g) {
  switch (g.kind) {
    case graph_kind::erdos_renyi: return erdos_renyi_graph(w, g.n_vertices, g.probability, g.how);
    case graph_kind::geometric: return random_geometric_graph(w, g.n_vertices, g.radius, g.how).edges;
    case graph_kind::rmat: return rmat_graph(w, g.rmat, g.how);
    case graph_kind::stars: return kronecker_of_stars(w, g.n_leaves, g.loop, g.how.rows);
  }
  return {};
}

}  // namespace shoal::kernels
