#!/usr/bin/env python3
"""Trains the small network that tells a card's face and turn from its looks, and writes its weights as Swift.

    train.py --train DIR... [--test DIR...] [--write AppearanceWeights.swift] [--seed N]

DIR is a set with truth.ndjson: `cnicscan specimens` (corners in pixels) or the judge's (`images`, corners in fractions).
Features, the network's shape and the integer weights are the same as in Sources/Imaging/CardAppearance.swift: maps of
24 x 15 cells of darkness, horizontal and vertical gradient, grey alone; one hidden layer; five outputs (four faces, no card)
that are asked twice, upright and turned by half, so that both turns share every weight.
Needs numpy and OpenCV (python3-numpy, python3-opencv).
"""
import argparse
import base64
import json
import os

import cv2
import numpy as np

FACES = ["newFront", "newBack", "oldFront", "oldBack"]
COLUMNS, ROWS, WIDTH, HEIGHT = 24, 15, 384, 240
CELLS = COLUMNS * ROWS
HIDDEN = 32


def cards(folder):
    """Every image of a set: path, face, the card's own corners in pixels (top left first, clockwise)."""
    for line in open(os.path.join(folder, "truth.ndjson"), encoding="utf-8"):
        row = json.loads(line)
        sides = row.get("images", row)
        for side in ("front", "back"):
            if side not in sides or not isinstance(sides[side], dict) or "corners" not in sides[side]:
                continue
            image = sides[side]
            corners = np.array(image["corners"], np.float32)
            if "size" in image:
                corners = corners * np.array(image["size"], np.float32)
            yield os.path.join(folder, image["file"]), row["documentType"] + side.capitalize(), corners


def to_grey(image):
    red, green, blue = (image[..., i].astype(np.uint32) for i in (2, 1, 0))
    return ((red * 77 + green * 150 + blue * 29 + 128) >> 8).astype(np.uint8)


def unwarp(image, corners):
    target = np.array([[0, 0], [WIDTH, 0], [WIDTH, HEIGHT], [0, HEIGHT]], np.float32) - 0.5
    scale = np.linalg.norm(corners[1] - corners[0]) / WIDTH
    if scale > 1.5:
        image = cv2.resize(image, None, fx=1 / scale, fy=1 / scale, interpolation=cv2.INTER_AREA)
        corners = corners / scale
    transform = cv2.getPerspectiveTransform(corners.astype(np.float32) - 0.5, target)
    return cv2.warpPerspective(image, transform, (WIDTH, HEIGHT), borderMode=cv2.BORDER_REPLICATE)


def features(grey):
    small = cv2.resize(grey, (COLUMNS, ROWS), interpolation=cv2.INTER_AREA).astype(np.float32)
    grey16 = grey.astype(np.int16)
    dx = cv2.resize(np.abs(np.diff(grey16, axis=1)).astype(np.float32), (COLUMNS, ROWS), interpolation=cv2.INTER_AREA)
    dy = cv2.resize(np.abs(np.diff(grey16, axis=0)).astype(np.float32), (COLUMNS, ROWS), interpolation=cv2.INTER_AREA)
    light = (small - small.mean()) / (small.std() + 8)
    dx, dy = np.sqrt(dx), np.sqrt(dy)
    mean = (dx.mean() + dy.mean()) / 2 + 0.2
    return np.concatenate([light.ravel(), (dx / mean - 1).ravel(), (dy / mean - 1).ravel()]).astype(np.float32)


def turned(x):
    """Features of the image turned by half a turn."""
    return x.reshape(len(x), 3, CELLS)[:, :, ::-1].reshape(len(x), 3 * CELLS)


def damaged(grey, rng):
    """What other printings and other cameras would have made of it."""
    if rng.random() < 0.8:  # another layout: the parts stand a little elsewhere
        field = rng.normal(0, 1, (4, 6, 2)).astype(np.float32) * rng.uniform(0, 7)
        field = cv2.resize(field, (WIDTH, HEIGHT), interpolation=cv2.INTER_CUBIC)
        grid = np.stack(np.meshgrid(np.arange(WIDTH), np.arange(HEIGHT)), -1).astype(np.float32) + field
        grey = cv2.remap(grey, grid[..., 0], grid[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    grey = grey.astype(np.float32)
    if rng.random() < 0.5:
        grey = cv2.GaussianBlur(grey, (0, 0), rng.uniform(0.3, 2.5))
    if rng.random() < 0.3:  # motion
        size = int(rng.integers(3, 9))
        kernel = np.ones((1, size), np.float32) / size
        grey = cv2.filter2D(grey, -1, kernel if rng.random() < 0.5 else kernel.T)
    grey = 255 * (np.clip(grey, 0, 255) / 255) ** rng.uniform(0.5, 2)
    y, x = np.mgrid[-1:1:HEIGHT * 1j, -1:1:WIDTH * 1j]
    grey = grey * (rng.uniform(0.4, 1.1) + rng.uniform(-0.25, 0.25) * x + rng.uniform(-0.25, 0.25) * y)
    for _ in range(rng.integers(0, 3)):  # glare, shadow, finger, another portrait's tone
        cx, cy, r = rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(0.05, 0.35)
        grey = grey + rng.uniform(-120, 220) * np.exp(-(((x - cx) / r) ** 2 + ((y - cy) / r / 1.4) ** 2))
    grey = (grey - 128) * rng.uniform(0.4, 1.3) + 128 + rng.uniform(-30, 30)
    grey = grey + rng.normal(0, rng.uniform(0, 8), grey.shape)
    return np.clip(grey, 0, 255).astype(np.uint8)


def wrong_quad(corners, shape, rng):
    """Corners that are no card's outline."""
    height, width = shape[:2]
    kind = rng.integers(0, 3)
    if kind == 0:  # a part of the card
        a, b = np.sort(rng.uniform(0, 1, 2)), np.sort(rng.uniform(0, 1, 2))
        if (a[1] - a[0]) * (b[1] - b[0]) > 0.6 or min(a[1] - a[0], b[1] - b[0]) < 0.15:
            return None
        at = lambda u, v: ((corners[0] * (1 - u) + corners[1] * u) * (1 - v) + (corners[3] * (1 - u) + corners[2] * u) * v)
        return np.array([at(a[0], b[0]), at(a[1], b[0]), at(a[1], b[1]), at(a[0], b[1])], np.float32)
    if kind == 1:  # a quarter turned and out of place
        centre = corners.mean(0) + rng.normal(0, 0.05 * width, 2)
        return (np.roll(corners, 1, 0) - centre) * rng.uniform(0.6, 1.2) + centre
    size = rng.uniform(0.2, 0.6) * width
    x, y = rng.uniform(0, width - size), rng.uniform(-0.1, 0.8) * height
    quad = np.array([[x, y], [x + size, y], [x + size, y + size / 1.586], [x, y + size / 1.586]], np.float32)
    inside = cv2.intersectConvexConvex(corners.astype(np.float32), quad)[0]
    return quad if inside < 0.5 * max(cv2.contourArea(quad), cv2.contourArea(corners)) else None


def load(folders, copies, rng):
    x, label = [], []
    for folder in folders:
        for path, face, corners in cards(folder):
            image = cv2.imread(path, cv2.IMREAD_COLOR | cv2.IMREAD_IGNORE_ORIENTATION)
            if image is None:
                continue
            image = to_grey(image)
            width = np.linalg.norm(corners[1] - corners[0])
            if width > 800:  # once for all copies
                image = cv2.resize(image, None, fx=640 / width, fy=640 / width, interpolation=cv2.INTER_AREA)
                corners = corners * (640 / width)
                width = 640
            x.append(features(unwarp(image, corners)))
            label.append(FACES.index(face))
            for _ in range(copies):
                off = corners + rng.normal(0, rng.choice([0.004, 0.015]) * width, (4, 2)).astype(np.float32)
                x.append(features(damaged(unwarp(image, off), rng)))
                label.append(FACES.index(face))
            for _ in range(copies // 2):
                quad = wrong_quad(corners, image.shape, rng)
                if quad is not None:
                    x.append(features(damaged(unwarp(image, quad), rng)))
                    label.append(8)
    return np.array(x), np.array(label)


def forward(p, x):
    hidden = np.maximum(0, x @ p["w1"] + p["b1"])
    return hidden, hidden @ p["w2"] + p["b2"]


def nine(p, x):
    up_hidden, up = forward(p, x)
    down_hidden, down = forward(p, turned(x))
    logits = np.concatenate([up[:, :4], down[:, :4], (up[:, 4:] + down[:, 4:]) / 2], 1)
    logits -= logits.max(1, keepdims=True)
    probability = np.exp(logits)
    return up_hidden, down_hidden, probability / probability.sum(1, keepdims=True)


def train(x, label, rng, epochs):
    p = {
        "w1": rng.normal(0, 0.02, (x.shape[1], HIDDEN)).astype(np.float32), "b1": np.zeros(HIDDEN, np.float32),
        "w2": rng.normal(0, 0.2, (HIDDEN, 5)).astype(np.float32), "b2": np.zeros(5, np.float32),
    }
    moments = {k: (np.zeros_like(v), np.zeros_like(v)) for k, v in p.items()}
    step = 0
    for epoch in range(epochs):
        rate = 2e-3 * 0.5 * (1 + np.cos(np.pi * epoch / epochs)) + 1e-5
        order = rng.permutation(len(x))
        for start in range(0, len(x), 128):
            index = order[start:start + 128]
            batch, target = x[index].copy(), label[index].copy()
            flip = (rng.random(len(index)) < 0.5) & (target < 8)
            batch[flip] = turned(batch[flip])
            target[flip] += 4
            batch *= rng.random(batch.shape) > 0.15
            up_hidden, down_hidden, probability = nine(p, batch)
            gradient = probability
            gradient[np.arange(len(index)), target] -= 1
            gradient /= len(index)
            up = np.concatenate([gradient[:, :4], gradient[:, 8:] / 2], 1)
            down = np.concatenate([gradient[:, 4:8], gradient[:, 8:] / 2], 1)
            up_back, down_back = (up @ p["w2"].T) * (up_hidden > 0), (down @ p["w2"].T) * (down_hidden > 0)
            gradients = {
                "w2": up_hidden.T @ up + down_hidden.T @ down, "b2": up.sum(0) + down.sum(0),
                "w1": batch.T @ up_back + turned(batch).T @ down_back, "b1": up_back.sum(0) + down_back.sum(0),
            }
            step += 1
            for k, g in gradients.items():
                m, v = moments[k]
                m += 0.1 * (g - m)
                v += 0.001 * (g * g - v)
                corrected = (m / (1 - 0.9 ** step)) / (np.sqrt(v / (1 - 0.999 ** step)) + 1e-8)
                p[k] -= rate * (corrected + (0.01 * p[k] if k[0] == "w" else 0))
    return p


def quantised(p):
    """The first layer in 8 bits, a scale for each hidden unit: what Swift holds."""
    scale = np.abs(p["w1"]).max(0) / 127
    q = dict(p)
    integers = np.clip(np.round(p["w1"] / scale), -127, 127).astype(np.int8)
    q["w1"] = integers * scale
    return q, integers, scale


def score(p, x, label, name):
    for down in (False, True):
        probability = nine(p, turned(x) if down else x)[2]
        target = np.where((label < 8) & down, label + 4, label)
        right = probability.argmax(1) == target
        is_card = label < 8
        text = f"{name} {'turned' if down else 'upright'}: cards {right[is_card].mean():.4f} of {is_card.sum()}"
        if (~is_card).any():
            text += f", no card {right[~is_card].mean():.4f}, cards taken for none {(probability[is_card].argmax(1) == 8).mean():.4f}"
        print(text, flush=True)


def write_swift(path, p, integers, scale):
    def floats(values):
        return ", ".join(f"{v:.6g}" for v in values)

    with open(path, "w", encoding="utf-8") as out:
        out.write("// Written by Tools/appearance/train.py; not by hand.\n\n")
        out.write("/// The weights of `CardAppearance`'s network.\nenum AppearanceWeights {\n")
        out.write("  static let hiddenUnits = %d\n" % HIDDEN)
        for name, values in (("firstScale", scale), ("firstBias", p["b1"]), ("second", p["w2"].ravel()), ("secondBias", p["b2"])):
            out.write(f"  static let {name}: [Float] = [\n")
            for i in range(0, len(values), 8):
                out.write("    " + floats(values[i:i + 8]) + ",\n")
            out.write("  ]\n")
        out.write("  /// Signed bytes in Base64: a row of `hiddenUnits` for each feature.\n")
        text = base64.b64encode(integers.tobytes()).decode()
        out.write('  static let first = """\n')
        for i in range(0, len(text), 112):
            out.write("    " + text[i:i + 112] + ("\\\n" if i + 112 < len(text) else "\n"))
        out.write('    """\n}\n')


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--train", nargs="+", required=True)
    parser.add_argument("--test", nargs="*", default=[])
    parser.add_argument("--copies", type=int, default=8)
    parser.add_argument("--epochs", type=int, default=25)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write")
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    rng = np.random.default_rng(arguments.seed)
    x, label = load(arguments.train, arguments.copies, rng)
    print("samples", len(x), flush=True)
    p, integers, scale = quantised(train(x, label, rng, arguments.epochs))
    score(p, x, label, "training")
    if arguments.write:
        write_swift(arguments.write, p, integers, scale)
    for folder in arguments.test:
        score(p, *load([folder], 0, rng), folder)
        score(p, *load([folder], 3, rng), folder + " damaged further")


main()
