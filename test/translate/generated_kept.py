"""Functions of generated programs that shoal-translate has to leave as they are: generate.py. Each changes `kept`."""

# In {1} a place, in {2} a number.
ALWAYS = {
    "a lambda that is kept": """
  std::vector<std::function<void()>> later;
  world.finish([&] {{
    later.push_back([&] {{ world.send({1} % world.n_pes(), [here] {{ here->kept[{1}] += {2}u; }}); }});
    for (const auto& each : later) each();
  }});""",
    "a condition that PEs might answer differently": """
  int limit = {1} + 3;
  if (limit > 2) {{
    world.finish([&] {{ world.send(0, [here, limit] {{ here->kept[{1}] += number(limit); }}); }});
  }}""",
    "a type of the superstep": """
  world.finish([&] {{
    struct amount {{
      std::uint64_t of;
    }};
    const amount added{{{2}u}};
    world.send(0, [here, added] {{ here->kept[{1}] += added.of; }});
  }});""",
    "a type without a name": """
  const struct {{
    std::uint64_t of;
  }} added{{{2}u}};
  world.finish([&] {{ world.send(0, [here, added] {{ here->kept[{1}] += added.of; }}); }});""",
    "an array": """
  const int three[3] = {{1, {2}, 3}};
  world.finish([&] {{ world.send(0, [here, three] {{ here->kept[{1}] += number(three[1]); }}); }});""",
    "a macro that sends": """
  world.finish([&] {{ SEND(0, [here] {{ here->kept[{1}] += {2}u; }}); }});""",
    "a world that others get": """
  world.finish([&] {{
    world.send(0, [here] {{ here->kept[{1}] += {2}u; }});
    send_more(world, here);
  }});""",
    "a name of the selector": """
  world.finish([&] {{
    world.send(0, [here](shoal::world& there, shoal::pe_id from) {{
      const std::uint64_t done = {2}u;
      const std::uint64_t send = number(there.my_pe());
      here->kept[number(from) % 8u] += done + send;
    }});
  }});""",
    "its own line": """
  world.finish([&] {{ world.send(0, [here] {{ here->kept[{1}] += __LINE__ > 0 ? {2}u : 0u; }}); }});""",
    "a superstep that copies": """
  world.finish([=, &world] {{ world.send(0, [here] {{ here->kept[{1}] += {2}u; }}); }});""",
    "an actor with two names": """
  state own;
  shoal::lambda_actor acts{{world, own}};
  auto& same = acts;
  world.finish([&] {{ acts.send(0, [](state& there) {{ ++there.kept[{1}]; }}); }});
  world.finish([&] {{ same.send(0, [](state& there) {{ there.kept[{1}] += {2}u; }}); }});
  here->kept[{1}] += own.kept[{1}];""",
    "another world": """
  shoal::world row = world.split(0);
  world.finish([&] {{
    row.finish([&] {{}});
    world.send(0, [here] {{ here->kept[{1}] += {2}u; }});
    shoal::world& same = world;
    same.send(0, [here] {{ here->kept[{1}] += 3u; }});
  }});""",
}
# Whose order matters, or might.
BY_ORDER = {
    "an order": """
  world.finish([&] {{
    for (std::uint64_t i = 0; i < 5; ++i) {{
      world.send(0, [here, i](shoal::world&, shoal::pe_id from) {{ auto& k = here->kept[from % 8]; k = k * 31 + i; }});
      world.send(0, [here, i](shoal::world&, shoal::pe_id from) {{ auto& k = here->kept[from % 8]; k = k * {2}u - i; }});
    }}
  }});""",
    "an order in replies": """
  world.finish([&] {{
    for (std::uint64_t i = 0; i < 5; ++i) {{
      world.send(0, [here, i](shoal::world& there, shoal::pe_id from) {{
        if (i % 2u == 0u) there.send(from, [here, i] {{ here->kept[{1}] = here->kept[{1}] * 31 + i; }});
        there.send(from, [here, i] {{ here->kept[{1}] ^= i * {2}u; }});
      }});
    }}
  }});""",
    "a function that nobody sees into": """
  world.finish([&] {{
    world.send(0, [here] {{ change(here->kept[{1}], {2}u); }});
    world.send(0, [here] {{ here->kept[{1}] += 3u; }});
  }});""",
}

SHARED = """
#define SEND(pe, closure) (world.send(pe, closure))
void change(std::uint64_t& x, std::uint64_t by) { x += by; }
"""


def kept_function(writer, name, any_order):
    """A function `name` that gets the world and a handle."""
    what = dict(ALWAYS, **({} if any_order else BY_ORDER))
    note = writer.draw.choice(list(what))
    helper = ("void send_more(shoal::world& w, shoal::pe_handle<state> here) {\n  w.send(0, [here] { ++here->kept[0]; });\n}\n"
              if note == "a world that others get" else "")
    body = what[note].format("", writer.draw.randrange(0, 8), writer.draw.randrange(2, 90))
    return (f"{helper}// kept {name}: {note}\n"
            f"void {name}(shoal::world& world, shoal::pe_handle<state> here) {{{body}\n}}\n// end\n")
