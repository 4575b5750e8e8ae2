/// Work of this PE that can be done at any time while its main program waits.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace shoal::internal {

class spare_work {
public:
  /// Does a bounded amount. Returns whether there was any. Called in the main program's waits, but not in those for room
  /// and never inside itself; it may wait for room. Local.
  virtual bool run() = 0;
  /// The part of it that waits for nothing and runs no code of the program: in waits for room, too. Returns as run.
  virtual bool settle() = 0;

protected:
  ~spare_work() = default;
};

/// What the layer above keeps here for all worlds of a PE.
class kept_work {
public:
  kept_work() = default;
  virtual ~kept_work() = default;
  kept_work(const kept_work&) = delete;
  kept_work& operator=(const kept_work&) = delete;

  /// For reports: what of it waits, after "; ". Empty: nothing.
  virtual std::string describe() const = 0;
};

/// The kinds of work that a PE has.
class spare_work_place {
public:
  void enter(spare_work& work) { all_.push_back(&work); }
  void leave(spare_work& work) noexcept { std::erase(all_, &work); }
  bool run() {
    bool has_moved = false;
    // It may make the first task of its PE, whose worker enters this list.
    for (std::size_t i = 0; i < all_.size(); ++i) has_moved |= all_[i]->run();
    return has_moved;
  }
  bool settle() {
    bool has_moved = false;
    for (spare_work* each : all_) has_moved |= each->settle();
    return has_moved;
  }

private:
  std::vector<spare_work*> all_;
};

}  // namespace shoal::internal
