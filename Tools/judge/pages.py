"""Office pages: what a copier or a flatbed makes of cards laid on A4.

Kinds: `both` (a person's two sides on a page), `pages` (a two-page TIFF, a side on each), `frames` (several copies of both sides
of one person, up to eight cards), `persons` (both sides of two to four people: must be said, never mixed)."""

import csv
import json
import os
import random

import cv2
import numpy as np
from PIL import Image

import damage

A4 = 210.0, 297.0


def sheet(r, dpi):
    w, h = round(A4[0] / 25.4 * dpi), round(A4[1] / 25.4 * dpi)
    return np.full((h, w, 3), r.randint(240, 255), np.uint8)


def put(page, card, r, dpi, cx, cy, angle):
    corners = damage.quad(r, cx, cy, 85.6 / 25.4 * dpi, angle, 0)
    x0, y0 = np.floor(np.min(corners, 0)).astype(int) - 20
    x1, y1 = np.ceil(np.max(corners, 0)).astype(int) + 20
    x0, y0, x1, y1 = max(0, x0), max(0, y0), min(page.shape[1], x1), min(page.shape[0], y1)
    local = [[x - x0, y - y0] for x, y in corners]
    part = page[y0:y1, x0:x1]
    page[y0:y1, x0:x1] = damage.place(damage.shade(part, local, r, r.uniform(0, .3)), damage.rounded(card), local)
    return corners


def finish(page, r, n, kind):
    grey = r.random() < .25
    page = cv2.GaussianBlur(page, (0, 0), r.uniform(.3, .7))
    page = damage.noise(page, n, r.uniform(1, 4))
    if grey:
        page = cv2.cvtColor(page, cv2.COLOR_BGR2GRAY)
        page = ((page.astype(np.float32) - 128) * r.uniform(1, 1.25) + 128 + r.uniform(0, 15)).clip(0, 255).astype(np.uint8)
    return page


def spots(count, r):
    """Centres on the page in fractions, in one or two columns, top to bottom."""
    if count <= 2:
        if r.random() < .3:
            return [(.27, .25), (.73, .25)]
        x = r.uniform(.35, .65)
        return [(x, .22), (x, .56)][:count] if r.random() < .7 else [(x, .12), (x, .34)][:count]
    return [(x, .13 + .24 * k) for k in range(4) for x in (.27, .73)][:count]


def generate(arguments, drawn_pair, truth_of, expected_number, save):
    with open(os.path.join(arguments.output, "manifest.csv"), "w", newline="") as rows, \
            open(os.path.join(arguments.output, "truth.ndjson"), "w") as truths:
        table = csv.DictWriter(rows, ["id", "front", "back", "identityNumber"])
        table.writeheader()
        for index in range(arguments.count):
            r = random.Random(f"{arguments.seed}/pages/{index}")
            n = np.random.default_rng(r.getrandbits(32))
            row, truth = one_page(f"pages-{index:05d}", r, n, arguments.output, drawn_pair, truth_of, expected_number, save)
            table.writerow(row)
            truths.write(json.dumps(truth, ensure_ascii=False) + "\n")


def one_page(page_id, r, n, output, drawn_pair, truth_of, expected_number, save):
    kind = r.choices(["both", "pages", "frames", "persons"], [55, 15, 15, 15])[0]
    dpi = r.choice([150, 200, 200, 300])
    people = [drawn_pair(r) for _ in range(r.randint(2, 4) if kind == "persons" else 1)]
    who, style, _, _, boxes = people[0]
    expected = expected_number(r, who)
    truth = truth_of(page_id, "pages", who, style, expected, boxes)
    cards = []
    for number, (_, _, front, back, _) in enumerate(people):
        cards += [("front", front, number), ("back", back, number)]
    if kind == "frames":
        cards = cards * r.randint(2, 4)
    elif kind in ("both", "pages") and r.random() < .2:
        cards.reverse()
    angle = r.choice([0, 0, 0, 180, 90]) if kind == "both" else 0
    if kind == "pages":
        sheets = [finish(one, r, n, kind) for one in (page_with(r, dpi, [card], [(r.uniform(.3, .7), r.uniform(.15, .6))], 0, truth) for card in cards)]
        name = f"{page_id}.tif"
        images = [Image.fromarray(s if s.ndim == 2 else cv2.cvtColor(s, cv2.COLOR_BGR2RGB)) for s in sheets]
        images = [i.convert("RGB") for i in images]
        images[0].save(os.path.join(output, name), save_all=True, append_images=images[1:], compression="tiff_deflate", dpi=(dpi, dpi))
    else:
        page = finish(page_with(r, dpi, cards, spots(len(cards), r), angle, truth), r, n, kind)
        if r.random() < .15:
            page, truth["pageTurn"] = cv2.rotate(page, cv2.ROTATE_180), 180
            for card in truth["cards"]:
                card["corners"] = [[round(1 - x, 5), round(1 - y, 5)] for x, y in card["corners"]]
        name = page_id + r.choice([".jpg", ".jpg", ".png"])
        save(os.path.join(output, name), page, r.choice([70, 80, 85]))
    truth["page"] = dict(kind=kind, dpi=dpi, persons=len(people), file=name)
    if kind == "persons":
        truth["persons"] = [dict(identityNumber=w["number"], name=w["name"], documentType="old" if w["old"] else "new") for w, *_ in people]
    return dict(id=page_id, front=name, back=name, identityNumber=expected), truth


def page_with(r, dpi, cards, places, angle, truth):
    page = sheet(r, dpi)
    h, w = page.shape[:2]
    if angle == 90 and len(cards) == 2:
        places = [(.5, .25), (.5, .65)]
    for (side, card, number), (x, y) in zip(cards, places):
        corners = put(page, card, r, dpi, x * w, y * h, angle + r.uniform(-2.5, 2.5))
        truth.setdefault("cards", []).append(dict(side=side, person=number, corners=[[round(float(a) / w, 5), round(float(b) / h, 5)] for a, b in corners]))
    return page
