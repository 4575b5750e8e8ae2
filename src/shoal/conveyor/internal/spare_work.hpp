/// Work of this PE that can be done at any time while its main program waits.
#pragma once

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

/// The work of a PE, if it has any.
class spare_work_place {
public:
  void set(spare_work* work) noexcept { work_ = work; }
  bool run() { return work_ != nullptr && work_->run(); }
  bool settle() { return work_ != nullptr && work_->settle(); }

private:
  spare_work* work_ = nullptr;
};

}  // namespace shoal::internal
