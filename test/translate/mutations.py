"""Sources that are broken in some way, drawn from a generator of random numbers."""
import re


def tokens(text):
    return re.findall(r"\w+|\s+|//.*|.", text)


def without_tokens(draw, text):
    parts = tokens(text)
    for _ in range(draw.randrange(1, 6)):
        del parts[draw.randrange(len(parts))]
    return "".join(parts)


def with_doubled_tokens(draw, text):
    parts = tokens(text)
    for _ in range(draw.randrange(1, 6)):
        at = draw.randrange(len(parts))
        parts[at] *= 2
    return "".join(parts)


def with_swapped_tokens(draw, text):
    parts = tokens(text)
    for _ in range(draw.randrange(1, 4)):
        a, b = draw.randrange(len(parts)), draw.randrange(len(parts))
        parts[a], parts[b] = parts[b], parts[a]
    return "".join(parts)


def truncated(draw, text):
    return text[:draw.randrange(len(text))]


def with_swapped_lines(draw, text):
    lines = text.split("\n")
    a, b = draw.randrange(len(lines)), draw.randrange(len(lines))
    lines[a], lines[b] = lines[b], lines[a]
    return "\n".join(lines)


def without_lines(draw, text):
    lines = text.split("\n")
    del lines[draw.randrange(len(lines))]
    return "\n".join(lines)


def with_random_bytes(draw, text):
    data = bytearray(text.encode(errors="surrogateescape"))
    for _ in range(draw.randrange(1, 8)):
        data[draw.randrange(len(data))] = draw.randrange(256)
    return bytes(data)


def with_other_names(draw, text):
    """A name means something else from some place on, so that what compiles may not be what was meant."""
    names = sorted(set(re.findall(r"\b[a-z_]\w*\b", text)))
    old, new = draw.choice(names), draw.choice(names)
    at = draw.randrange(len(text))
    return text[:at] + re.sub(rf"\b{old}\b", new, text[at:])


def without_a_bracket(draw, text):
    places = [m.start() for m in re.finditer(r"[(){}\[\]<>;,]", text)]
    at = draw.choice(places)
    return text[:at] + draw.choice(["", "(", ")", "{", "}", ";", ",", "[", "]"]) + text[at + 1:]


ALL = [without_tokens, with_doubled_tokens, with_swapped_tokens, truncated, with_swapped_lines, without_lines,
       with_random_bytes, with_other_names, without_a_bracket]
