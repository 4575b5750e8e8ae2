/// Measures what links cost at the start of a job whose user asks for it (SHOAL_NETWORK=probe).
#pragma once

namespace shoal {
struct settings;
}

namespace shoal::internal {

class substrate;

/// If `chosen` asks for it, measures a link within a node and one between nodes, and tells the substrates of all PEs
/// the same. Takes well below a second. Collective; before anything else is sent.
void probe_links(substrate& backend, const settings& chosen);

}  // namespace shoal::internal
