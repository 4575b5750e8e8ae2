/// Data distributed over all PEs: arrays with global indices.
#pragma once

#include "shoal/pgas/block_cyclic.hpp"
#include "shoal/pgas/distributed_array.hpp"
#include "shoal/pgas/distribution.hpp"
