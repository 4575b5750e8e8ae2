"""The program of `shoal bench`, which starts it: python3 THIS_FOLDER PROGRAM [WORDS...], where PROGRAM is shoal itself.

Installed, the folder is an archive, which Python runs as it is."""
import sys

if sys.version_info < (3, 11):
    sys.exit("shoal: bench needs Python 3.11 or newer, but python3 is %d.%d; put a newer one into PATH" % sys.version_info[:2])

from shoal_bench.command import main  # noqa: E402  older Pythons cannot read it

sys.exit(main(sys.argv[1], sys.argv[2:]))
