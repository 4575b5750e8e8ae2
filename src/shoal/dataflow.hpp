/// Graphs of actors with ports, joined by channels of bounded capacity.
#pragma once

#include "shoal/dataflow/actor.hpp"
#include "shoal/dataflow/graph.hpp"
#include "shoal/dataflow/placement.hpp"
#include "shoal/dataflow/port.hpp"
#include "shoal/dataflow/state_machine.hpp"
