"""The program of `shoal bench`, `shoal network-bench` and `shoal study`, which start it: python3 THIS_FOLDER PROGRAM VERB
[WORDS...], where PROGRAM is shoal itself.

Installed, the folder is an archive, which Python runs as it is."""
import importlib
import sys

if sys.version_info < (3, 11):
    sys.exit("shoal: " + sys.argv[2] + " needs Python 3.11 or newer, but python3 is %d.%d; put a newer one into PATH"
             % sys.version_info[:2])

# Older Pythons could not read it.
PACKAGES = {"bench": "shoal_bench", "network-bench": "shoal_network_bench", "study": "shoal_study"}
command = importlib.import_module(PACKAGES[sys.argv[2]] + ".command")

sys.exit(command.main(sys.argv[1], sys.argv[3:]))
