#!/usr/bin/env python3
"""Fits the weights of Sources/CardReading/FrontCalibration.swift.

    fit.py EVIDENCE.ndjson [--print]

A line of EVIDENCE is one value that was read: {"group": "names", "card": "…", "right": true, "features": […]}, the features
in the order of FrontEvidence.names. Wrong readings are rare, so the weights are drawn toward the prior that stands in
PRIOR (what one would say without data) with the strength of a normal prior; half of the cards fit, the other half tests.
Printed: the weights, how many values are kept and how many are wrong at several thresholds, and the reliability."""

import argparse
import json
import zlib

import numpy as np

PRIOR = {
    "names": [3, 1.5, 0.5, 0.5, -6, -3, -3, -3, -2, -3, -3, -1, -3, -1, -3, -1, -1, 0, -0.5, 0],
    "country": [4, 1, 0.5, 0.5, -3, -0.5, -0.5, -2, -2, -1, 0, -1, -1, -1, -3, -1, -1, 0, 0, 0],
    "number": [3, 1.5, 0.5, 0.5, -5, 0, 0, -2, -2, -1, 0, -1, -1, -1, -3, -1, -1, 0, 0, 4],
    "dates": [3, 1.5, 0.5, 0.5, -5, 0, 0, -2, -2, -1, 0, -1, -1, -1, -3, -1, -1, 0, 0, 2.5],
    "gender": [2.5, 1.5, 0.5, 0.5, -5, 0, 0, -1, -2, -0.5, 0, -1, 0, -1, -3, -1, -1, 0, 0, 1],
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
    edges = [0, 0.5, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.999, 1.0001]
    for low, high in zip(edges, edges[1:]):
        inside = (p >= low) & (p < high)
        if inside.any():
            print(f"    said {p[inside].mean():.4f}, was {y[inside].mean():.4f} ({inside.sum()})")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("evidence")
    arguments = parser.parse_args()
    rows = [json.loads(line) for line in open(arguments.evidence)]
    for group, prior in PRIOR.items():
        mine = [row for row in rows if row["group"] == group]
        x = np.array([row["features"] for row in mine], float)
        y = np.array([row["right"] for row in mine], float)
        half = np.array([zlib.crc32(row["card"].encode()) % 2 for row in mine]) == 0
        print(f"{group}: {len(y)} values, {int((1 - y).sum())} wrong")
        for name, w in (("prior, all", np.array(prior, float)), ("half fitted, other half tested", fitted(x[half], y[half], prior))):
            test = ~half if "half" in name else np.ones(len(y), bool)
            print(f"  {name}")
            report(1 / (1 + np.exp(-x[test] @ w)), y[test])
        print("  weights: [" + ", ".join(f"{v:.2f}" for v in fitted(x, y, prior)) + "]")


if __name__ == "__main__":
    main()
