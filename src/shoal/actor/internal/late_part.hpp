/// A part of a world that few programs use.
#pragma once

namespace shoal::internal {

/// The first call that needs such a part makes it. What every program links knows only this class, so a program without
/// such calls does not link the part.
class late_part {
public:
  late_part() = default;
  virtual ~late_part() = default;
  late_part(const late_part&) = delete;
  late_part& operator=(const late_part&) = delete;

  /// Collective: waits until all that it has begun is complete. Then all PEs meet, and this object may be destroyed.
  /// `call`: for reports.
  virtual void await_all(const char* call) { static_cast<void>(call); }
};

}  // namespace shoal::internal
