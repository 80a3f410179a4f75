#!/usr/bin/env python3
"""Fits the weights of Sources/CardReading/FrontCalibration.swift.

    front-evidence TRUTH.ndjson > EVIDENCE.ndjson      (drawn cards: `cnicscan specimens`, Tools/judge)
    fit.py EVIDENCE.ndjson…                            fits, prints weights and figures
    fit.py --test [--plot PICTURE.svg] EVIDENCE.ndjson…  holds the probabilities that the program gave against what was right

A line of EVIDENCE is one value that was read: {"group": "names", "card": "…", "right": true, "features": […]}, the features
in the order of FrontEvidence.names. Values that something seen contradicts are never emitted and take no part. Wrong readings are rare, so the weights are drawn toward the prior that stands in
PRIOR (what one would say without data) with the strength of a normal prior; half of the cards fit, the other half tests.
Printed: the weights, how many values are kept and how many are wrong at several thresholds, and the reliability."""

import argparse
import json
import zlib

import numpy as np

PRIOR = {
    "names": [3, 1.5, 0.5, 0.5, -6, -3, -3, -3, -2, -3, -3, -1, -3, -1, -3, -1, -1, 0, -0.5, 0, -0.5],
    "country": [4, 1, 0.5, 0.5, -3, -0.5, -0.5, -2, -2, -1, 0, -1, -1, -1, -3, -1, -1, 0, 0, 0, -0.5],
    "number": [3, 1.5, 0.5, 0.5, -5, 0, 0, 0, -1, -1, 0, -1, -1, -1, -3, -1, -1, 0, 0, 4, -0.5],
    "dates": [3, 1.5, 0.5, 0.5, -5, 0, 0, 0, -1, -1, 0, -1, -1, -1, -3, -1, -1, 0, 0, 2.5, -0.5],
    # Read again: the cut speaks as it does for names at first; last, the lesser and the greater dissent within a network.
    "namesAgain": [2, 1.5, 0.5, 0.5, -6, -2.24, -2.88, -0.54, -1.76, -3, -3, -1, -3, -0.82, -2.61, -3.09, -0.75, 0, -0.5, 0, -1.1, -12, -3],
    "shapedAgain": [2, 1.5, 0.5, 0.5, -5, 0, 0, 0, -1, -1, 0, -1, 0, -1, -3, -1, -1, 0, 0, 3, -0.5, -12, -3],
    "gender": [2.5, 1.5, 0.5, 0.5, -5, 0, 0, -1, -2, -0.5, 0, -1, 0, -1, -3, -1, -1, 0, 0, 1, -0.5],
}
SPREAD = 2.0  # of the prior, a weight


def fitted(x, y, prior):
    """The weights that maximise the likelihood times the prior (Newton's method)."""
    prior = np.asarray(prior, float)
    w, precision = prior.copy(), np.eye(len(prior)) / SPREAD**2
    precision[0, 0] = 1 / 36
    for _ in range(60):
        p = 1 / (1 + np.exp(-np.clip(x @ w, -30, 30)))
        gradient = x.T @ (y - p) - precision @ (w - prior)
        step = np.linalg.solve((x * (p * (1 - p))[:, None]).T @ x + precision, gradient)
        w += step / max(1, np.abs(step).max())
        if np.abs(step).max() < 1e-6:
            break
    return w


def report(p, y):
    for threshold in (0.5, 0.9, 0.95, 0.97, 0.98, 0.985, 0.99, 0.993, 0.995, 0.997, 0.999):
        kept = p >= threshold
        print(f"    >= {threshold}: kept {kept.mean():.3f} of {len(y)}, wrong {int((kept & (y == 0)).sum())}")
    for said, was, _, _, count in bins(p, y):
        print(f"    said {said:.4f}, was {was:.4f} ({count})")


def interval(wrong, count):
    """Wilson's 95% interval of a share."""
    if count == 0:
        return 0.0, 1.0
    z, p = 1.96, wrong / count
    middle, spread = p + z * z / (2 * count), z * np.sqrt(p * (1 - p) / count + z * z / (4 * count * count))
    return (middle - spread) / (1 + z * z / count), (middle + spread) / (1 + z * z / count)


EDGES = [0, 0.5, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.999, 1.0001]


def bins(p, y):
    """(said, was, low, high, count) of each bin that holds anything."""
    for low, high in zip(EDGES, EDGES[1:]):
        inside = (p >= low) & (p < high)
        if inside.any():
            wrong = int((y[inside] == 0).sum())
            a, b = interval(wrong, int(inside.sum()))
            yield float(p[inside].mean()), float(y[inside].mean()), 1 - b, 1 - a, int(inside.sum())


def plot(path, p, y):
    """Said against right, a bar of the 95% interval each, on a scale that spreads what is nearly sure."""
    at = lambda v: 60 + 400 * min(1.0, -np.log10(max(1 - v, 1e-4)) / 4)
    marks = []
    for said, was, low, high, count in bins(p, y):
        x, a, b = at(said), 480 - at(low) + 40, 480 - at(high) + 40
        marks.append(
            f'<line x1="{x:.0f}" x2="{x:.0f}" y1="{a:.0f}" y2="{b:.0f}" stroke="#357"/>'
            f'<circle cx="{x:.0f}" cy="{520 - at(was):.0f}" r="4" fill="#357"><title>said {said:.4f}, right {was:.4f}'
            f" of {count}</title></circle>")
    ticks = "".join(
        f'<text x="{at(v):.0f}" y="478" font-size="11" text-anchor="middle">{v}</text>'
        f'<text x="52" y="{524 - at(v):.0f}" font-size="11" text-anchor="end">{v}</text>'
        for v in (0, 0.9, 0.99, 0.999))
    with open(path, "w") as file:
        file.write(
            '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 500 510" role="img" font-family="sans-serif">'
            "<title>Reliability: how often values were right against the probability said</title>"
            '<rect width="500" height="510" fill="#fff"/>'
            '<path d="M60 460V60M60 460H460" stroke="#000" fill="none"/>'
            '<path d="M60 460L460 60" stroke="#999" stroke-dasharray="4 4"/>' + ticks + "".join(marks)
            + '<text x="260" y="500" font-size="13" text-anchor="middle">probability said</text>'
            '<text x="16" y="260" font-size="13" text-anchor="middle" transform="rotate(-90 16 260)">share right</text></svg>\n')


def test(rows, picture):
    """The program's own probabilities. - Returns: whether they hold: what was emitted is as often right as was said."""
    kept = [row for row in rows if row.get("emitted")]
    p = np.array([row["probability"] for row in rows if "probability" in row and not row["contradicted"]], float)
    y = np.array([row["right"] for row in rows if "probability" in row and not row["contradicted"]], float)
    for said, was, low, high, count in bins(p, y):
        print(f"  said {said:.4f}, was {was:.4f} [{low:.4f}, {high:.4f}] of {count}")
    wrong = sum(not row["right"] for row in kept)
    said = float(np.mean([row["probability"] for row in kept]))
    low, high = interval(wrong, len(kept))
    print(f"emitted {len(kept)} of {len(rows)}: said {said:.4f}, right {1 - wrong / len(kept):.4f} [{1 - high:.4f}, {1 - low:.4f}]")
    if picture:
        plot(picture, p, y)
    # Said too boldly: even the better end of the interval is below what was said.
    return 1 - low >= said


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("evidence", nargs="+")
    parser.add_argument("--test", action="store_true")
    parser.add_argument("--plot")
    arguments = parser.parse_args()
    rows = [json.loads(line) for path in arguments.evidence for line in open(path)]
    rows = [row for row in rows if "lost" not in row]
    if arguments.test:
        raise SystemExit(0 if test(rows, arguments.plot) else "the probabilities are too bold")
    rows = [row for row in rows if "features" in row and not row["contradicted"]]
    for group, prior in PRIOR.items():
        mine = [row for row in rows if row["group"] == group]
        x = np.array([row["features"][: len(prior)] for row in mine], float)
        y = np.array([row["right"] for row in mine], float)
        half = np.array([zlib.crc32(row["card"].encode()) % 2 for row in mine]) == 0
        print(f"{group}: {len(y)} values, {int((1 - y).sum())} wrong")
        for name, w in (("prior, all", np.array(prior, float)), ("half fitted, other half tested", fitted(x[half], y[half], prior))):
            tested = ~half if "half" in name else np.ones(len(y), bool)
            print(f"  {name}")
            report(1 / (1 + np.exp(-x[tested] @ w)), y[tested])
        print("  weights: [" + ", ".join(f"{v:.2f}" for v in fitted(x, y, prior)) + "]")


if __name__ == "__main__":
    main()
