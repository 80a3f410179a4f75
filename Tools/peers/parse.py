"""What a careful user writes around an OCR engine: fields from boxes of text by labels and geometry, the number from a payload.

A box is (text, x0, y0, x1, y1) in pixels of an upright card image."""

import difflib
import re

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


def parse_front(boxes):
    """-> the fields in the contract's forms."""
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
