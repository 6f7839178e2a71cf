"""Formats the measurements as text tables."""

import statistics

from bench import small
from bench.forms import FORMS

ORDER = [*FORMS, "ORT", *small.ORDER, "kokoro-onnx", "sherpa-onnx", "streaming-vits"]
SIGNS = {"ratio": "≤", "faster": "≥", "more": "≥", "later": "≤", "below": "<"}


def neural(result):
    programs = [name for name in ORDER if any(name in row["values"] for row in result["rows"])]
    lines = [
        f"{result['model']}, {result['bytes'] / 1e6:.0f} MB, {result['threads']} threads, {result['runs']} turns: "
        "median [min–max]",
        ", ".join(f"{name} {version}" for name, version in result["versions"].items()),
        *result["forms"].values(),
        "",
        f"{'':58}" + "".join(f"{name:>26}" for name in programs),
    ]
    for row in result["rows"]:
        what = f"{row['what']} ({row['unit']})" if row["unit"] else row["what"]
        lines.append(f"{what:58}" + "".join(f"{_cell(row['values'].get(name), row['digits']):>26}" for name in programs))
    if result["aims"]:
        lines += ["", f"{'goal':58}{'synthhost':>10}{'other':>10}  {'reached':>8} {'best':>8}   {'limit':>7}"]
        lines += [_aim(aim) for aim in result["aims"]]
    return "\n".join(lines)


def _cell(values, digits):
    if not values:
        return ""
    middle = f"{statistics.median(values):.{digits}f}"
    return middle if len(values) == 1 else f"{middle} [{min(values):.{digits}f}–{max(values):.{digits}f}]"


def _aim(aim):
    theirs = "" if aim["theirs"] is None else f"{aim['theirs']:.4g}"
    verdict = "met" if aim["met"] else "MISSED"
    how = {
        "ratio": "×", "faster": "times as fast", "more": "×", "later": f"{aim['unit']} later", "below": aim["unit"],
    }[aim["how"]]
    return (
        f"{aim['what']:58}{aim['ours']:>10.4g}{theirs:>10}  {aim['reached']:>8.3g} {aim['of the best turns']:>8.3g} "
        f"{SIGNS[aim['how']]} {aim['limit']:>7.4g} {how:14} {verdict:7} {aim['beside']}")
