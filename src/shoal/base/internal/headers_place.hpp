/// Tells the library where the headers of a program lie. Only headers that programs include may include this one.
#pragma once

namespace shoal::internal {

/// This file as the compiler found it. A program that is linked with the archive finds the modules of the installation
/// that it was compiled with by this path (substrate/internal/network/module_folders.cpp). Hidden, so that each object of
/// a process has its own.
[[gnu::used, gnu::visibility("hidden")]] inline const char* const headers_place = __FILE__;

}  // namespace shoal::internal
