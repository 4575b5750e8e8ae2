"""`shoal study water FOLDER`: draws the frames that `shoal swe --out FOLDER` has written as VTK files, one figure each."""
import sys
import xml.etree.ElementTree as xml
from pathlib import Path

from shoal_bench.figures import draw_all, save as save_figures
from shoal_bench.words import printable, usage_error

SERIES = "frames.pvd"
HELP = """Draw what shoal swe has written
Usage: shoal study water FOLDER

FOLDER is that of shoal swe --out, in the format vtk. It gets figures/frame-NUMBER.png and .svg: the surface of the water, and
where there is none the ground.
"""


def parsed(path):
    try:
        return xml.parse(path).getroot()
    except (OSError, xml.ParseError) as error:
        raise usage_error(f"{printable(path)} cannot be read ({error}); give the folder of shoal swe --out, in the format vtk") from error


def frames_of(folder):
    """(time, file) of each frame."""
    return [(float(each.get("timestep")), each.get("file")) for each in parsed(folder / SERIES).iter("DataSet")]


def extent_of(element, name):
    x, x_end, y, y_end = map(int, element.get(name).split()[:4])
    return x, x_end, y, y_end


def read_frame(folder, file):
    """Depths and heights of the bed, as rows of numbers, and the corners of the domain in metres."""
    whole = parsed(folder / file)[0]
    _, n_x, _, n_y = extent_of(whole, "WholeExtent")
    grids = {name: [[0.0] * n_x for _ in range(n_y)] for name in ("h", "b")}
    corners = []
    for piece in whole.iter("Piece"):
        x, x_end, y, y_end = extent_of(piece, "Extent")
        for array in parsed(folder / piece.get("Source")).iter("DataArray"):
            numbers = array.text.split()
            if array.get("Name") is None:  # the points
                corners += [(float(numbers[0]), float(numbers[1])), (float(numbers[-3]), float(numbers[-2]))]
            elif array.get("Name") in grids:
                for j in range(y, y_end):
                    begin = (j - y) * (x_end - x)
                    grids[array.get("Name")][j][x:x_end] = map(float, numbers[begin:begin + x_end - x])
    return grids["h"], grids["b"], (min(corners), max(corners))


DRY = 0.01  # metres


def draw_frame(figure, folder, time, file, limits):
    h, b, ((x, y), (x_end, y_end)) = read_frame(folder, file)
    surface = [[depth + bed if depth >= DRY else None for depth, bed in zip(*rows)] for rows in zip(h, b)]
    ground = [[bed if depth < DRY else None for depth, bed in zip(*rows)] for rows in zip(h, b)]
    axes = figure.subplots()
    extent = (x, x_end, y, y_end)
    def drawn(numbers, colours, **more):
        return axes.imshow([[float("nan") if n is None else n for n in row] for row in numbers], origin="lower", extent=extent, cmap=colours,
                           interpolation="nearest", **more)
    if any(n is not None for row in ground for n in row):
        drawn(ground, "gist_earth")
    water = drawn(surface, "Blues_r", vmin=limits[0], vmax=limits[1])
    figure.colorbar(water, ax=axes, label="surface of the water, m")
    axes.set_title(f"after {time:.4g} s", fontsize=10)
    axes.set_xlabel("m")
    axes.set_ylabel("m")


def limits_of(folder, frames):
    """The lowest and the highest water of all frames: one scale for all."""
    levels = [depth + bed for _, file in frames for rows in zip(*read_frame(folder, file)[:2]) for depth, bed in zip(*rows) if depth >= DRY]
    return (min(levels), max(levels)) if levels else (0, 1)


def figures_of(folder):
    frames = frames_of(folder)
    limits = limits_of(folder, frames)
    for number, (time, file) in enumerate(frames):
        yield (f"frame-{number:03}", (6, 4.5),
               lambda figure, time=time, file=file: draw_frame(figure, folder, time, file, limits))


def run(words):
    if words and words[0] in ("-h", "--help"):
        print(HELP, end="")
        return 0
    if len(words) != 1:
        raise usage_error("study water needs the folder of shoal swe --out; see shoal study water --help")
    folder = Path(words[0])
    n = len(frames_of(folder))
    why_no_figures = draw_all(folder, "study")
    if why_no_figures:
        print(f"shoal: no figures: {why_no_figures}", file=sys.stderr)
        return 2
    print(f"{n} figures in {folder / 'figures'}")
    return 0


def draw(folder):
    return save_figures(folder, figures_of(Path(folder)))
