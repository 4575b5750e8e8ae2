"""Prints every class of the library that has more than 40 functions, and fails if there is one.

A class that needs more has more than one duty. Constructors and operators count, and so do templates, once; deleted
functions and friends do not. `world` is exempt: it is the face of its parts, and each function is one call of one of
them. Before that, a class with one function too many must be found, so that silence means something.

  class_size.test.py [ROOT]     default: $SHOAL_SOURCE
"""
import os
import re
import sys
from pathlib import Path

FUNCTIONS_MAX = 40
EXEMPT = {"world"}

NO_CODE = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'|^\s*#[^\n]*', re.DOTALL | re.MULTILINE)
CLASS = re.compile(r"\b(?:class|struct)\s+(?:alignas\([^)]*\)\s*)?(\w+)\s*(?:final\s*)?(?::(?!:)[^;{()]*)?\{")
NO_FUNCTION = re.compile(r"(?:using|friend|static_assert|enum|struct|class|union|typedef)\b")
ACCESS = re.compile(r"\b(?:public|private|protected)\s*:(?!:)")
ANGLES = re.compile(r"<[^<>]*>")


def members(text, begin):
    """The declarations in the braces that open before `begin`, each without its own braces."""
    declarations, current, depth = [], "", 1
    for character in text[begin:]:
        if character == "{":
            depth += 1
        elif character == "}":
            depth -= 1
            if depth == 0:
                return declarations
            if depth == 1:
                declarations.append(current)
                current = ""
        elif depth == 1 and character == ";":
            declarations.append(current)
            current = ""
        elif depth == 1:
            current += character
    return declarations


def is_function(declaration):
    declaration = ACCESS.sub(" ", declaration).replace("operator()", "call")
    declaration = re.sub(r"operator\s*[^\s\w(]+", "operator_", declaration)
    while ANGLES.search(declaration):
        declaration = ANGLES.sub("", declaration)
    declaration = re.sub(r"^\s*(?:template\s*)?(?:requires[^\n]*\n)?\s*", "", declaration)
    if NO_FUNCTION.match(declaration) or re.search(r"=\s*delete\s*$", declaration):
        return False
    # What a variable is initialised with is no function.
    declaration = re.sub(r"(?<![=!<>])=(?!=).*", "", declaration, flags=re.DOTALL)
    return re.search(r"[\w~]\s*\(", re.sub(r"\b(?:alignas|decltype|noexcept|explicit)\s*\([^)]*\)", "", declaration)) is not None


def sizes(text):
    """(name, number of functions) of each class of a file."""
    text = NO_CODE.sub(" ", text)
    for found in CLASS.finditer(text):
        yield found[1], sum(is_function(declaration) for declaration in members(text, found.end()))


def too_large(text):
    return [(name, n) for name, n in sizes(text) if n > FUNCTIONS_MAX and name not in EXEMPT]


def self_test():
    body = """
      public:
        explicit wide(int n) : n_(f(n)), m_{n} { if (n) { g(); } }  // (not this)
        wide(const wide&) = delete;
        template <class T, class = std::enable_if_t<(sizeof(T) > 4)>>
        T get() const noexcept(true) { return T(n_); }
        bool operator()(int) const;
        bool operator==(const wide& other) const { return n_ == other.n_; }
        virtual std::string describe() const = 0;
        static constexpr int most = max(1, 2);
        using call = void (*)(int);
        friend bool friendly(const wide&);
        struct part { int f(); int g(); };
        std::function<void(int)> on_end;
        alignas(64) int n_ = sizeof(int);
      private:
        void many_0();
    """
    n_others = FUNCTIONS_MAX - 5
    for n_more, expected in (n_others - 1, []), (n_others, [("wide", FUNCTIONS_MAX + 1)]):
        text = "class wide : public base {" + body + "".join(f"void many_{i}();\n" for i in range(1, n_more + 1)) + "};"
        found = too_large(text)
        if found != expected:
            sys.exit(f"self-test: found {found} instead of {expected} among {list(sizes(text))}")


self_test()
root = Path(sys.argv[1] if len(sys.argv) > 1 else os.environ["SHOAL_SOURCE"])
failures = [f"{file.relative_to(root)}: class {name} has {n} functions; {FUNCTIONS_MAX} are allowed"
            for file in sorted((root / "src").rglob("*.[hc]pp")) for name, n in too_large(file.read_text())]
print("\n".join(failures) or f"no class has more than {FUNCTIONS_MAX} functions")
sys.exit(bool(failures))
