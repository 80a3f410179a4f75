"""Scores the result lines of a run against the truth lines of the pairs it read.

What counts: the eight fields of new cards, exact to the letter (a field that the card does not have is right when absent),
the number from the back's barcode, the comparison with the expected number, and the document type. A wrong value that is
present is counted apart from a missing one, since it is far worse."""

import json
import math
from collections import Counter, defaultdict

FIELDS = ["name", "fatherName", "identityNumber", "dateOfBirth", "dateOfIssue", "dateOfExpiry", "gender", "country"]
LEVELS = ["clean", "scan", "photo", "hard", "pages"]
# Reasons that say a side was not recognised as what the truth knows it to be.
SIDE_REASONS = {"wrongSide", "sideUnknown", "sidesSwapped", "noCardFound", "documentTypeUnknown", "documentTypesDiffer"}


def lines(path):
    with open(path, encoding="utf-8") as file:
        for text in file:
            if text.strip():
                yield json.loads(text)


def wilson(hits, total):
    """The 95% interval of a proportion in per cent: (low, high)."""
    if total == 0:
        return 0.0, 100.0
    z, p = 1.959964, hits / total
    middle = p + z * z / (2 * total)
    spread = z * math.sqrt(p * (1 - p) / total + z * z / (4 * total * total))
    return max(0.0, 100 * (middle - spread) / (1 + z * z / total)), min(100.0, 100 * (middle + spread) / (1 + z * z / total))


def digits(number):
    return None if number is None else "".join(c for c in str(number) if c.isdigit())


def distance_of(truth):
    """0 where the expected number is the barcode's, else 1; specimens' truth names the two numbers only."""
    if "distance" in truth:
        return truth["distance"]
    return int(truth["expectedNumber"] != truth.get("barcodeNumber"))


class Score:
    """Counts for one level (or any other group of pairs)."""

    def __init__(self):
        self.pairs = self.fields = self.exact = self.wrong = 0
        self.backs = self.back_right = self.back_wrong = 0
        self.ambiguous = self.ambiguous_trusted = 0
        self.type_asked = self.type_right = self.type_wrong = self.side_trouble = 0
        self.false_matches = self.false_mismatches = 0
        self.lifetime_asked = self.lifetime_right = 0
        self.old_with_fields = 0
        self.several = self.several_said = self.mixed = 0
        self.missing_by_field, self.wrong_by_field, self.asked_by_field = Counter(), Counter(), Counter()
        self.outcomes, self.reasons = Counter(), Counter()
        self.errors = []
        self.confidence = []

    def add(self, truth, result):
        self.pairs += 1
        result = result or {}
        payload, batch = result.get("payload") or {}, result.get("batch") or {}
        self.outcomes[result.get("outcome", "no result line")] += 1
        for reason in result.get("reasons") or []:
            self.reasons[reason] += 1
        if truth.get("page", {}).get("kind") == "persons":
            self.compare_persons(truth, result, payload)
            return
        self.compare_back(truth, payload)
        if truth["identityNumber"] is not None:
            self.compare_type(truth, result, payload)
            self.compare_fields(truth, payload, batch)

    def compare_back(self, truth, payload):
        got, want = digits(payload.get("identityNumber")), digits(truth["identityNumber"])
        if want is None:
            self.ambiguous += 1
            if got is not None:
                self.ambiguous_trusted += 1
                self.error(truth, "back", "trusted", got, None)
            return
        self.backs += 1
        if got == want:
            self.back_right += 1
        elif got is None:
            self.error(truth, "back", "missing", None, want)
        else:
            self.back_wrong += 1
            self.error(truth, "back", "wrong", got, want)
        distance = payload.get("distance")
        if distance == 0 and distance_of(truth) == 1:
            self.false_matches += 1
            self.error(truth, "distance", "false match", 0, 1)
        elif distance == 1 and distance_of(truth) == 0:
            self.false_mismatches += 1
            self.error(truth, "distance", "false mismatch", 1, 0)

    def compare_persons(self, truth, result, payload):
        """Several people on a page: it must be said, and whatever is given must be of one of them."""
        self.several += 1
        self.several_said += "severalPersonsOnPage" in (result.get("reasons") or [])
        data = payload.get("extractedData") or {}
        given = {digits(v) for v in (payload.get("identityNumber"), data.get("identityNumber")) if v}
        names = {p["name"] for p in truth["persons"] if p["identityNumber"] in given}
        if len(given) > 1 or (given and data.get("name") and data["name"] not in names):
            self.mixed += 1
            self.error(truth, "persons", "mixed", sorted(given), None)

    def compare_type(self, truth, result, payload):
        self.type_asked += 1
        got = payload.get("documentType") or (result.get("batch") or {}).get("documentType")
        trouble = sorted(SIDE_REASONS & set(result.get("reasons") or []))
        if got == truth["documentType"] and not trouble:
            self.type_right += 1
            return
        if got is not None and got != truth["documentType"]:
            self.type_wrong += 1
            self.error(truth, "documentType", "wrong", got, truth["documentType"])
        elif trouble:
            self.side_trouble += 1
            self.error(truth, "side", "trouble", ",".join(trouble), None)
        else:
            self.error(truth, "documentType", "missing", result.get("outcome"), truth["documentType"])

    def compare_fields(self, truth, payload, batch):
        got = payload.get("extractedData") or {}
        if truth["documentType"] != "new":
            if got:
                self.old_with_fields += 1
                self.error(truth, "extractedData", "present on an old card", ",".join(sorted(got)), None)
            return
        for field in FIELDS:
            want, value = truth["extractedData"].get(field), got.get(field)
            self.fields += 1
            self.asked_by_field[field] += 1
            right = value == want
            if right:
                self.exact += 1
            elif value is None:
                self.missing_by_field[field] += 1
                self.error(truth, field, "missing", None, want)
            else:
                self.wrong += 1
                self.wrong_by_field[field] += 1
                self.error(truth, field, "wrong", value, want)
            certainty = (batch.get("confidence") or {}).get(field)
            if value is not None and certainty is not None:
                self.confidence.append((float(certainty), right))
        if truth.get("lifetime"):
            self.lifetime_asked += 1
            self.lifetime_right += batch.get("lifetime") is True

    def error(self, truth, field, kind, got, want):
        self.errors.append(dict(id=truth["id"], field=field, kind=kind, got=got, want=want))

    def as_dictionary(self):
        share = lambda hits, total: None if total == 0 else dict(
            hits=hits, total=total, percent=round(100 * hits / total, 3), interval95=[round(v, 3) for v in wilson(hits, total)])
        return dict(
            pairs=self.pairs, fieldsExact=share(self.exact, self.fields), fieldsWrongButPresent=share(self.wrong, self.fields),
            numberFromBack=share(self.back_right, self.backs), numberFromBackWrong=share(self.back_wrong, self.backs),
            ambiguousTrusted=share(self.ambiguous_trusted, self.ambiguous), typeAndSide=share(self.type_right, self.type_asked),
            typeWrong=share(self.type_wrong, self.type_asked), sideTrouble=self.side_trouble, falseMatches=self.false_matches,
            falseMismatches=self.false_mismatches, lifetimeSaid=share(self.lifetime_right, self.lifetime_asked),
            severalPersonsSaid=share(self.several_said, self.several), personsMixed=self.mixed, oldCardsWithFields=self.old_with_fields, missingByField=dict(self.missing_by_field), wrongByField=dict(self.wrong_by_field),
            outcomes=dict(self.outcomes), reasons=dict(self.reasons), calibration=calibration(self.confidence), errors=self.errors)


BINS = [0, .5, .8, .9, .95, .98, .99, .995, .999, 1.0001]


def calibration(pairs):
    """Reliability: of the fields emitted with a confidence in a bin, how many are right, beside what was promised."""
    out = []
    for low, high in zip(BINS, BINS[1:]):
        inside = [(c, right) for c, right in pairs if low <= c < high]
        if inside:
            hits = sum(right for _, right in inside)
            out.append(dict(low=low, high=min(high, 1), count=len(inside), promised=round(sum(c for c, _ in inside) / len(inside), 5),
                            observed=round(hits / len(inside), 5), interval95=[round(v / 100, 5) for v in wilson(hits, len(inside))]))
    return out


def score(truths, results):
    """-> {level: Score}. `results` is {id: result line}; a truth without a line is a pair that was lost."""
    levels = defaultdict(Score)
    for truth in truths:
        levels[truth["level"]].add(truth, results.get(truth["id"]))
    return levels


def percent(hits, total, digits=2):
    if total == 0:
        return "-"
    low, high = wilson(hits, total)
    return f"{100 * hits / total:.{digits}f} [{low:.1f}-{high:.1f}]"


def table(levels, title=""):
    """The table of the issue, as Markdown."""
    names = [l for l in LEVELS if l in levels] + sorted(set(levels) - set(LEVELS))
    rows = [[title] + names, ["---"] * (len(names) + 1)]
    each = lambda label, say: rows.append([label] + [say(levels[n]) for n in names])
    each("pairs", lambda s: str(s.pairs))
    each("fields exact %", lambda s: percent(s.exact, s.fields))
    each("fields wrong but present %", lambda s: percent(s.wrong, s.fields))
    each("number from the back %", lambda s: percent(s.back_right, s.backs))
    each("number from the back wrong %", lambda s: percent(s.back_wrong, s.backs))
    each("document type and side %", lambda s: percent(s.type_right, s.type_asked))
    each("document type wrong", lambda s: str(s.type_wrong))
    each("false matches / mismatches", lambda s: f"{s.false_matches} / {s.false_mismatches}")
    each("ambiguous payload trusted", lambda s: f"{s.ambiguous_trusted} of {s.ambiguous}")
    each("lifetime said", lambda s: f"{s.lifetime_right} of {s.lifetime_asked}")
    each("old cards with fields", lambda s: str(s.old_with_fields))
    if any(s.several for s in levels.values()):
        each("several persons said, mixed", lambda s: f"{s.several_said} of {s.several}, {s.mixed}")
    for field in FIELDS:
        each(f"{field}: missing + wrong", lambda s: f"{s.missing_by_field[field]} + {s.wrong_by_field[field]}")
    widths = [max(len(r[k]) for r in rows) for k in range(len(rows[0]))]
    return "\n".join("| " + " | ".join(c.ljust(w) for c, w in zip(r, widths)) + " |" for r in rows)
