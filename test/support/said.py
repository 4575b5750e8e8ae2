"""What jobs say, read while they go on."""
import contextlib
import tempfile


@contextlib.contextmanager
def growing_file():
    """A file for the output of jobs. Jobs and reader share a position in it: without the mode, a read would move where the
    next write goes."""
    with tempfile.NamedTemporaryFile() as file, open(file.name, "a+", encoding="utf-8") as shared:
        yield shared
