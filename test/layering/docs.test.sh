# The documents repeat compiled code and their links lead somewhere; `make docs` mends the former.
exec python3 "$SHOAL_SOURCE/cmake/docs.py" --check
