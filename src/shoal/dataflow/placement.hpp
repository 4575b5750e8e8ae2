/// Where the actors of a graph live.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include "shoal/base/types.hpp"

namespace shoal::dataflow {

/// How a graph puts actors on PEs. "In order" means: those that PE 0 has added
/// first, in the order of its calls, then those of PE 1, and so on.
class placement {
public:
  enum class kind : std::uint8_t { block, cyclic, chosen };

  /// In order, so that each PE has a run of about equal weight.
  static placement block() { return placement(kind::block); }
  /// In order, one after the other to each PE in turn.
  static placement cyclic() { return placement(kind::cyclic); }
  /// `pe_of(name)` says where; called once for each actor on the PE that has
  /// added it.
  static placement by(std::function<pe_id(const std::string&)> pe_of) {
    placement its(kind::chosen);
    its.pe_of_ = std::move(pe_of);
    return its;
  }

  kind its_kind() const noexcept { return kind_; }
  pe_id pe_of(const std::string& name) const { return pe_of_(name); }

private:
  explicit placement(kind its) noexcept : kind_(its) {}

  kind kind_;
  std::function<pe_id(const std::string&)> pe_of_;
};

}  // namespace shoal::dataflow
