"""What a careful user writes around an OCR engine: fields from boxes of text by labels and geometry, the number from a payload.

A box is (text, x0, y0, x1, y1) in pixels of an upright card image."""

import difflib
import re

import numpy as np

LABELS = {
    "name": ["name"], "fatherName": ["father name", "father's name", "husband name", "husband's name"], "gender": ["gender"],
    "country": ["country of stay"], "identityNumber": ["identity number"], "dateOfBirth": ["date of birth"],
    "dateOfIssue": ["date of issue"], "dateOfExpiry": ["date of expiry"]}
NUMBER = re.compile(r"(?<!\d)(\d{5})\s?-\s?(\d{7})\s?-\s?(\d)(?!\d{2})")
DATE = re.compile(r"(?<!\d)(\d{2})\.(\d{2})\.(\d{4})")
HEADER = ("nationalidentitycard", "islamicrepublicofpakistan", "holderssignature")


def plain(text):
    return re.sub(r"[^a-z]", "", text.lower())


def likeness(text, label):
    return difflib.SequenceMatcher(None, plain(text), plain(label)).ratio()


def find_labels(boxes):
    """-> {field: box of its label}; two labels read as one box are cut apart in proportion."""
    found, scores = {}, {}
    for text, x0, y0, x1, y1 in boxes:
        parts = [(text, x0, x1)]
        glued = re.match(r"(gende\w?|identity\s*number|date\s*of\s*issue)\s*(country\s*of\s*stay|date\s*of\s*birth|date\s*of\s*expiry)$", text, re.I)
        if glued:
            cut = x0 + (x1 - x0) * glued.start(2) / len(text)
            parts = [(glued.group(1), x0, cut), (glued.group(2), cut, x1)]
        for part, a, b in parts:
            for field, labels in LABELS.items():
                best = max(likeness(part, label) for label in labels)
                if best >= .78 and best > scores.get(field, 0):
                    found[field], scores[field] = (part, a, y0, b, y1), best
    return found


def shapes(boxes, pattern):
    out = []
    for text, x0, y0, x1, y1 in boxes:
        for match in pattern.finditer(text):
            out.append((match, x0 + (x1 - x0) * match.start() / max(1, len(text)), (y0 + y1) / 2))
    return out


def is_label(box, labels):
    x, y = (box[1] + box[3]) / 2, (box[2] + box[4]) / 2
    return any(l[1] < x < l[3] and l[2] < y < l[4] for l in labels.values())


def uprightness(boxes):
    """How many pairs of labels stand to each other as on an upright card, less those that do not."""
    labels, total = find_labels(boxes), 0
    order = ["name", "fatherName", "gender", "identityNumber", "dateOfIssue"]
    for first, second, axis in list(zip(order, order[1:], [2] * 4)) + [("gender", "country", 1), ("identityNumber", "dateOfBirth", 1),
                                                                        ("dateOfIssue", "dateOfExpiry", 1)]:
        if first in labels and second in labels:
            total += 1 if labels[second][axis] > labels[first][axis] + 2 else -1
    return total


# Where the left end of a text stands on the card, as published: (x, y of its middle line).
ANCHORS = {"pakistan": (.23, .10), "nationalidentitycard": (.49, .09), "islamicrepublicofpakistan": (.23, .17), "name": (.28, .22), "fathername": (.28, .41),
           "gender": (.285, .61), "countryofstay": (.38, .61), "identitynumber": (.28, .74), "dateofbirth": (.52, .74), "dateofissue": (.28, .86),
           "dateofexpiry": (.52, .86)}
PLACES = {"name": (.28, .26), "fatherName": (.28, .46), "gender": (.285, .66), "country": (.38, .66), "dateOfIssue": (.28, .91), "dateOfExpiry": (.52, .91),
          "dateOfBirth": (.52, .79)}


def layout_fit(boxes):
    """An affine map from the image to the card by the header, labels and the number, or None; with how far anchors lie off."""
    seen, want = [], []
    header = [b for b in boxes if likeness(b[0], "pakistan") > .85]
    for text, x0, y0, x1, y1 in boxes:
        word = plain(text)
        if NUMBER.search(text):
            seen.append((x0, (y0 + y1) / 2))
            want.append((.28, .79))
        for anchor, place in ANCHORS.items():
            if len(word) > 3 and difflib.SequenceMatcher(None, word, anchor).ratio() > .82:
                if anchor == "pakistan" and (len(header) > 1 and (x1 - x0) < max(b[3] - b[1] for b in header)):
                    continue
                seen.append((x0, (y0 + y1) / 2))
                want.append(place)
    if len(seen) < 3:
        return None, 9
    matrix = np.hstack([np.float64(seen), np.ones((len(seen), 1))])
    solved, _, rank, _ = np.linalg.lstsq(matrix, np.float64(want), rcond=None)
    off = np.abs(matrix @ solved - np.float64(want)).max()
    upright = rank == 3 and solved[0, 0] > 0 and solved[1, 1] > 0 and abs(solved[1, 0]) < solved[1, 1]
    return (solved, off) if upright and off < .06 else (None, 9)


def parse_by_layout(boxes, fit):
    """Fields by place: for cards whose labels did not read."""
    fields, names = {}, {"name": [], "fatherName": []}
    for text, x0, y0, x1, y1 in boxes:
        x, y = np.array([x0, (y0 + y1) / 2, 1]) @ fit
        number = NUMBER.search(text)
        if number:
            fields["identityNumber"] = "-".join(number.groups())
        for match in DATE.finditer(text):
            at = x0 + (x1 - x0) * match.start() / len(text)
            u, v = np.array([at, (y0 + y1) / 2, 1]) @ fit
            field = min(("dateOfBirth", "dateOfIssue", "dateOfExpiry"), key=lambda f: abs(PLACES[f][0] - u) + abs(PLACES[f][1] - v))
            fields.setdefault(field, ".".join(match.groups()))
        for field, (px, py) in PLACES.items():
            deep = .075 if field in names else .03
            if abs(x - px) < .035 and -.025 < y - py < deep and not any(likeness(text, l) > .8 for ls in LABELS.values() for l in ls):
                clean = re.sub(r"[^A-Za-z' .-]", "", text).strip()
                if field in names and re.search(r"[A-Za-z]{2}", clean):
                    names[field].append((y, clean))
                elif field == "gender" and re.fullmatch(r"\W*[MFX]\W*", text):
                    fields["gender"] = re.sub(r"\W", "", text)
                elif field == "country" and len(clean) > 2:
                    fields["country"] = clean
    for field, parts in names.items():
        if parts:
            fields[field] = " ".join(t for _, t in sorted(parts))
    return fields


def read_front(boxes):
    """-> (fields, how well the boxes stand as on an upright card): by layout where it fits, by labels otherwise."""
    fit, off = layout_fit(boxes)
    if fit is not None:
        return parse_by_layout(boxes, fit), 100 - off
    return parse_front(boxes), uprightness(boxes)


def parse_front(boxes):
    """-> the fields in the contract's forms, by labels and what stands below them."""
    fields, labels = {}, find_labels(boxes)
    if not boxes:
        return fields
    unit = sorted(b[4] - b[2] for b in boxes)[len(boxes) // 2]
    numbers = shapes(boxes, NUMBER)
    if numbers:
        fields["identityNumber"] = "-".join(numbers[0][0].groups())
    place_dates(fields, labels, shapes(boxes, DATE), numbers, unit)
    values = [b for b in boxes if not is_label(b, labels) and plain(b[0]) not in HEADER]
    bottoms = {"name": labels.get("fatherName", (0, 0, 1e9))[2], "fatherName": min(
        [labels[f][2] for f in ("gender", "country") if f in labels] or [1e9])}
    for field in ("name", "fatherName"):
        if field in labels:
            _, lx, ly0, _, ly1 = labels[field]
            under = [b for b in values if ly1 - unit * .3 < (b[2] + b[4]) / 2 < min(bottoms[field], ly1 + unit * 4) and abs(b[1] - lx) < unit * 1.5
                     and re.search(r"[A-Za-z]{2}", b[0])]
            text = " ".join(b[0].strip() for b in sorted(under, key=lambda b: b[2]))
            text = re.sub(r"[^A-Za-z' .-]", "", text).strip()
            if text:
                fields[field] = text
    for field, keep in (("gender", r"^\W*([MFX])\W*$"), ("country", r"^\W*([A-Za-z][A-Za-z .]+)\W*$")):
        if field in labels:
            _, lx, _, _, ly1 = labels[field]
            for b in sorted(values, key=lambda b: b[2]):
                if ly1 - unit * .3 < (b[2] + b[4]) / 2 < ly1 + unit * 2.2 and abs(b[1] - lx) < unit * 2:
                    match = re.match(keep, b[0])
                    if match:
                        fields[field] = match.group(1).strip()
                        break
    return fields


def place_dates(fields, labels, dates, numbers, unit):
    for field in ("dateOfBirth", "dateOfIssue", "dateOfExpiry"):
        if field in labels:
            _, lx, _, _, ly1 = labels[field]
            near = [(abs(x - lx) + 2 * abs(y - ly1), m) for m, x, y in dates if 0 < y - ly1 < unit * 3 and abs(x - lx) < unit * 4]
            if near:
                fields[field] = ".".join(min(near, key=lambda v: v[0])[1].groups())
    if numbers:
        row = [m for m, _, y in dates if abs(y - numbers[0][2]) < unit]
        below = sorted(((x, m) for m, x, y in dates if y - numbers[0][2] > unit), key=lambda v: v[0])
        guesses = [("dateOfBirth", row)] + ([("dateOfIssue", [below[0][1]]), ("dateOfExpiry", [below[1][1]])] if len(below) == 2 else [])
        for field, matches in guesses:
            if field not in fields and len(matches) == 1:
                fields[field] = ".".join(matches[0].groups())


def number_of(symbology, payload):
    """The number a payload's structure gives, or None."""
    text = payload.decode("latin-1")
    if symbology == "QRCode":
        return text[12:25] if re.fullmatch(r"\d{26}", text) else None
    if symbology == "Code128":
        return re.sub("-", "", text) if re.fullmatch(r"\d{13}|\d{5}-\d{7}-\d", text) else None
    for part in re.split(r"[\r\n]+", text)[:4]:
        if re.fullmatch(r"\d{13}|\d{5}-\d{7}-\d", part):
            return re.sub("-", "", part)
    return None


def dashed(number):
    return f"{number[:5]}-{number[5:12]}-{number[12]}" if number else None
