/// Data distributed over all PEs: arrays with global indices, and loops over their elements.
#pragma once

#include "shoal/pgas/aggregate.hpp"
#include "shoal/pgas/block_cyclic.hpp"
#include "shoal/pgas/distributed_array.hpp"
#include "shoal/pgas/distribution.hpp"
