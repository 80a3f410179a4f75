"""Draws the four faces of the cards from the published facts: positions are fractions of the card, sizes are pixels of a
card 1012 wide, everything is drawn at SCALE times that size."""

import math
import subprocess

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFilter, ImageFont

from people import COUNTRIES, CITIES, dashed, dots, slashes

SCALE = 2
WIDTH, HEIGHT = 1012 * SCALE, 638 * SCALE

# (regular, bold) file names; whichever the machine has are used. Extra ones can be added by `generate.py --extras`.
FONT_PAIRS = [
    ("NimbusSans-Regular.otf", "NimbusSans-Bold.otf"), ("NimbusSans-Regular.otf", "NimbusSans-Bold.otf"),
    ("FreeSans.ttf", "FreeSansBold.ttf"), ("Carlito-Regular.ttf", "Carlito-Bold.ttf"), ("Inter-Regular.otf", "Inter-SemiBold.otf"),
    ("ClearSans-Regular.ttf", "ClearSans-Bold.ttf")]
URDU_FONTS = ["NotoNastaliqUrdu-Regular.ttf", "NotoNastaliqUrdu-Bold.ttf", "NafeesWeb.ttf"]
_paths, _fonts = {}, {}


def font_path(name):
    if not _paths:
        listing = subprocess.run(["fc-list", ":", "file"], check=True, capture_output=True, text=True).stdout
        for line in listing.splitlines():
            path = line.split(":")[0]
            _paths.setdefault(path.rsplit("/", 1)[-1], path)
    return _paths.get(name)


def font(name, pixels):
    key = name, int(pixels * SCALE)
    if key not in _fonts:
        path = font_path(name)
        if path is None:
            raise SystemExit(f"font {name} is not installed (see Support/packages.txt)")
        _fonts[key] = ImageFont.truetype(path, key[1])
    return _fonts[key]


def fonts_here(pairs):
    here = [p for p in pairs if font_path(p[0]) and font_path(p[1])]
    if not here:
        raise SystemExit("none of the judge's fonts is installed: apt-get install fonts-urw-base35 fonts-freefont-ttf")
    return here


class Canvas:
    """A face under way: text goes in by fractions of the card, and its inked box comes back in fractions."""

    def __init__(self, image):
        self.image, self.draw = image, ImageDraw.Draw(image, "RGBA")

    def text(self, x, y, text, name, pixels, fill, anchor="lm", **more):
        at = (x * WIDTH, y * HEIGHT)
        use = font(name, pixels)
        self.draw.text(at, text, font=use, fill=fill, anchor=anchor, **more)
        box = self.draw.textbbox(at, text, font=use, anchor=anchor, **more)
        return dict(x=round(box[0] / WIDTH, 5), y=round(box[1] / HEIGHT, 5), width=round((box[2] - box[0]) / WIDTH, 5),
                    height=round((box[3] - box[1]) / HEIGHT, 5))

    def urdu(self, x, y, text, name, pixels, fill, anchor="rm"):
        return self.text(x, y, text, name, pixels, fill, anchor, direction="rtl", language="ur")

    def line(self, points, fill, pixels):
        self.draw.line([(x * WIDTH, y * HEIGHT) for x, y in points], fill=fill, width=max(1, round(pixels * SCALE)))

    def box(self, x0, y0, x1, y1, **more):
        self.draw.rounded_rectangle([x0 * WIDTH, y0 * HEIGHT, x1 * WIDTH, y1 * HEIGHT], **more)


def paper(r, base, tint, strength=1.0):
    """A security print: slow colour waves under rosettes, woven lines and a wash of tiny dots."""
    n = np.random.default_rng(r.getrandbits(32))
    ys, xs = np.mgrid[0:HEIGHT // 8, 0:WIDTH // 8].astype(np.float32)
    a, b = r.uniform(0, 6.3), r.uniform(.006, .02)
    wave = .5 + .5 * np.sin(xs * b + ys * b * r.uniform(-1, 1) + a)
    small = np.asarray(base, np.float32) * (1 - wave[..., None]) + np.asarray(tint, np.float32) * wave[..., None]
    image = cv2.resize(small.clip(0, 255).astype(np.uint8), (WIDTH, HEIGHT), interpolation=cv2.INTER_LINEAR)
    layer = np.full((HEIGHT, WIDTH, 3), 255, np.uint8)

    def pen(low, high):
        v = [r.uniform(low, high) for _ in range(3)]
        v[1] = min(250, v[1] + r.uniform(5, 20))
        return tuple(int(255 - (255 - c) * strength) for c in v)

    t = np.linspace(0, 2 * math.pi, 720)
    for _ in range(r.randint(1, 3)):
        cx, cy, petals = r.uniform(0, WIDTH), r.uniform(0, HEIGHT), r.choice([5, 7, 8, 11, 12])
        colour, size = pen(170, 215), r.uniform(120, 420) * SCALE / 2
        for k in range(r.randint(8, 22)):
            rad = size * (1 - k * .04) * (1 + .25 * np.cos(petals * t + k * .12))
            pts = np.stack([cx + rad * np.cos(t), cy + rad * np.sin(t)], 1).astype(np.int32)
            cv2.polylines(layer, [pts], True, colour, 1, cv2.LINE_AA)
    xs = np.arange(0, WIDTH + 24, 24)
    for _ in range(r.randint(1, 3)):
        colour, step, amp, length = pen(175, 222), r.uniform(9, 26) * SCALE, r.uniform(6, 60) * SCALE, r.uniform(150, 700) * SCALE
        slope = r.uniform(-.5, .5)
        for k in range(int(-HEIGHT * .6 / step), int(HEIGHT * 1.6 / step)):
            y = k * step + slope * xs + amp * np.sin(xs * 2 * math.pi / length + k * .11)
            cv2.polylines(layer, [np.stack([xs, y], 1).astype(np.int32)], False, colour, r.choice([1, 1, 2]), cv2.LINE_AA)
    image = (image.astype(np.uint16) * layer // 255).astype(np.uint8)
    image = cv2.add(image, n.integers(0, 5, (HEIGHT, WIDTH, 1), np.uint8).repeat(3, 2))
    return Image.fromarray(image)


def star(c, cx, cy, size, fill):
    pts = []
    for k in range(10):
        rad = size if k % 2 == 0 else size * .42
        pts.append((cx * WIDTH + rad * WIDTH * math.sin(k * math.pi / 5), cy * HEIGHT - rad * WIDTH * math.cos(k * math.pi / 5)))
    c.draw.polygon(pts, fill=fill)


def emblem(c, r, x0, y0, x1, y1, ink):
    cx, cy, w, h = (x0 + x1) / 2 * WIDTH, (y0 + y1) / 2 * HEIGHT, (x1 - x0) * WIDTH, (y1 - y0) * HEIGHT
    for k in range(18):
        a = 2 * math.pi * k / 18
        px, py = cx + w * .42 * math.cos(a), cy + h * .40 * math.sin(a)
        c.draw.ellipse([px - w * .07, py - h * .05, px + w * .07, py + h * .05], outline=ink, width=SCALE)
    c.draw.polygon([(cx - w * .2, cy - h * .15), (cx + w * .2, cy - h * .15), (cx + w * .16, cy + h * .16), (cx, cy + h * .27),
                    (cx - w * .16, cy + h * .16)], outline=ink)
    c.draw.arc([cx - w * .12, cy - h * .47, cx + w * .12, cy - h * .30], 20, 300, fill=ink, width=2 * SCALE)
    c.draw.rectangle([cx - w * .33, cy + h * .42, cx + w * .33, cy + h * .49], outline=ink, width=SCALE)


def flag(c, x0, y0, x1, y1):
    c.box(x0, y0, x1, y1, radius=4, fill=(10, 90, 50, 255))
    c.box(x0, y0, x0 + (x1 - x0) * .25, y1, radius=4, fill=(245, 248, 245, 255))
    cx, cy, rad = (x0 * .38 + x1 * .62) * WIDTH, (y0 + y1) / 2 * HEIGHT, (y1 - y0) * HEIGHT * .32
    c.draw.ellipse([cx - rad, cy - rad, cx + rad, cy + rad], fill=(245, 248, 245, 255))
    c.draw.ellipse([cx - rad * .62, cy - rad * 1.02, cx + rad * 1.22, cy + rad * .82], fill=(10, 90, 50, 255))
    star(c, (cx + rad * .45) / WIDTH, (cy - rad * .3) / HEIGHT, rad * .35 / WIDTH, (245, 248, 245, 255))


def chip(c, r, x0, y0, x1, y1):
    gold = r.choice([(205, 175, 105), (190, 190, 185), (214, 184, 120)])
    c.box(x0, y0, x1, y1, radius=22, fill=gold + (255,), outline=(90, 75, 40, 255), width=3)
    ink, mx, w = (95, 80, 45, 255), (x0 + x1) / 2, x1 - x0
    for f in (.28, .5, .72):
        y = y0 + (y1 - y0) * f
        c.line([(x0, y), (x0 + w * .33, y)], ink, 1.2)
        c.line([(x1 - w * .33, y), (x1, y)], ink, 1.2)
    c.box(x0 + w * .33, y0 + (y1 - y0) * .2, x1 - w * .33, y1 - (y1 - y0) * .2, radius=14, outline=ink, width=3)
    c.line([(mx, y0), (mx, y0 + (y1 - y0) * .2)], ink, 1.2)
    c.line([(mx, y1 - (y1 - y0) * .2), (mx, y1)], ink, 1.2)


def face(r, width, height, female):
    """A drawn head and shoulders, softened: nobody's."""
    tone = r.uniform(.6, 1.05)
    skin = tuple(int(v * tone) for v in (224, 178, 145))
    ground = r.choice([(225, 230, 238), (190, 205, 225), (240, 240, 240), (150, 175, 205)])
    hair = r.choice([(35, 28, 25), (60, 45, 35), (120, 115, 110)])
    image = Image.new("RGB", (width, height), ground)
    d = ImageDraw.Draw(image)
    cx, cy, fw, fh = width * r.uniform(.46, .54), height * .43, width * r.uniform(.22, .27), height * r.uniform(.22, .27)
    cloth = tuple(r.randint(20, 200) for _ in range(3))
    d.ellipse([cx - width * .46, height * .74, cx + width * .46, height * 1.4], fill=cloth)
    d.rectangle([cx - fw * .4, cy + fh * .5, cx + fw * .4, height * .82], fill=tuple(int(v * .9) for v in skin))
    if female:
        d.ellipse([cx - fw * 1.45, cy - fh * 1.4, cx + fw * 1.45, cy + fh * 1.9], fill=cloth)
    else:
        d.ellipse([cx - fw * 1.12, cy - fh * 1.28, cx + fw * 1.12, cy + fh * .5], fill=hair)
    d.ellipse([cx - fw, cy - fh, cx + fw, cy + fh], fill=skin)
    for side in (-1, 1):
        ex = cx + side * fw * .42
        d.ellipse([ex - fw * .16, cy - fh * .2, ex + fw * .16, cy - fh * .06], fill=(245, 245, 245))
        d.ellipse([ex - fw * .07, cy - fh * .2, ex + fw * .07, cy - fh * .06], fill=(30, 25, 20))
        d.line([ex - fw * .25, cy - fh * .33, ex + fw * .25, cy - fh * .35], fill=hair, width=max(2, width // 60))
    d.line([cx, cy - fh * .05, cx - fw * .1, cy + fh * .3, cx + fw * .08, cy + fh * .31], fill=tuple(int(v * .75) for v in skin), width=3)
    d.arc([cx - fw * .35, cy + fh * .4, cx + fw * .35, cy + fh * .66], 15, 165, fill=(140, 60, 55), width=max(3, width // 50))
    if not female and r.random() < .45:
        d.chord([cx - fw * .95, cy - fh * .1, cx + fw * .95, cy + fh * 1.08], 25, 155, fill=hair)
    return image.filter(ImageFilter.GaussianBlur(width / 110))


def portrait(c, r, who, x0, y0, x1, y1, bold):
    w, h = int((x1 - x0) * WIDTH), int((y1 - y0) * HEIGHT)
    image = face(r, w, h, who["gender"] == "F")
    layer = Image.new("RGBA", (w, h), (0, 0, 0, 0))
    d = ImageDraw.Draw(layer)
    d.text((w / 2, h / 2), "SPECIMEN", font=font(bold, w / SCALE * .17), fill=(190, 25, 35, 170), anchor="mm")
    layer = layer.rotate(r.uniform(38, 60), resample=Image.Resampling.BICUBIC)
    image.paste(layer, (0, 0), layer)
    c.image.paste(image, (int(x0 * WIDTH), int(y0 * HEIGHT)))
    if r.random() < .5:
        c.box(x0, y0, x1, y1, radius=2, outline=(60, 70, 65, 160), width=2)
    return image


def scribble(c, r, x0, y0, x1, y1):
    points, x = [], x0
    while x < x1:
        points.append((x, r.uniform(y0, y1)))
        x += (x1 - x0) * r.uniform(.05, .14)
    xs, ys = np.array([p[0] for p in points]), np.array([p[1] for p in points])
    t = np.linspace(0, len(xs) - 1, 200)
    fx, fy = np.interp(t, range(len(xs)), xs), np.interp(t, range(len(ys)), ys)
    k = np.ones(9) / 9
    fy = np.convolve(np.pad(fy, 4, "edge"), k, "valid")
    c.line(list(zip(fx + .01 * np.sin(t * 2.3), fy)), (25, 30, 80, 235), r.uniform(1.2, 2.6))


def fitted(name, pixels, text, most):
    """The largest size up to `pixels` at which the text is at most `most` of the card wide, and its width."""
    while True:
        width = font(name, pixels).getlength(text) / WIDTH
        if width <= most or pixels < 17:
            return pixels, width
        pixels -= .5


def wrapped(text, name, pixels, most):
    """The text on one line, or on two if it is wider than `most`."""
    if font(name, pixels).getlength(text) / WIDTH <= most or " " not in text:
        return [text]
    words, first = text.split(" "), []
    while len(words) > 1 and font(name, pixels).getlength(" ".join(first + words[:1])) / WIDTH <= most:
        first.append(words.pop(0))
    return [" ".join(first), " ".join(words)] if first else [text]


def new_front(r, who, style):
    """-> (image, boxes of the values). `style` holds what a printing decides: fonts, rules, offsets."""
    c = Canvas(paper(r, *style["papers"], style["guilloche"]))
    regular, bold, urdu = style["regular"], style["bold"], style["urdu"]
    ink, soft = style["ink"], style["labelInk"]
    sx, sy, ox, oy = style["sx"], style["sy"], style["ox"], style["oy"]
    X = lambda x: .5 + (x - .5) * sx + ox
    Y = lambda y: .5 + (y - .5) * sy + oy
    boxes = {}
    emblem(c, r, X(.09), Y(.05), X(.20), Y(.27), (40, 80, 60, 230))
    head = r.uniform(35, 42)
    c.text(X(.23), Y(.10), "PAKISTAN", bold, fitted(bold, head, "PAKISTAN", .245)[0], (15, 70, 45, 255))
    c.text(X(.49), Y(.09), "National Identity Card", regular, fitted(regular, 27, "National Identity Card", .29)[0], (25, 60, 45, 255))
    c.text(X(.23), Y(.17), "ISLAMIC REPUBLIC OF PAKISTAN", regular, fitted(regular, 14, "ISLAMIC REPUBLIC OF PAKISTAN", .23)[0],
           (25, 60, 45, 255))
    if style["whiteFlag"]:
        flag(c, X(.84), Y(.05), X(.94), Y(.16))
    who_picture = portrait(c, r, who, X(.69), Y(.22), X(.93), Y(.72), bold)
    ghost = Image.blend(who_picture.resize((int(.10 * WIDTH), int(.20 * HEIGHT))).convert("L").convert("RGB"),
                        Image.new("RGB", (int(.10 * WIDTH), int(.20 * HEIGHT)), style["papers"][0]), .62)
    c.image.paste(ghost, (int(X(.07) * WIDTH), int(Y(.75) * HEIGHT)))
    if style["chipless"]:
        module = who["frontCode"]
        side = int(.145 * WIDTH)
        code = Image.fromarray(module).convert("RGB").resize((side, side), Image.Resampling.NEAREST)
        c.box(X(.10), Y(.30), X(.26), Y(.30) + .16 * WIDTH / HEIGHT, radius=6, fill=(255, 255, 255, 235))
        c.image.paste(code, (int(X(.10) * WIDTH + .0075 * WIDTH), int(Y(.30) * HEIGHT + .0075 * WIDTH)))
    else:
        chip(c, r, X(.10), Y(.32), X(.26), Y(.54))
    label_font, label = (bold, style["label"]) if style["boldLabels"] else (regular, style["label"])
    size, value_font = style["value"], bold if style["boldValues"] else regular

    def put_label(x, y, text):
        c.text(X(x), Y(y), text, label_font, label, soft)

    def put_name(field, top, text, urdu_text):
        value_y = top + style["drop"]
        lines = wrapped(text, value_font, size, .395)
        if len(lines) == 1:
            pixels, _ = fitted(value_font, size, text, .395)
            boxes[field] = c.text(X(.28), Y(value_y), text, value_font, pixels, ink)
            if style["urduBeside"] and font(value_font, pixels).getlength(text) / WIDTH < .22:
                c.urdu(X(.66), Y(value_y + .015), urdu_text, urdu, style["urduSize"], ink)
            else:
                c.urdu(X(.66), Y(value_y + .078), urdu_text, urdu, style["urduSize"], ink)
            return
        pixels = min(fitted(value_font, size, l, .395)[0] for l in lines)
        first = c.text(X(.28), Y(value_y), lines[0], value_font, pixels, ink)
        second = c.text(X(.28), Y(value_y + .046), lines[1], value_font, pixels, ink)
        x1 = max(first["x"] + first["width"], second["x"] + second["width"])
        boxes[field] = dict(x=min(first["x"], second["x"]), y=first["y"], width=round(x1 - min(first["x"], second["x"]), 5),
                            height=round(second["y"] + second["height"] - first["y"], 5))
        c.urdu(X(.66), Y(value_y + .092), urdu_text, urdu, style["urduSize"] * .85, ink)

    put_label(.28, .22, "Name")
    put_name("name", .22, who["name"], who["urduName"])
    put_label(.28, .41, who["relationLabel"])
    put_name("fatherName", .41, who["fatherName"], who["urduFatherName"])
    put_label(.285, .61, "Gender")
    put_label(.38, .61, "Country of Stay")
    boxes["gender"] = c.text(X(.285), Y(.61 + style["drop"] + .008), who["gender"], value_font, size, ink)
    pixels, _ = fitted(value_font, size, who["country"], .295)
    boxes["country"] = c.text(X(.38), Y(.61 + style["drop"] + .008), who["country"], value_font, pixels, ink)
    put_label(.28, .74, "Identity Number")
    put_label(.52, .74, "Date of Birth")
    number = dashed(who["number"])
    pixels, _ = fitted(value_font, size, number, .228)
    boxes["identityNumber"] = c.text(X(.28), Y(.74 + style["drop"] + .006), number, value_font, pixels, ink)
    boxes["dateOfBirth"] = c.text(X(.52), Y(.74 + style["drop"] + .006), dots(who["birth"]), value_font, pixels, ink)
    put_label(.28, .86, "Date of Issue")
    put_label(.52, .86, "Date of Expiry")
    boxes["dateOfIssue"] = c.text(X(.28), Y(.86 + style["drop"] + .006), dots(who["issue"]), value_font, pixels, ink)
    expiry = r.choice(["Lifetime", "Lifetime", "LIFETIME"]) if who["lifetime"] else dots(who["expiry"])
    box = c.text(X(.52), Y(.86 + style["drop"] + .006), expiry, value_font, pixels, ink)
    if not who["lifetime"]:
        boxes["dateOfExpiry"] = box
    if style["rules"]:
        rule, thick = style["ruleInk"], style["ruleWidth"]
        right = X(.675)
        for y in (.585, .717, .837):
            c.line([(X(.272), Y(y)), (right, Y(y))], rule, thick)
        if style["nameRule"]:
            c.line([(X(.272), Y(.392)), (right, Y(.392))], rule, thick)
        c.line([(X(.368), Y(.588)), (X(.368), Y(.714))], rule, thick)
        c.line([(X(.513), Y(.72)), (X(.513), Y(.955))], rule, thick)
    scribble(c, r, X(.74), Y(.80), X(.91), Y(.90))
    c.text(X(.825), Y(.935), "Holder's Signature", regular, 14, soft, "mm")
    if style["hologram"]:
        hologram(c, r)
    return c.image, boxes


def hologram(c, r):
    """A faint sheen of rainbow bands in a disc, partly over the text."""
    cx, cy, rad = int(r.uniform(.3, .7) * WIDTH), int(r.uniform(.3, .8) * HEIGHT), int(r.uniform(.08, .16) * WIDTH)
    x0, y0, x1, y1 = max(0, cx - rad), max(0, cy - rad), min(WIDTH, cx + rad), min(HEIGHT, cy + rad)
    part = np.asarray(c.image)[y0:y1, x0:x1].astype(np.float32)
    ys, xs = np.mgrid[y0:y1, x0:x1].astype(np.float32)
    disc = np.clip(1 - np.hypot(xs - cx, ys - cy) / rad, 0, 1) ** .5
    phase = (xs * r.uniform(-1, 1) + ys) / r.uniform(18, 60)
    colour = np.stack([127 + 110 * np.sin(phase + k * 2.1) for k in range(3)], -1)
    alpha = (disc * r.uniform(.08, .22))[..., None]
    c.image.paste(Image.fromarray((part * (1 - alpha) + (colour + 60) * alpha).clip(0, 255).astype(np.uint8)), (x0, y0))
    c.draw = ImageDraw.Draw(c.image, "RGBA")


URDU_NOTICE = "گمشدہ کارڈ ملنے پر قریبی لیٹر بکس میں ڈال دیں"
AREAS = ["محلہ اسلام پورہ", "گلی نمبر ۴", "مکان نمبر ۱۲", "ڈاکخانہ خاص", "تحصیل و ضلع ملتان", "چک نمبر ۷", "بلاک سی", "گلشن کالونی"]


def address(r):
    return " ".join(r.sample(AREAS, 3))


def new_back(r, who, style):
    c = Canvas(paper(r, *style["papers"], style["guilloche"] * .8))
    regular, bold, urdu, ink = style["regular"], style["bold"], style["urdu"], style["ink"]
    ox, oy = style["ox"], style["oy"]
    c.box(0, .60, 1, 1, radius=0, fill=(250, 252, 250, 225))
    barcode = who["barcode"]
    wide = barcode["symbology"] == "Code128"
    x0, y0, side = .755 + ox, .135 + oy, .17
    if wide:
        plate = (.50 + ox, .12 + oy, .95 + ox, .34 + oy)
    else:
        plate = (x0 - .008, y0 - .012, x0 + side + .008, y0 + side * WIDTH / HEIGHT + .012)
    c.box(*plate, radius=6, fill=(255, 255, 255, 255))
    if wide:
        code = Image.fromarray(barcode["image"]).convert("RGB").resize((int(.41 * WIDTH), int(.15 * HEIGHT)), Image.Resampling.NEAREST)
        c.image.paste(code, (int((plate[0] + .02) * WIDTH), int((plate[1] + .03) * HEIGHT)))
    else:
        pixels = int(side * WIDTH)
        code = Image.fromarray(barcode["image"]).convert("RGB").resize((pixels, pixels), Image.Resampling.NEAREST)
        c.image.paste(code, (int(x0 * WIDTH), int(y0 * HEIGHT)))
    number = dashed(who["number"])
    middle = (plate[0] + plate[2]) / 2
    c.text(middle, plate[1] - .042, number, bold, fitted(bold, 26, number, .23)[0], ink, "mm")
    c.text(middle, plate[3] + .035, who["family"] + str(r.randrange(10)), regular, 18, ink, "mm")
    if who["overseas"]:
        c.text(.06 + ox, .10 + oy, "Current Address", regular, 17, style["labelInk"])
        c.text(.06 + ox, .155 + oy, f"House {r.randrange(1, 90)}, Street {r.randrange(1, 30)}", regular, 22, ink)
        c.text(.06 + ox, .205 + oy, r.choice(CITIES) + (", " + who["country"] if not wide else ""), regular, 22, ink)
        c.text(.06 + ox, .30 + oy, "Permanent Address", regular, 17, style["labelInk"])
        c.urdu(.45 + ox, .37 + oy, address(r), urdu, 21, ink)
        for k, text in enumerate(machine_zone(r, who)):
            c.text(.045, .70 + k * .085, text, "FreeMonoBold.ttf" if style["monoBold"] else "FreeMono.ttf",
                   fitted("FreeMonoBold.ttf", 54, text, .91)[0], (10, 10, 10, 255))
        c.urdu(.70, .525 + oy, URDU_NOTICE, urdu, 18, ink)
    else:
        edge = .47 if wide else .72
        c.urdu(edge + ox, .10 + oy, "موجودہ پتہ", urdu, 20, style["labelInk"])
        c.urdu(edge + ox, .19 + oy, address(r), urdu, 23, ink)
        c.urdu(edge + ox, .33 + oy, "مستقل پتہ", urdu, 20, style["labelInk"])
        c.urdu(edge + ox, .42 + oy, address(r), urdu, 23, ink)
        c.urdu(.90, .70, URDU_NOTICE, urdu, 27, ink)
        c.urdu(.86, .83, "نادرا ہیڈ کوارٹرز شاہراہ جمہوریت", urdu, 22, ink)
        scribble(c, r, .07, .70, .22, .80)
        c.text(.145, .86, "Registrar General", regular, 15, style["labelInk"], "mm")
    return c.image, {}


def check_digit(text):
    value = lambda ch: 0 if ch == "<" else int(ch) if ch.isdigit() else ord(ch) - 55
    return str(sum(value(ch) * (7, 3, 1)[k % 3] for k, ch in enumerate(text)) % 10)


def machine_zone(r, who):
    """TD1 by ICAO 9303: three lines of thirty."""
    document = "".join(r.choice("ABCDEFGHKLMNPRSTUVWXYZ0123456789") for _ in range(9))
    first = f"I<PAK{document}{check_digit(document)}{who['number']}<<"
    birth, expiry = who["birth"].strftime("%y%m%d"), who["expiry"].strftime("%y%m%d") if who["expiry"] else "<<<<<<"
    sex = who["gender"] if who["gender"] in "MF" else "<"
    second = f"{birth}{check_digit(birth)}{sex}{expiry}{check_digit(expiry)}PAK<<<<<<<<<<<"
    second += check_digit(first[5:30] + second[0:7] + second[8:15] + second[18:29])
    words = who["name"].upper().replace("-", " ").replace("'", "").split(" ")
    third = (words[-1] + "<<" + "<".join(words[:-1]) + "<" * 30)[:30]
    return [first, second, third]


def old_front(r, who, style):
    """Urdu alone; portrait on the left, number centred below it, thumbprint and signature low."""
    c = Canvas(paper(r, *style["papers"], style["guilloche"]))
    urdu, ink, bold = style["urdu"], style["ink"], style["bold"]
    ox, oy = style["ox"], style["oy"]
    c.urdu(.62 + ox, .085 + oy, "قومی شناختی کارڈ", urdu, 33, (20, 70, 50, 255), "mm")
    if r.random() < .6:
        emblem(c, r, .80 + ox, .04 + oy, .92 + ox, .24 + oy, (40, 90, 70, 230))
    portrait(c, r, who, .02 + ox / 2 + .005, .06 + oy, .20 + ox / 2 + .02, .44 + oy, bold)
    rows = [("نام", who["urduName"]), ("والد کا نام", who["urduFatherName"]), ("جنس", {"M": "مرد", "F": "عورت"}.get(who["gender"], "خواجہ سرا")),
            ("شناختی علامت", r.choice(["ماتھے پر تل", "کوئی نہیں", "ہاتھ پر نشان"])), ("تاریخ پیدائش", None)]
    y = .22 + oy
    for label, value in rows:
        c.urdu(.93 + ox, y, label + ":", urdu, 20, style["labelInk"])
        if value is None:
            c.text(.62 + ox, y, slashes(who["birth"]), bold, 26, ink, "mm")
        else:
            c.urdu(.74 + ox, y, value, urdu, 26, ink)
        y += .098
    c.text(.5 + ox, .735 + oy, dashed(who["number"]), bold, r.uniform(34, 42), ink, "mm")
    thumb(c, r, .08, .78, .19, .965)
    scribble(c, r, .70, .84, .90, .93)
    c.urdu(.86, .96, "دستخط", urdu, 16, style["labelInk"])
    return c.image, {}


def thumb(c, r, x0, y0, x1, y1):
    cx, cy = (x0 + x1) / 2 * WIDTH, (y0 + y1) / 2 * HEIGHT
    for k in range(3, 16):
        f, t = k / 16, np.linspace(0, 2 * math.pi, 90)
        rx, ry = (x1 - x0) / 2 * WIDTH * f, (y1 - y0) / 2 * HEIGHT * f
        wob = 1 + .05 * np.sin(3 * t + k * .7)
        pts = list(zip(cx + rx * np.cos(t) * wob, cy + ry * np.sin(t) * wob))
        start = r.randrange(60)
        c.draw.line(pts[start:] + pts[:max(0, start - r.randrange(2, 14))], fill=(60, 55, 70, 200), width=5)


def old_back(r, who, style):
    c = Canvas(paper(r, *style["papers"], style["guilloche"] * .8))
    urdu, ink, bold, soft = style["urdu"], style["ink"], style["bold"], style["labelInk"]
    oy = style["oy"]
    c.text(.30, .08 + oy, dashed(who["number"]), bold, 28, ink, "mm")
    c.urdu(.95, .085 + oy, "شناختی نمبر:", urdu, 19, soft)
    c.text(.66, .08 + oy, who["family"], bold, 24, ink, "mm")
    c.urdu(.95, .20 + oy, "موجودہ پتہ: " + who["urduAddress"], urdu, 22, ink)
    c.urdu(.95, .32 + oy, "مستقل پتہ: " + address(r), urdu, 22, ink)
    c.urdu(.95, .45 + oy, "تاریخ اجراء:", urdu, 18, soft)
    c.text(.72, .445 + oy, slashes(who["issue"]), bold, 24, ink, "mm")
    c.urdu(.55, .45 + oy, "تاریخ تنسیخ:", urdu, 18, soft)
    if who["lifetime"]:
        c.urdu(.35, .45 + oy, "تاحیات", urdu, 26, ink)
    else:
        c.text(.28, .445 + oy, slashes(who["expiry"]), bold, 24, ink, "mm")
    c.urdu(.90, .575 + oy, URDU_NOTICE, urdu, 22, ink)
    image = who["barcode"]["image"]
    rows = image.shape[0] // 3
    wide = min(.93, r.uniform(2.75, 3.5) * image.shape[1] / 1012)
    high = max(.10, min(.25, rows * wide * 1012 / image.shape[1] * r.uniform(3, 4) / 638))
    x0, y1 = (1 - wide) / 2 + r.uniform(-.01, .01), .965
    c.box(x0 - .015, y1 - high - .02, x0 + wide + .015, y1 + .02, radius=0, fill=(252, 252, 250, 255))
    code = Image.fromarray(image).convert("RGB").resize((int(wide * WIDTH), int(high * HEIGHT)), Image.Resampling.NEAREST)
    c.image.paste(code, (int(x0 * WIDTH), int((y1 - high) * HEIGHT)))
    return c.image, {}


def printing(r, who):
    """What one printing of the cards decides; drawn anew for every card."""
    regular, bold = r.choice(fonts_here(FONT_PAIRS))
    if who["old"]:
        papers = r.choice([((226, 238, 226), (236, 226, 220)), ((222, 236, 232), (240, 238, 222)), ((232, 240, 228), (214, 232, 218))])
    else:
        papers = r.choice([((222, 240, 222), (240, 246, 226)), ((208, 234, 214), (236, 240, 232)), ((230, 242, 232), (204, 228, 216)),
                           ((238, 244, 230), (214, 236, 226))])
    dark = r.randint(10, 50)
    chipless = not who["old"] and r.random() < .10
    return dict(
        regular=regular, bold=bold, urdu=r.choice([u for u in URDU_FONTS if font_path(u)]), papers=papers,
        guilloche=r.uniform(.5, 1.15), ink=(dark, dark + r.randint(0, 8), dark + r.randint(0, 6), 255),
        labelInk=(r.randint(20, 90),) * 3 + (255,), sx=r.uniform(.988, 1.012), sy=r.uniform(.985, 1.015), ox=r.uniform(-.012, .012),
        oy=r.uniform(-.012, .012), whiteFlag=r.random() < .9, chipless=chipless, boldLabels=r.random() < .45,
        label=r.uniform(15.5, 19), value=r.uniform(25, 30), boldValues=r.random() < .7, drop=r.uniform(.043, .05),
        urduBeside=r.random() < .3, urduSize=r.uniform(20, 27), rules=r.random() < .55, nameRule=r.random() < .6,
        ruleInk=(r.randint(30, 110),) * 3 + (255,), ruleWidth=r.uniform(1, 2.2), hologram=r.random() < .3, monoBold=r.random() < .5)
