"""Variables, types and expressions of generated programs: generate.py. All values depend on nothing but what a program
sends, so that they are the same in whatever order messages come."""
import re
from dataclasses import dataclass, field, replace

PE = "shoal::pe_id"

# Each type and its value, from an unsigned expression and a flag.
TYPES = {
    "bool": "({0}) % 3u == 1u",
    "char": "static_cast<char>('a' + ({0}) % 26u)",
    "signed char": "static_cast<signed char>(({0}) % 100u)",
    "std::int16_t": "static_cast<std::int16_t>(({0}) % 30000u)",
    "std::uint16_t": "static_cast<std::uint16_t>(({0}) % 60000u)",
    "int": "static_cast<int>(({0}) % 100000u) - 500",
    "unsigned": "static_cast<unsigned>(({0}) % 100000u)",
    "std::int64_t": "static_cast<std::int64_t>(({0}) % 10000000u) - 77",
    "std::uint64_t": "({0}) * 3u",
    "std::size_t": "({0}) % 1000u",
    "long long": "static_cast<long long>(({0}) % 999u)",
    "float": "static_cast<float>(({0}) % 1000u) / 8",
    "double": "static_cast<double>(({0}) % 100000u) / 16",
    "colour": "static_cast<colour>(({0}) % 3u)",
    "side": "static_cast<side>(({0}) % 2u)",
    "point": "point{{static_cast<std::int16_t>(({0}) % 900u), static_cast<double>(({0}) % 70u)}}",
    "flags": "flags{{static_cast<unsigned>(({0}) % 4u), static_cast<unsigned>(({0}) % 8u), {1}}}",
    "outer::inner": "outer::inner{{{1}, static_cast<std::int64_t>(({0}) % 50u)}}",
    "std::array<std::int32_t, 3>": "std::array<std::int32_t, 3>{{{{1, static_cast<std::int32_t>(({0}) % 50u), 3}}}}",
    "std::array<point, 2>": "std::array<point, 2>{{{{point{{1, 2}}, point{{static_cast<std::int16_t>(({0}) % 9u), 4}}}}}}",
}
CLASSES = {"point", "flags", "outer::inner", "std::array<std::int32_t, 3>", "std::array<point, 2>"}

# What programs share: types, numbers of them, macros.
PRELUDE = """
enum class colour : std::uint8_t { red, green, blue };
enum side { left, right };
struct point {
  std::int16_t x;
  double y;
};
struct flags {
  unsigned low : 3;
  unsigned high : 5;
  bool is_set;
};
struct outer {
  struct inner {
    bool is_odd;
    std::int64_t n;
  };
};
#define SUM_OF(a, b) ((a) + (b))
#define PICK(which, a, b) ((which) % 2u == 0u ? (a) : (b))

// A number of any value; by reference it needs the value's address.
template <class T>
CONSTEXPR std::uint64_t number(T x) {
  return static_cast<std::uint64_t>(x);
}
CONSTEXPR std::uint64_t number(float x) { return static_cast<std::uint64_t>(x * 8); }
CONSTEXPR std::uint64_t number(double x) { return static_cast<std::uint64_t>(x * 16); }
CONSTEXPR std::uint64_t number(point p) { return number(p.x) * 7 + number(p.y); }
CONSTEXPR std::uint64_t number(flags f) { return number(f.low) * 100 + number(f.high) * 10 + number(f.is_set); }
CONSTEXPR std::uint64_t number(outer::inner i) { return number(i.n) * 2 + number(i.is_odd); }
CONSTEXPR std::uint64_t number(std::array<std::int32_t, 3> a) { return number(a[0] + a[1] * a[2]); }
CONSTEXPR std::uint64_t number(std::array<point, 2> a) { return number(a[0]) + number(a[1]) * 3; }
template <class T>
CONSTEXPR std::uint64_t number_at(const T& x) {
  return number(x);
}
CONSTEXPR std::uint64_t scaled(std::uint64_t x) { return x * 2654435761u + 12345u; }
"""

# Few, so that they meet, shadow each other, and are also the names that a translation likes.
NAMES = ("value slot index amount key step item total m messages home of_all pkt kind from at owner n first second "
         "count next own_world message state_of x y z").split()


@dataclass
class Variable:
    name: str
    type: str
    is_constant: bool = False  # closures may name it without capturing it
    is_outside: bool = False  # a constant that the closure around did not capture
    access: str = ""  # of a state: "here->"
    may_change: bool = False
    is_pe: bool = False  # the number of a PE


@dataclass
class Scope:
    """What an expression may name."""
    variables: list = field(default_factory=list)
    pes: list = field(default_factory=list)  # numbers of PEs, other than variables: "world.my_pe()"
    reads: list = field(default_factory=list)  # fields of the state that nothing writes now
    hidden: set = field(default_factory=set)  # names that no variable may take
    block: set = field(default_factory=set)  # the same, in the innermost block
    is_generic: bool = False  # in a lambda with a parameter `auto`

    def inner(self, **changes):
        """Of a block within."""
        parts = dict(variables=list(self.variables), pes=list(self.pes), reads=self.reads, is_generic=self.is_generic,
                     hidden=set(self.hidden))
        return Scope(**{**parts, **changes})

    def declare(self, variable):
        self.variables = [v for v in self.variables if v.name != variable.name] + [variable]
        self.block.add(variable.name)

    def values(self):
        return [v for v in self.variables if not v.access]

    def in_lambda(self):
        """Within [&]: GCC 12 does not find a constant that is named in a closure there without being captured."""
        return self.inner(variables=[replace(v, is_constant=False) for v in self.variables if not v.is_outside])

    def without(self, *names):
        return self.inner(variables=[v for v in self.variables if v.name not in names])

    def pe_variables(self):
        return [v.name for v in self.variables if v.type == PE or v.is_pe]

    def states(self):
        return [v for v in self.variables if v.access]


class Writer:
    """Draws text by one generator of random numbers."""

    def __init__(self, draw):
        self.draw = draw
        self.n_comments = 0

    def chance(self, p):
        return self.draw.random() < p

    def pick(self, *choices):
        return self.draw.choice(choices)

    def comment(self, p=0.06):
        """Between two tokens. Each has a number of its own, so that a lost one is found."""
        if not self.chance(p):
            return ""
        self.n_comments += 1
        return f"/* note {self.n_comments} */ "

    def note(self, p=0.1):
        """At the end of a line."""
        if not self.chance(p):
            return ""
        self.n_comments += 1
        return f"  // note {self.n_comments}"

    def fresh(self, scope, *also):
        return self.draw.choice([n for n in NAMES if n not in scope.hidden | scope.block and n not in also])

    def declare(self, scope, lines, type_name=None, text=None):
        """Adds a variable to the lines before a statement; its value cannot name it."""
        type_name = type_name or self.type()
        name = self.fresh(scope, *re.findall(r"\w+", text or ""))
        v = Variable(name, type_name)
        if text is None and type_name in ("int", "std::int64_t", "std::size_t", "unsigned") and self.chance(0.25):
            v.is_constant = True
            text = str(self.draw.randrange(0, 40))
        text = text or self.value(scope.without(name), type_name)
        word = "" if self.chance(0.4) and not v.is_constant else "const "
        v.may_change = not word
        if v.is_constant and self.chance(0.3):
            word = "constexpr "
        if self.chance(0.08):
            word = "[[maybe_unused]] " + word
        lines.append(f"{word}{type_name} {name} = {text};{self.note()}")
        scope.declare(v)
        return v

    def number(self, scope, depth=2):
        """An expression of std::uint64_t."""
        values, roll = scope.values(), self.draw.random()
        if depth > 0 and roll < 0.4:
            a, b = self.number(scope, depth - 1), self.number(scope, depth - 1)
            form = self.pick("({0} + {1})", "({0} * {1})", "({0} ^ {1})", "SUM_OF({0}, {1})", "({2} ? {0} : {1})",
                             "PICK({1}, {0}, {1})", "scaled({0})", "({0} % 97u + {1})")
            return form.format(a, b, self.condition(scope, 0) if "{2}" in form else "")
        if values and roll < 0.75:
            return self.number_of(self.draw.choice(values))
        if scope.pes and roll < 0.85:
            return f"number({self.draw.choice(scope.pes)})"
        if roll < 0.92 and self.can_read(scope):
            return self.read(scope)
        return self.literal()

    def literal(self):
        return f"{self.draw.randrange(1, 60)}u"

    def number_of(self, v):
        if v.type == "std::uint64_t" and self.chance(0.5):
            return v.name
        if v.type not in CLASSES and v.type != "float" and v.type != "double" and self.chance(0.2):
            return f"static_cast<std::uint64_t>({v.name})"
        if v.type == "point" and self.chance(0.4):
            return f"number({v.name}.{self.pick('x', 'y')})"
        return f"{'number_at' if self.chance(0.25) and not v.is_constant else 'number'}({v.name})"

    def can_read(self, scope):
        return scope.reads and scope.states()

    def read(self, scope):
        return f"{self.draw.choice(scope.states()).access}{self.draw.choice(scope.reads)}[{self.index(scope)}]"

    def index(self, scope):
        return f"{self.number(scope, 0)} % 8u"

    def condition(self, scope, depth=1):
        form = self.pick("{0} % 3u == 1u", "{0} < {1}", "({0} ^ {1}) % 2u == 0u", "!({0} % 4u == 2u)")
        return form.format(self.number(scope, depth), self.number(scope, 0))

    def value(self, scope, type_name):
        return TYPES[type_name].format(self.number(scope, 1), "true" if self.chance(0.5) else "false")

    def type(self):
        if self.chance(0.45):
            return self.pick("std::int64_t", "std::uint64_t", "int", "std::size_t")
        return self.draw.choice(list(TYPES))


def needed(declarations, rest):
    """Of lines that declare a variable each, those whose variable is named after them."""
    kept, text = [], "\n".join(rest)
    for line in reversed(declarations):
        name = re.search(r"(\w+) = ", line).group(1)
        if "maybe_unused" in line or re.search(rf"\b{name}\b", re.sub(r"//.*|/\*.*?\*/", "", text)):
            kept.insert(0, line)
            text = line + "\n" + text
    return kept


def indents(lines, n=1):
    return ["  " * n + part for line in lines for part in line.split("\n")]


def indented(lines, n=1):
    return "\n".join(indents(lines, n))
