/// Where the actors of a graph live.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include "shoal/base/types.hpp"

namespace shoal::dataflow {

/// How a graph puts actors on PEs. "In order" means: those that PE 0 has added first, in the order of its calls, then
/// those of PE 1, and so on.
class placement {
public:
  enum class kind : std::uint8_t { block, cyclic, chosen, metis, scotch };

  /// In order, so that each PE has a run of about equal weight.
  static placement block() { return placement(kind::block); }
  /// In order, one after the other to each PE in turn.
  static placement cyclic() { return placement(kind::cyclic); }
  /// `pe_of(name)` says where; called once for each actor on the PE that has added it: in `build`, or in the act that adds it
  /// while the graph runs, where several workers may call it at once.
  static placement by(std::function<pe_id(const std::string&)> pe_of) {
    placement its(kind::chosen);
    its.pe_of_ = std::move(pe_of);
    return its;
  }

  /// In parts of about equal weight with little weight of channels between them, as the library METIS finds them; the
  /// same parts for the same graph. PE 0 collects all names, weights and channels for it, and has its module
  /// (docs/installing.md); a single PE needs none.
  static placement metis() { return placement(kind::metis); }
  /// The same by Scotch, which keeps a better balance beside actors whose PEs are fixed.
  static placement scotch() { return placement(kind::scotch); }

  /// The same placement by measured weights, from a file that an earlier run of the graph has written
  /// (graph::record_weights): the time of its acts for an actor, and the tokens of a channel times its weight. What the
  /// file does not name counts as the mean of what it names, times the weight that the program gives. PE 0 reads it.
  placement weighted_by(std::string file) const {
    placement its = *this;
    its.weights_file_ = std::move(file);
    return its;
  }

  kind its_kind() const noexcept { return kind_; }
  pe_id pe_of(const std::string& name) const { return pe_of_(name); }
  /// Empty: the program's weights count.
  const std::string& weights_file() const noexcept { return weights_file_; }

private:
  explicit placement(kind its) noexcept : kind_(its) {}

  kind kind_;
  std::function<pe_id(const std::string&)> pe_of_;
  std::string weights_file_;
};

/// What a placement comes to.
struct placement_result {
  double imbalance = 1;  // the weight of the PE that has most, as a multiple of the mean
  double cut = 0;  // the weight of all channels whose ends are on different PEs
  double channels = 0;  // the weight of all channels
};

}  // namespace shoal::dataflow
