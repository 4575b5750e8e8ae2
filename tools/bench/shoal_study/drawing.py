"""The figures: speedups, as the paper's figure 1, and times of each kernel, as its figures 2 and 3. Bars of predicted times are
hatched."""
from shoal_bench.figures import COLOURS, INK, unit_for
from shoal_study.plan import FORMS, KERNELS, PROFILES, TABLES, label
from shoal_study.summary import summarise

HATCH = "////"
COLUMNS = 4  # of panels


def hatch_of(profile):
    return HATCH if PROFILES[profile].is_simulated else None


def speedup_figure(figure, rows, profiles, kernels):
    """Of the actor form, compared with blocking one-sided access."""
    n_columns = min(len(kernels), COLUMNS)
    panels = figure.subplots(-(-len(kernels) // n_columns), n_columns, sharey=True, squeeze=False).flatten()
    for panel in panels:
        panel.set_visible(False)
    for panel, kernel in zip(panels, kernels):
        panel.set_visible(True)
        pes = sorted({key[2] for key in rows if key[1] == kernel})
        for i, profile in enumerate(profiles):
            found = [(pes.index(n), rows[profile, kernel, n, "actor"]["speedup"]) for n in pes
                     if rows.get((profile, kernel, n, "actor"), {}).get("speedup")]
            panel.bar([x + (i - (len(profiles) - 1) / 2) * 0.8 / len(profiles) for x, _ in found], [y for _, y in found],
                      0.8 / len(profiles), color=COLOURS[i], hatch=hatch_of(profile), edgecolor=INK, linewidth=0.5,
                      label=label(profile))
        panel.set_yscale("log")
        panel.set_ylim(bottom=1)
        panel.set_xticks(range(len(pes)), pes)
        panel.set_xlabel("PEs")
        panel.set_title(kernel, fontsize=10)
        panel.grid(axis="y")
    figure.supylabel("times as fast as blocking one-sided", fontsize=10)
    figure.legend(*panels[0].get_legend_handles_labels(), loc="upper left", bbox_to_anchor=(1.01, 1), frameon=False)


def times_figure(figure, rows, profiles, kernel):
    """Mean and standard error of all forms, a panel for each profile: the cluster's with a linear axis, others logarithmic."""
    panels = figure.subplots(1, len(profiles), squeeze=False)[0]
    forms = [name for name in FORMS if any(key[1] == kernel and key[3] == name for key in rows)]
    handles = {}
    for panel, profile in zip(panels, profiles):
        of_profile = {key[2:]: row for key, row in rows.items() if key[:2] == (profile, kernel)}
        pes = sorted({n for n, _ in of_profile})
        present = [name for name in forms if any(form == name for _, form in of_profile)]
        factor, unit = unit_for(max(row["ns_per_operation"] for row in of_profile.values()) * 1e-9) if of_profile else (1, "s")
        for i, name in enumerate(present):
            found = [(pes.index(n), of_profile[n, name]) for n in pes if (n, name) in of_profile]
            bars = panel.bar([x + (i - (len(present) - 1) / 2) * 0.8 / len(present) for x, _ in found],
                             [row["ns_per_operation"] * 1e-9 * factor for _, row in found], 0.8 / len(present),
                             yerr=[(row["standard_error"] or 0) * 1e-9 * factor for _, row in found], capsize=2,
                             color=COLOURS[forms.index(name)], hatch=hatch_of(profile), edgecolor=INK, linewidth=0.5)
            handles.setdefault(FORMS[name].title, bars)
        panel.set_yscale("linear" if profile == "cluster" else "log")
        panel.set_xticks(range(len(pes)), pes)
        panel.set_xlabel("PEs")
        panel.set_ylabel(f"{unit} {article(KERNELS[kernel].operation)}")
        panel.set_title(label(profile), fontsize=10)
        panel.grid(axis="y")
    figure.suptitle(kernel)
    figure.legend(handles.values(), handles.keys(), loc="upper left", bbox_to_anchor=(1.01, 1), frameon=False)


def article(noun):
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"


def figures_of(results):
    """(name, size in inches, function that draws it) of each figure."""
    rows = summarise(results)
    request = results["request"]
    profiles = [name for name in ("cluster", *request["profiles"]) if name in request["profiles"]]
    profiles = list(dict.fromkeys(name for name in profiles if any(key[0] == name for key in rows)))
    kernels = [name for name in request["kernels"] if any(key[1] == name for key in rows)]
    two = [name for name in kernels if name in TABLES] or kernels[:2]
    for name, chosen in (("speedups", two), ("all-speedups", kernels)):
        if any(row["speedup"] for key, row in rows.items() if key[1] in chosen):
            yield (name, (3 + 2.2 * min(len(chosen), COLUMNS), 0.4 + 2.8 * -(-len(chosen) // COLUMNS)),
                   lambda figure, chosen=chosen: speedup_figure(figure, rows, profiles, chosen))
    for kernel in kernels:
        yield (f"times-{kernel}", (1 + 4.2 * len(profiles), 3.8),
               lambda figure, kernel=kernel: times_figure(figure, rows, profiles, kernel))
