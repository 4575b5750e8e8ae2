/// Shoal: fine-grained messages to partitioned actors, as fast as if aggregated by hand.
#pragma once

#include "shoal/actor/actor.hpp"
#include "shoal/actor/closure.hpp"
#include "shoal/actor/job.hpp"
#include "shoal/actor/origin.hpp"
#include "shoal/actor/per_pe.hpp"
#include "shoal/actor/run.hpp"
#include "shoal/actor/selector.hpp"
#include "shoal/actor/world.hpp"
#include "shoal/base/internal/headers_place.hpp"
