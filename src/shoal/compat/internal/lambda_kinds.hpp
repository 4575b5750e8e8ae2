/// Types of lambdas that programs of HClib-Actor send, and the numbers that name them on the wire.
///
/// A number is the place of the type's description in the program, relative to the program's begin. So it is the same on all
/// PEs, wherever the loader has put the program.
#pragma once

#include <cstdint>

#include "shoal/compat/include/shoal_compat/selector_open.h"
#include "shoal/conveyor/internal/item_kind.hpp"

namespace shoal::internal::compat {

/// Numbers a type. Ends the job if it lies in a shared library.
void number_lambda(shoal_lambda_kind& kind);

/// The type with this number; null: there is none.
shoal_lambda_kind* lambda_with(std::uint32_t number) noexcept;

/// The first part of a description is a kind of items.
const item_kind& kind_of(const shoal_lambda_kind& lambda) noexcept;
const shoal_lambda_kind& lambda_of(const item_kind& kind) noexcept;

/// A kind_lookup.
const item_kind* kind_of_lambdas(std::uint32_t number) noexcept;

}  // namespace shoal::internal::compat
