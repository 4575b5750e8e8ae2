"""What `make test` runs of a test that goes through many cases: SHOAL_TEST_SHARE=3 asks for a third of them."""
import os

SHARE = int(os.environ.get("SHOAL_TEST_SHARE", "1"))
with open(os.path.join(os.environ["SHOAL_BUILD"], "CMakeCache.txt"), encoding="utf-8") as cache:
    IS_SANITIZED = any(line.startswith("SHOAL_SANITIZE:") and not line.rstrip().endswith("=") for line in cache)


def share_of(cases, i=0):
    """Each SHARE-th case, beginning with the i-th. Who goes through a product varies i with its other factor, so that each
    case comes up with some level of that."""
    return list(cases)[i % SHARE::SHARE]


def share_if_sanitized(cases, i=0):
    """All; but under a sanitizer, which takes several times as long, a share. The other presets run each."""
    return share_of(cases, i) if IS_SANITIZED else list(cases)
