/// Refuses two copies of this library in one process, as in a program and in a plugin that both contain the archive.
#pragma once

namespace shoal::internal {

/// Ends the process with one line if another object of it contains this library, too: each copy would have worlds,
/// closures and an ambient PE of its own, and would know nothing of the other's. Called when an object with closures is
/// opened, and when a copy is. Local.
void refuse_second_copy();

}  // namespace shoal::internal
