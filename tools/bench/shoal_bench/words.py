"""What all messages share."""
import difflib


class usage_error(Exception):
    """An error that the user can fix: one line that says what is wrong and what would work."""


def printable(text):
    """`text` on one line, without control characters."""
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in str(text))


def suggestion(word, known):
    near = difflib.get_close_matches(str(word), known, 1)
    return (f"; did you mean {near[0]}?" if near else ";") + f" known: {', '.join(known)}"


def readable_seconds(seconds, reference=None):
    """`seconds` with three digits or more, in the unit that suits `reference` (default: `seconds`)."""
    size = seconds if reference is None else reference
    for unit, name in ((1, "s"), (1e-3, "ms"), (1e-6, "us")):
        if size >= unit:
            break
    value = seconds / unit
    return f"{value:.{0 if value >= 100 else 1 if value >= 10 else 2}f} {name}"


def readable_duration(seconds):
    minutes = round(seconds / 60)
    return f"{max(1, round(seconds))} s" if seconds < 90 else f"{minutes} min" if minutes < 90 else f"{seconds / 3600:.1f} h"
