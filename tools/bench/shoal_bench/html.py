"""What all pages share: style, tables, figures within the page."""
import re
from html import escape

from shoal_bench.figures import INK, LINE, PAPER

STYLE = """
:root { color-scheme: light dark; --ink: #1f2328; --soft: #59636e; --paper: #fff; --box: #f6f8fa; --line: #d0d7de;
  --good: #1a7f37; --bad: #cf222e; --warn: #9a6700; --mark: #2f7fd1; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --soft: #9198a1; --paper: #0d1117; --box: #161b22;
  --line: #30363d; --good: #3fb950; --bad: #f85149; --warn: #d29922; --mark: #58a6ff; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 68rem; padding: 1.5rem 1.25rem 4rem; background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, "Segoe UI", Helvetica, Arial, sans-serif; }
h1 { font-size: 1.7rem; line-height: 1.2; margin: 0 0 .3rem; } h2 { font-size: 1.25rem; margin: 2.5rem 0 .6rem; }
h3 { font-size: 1rem; margin: 1.2rem 0 .3rem; }
p { margin: .4rem 0; } .soft { color: var(--soft); font-size: .9rem; }
.verdict { border-left: .3rem solid; padding: .5rem .9rem; background: var(--box); margin: 1rem 0; }
.good { border-color: var(--good); } .bad { border-color: var(--bad); } .warn { border-color: var(--warn); }
.wide { overflow-x: auto; } table { border-collapse: collapse; width: 100%; font-size: .875rem; margin: .6rem 0; }
caption { text-align: left; color: var(--soft); padding: .2rem 0; }
th, td { padding: .28rem .6rem; border-bottom: 1px solid var(--line); text-align: right; white-space: nowrap;
  font-variant-numeric: tabular-nums; }
th { font-weight: 600; } thead th { border-bottom: 2px solid var(--line); vertical-align: bottom; }
tr.first td { border-top: 2px solid var(--line); } .left { text-align: left; } .facts { width: auto; }
.facts * { white-space: normal; overflow-wrap: anywhere; }
.facts th { min-width: 7rem; }
td.strip { padding: 0 .6rem; width: 11rem; } .strip svg { display: block; width: 10rem; height: 1.5rem; }
.strip .job { fill: var(--mark); opacity: .4; } .strip path { stroke: var(--mark); stroke-width: 2; fill: none; }
figure { margin: 1rem 0; overflow-x: auto; } figure svg { max-width: 100%; min-width: 32rem; height: auto; } 
figure svg text { font-family: inherit !important; }
figcaption { color: var(--soft); font-size: .9rem; } code { font-size: .9em; background: var(--box); padding: 0 .25em; }
summary { cursor: pointer; } .bad-text { color: var(--bad); font-weight: 600; } .warn-text { color: var(--warn); }
@media print { body { max-width: none; padding: 0; font-size: 10pt; } section, figure, tr { break-inside: avoid; }
  .wide { overflow: visible; } h2 { break-after: avoid; } }
"""


def document(title, parts):
    """A whole page with everything in it."""
    return ('<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
            f'<title>{escape(title)}</title><style>{STYLE}</style></head><body>{"".join(parts)}</body></html>\n')


def text_table(heads, rows, n_left):
    """A table of texts: the first `n_left` columns to the left, the others to the right."""
    def line(tag, texts):
        cells = (f'<{tag}{" class=left" if i < n_left else ""}>{escape(text)}</{tag.split()[0]}>' for i, text in enumerate(texts))
        return f"<tr>{''.join(cells)}</tr>"
    head = line('th scope="col"', heads)
    body = "".join(line("td", row) for row in rows)
    return f'<div class="wide"><table><thead>{head}</thead><tbody>{body}</tbody></table></div>'


def inline_svg(folder, pattern):
    """A figure's SVG as part of the page: with the page's colours, and ids of its own."""
    files = sorted((folder / "figures").glob(pattern + ".svg"))
    if not files:
        return ""
    text = files[0].read_text()
    text = text[text.index("<svg"):]
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    text = re.sub(r'(\bid="|href="#|url\(#)', rf"\g<1>{files[0].stem}-", text)
    text = re.sub(r"\n\s*", "\n", text)
    for colour, of_page in ((INK, "currentColor"), (LINE, "var(--line)"), (PAPER, "none")):
        text = text.replace(colour, of_page)
    told = files[0].stem.replace("-", " ") + ": the numbers are in the tables"
    return text.replace("<svg", f'<svg role="img" aria-label="{told}"', 1)
