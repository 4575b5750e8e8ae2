/// What most tests include, compiled once. Each source still names all that it uses: preset `clang` compiles without this.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "shoal/conveyor/conveyor.hpp"
#include "shoal/shoal.hpp"
