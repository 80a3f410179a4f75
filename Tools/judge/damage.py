"""From a drawn face to the image a scanner or a telephone would have made of it, at one of four levels.

Every function takes and gives BGR arrays; corners are pixels, clockwise from the card's own top left corner."""

import math

import cv2
import numpy as np

LEVELS = ("clean", "scan", "photo", "hard")


def rounded(card):
    """The card with an alpha channel whose corners are rounded (3.18 mm on an ID-1 card)."""
    h, w = card.shape[:2]
    mask, rad = np.zeros((h, w), np.uint8), round(w * 3.18 / 85.6)
    cv2.rectangle(mask, (rad, 0), (w - rad - 1, h - 1), 255, -1)
    cv2.rectangle(mask, (0, rad), (w - 1, h - rad - 1), 255, -1)
    for x in (rad, w - rad - 1):
        for y in (rad, h - rad - 1):
            cv2.circle(mask, (x, y), rad, 255, -1, cv2.LINE_AA)
    return np.dstack([card, mask])


def place(ground, card, corners):
    """Warps the card onto the ground so that its corners come to lie at `corners`."""
    h, w = card.shape[:2]
    target = np.float32(corners)
    span = max(np.ptp(target[:, 0]), np.ptp(target[:, 1]))
    shrink = span / w
    if shrink < .6:  # the warp samples points: shrink with areas first, so that text does not alias
        f = max(shrink * 1.15, .1)
        card = cv2.resize(card, None, fx=f, fy=f, interpolation=cv2.INTER_AREA)
        h, w = card.shape[:2]
    source = np.float32([[0, 0], [w, 0], [w, h], [0, h]]) - .5
    layer = cv2.warpPerspective(card, cv2.getPerspectiveTransform(source, target), (ground.shape[1], ground.shape[0]), flags=cv2.INTER_LINEAR,
                                borderMode=cv2.BORDER_CONSTANT, borderValue=(0, 0, 0, 0))
    alpha = layer[..., 3:].astype(np.float32) / 255
    edge = cv2.warpPerspective(np.full((h, w), 255, np.uint8), cv2.getPerspectiveTransform(source, target),
                               (ground.shape[1], ground.shape[0]))
    alpha = np.minimum(alpha, edge[..., None].astype(np.float32) / 255)
    return (ground * (1 - alpha) + layer[..., :3] * alpha).astype(np.uint8)


def shade(ground, corners, r, strength):
    """A soft shadow beside the card, as its thickness throws."""
    mask = np.zeros(ground.shape[:2], np.uint8)
    shift = np.array([r.uniform(-1, 1), r.uniform(.2, 1)]) * np.ptp(np.float32(corners)[:, 0]) * .012
    cv2.fillConvexPoly(mask, (np.float32(corners) + shift).astype(np.int32), 255)
    k = max(3, int(np.ptp(np.float32(corners)[:, 0]) * .012)) | 1
    mask = cv2.GaussianBlur(mask, (k, k), 0).astype(np.float32)[..., None] / 255 * strength
    return (ground * (1 - mask)).astype(np.uint8)


def desk(r, n, width, height):
    """A table: plain, wood, cloth, tiles, marble or paper with writing."""
    kind = r.choice(["plain", "wood", "cloth", "tiles", "marble", "papers", "speckle"])
    base = np.array(r.choice([(60, 75, 95), (120, 140, 160), (40, 40, 45), (200, 205, 210), (90, 60, 40), (70, 110, 150), (150, 120, 90),
                              (180, 190, 170), (30, 60, 110)]), np.float32)
    sw, sh = width // 2, height // 2
    ys, xs = np.mgrid[0:sh, 0:sw].astype(np.float32)
    field = np.zeros((sh, sw), np.float32)

    def cloud(scale):
        small = n.normal(0, 1, (max(2, int(sh / scale)), max(2, int(sw / scale)))).astype(np.float32)
        return cv2.resize(small, (sw, sh), interpolation=cv2.INTER_CUBIC)

    if kind == "wood":
        a = r.uniform(0, 3.14)
        u = xs * math.cos(a) + ys * math.sin(a)
        field = 14 * np.sin(u / r.uniform(6, 22) + 3 * cloud(180)) + 8 * cloud(4) + 10 * cloud(60)
    elif kind == "cloth":
        p = r.uniform(1.6, 4)
        field = 9 * np.sin(xs / p) * np.sin(ys / p) + 10 * cloud(100) + 5 * cloud(3)
    elif kind == "tiles":
        s = r.randint(90, 260)
        field = 25.0 * (((xs // s) + (ys // s)) % 2) - 50.0 * ((xs % s < 3) | (ys % s < 3)) + 6 * cloud(20)
    elif kind == "marble":
        field = 30 * np.abs(np.sin(xs / 120 + 2 * cloud(140) + cloud(40))) + 5 * cloud(6)
    elif kind == "speckle":
        field = 16 * cloud(2) + 12 * cloud(9)
    else:
        field = 8 * cloud(200) + 3 * cloud(2)
    image = (base + field[..., None]).clip(0, 255).astype(np.uint8)
    image = cv2.resize(image, (width, height), interpolation=cv2.INTER_LINEAR)
    if kind == "papers":
        for _ in range(r.randint(1, 3)):
            cx, cy, a = r.uniform(0, width), r.uniform(0, height), r.uniform(0, 180)
            box = cv2.boxPoints(((cx, cy), (width * r.uniform(.4, .9), height * r.uniform(.4, .9)), a)).astype(np.int32)
            cv2.fillConvexPoly(image, box, (r.randint(215, 245),) * 3)
            for k in range(r.randint(5, 14)):
                p, q = box[0] + (box[1] - box[0]) * (k + 1) / 16, box[3] + (box[2] - box[3]) * (k + 1) / 16
                cv2.line(image, tuple((p + (q - p) * .1).astype(int)), tuple((p + (q - p) * r.uniform(.5, .9)).astype(int)), (120, 120, 120), 2)
    return image


def light(image, r, depth):
    """Uneven light: a slope and a soft spot."""
    h, w = image.shape[:2]
    ys, xs = np.mgrid[0:h:8, 0:w:8].astype(np.float32)
    a = r.uniform(0, 6.3)
    slope = (xs / w - .5) * math.cos(a) + (ys / h - .5) * math.sin(a)
    cx, cy = r.uniform(0, w), r.uniform(0, h)
    spot = np.exp(-((xs - cx) ** 2 + (ys - cy) ** 2) / (2 * (r.uniform(.3, .8) * w) ** 2))
    gain = 1 + depth * (slope + .7 * (spot - .5))
    gain = cv2.resize(gain.astype(np.float32), (w, h))[..., None]
    warm = np.array([1 + r.uniform(-.06, .06), 1, 1 + r.uniform(-.06, .06)], np.float32)
    return (image * gain * warm * r.uniform(.88, 1.05)).clip(0, 255).astype(np.uint8)


def glare(image, corners, r):
    """One to three reflections on the card: white in the middle, nothing at the rim."""
    h, w = image.shape[:2]
    p = np.float32(corners)
    span = np.linalg.norm(p[1] - p[0])
    add = np.zeros((h, w), np.float32)
    ys, xs = np.mgrid[0:h, 0:w].astype(np.float32)
    for _ in range(r.randint(1, 3)):
        u, v, a = r.random(), r.random(), r.uniform(0, 3.14)
        cx, cy = (p[0] * (1 - u) + p[1] * u) * (1 - v) + (p[3] * (1 - u) + p[2] * u) * v
        du, dv = (xs - cx) * math.cos(a) + (ys - cy) * math.sin(a), (ys - cy) * math.cos(a) - (xs - cx) * math.sin(a)
        s = span * r.uniform(.05, .12)
        add += r.uniform(50, 150) * np.exp(-(du / s) ** 2 - (dv / (s * r.uniform(.35, 1))) ** 2)
    return (image + add[..., None]).clip(0, 255).astype(np.uint8)


def motion(image, r, length):
    """A straight shake of `length` pixels."""
    k = max(3, int(math.ceil(length)) | 1)
    kernel, a = np.zeros((k, k), np.float32), r.uniform(0, math.pi)
    c = k // 2
    steps = np.linspace(-length / 2, length / 2, 8 * k)
    for s in steps:
        x, y = c + s * math.cos(a), c + s * math.sin(a)
        x0, y0 = int(math.floor(x)), int(math.floor(y))
        for dx in (0, 1):
            for dy in (0, 1):
                if 0 <= x0 + dx < k and 0 <= y0 + dy < k:
                    kernel[y0 + dy, x0 + dx] += (1 - abs(x - x0 - dx)) * (1 - abs(y - y0 - dy))
    return cv2.filter2D(image, -1, kernel / kernel.sum())


def noise(image, n, sigma):
    return (image + n.normal(0, sigma, image.shape).astype(np.float32)).clip(0, 255).astype(np.uint8)


def turn(image, corners, degrees):
    """The image turned clockwise; the corners follow the card."""
    h, w = image.shape[:2]
    for _ in range(degrees // 90):
        image = cv2.rotate(image, cv2.ROTATE_90_CLOCKWISE)
        corners = [[h - y, x] for x, y in corners]
        h, w = w, h
    return image, corners


def wear(card, r, n, amount):
    """Scratches and rubbed spots of a card that lived in a wallet."""
    h, w = card.shape[:2]
    layer = np.zeros((h, w), np.uint8)
    for _ in range(int(amount * 14)):
        x, y, a, l = r.uniform(0, w), r.uniform(0, h), r.uniform(0, 6.3), r.uniform(.03, .4) * w
        cv2.line(layer, (int(x), int(y)), (int(x + l * math.cos(a)), int(y + l * math.sin(a))), r.randint(20, 90), 1, cv2.LINE_AA)
    return cv2.add(card, layer[..., None].repeat(3, 2))


def quad(r, cx, cy, card_width, angle, keystone):
    """Corners of a card seen a little from the side."""
    high = card_width * 53.98 / 85.6
    pts = np.float32([[-.5, -.5], [.5, -.5], [.5, .5], [-.5, .5]]) * [card_width, high]
    tilt_x, tilt_y = r.uniform(-keystone, keystone), r.uniform(-keystone, keystone)
    depth = 1 + tilt_x * pts[:, :1] / card_width * 2 + tilt_y * pts[:, 1:] / high * 2
    pts = pts / depth
    a = math.radians(angle)
    return (pts @ np.float32([[math.cos(a), math.sin(a)], [-math.sin(a), math.cos(a)]]) + [cx, cy]).tolist()


def jpeg(image, quality):
    return cv2.imdecode(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])[1], cv2.IMREAD_COLOR)


def damage(card, level, r, n, extra=None):
    """-> (image, corners, degrees turned clockwise, file extension, JPEG quality)"""
    if level == "clean":
        margin = r.choice([0, 0, 0, r.randint(4, 60)])
        width = r.choice([1012, 1012, 1012, 1100, 1280, 1518])
        high = round(width * 53.98 / 85.6)
        ground = np.full((high + 2 * margin, width + 2 * margin, 3), r.choice([255, 255, 250, 235]), np.uint8)
        corners = [[margin, margin], [margin + width, margin], [margin + width, margin + high], [margin, margin + high]]
        if margin == 0 and r.random() < .6:
            image = cv2.resize(card, (width, high), interpolation=cv2.INTER_AREA)
        else:
            image = place(ground, rounded(card), corners)
        return image, corners, 0, *r.choice([(".png", 0), (".jpg", 95), (".jpg", 92), (".jpg", 90)])
    if level == "scan":
        card = wear(card, r, n, r.uniform(0, .6))
        width = r.choice([1012, 1012, 1012, r.randint(840, 1260), 1518])
        w, h = int(width * r.uniform(1.08, 1.6)), int(width * .63 * r.uniform(1.12, 1.9))
        ground = np.full((h, w, 3), 255, np.uint8) if r.random() < .6 else np.full((h, w, 3), r.randint(200, 250), np.uint8)
        if r.random() < .15:
            ground[:] = r.randint(10, 60)
        corners = quad(r, w / 2 + r.uniform(-.01, .01) * w, h / 2 + r.uniform(-.01, .01) * h, width, r.uniform(-3, 3), 0)
        image = place(shade(ground, corners, r, r.uniform(.05, .35)), rounded(card), corners)
        image = cv2.GaussianBlur(image, (0, 0), r.uniform(.3, .8) * width / 1012)
        image = noise(image, n, r.uniform(1, 4))
        if r.random() < .15:
            image = cv2.cvtColor(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
        gain, lift = r.uniform(.9, 1.15), r.uniform(-15, 12)
        image = (image * gain + lift).clip(0, 255).astype(np.uint8)
        degrees = r.choice([90, 180, 270]) if r.random() < .12 else 0
        image, corners = turn(image, corners, degrees)
        return image, corners, degrees, *r.choice([(".jpg", 85), (".jpg", 80), (".jpg", 75), (".png", 0), (".tif", 0)])
    if level == "photo":
        card = wear(card, r, n, r.uniform(0, 1))
        width = r.uniform(950, 1500)
        w, h = int(width * r.uniform(1.2, 1.75)), int(width * r.uniform(.85, 1.35))
        corners = quad(r, w / 2 + r.uniform(-.03, .03) * w, h / 2 + r.uniform(-.03, .03) * h, width, r.uniform(-9, 9), .09)
        image = place(shade(desk(r, n, w, h), corners, r, r.uniform(.2, .7)), rounded(card), corners)
        image = light(image, r, r.uniform(.15, .5))
        image = cv2.GaussianBlur(image, (0, 0), r.uniform(.6, 1.5) * width / 1200)
        image = noise(image, n, r.uniform(2, 6))
        degrees = r.choice([90, 180, 270]) if r.random() < .15 else 0
        image, corners = turn(image, corners, degrees)
        return image, corners, degrees, ".jpg", 60
    card = wear(card, r, n, r.uniform(0, 1.5))
    width = r.uniform(570, 660)
    w, h = int(width * r.uniform(1.15, 1.7)), int(width * r.uniform(.8, 1.25))
    corners = quad(r, w / 2 + r.uniform(-.03, .03) * w, h / 2 + r.uniform(-.03, .03) * h, width, r.uniform(-8, 8), .08)
    image = place(shade(desk(r, n, w, h), corners, r, r.uniform(.2, .7)), rounded(card), corners)
    image = light(image, r, r.uniform(.2, .6))
    if r.random() < .7:
        image = glare(image, corners, r)
    image = motion(image, r, r.uniform(.6, 2.6))
    image = cv2.GaussianBlur(image, (0, 0), r.uniform(.4, .8))
    image = noise(image, n, r.uniform(2, 6))
    degrees = r.choice([0, 90, 180, 270])
    image, corners = turn(image, corners, degrees)
    return image, corners, degrees, ".jpg", 35
