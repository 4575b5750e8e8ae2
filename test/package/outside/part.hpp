// A part of the program that sends, in a file or a library of its own.
#pragma once

#include <shoal/shoal.hpp>

int count_from_all(shoal::world& world);
