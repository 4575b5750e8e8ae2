# The documents repeat compiled code and their links lead somewhere; `make docs` refreshes stale code blocks.
exec python3 "$SHOAL_SOURCE/cmake/docs.py" --check
