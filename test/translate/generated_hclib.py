"""A random program of HClib's lambdas (USE_LAMBDA): generate.py.

All selectors of a source are translated or none, so nothing here has to stay. A packet may not be larger than the largest
lambda: the lambdas of a selector capture no other types than the first, which captures an address, too.
"""
import re
from dataclasses import replace

import generated_native
from generated_values import PRELUDE, Scope, Variable, indented, indents, needed

BEGIN = """#define USE_LAMBDA
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>

#include <libgetput.h>
#include <selector.h>
""" + PRELUDE.replace("CONSTEXPR", "inline") + """
std::uint64_t number_of(const std::uint64_t* a) {
  std::uint64_t sum = 0;
  for (int i = 0; i < 8; ++i) sum = sum * 1000003u + a[i];
  return sum;
}

void tell(const char* what, std::uint64_t value) {
  value = (value % 1000000007u + 1) * static_cast<std::uint64_t>(2 * MYTHREAD + 3);
  value = static_cast<std::uint64_t>(lgp_reduce_add_l(static_cast<std::int64_t>(value)));
  if (MYTHREAD == 0) std::printf("%s: %llu\\n", what, static_cast<unsigned long long>(value));
}
"""
TYPES = ["std::int64_t", "std::uint64_t", "int", "unsigned", "std::int16_t", "bool", "float", "double", "colour", "point",
         "std::size_t", "outer::inner"]


class Program(generated_native.Program):
    """Fields are arrays of the symmetric heap; a lambda changes one of its own."""

    forms = 0, 1, 3, 4, 6, 9, 9

    def field(self):
        field = generated_native.Field(self, f"f{len(self.fields)}")
        field.is_scalar = False
        self.fields.append(field)
        return field

    def write(self, scope, field, value=None):
        return field.operation.format(f"{field.name}[{self.index(scope)}]", value or self.number(scope))

    def literal(self):
        """None that a compiler could know: lambdas do not capture constants, and those of type bool have to stay."""
        return f"scaled({super().literal()})"

    def can_read(self, scope):
        return bool(scope.reads)

    def read(self, scope):
        return f"{self.draw.choice(scope.reads)}[{self.index(scope)}]"

    def pe(self, scope, world=""):
        if scope.pe_variables() and self.chance(0.5):
            return self.draw.choice(scope.pe_variables())
        return self.pick("static_cast<int>({0} % number(THREADS))", "(MYTHREAD + 1) % THREADS", "THREADS - 1", "0",
                         "({1} ? MYTHREAD : 0)").format(self.number(scope, 1), self.condition(scope, 0))

    def lambda_(self, scope, most, depth, sends, pe):
        """A lambda that captures at most one variable for each type of `most`, its body, and how to send from it."""
        field = self.field()
        is_first, chosen = depth == 0 and not self.has_first, []
        for type_name in most:
            fitting = [v for v in scope.values()
                       if v.type == type_name and v not in chosen and not v.is_outside and not v.is_constant]
            if fitting and (is_first or self.chance(0.6)):
                chosen.append(self.draw.choice(fitting))
        known = [v for v in scope.values() if v.is_pe and v not in chosen]
        chosen += [v for v in known if self.chance(0.3) and v.name in ("mine", pe)]  # the sender or the target
        self.has_first = True
        takes_all = self.chance(0.5)
        reads = ["t0"] if self.chance(0.6) else []
        inner = Scope([replace(v, is_constant=False, may_change=False) for v in chosen], ["MYTHREAD", "THREADS"], reads,
                      hidden={"mine", "again"}, block={v.name for v in chosen})
        body = [f"if ({self.condition(inner)}) return;"] if self.chance(0.15) else []
        body += [self.write_of(inner, field, v) for v in inner.values() if is_first or self.chance(0.7)]
        for _ in range(self.pick(1, 1, 2)):
            body += self.statement(inner, field)
        for _ in range(self.pick(1, 1, 2) if sends else 0):
            body += self.around(inner, lambda within: self.send(within, self.back + "->", most, depth + 1, sends - 1))
        names = [v.name for v in chosen] + [field.name] + reads
        # What lambdas within it need, too.
        used = [n for n in self.symmetric() if n not in names and re.search(rf"\b{n}\b", "\n".join(body))]
        capture = "[=]" if takes_all else "[" + ", ".join(self.comment() + n for n in names + used) + "]"
        return capture + (" {" if self.chance(0.7) else "() {") + self.note(0.05) + "\n" + indented(body) + "\n}"

    def symmetric(self):
        return ["t0"] + [f.name for f in self.fields]

    def send(self, scope, receiver, most, depth, sends):
        scope, before = scope.inner(), []
        for type_name in most:
            if self.chance(0.5) or depth == 0:
                self.declare(scope, before, type_name, self.value(scope, type_name))
        pe = self.pe(scope)
        if self.chance(0.4):
            v = self.declare(scope, before, "int", pe)
            v.is_pe, pe = True, v.name
        mailbox = f"{self.comment()}{depth}, " if self.n_mailboxes > 1 else ""
        given = f"{mailbox}{self.comment()}{pe}, {self.comment()}{self.lambda_(scope, most, depth, sends, pe)}"
        call = f"{receiver}send({given});{self.note()}"
        return [*needed(before, [call]), call]

    def superstep(self, i):
        """A selector, from its declaration to the end of what it sends."""
        depth = self.pick(1, 1, 2, 2, 3, 4)
        self.n_mailboxes, self.has_first = depth, False
        self.back = f"back{i}"
        most = [self.draw.choice(TYPES) for _ in range(self.pick(1, 2, 2, 3))]
        type_name = f"hclib::Selector<{depth}>" if depth > 1 or self.chance(0.3) else "hclib::Actor<>"
        is_pointer = self.chance(0.25)
        name, arrow = f"selector{i}", "->" if is_pointer else "."
        lines = [f"{type_name}* {name} = new {type_name};" if is_pointer else f"{type_name} {name};{self.note()}"]
        if depth > 1:
            self.functions.append(f"static {type_name}* {self.back}; /* of this PE */\n")
            lines.append(f"{self.back} = {'' if is_pointer else '&'}{name};")
        parts = []
        for _ in range(self.pick(1, 1, 2)):
            scope = Scope([Variable("mine", "int", is_pe=True)], ["MYTHREAD", "THREADS"], [], {"mine", "again", name})
            counter = self.fresh(scope)
            scope.declare(Variable(counter, "int"))
            send = self.around(scope, lambda inner: self.send(inner, name + arrow, most, 0, depth - 1))
            parts += [f"for (int {counter} = 0; {counter} < {self.pick(3, 9, 20)}; ++{counter}) {{", *indents(send), "}"]
        number = "0" if depth > 1 or self.chance(0.5) else ""
        lines += ["hclib::finish([&] {", f"  {name}{arrow}start();", "  const int mine = MYTHREAD;", "  (void)mine;",
                  *indents(parts), f"  {name}{arrow}done({number});", "});"]
        return lines + ([f"delete {name};"] if is_pointer else [])

    def text(self):
        body = [line for i in range(self.pick(1, 1, 2)) for line in self.superstep(i)]
        lines = [f"std::uint64_t* {n} = static_cast<std::uint64_t*>(lgp_all_alloc(8 * THREADS, sizeof(std::uint64_t)));"
                 for n in self.symmetric()]
        lines += [f"for (int i = 0; i < 8; ++i) {n}[i] = {'number(MYTHREAD) * 31 + number(i)' if n == 't0' else '0'};"
                  for n in self.symmetric()]
        lines += ["lgp_barrier();", *body, "lgp_barrier();"]
        lines += [f'tell("{self.name}.{f.name}", number_of({f.name}));' for f in self.fields]
        lines += ["lgp_barrier();", *[f"lgp_all_free({n});" for n in self.symmetric()]]
        return (f"namespace {self.name} {{\n" + "".join(self.functions)
                + f"\nvoid run() {{\n{indented(lines)}\n}}\n}}  // namespace {self.name}\n")
