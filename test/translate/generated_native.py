"""A random program that sends closures by a world or a lambda_actor: generate.py."""
from dataclasses import replace

from generated_kept import kept_function
from generated_values import PE, Scope, Variable, Writer, indented, indents, needed


ORDERED = """void ordered(shoal::world& world, shoal::pe_handle<state> here) {
  world.finish([&] {
    for (std::uint64_t i = 0; i < 30; ++i) {
      world.send(static_cast<shoal::pe_id>(i) % world.n_pes(), [here, i](shoal::world&, shoal::pe_id from) {
        std::uint64_t& k = here->kept[from % 8];
        k = k * 31 + i;
      });
    }
  });
}
"""


class Field:
    """Of the state of a PE: in a superstep only one operation changes it, and that commutes."""

    def __init__(self, writer, name):
        self.name = name
        self.is_scalar = writer.chance(0.3)
        self.declaration = f"std::uint64_t {name} = 0" if self.is_scalar else writer.pick(
            "std::array<std::uint64_t, 8> {0}{{}}", "std::uint64_t {0}[8] = {{}}",
            "std::vector<std::uint64_t> {0} = std::vector<std::uint64_t>(8)").format(name)
        self.operation = writer.pick("{0} += {1};", "{0} += {1};", "{0} -= {1};", "{0} ^= {1};", "{0} = {0} + {1};",
                                     "{0} = std::max<std::uint64_t>({0}, {1});", "if ({1} > {0}) {0} = {1};",
                                     "{{ std::uint64_t& sum = {0}; sum += {1}; }}")


class Program(Writer):
    """`name` is its namespace; with `any_order`, closures of different kinds may change the same field."""

    forms = range(10)  # of statements in closures

    def __init__(self, draw, name, any_order=False):
        super().__init__(draw)
        self.name = name
        self.any_order = any_order
        self.fields = []
        self.written = []  # fields, in this superstep
        self.totals = []  # variables of the program that closures without a state change
        self.functions = []

    # --- What closures do

    def field(self):
        if self.any_order and self.written and self.chance(0.4):
            return self.draw.choice(self.written)
        self.fields.append(Field(self, f"f{len(self.fields)}"))
        self.written.append(self.fields[-1])
        return self.fields[-1]

    def write(self, scope, field, value=None):
        value = value or self.number(scope)
        if not scope.states():
            name = f"total_{field.name}"
            if name not in self.totals:
                self.totals.append(name)
            return f"{name} += {value};"
        place = self.draw.choice(scope.states()).access + field.name
        if not field.is_scalar:
            place += f"[{self.index(scope)}]"
        return field.operation.format(place, value)

    def write_of(self, scope, field, v):
        return self.write(scope, field, self.pick("{0}", "({0} + {1})", "SUM_OF({0}, {1})").format(
            self.number_of(v), self.number(scope, 1)))

    def statement(self, scope, field, depth=1):
        """Changes the field, somehow."""
        inner, lines = scope.inner(), []
        form = self.draw.choice(self.forms) if depth else 9
        if form == 0:
            return [f"if ({self.condition(scope)}) {{{self.note()}", *indents(self.statement(inner, field, 0)), "} else {",
                    f"  {self.write(inner, field)}", "}"]
        if form == 1:
            name = self.fresh(inner)
            inner.declare(Variable(name, "int"))
            skip = [f"if ({self.condition(inner)}) continue;"] if self.chance(0.5) else []
            return [f"for (int {name} = 0; {name} < 3; ++{name}) {{", *indents(skip + self.statement(inner, field, 0)), "}"]
        if form == 2:
            return [f"switch ({self.number(scope, 1)} % 3u) {{", "  case 0:", f"    {self.write(inner, field)}", "    break;",
                    "  case 1:", "    [[fallthrough]];", "  default: {", f"    {self.write(inner, field)}", "  }", "}"]
        if form == 3:  # a lambda that is called at once
            name = self.fresh(inner)
            called = self.fresh(inner, name)
            inner = inner.without(called)
            inner.declare(Variable(name, "std::uint64_t"))
            changes = self.write_of(inner, field, inner.variables[-1])
            return ["{", f"  const auto {called} = [&](std::uint64_t {name}) {{ {changes} }};", f"  {called}({self.number(scope.without(called))});", "}"]
        if form == 4:  # a variable that may hide others
            v = self.declare(inner, lines)
            return ["{", *indents(lines), f"  {self.write_of(inner, field, v)}", "}"]
        if form == 5 and [v for v in scope.values() if not v.is_constant]:
            v = self.draw.choice([v for v in scope.values() if not v.is_constant])
            new = self.fresh(inner, v.name)
            given = self.pick("[{0}] {{ return {1}; }}()", "[{2} = {0}] {{ return number({2}); }}()", "[&] {{ return {1}; }}()",
                              "[&{0}] {{ return {1}; }}()").format(v.name, self.number_of(v), new)
            inner.declare(Variable(new, "std::uint64_t"))
            changes = self.write_of(inner, field, inner.variables[-1])
            return ["{", f"  const std::uint64_t {new} = {given};", f"  {changes}", "}"]
        if form == 6:
            name = self.fresh(inner)
            begin = self.number(scope.without(name), 1)
            inner.declare(Variable(name, "std::uint64_t"))
            return [f"for (std::uint64_t {name} = {begin} % 4u; {name} != 0; --{name}) {self.write(inner, field)}"]
        return [self.write(inner, field) + self.note()]

    # --- Closures

    def pe(self, scope, world):
        """A number of a PE."""
        known = scope.pe_variables() + [p for p in scope.pes if "n_pes" not in p]
        if known and self.chance(0.4):
            return self.draw.choice(known)
        form = self.pick("static_cast<shoal::pe_id>({1} % number({0}.n_pes()))", "({0}.my_pe() + 1) % {0}.n_pes()",
                         "{0}.n_pes() - 1", "0", "static_cast<shoal::pe_id>({1} % 1000u) % {0}.n_pes()", "({2} ? {0}.my_pe() : 0)")
        return form.format(world, self.number(scope, 1), self.condition(scope, 0))

    def captures(self, scope, target):
        """A capture list, the variables that it leaves to the body, and the names that it takes."""
        pool = [v for v in scope.values() if not v.is_outside]
        chosen = self.draw.sample(pool, min(len(pool), self.draw.randrange(0, 4)))
        chosen += [v for v in pool if v not in chosen and self.chance(0.5 if v.name == target else 0.3 if v.type == PE else 0)]
        chosen += [v for v in scope.states() if v.access == v.name + "->" and self.chance(0.95)]
        self.draw.shuffle(chosen)
        parts = [self.comment() + v.name for v in chosen]
        if self.chance(0.12) and not scope.is_generic:  # [=]; in a generic lambda, the tree does not tell what it captures
            chosen = [v for v in scope.variables if v.access in ("", v.name + "->") and not v.is_constant]
            parts = ["="]
        names = {v.name for v in chosen} if parts != ["="] else set()
        kept = [replace(v, is_outside=True) for v in scope.variables if v.is_constant and v not in chosen and parts != ["="]]
        for _ in range(self.pick(0, 0, 1, 1, 2)):
            type_name, name = self.type(), self.fresh(scope, *names)
            value = self.value(scope, type_name)
            if scope.pe_variables() and self.chance(0.2):
                type_name, value = PE, self.draw.choice(scope.pe_variables())
            parts.append(f"{self.comment()}{name} = {value}")
            names.add(name)
            chosen = [v for v in chosen if v.name != name] + [Variable(name, type_name, may_change=True)]
            kept = [v for v in kept if v.name != name]
        # GCC 12 finds a constant that is captured only in that closure.
        return "[" + ", ".join(parts) + "]", kept + [replace(v, is_constant=False) for v in chosen], names

    def closure(self, scope, target, sends, object_type):
        """A closure whose body sends others `sends` levels deep."""
        captures, variables, taken = self.captures(scope, target)
        inner = scope.inner(variables=variables, pes=[], hidden=set())
        context, sender, parameters = "", "", []
        if object_type or sends or self.chance(0.5):
            context = self.draw.choice([n for n in ("there", "w", "world", "context", "here_too") if n not in taken])
            type_name = "auto" if self.chance(0.03) else object_type or "shoal::world"
            parameters.append(f"{self.comment()}{type_name}& {context}")
            if self.chance(0.5):
                sender = self.draw.choice([n for n in ("from", "asker", "sender", "source", "pe") if n not in taken])
                parameters.append(f"{PE} {sender}")
            inner = inner.without(context, sender)
            inner.hidden = {context, sender}
            inner.is_generic |= type_name == "auto"
            if object_type:
                inner.declare(Variable(context, object_type, access=context + "."))
            else:
                inner.pes = [f"{context}.my_pe()", f"{context}.n_pes()"]
            inner.pes += [sender] if sender else []
        if inner.is_generic:  # GCC 12 would not find them
            inner.variables = [v for v in inner.variables if not v.is_outside]
        inner.block.update(taken)
        is_mutable = self.chance(0.15)
        header = f"{captures}({', '.join(parameters)})" if parameters or is_mutable or self.chance(0.1) else captures
        header += " mutable" if is_mutable else " -> void" if header != captures and self.chance(0.05) else ""
        body = []
        for v in inner.values():
            if is_mutable and v.may_change and v.type in ("std::uint64_t", "std::size_t", "unsigned"):
                body.append(f"{v.name} += 5u;")
        inner.variables = [replace(v, may_change=False) for v in inner.variables]
        body += self.body(inner, context, sends)
        return header + " {" + self.note(0.05) + "\n" + indented(body) + "\n}"

    def body(self, scope, world, sends):
        field, lines = self.field(), []
        if self.chance(0.12):
            lines.append(f"if ({self.condition(scope)}) return;{self.note()}")
        if self.chance(0.4):
            v = self.declare(scope, lines)
            lines.append(self.write_of(scope, field, v))
        for _ in range(self.pick(1, 1, 2)):
            lines += self.statement(scope, field)
        for _ in range(self.pick(1, 1, 1, 2) if sends else 0):
            lines += self.around(scope, lambda inner: self.send(inner, world, sends - 1))
        if sends and self.chance(0.2):
            lines += self.statement(scope, field)
        return lines

    def send(self, scope, sender, sends, object_type=None, world=None):
        """The statements that send one closure: declarations, and the call."""
        scope, before = scope.inner(), []
        for _ in range(self.pick(0, 1, 1, 2)):
            self.declare(scope, before)
        target = self.pe(scope, world or sender)
        if self.chance(0.5):
            target = self.declare(scope, before, PE, target).name
        closure = self.closure(scope, target, sends, object_type)
        call = f"{sender}.send({self.comment()}{target}, {self.comment()}{closure});{self.note()}"
        return [*needed(before, [call]), call]

    # --- Supersteps

    def around(self, scope, make):
        """Control flow around the statements that `make` makes in a scope."""
        form = self.draw.randrange(0, 7)
        if form == 0:
            return [f"if ({self.condition(scope)}) {{", *indents(make(scope)), "}"]
        if form == 1:
            return [f"for (int again = 0; again < {self.pick(2, 3)}; ++again) {{{self.note()}", *indents(make(scope)), "}"]
        if form == 2:
            return [f"switch ({self.number(scope, 1)} % 2u) {{", "  case 0: {", *indents(make(scope), 2), "    break;", "  }",
                    "  default:", "    break;", "}"]
        if form == 3:
            return ["[&] {", *indents(make(scope.in_lambda())), "}();"]
        if form == 4:
            return ["do {", *indents(make(scope)), "} while (false);"]
        return ["{", *indents(make(scope)), "}"]

    def sends_in_main(self, scope, sender, sends, object_type, world):
        """A loop, or the like, that sends closures of one kind."""
        scope = scope.inner()
        name = self.fresh(scope)
        form = self.draw.randrange(0, 9)

        def one(type_name):
            inner = scope.in_lambda() if form in (5, 6) else scope
            inner.declare(Variable(name, type_name, may_change=form in (0, 1)))
            skip = [f"if ({self.condition(inner)}) continue;{self.note()}"] if form in (0, 1) and self.chance(0.3) else []
            return skip + self.around(inner, lambda within: self.send(within, sender, sends, object_type, world))

        if form in (0, 1):
            type_name = self.pick("std::int64_t", "int", "std::size_t", "std::uint64_t")
            head = f"for ({type_name} {name} = 0; {name} < {self.pick(5, 11, 20)}; ++{name}) {{"
            return [head, *indents(one(type_name)), "}"]
        if form == 2:
            return [f"for ({PE} {name} = 0; {name} < {world}.n_pes(); ++{name}) {{", *indents(one(PE)), "}"]
        if form == 3:
            head = f"for ([[maybe_unused]] const std::int64_t {name} : {{3, 1, 4, 1, 5}}) {{"
            return [head, *indents(one("std::int64_t")), "}"]
        if form == 4:
            return ["{", f"  std::uint64_t {name} = 6;", f"  while ({name} != 0) {{", *indents(one("std::uint64_t"), 2),
                    f"    --{name};", "  }", "}"]
        if form == 5:  # a lambda that is only called
            called = self.fresh(scope, name)
            scope = scope.without(called)
            return ["{", f"  const auto {called} = [&](std::uint64_t {name}) {{", *indents(one("std::uint64_t"), 2), "  };",
                    f"  for (std::uint64_t each = 0; each < 5; ++each) {called}(each);", f"  {called}(77);", "}"]
        if form == 6:  # an algorithm calls it
            return ["{", "  const std::array<int, 4> digits{2, 7, 1, 8};",
                    f"  std::for_each(digits.begin(), digits.end(), [&](int {name}) {{", *indents(one("int"), 2), "  });", "}"]
        if form == 7:  # a structured binding
            other = self.fresh(scope, name)
            scope.declare(Variable(other, "double"))
            return ["{", "  const std::array<point, 3> points{{{1, 2}, {3, 4}, {5, 6}}};",
                    f"  for (const auto& [{name}, {other}] : points) {{",
                    *indents([f"(void){other};", *one("std::int16_t")], 2), "  }", "}"]
        return self.around(scope, lambda inner: self.send(inner, sender, sends, object_type, world))

    def superstep(self, scope, world, actor=None):
        most = self.pick(1, 2, 2, 3, 4)
        lines = []
        for _ in range(self.pick(1, 1, 2)):
            sends = 0 if actor else self.draw.randrange(0, most)
            lines += self.sends_in_main(scope, actor or world, sends, "state" if actor else None, world)
        if not actor and self.chance(0.1):  # one within
            inner = self.sends_in_main(scope.inner(reads=["t0", "t1"]), world, 0, None, world)
            lines += [f"{world}.finish([&] {{", *indents(inner), "});"]
        return self.around_finish([f"{world}.finish([&] {{{self.note()}", *indents(lines), "});"], world)

    def around_finish(self, lines, world):
        form = self.draw.randrange(0, 14)
        if form == 0:
            return [f"for (int again = 0; again < 2; ++again) {lines[0]}", *lines[1:]]
        if form == 1:
            condition = self.pick(f"{world}.n_pes() > 0", f"{world}.sum(1) > 0", "sizeof(int) > 2")
            return [f"if ({condition}) {{", *indents(lines), "}"]
        if form == 2:
            return ["{", *indents(lines), "}"]
        if form == 3:
            return ["[&] {", *indents(lines), "}();"]
        if form == 4:
            return [self.note(1).strip(), *lines]
        return lines

    def supersteps(self, scope, world, n, actor=None):
        """Later ones may read what earlier ones changed."""
        lines = []
        for _ in range(n):
            self.written = []
            lines += self.superstep(scope, world, actor)
            if not actor:
                scope.reads = scope.reads + [f.name for f in self.written if not f.is_scalar]
        return lines

    # --- Functions

    def scope(self, world):
        """With values that receivers know."""
        scope = Scope([Variable("here", "shoal::pe_handle<state>", access="here->")], [f"{world}.my_pe()", f"{world}.n_pes()"],
                      ["t0", "t1"], {world, "here", "mine", "own"})
        before = []
        for value in f"{world}.my_pe()", f"{world}.n_pes()":
            if self.chance(0.6):
                type_name = self.pick(PE, PE, "int", "std::int64_t")
                if value.endswith("n_pes()"):
                    type_name = self.pick("int", "std::int64_t")
                self.declare(scope, before, type_name, f"static_cast<int>({value})" if type_name == "int" else value)
        return scope, before

    def function(self):
        """A function that gets the world and a handle. Returns its call."""
        world = self.pick("world", "world", "w", "home")
        scope, before = self.scope(world)
        name = f"step{len(self.functions)}"
        kind = self.pick("plain", "plain", "static", "static", "member", "member", "template", "generic")
        parameters = f"shoal::world& {world}, [[maybe_unused]] {self.pick('const ', '')}shoal::pe_handle<state> here"
        scope.is_generic = kind == "generic"
        if kind in ("template", "generic") and self.chance(0.3):
            scope.declare(Variable("given", "int"))
            scope.hidden.add("given")
        lines = self.supersteps(scope, world, self.pick(1, 1, 2))
        lines = needed(before, lines) + lines
        if kind == "member":
            self.functions.append(f"struct of_{name} {{\n  void go({parameters}) {{\n{indented(lines, 2)}\n  }}\n}};\n")
            return f"of_{name}{{}}.go(world, here);"
        if kind == "template":
            head = f"template <class Kind>\nvoid {name}({parameters}, [[maybe_unused]] Kind given)"
            self.functions.append(f"{head} {{\n{indented(lines)}\n}}\n")
            return f"{name}<int>(world, here, 4);"
        if kind == "generic":
            head = f"const auto {name} = []({parameters}, [[maybe_unused]] auto given)"
            self.functions.append(f"{head} {{\n{indented(lines)}\n}};\n")
            return f"{name}(world, here, 9);"
        word = "static " if kind == "static" else ""
        self.functions.append(f"{word}void {name}({parameters}) {{\n{indented(lines)}\n}}\n")
        return f"{name}(world, here);"

    def actor(self, scope):
        """Supersteps of a lambda_actor over an object."""
        name = self.pick("acts", "counts", "messages", "m")
        inner = scope.inner(reads=["t0", "t1"], hidden=scope.hidden | {name})
        inner.variables = inner.without(name).values()
        return ["{", f"  shoal::lambda_actor {name}{{world, own}};{self.note()}",
                *indents(self.supersteps(inner, "world", self.pick(1, 2), name)), "}"]

    def text(self):
        scope, before = self.scope("world")
        lines = []
        for _ in range(self.pick(1, 1, 2)):
            lines += [self.function()] if self.chance(0.5) else self.supersteps(scope, "world", 1)
        if self.chance(0.08):
            self.functions.append(kept_function(self, "stays", self.any_order))
            lines.append("stays(world, here);")
        if self.chance(0.1):  # one kind of closure keeps its order
            self.functions.append(ORDERED)
            lines.append("ordered(world, here);")
        states = ["*mine"]
        if self.chance(0.25):
            lines += self.actor(scope)
            states.append("own")
        lines = needed(before, lines) + lines
        lines = ["shoal::per_pe<state> mine{world};", "mine->fill(world.my_pe());",
                 "[[maybe_unused]] const auto here = mine.handle();", *(["state own;", "own.fill(world.my_pe());"] if "own" in states else []), *lines, "world.barrier();"]
        lines.append(f'tell(world, "{self.name}.kept", number_of(mine->kept));')
        lines += [f'tell(world, "{self.name}.{f.name}", number_of(({s}).{f.name}));' for f in self.fields for s in states]
        lines += [f'tell(world, "{self.name}.{t}", {t});' for t in self.totals]
        members = "".join(f"  {f.declaration};\n" for f in self.fields)
        word = self.pick("static ", "")
        return (f"namespace {self.name} {{\nstruct state : tables {{\n{members}}};\n"
                + "".join(f"std::uint64_t {t} = 0;\n" for t in self.totals) + "\n".join(["", *self.functions])
                + f"\n{word}void run(shoal::world& world) {{\n{indented(lines)}\n}}\n}}  // namespace {self.name}\n")
