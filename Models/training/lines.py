#!/usr/bin/env python3
"""Draws lines as the field cutter gives them, spoilt as scanners and telephones spoil them, and writes training files.

    lines.py PREFIX COUNT SEED

Each PREFIX_SEED_NNNN.lstmf holds 500 lines with their text in Tesseract's own training format, written here directly. The
same seed, fonts and library versions give the same lines. Names are partly made of random syllables and letters, so that
the network learns letters and not a list; there are many fonts, so that it does not learn one."""

import glob

import math
import os
import random
import struct
import sys

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

cv2.setNumThreads(1)

# Leaves one kind of damage out, to measure what it is worth: clean, noguil, nourdu, noglare or nomotion.
ABL = os.environ.get("ABL", "")
G = lambda p: [f for q in p.split() for f in sorted(glob.glob("/usr/share/fonts/**/" + q, recursive=True))]
BOLD = G(
    "LiberationSans-Bold.ttf DejaVuSans-Bold.ttf DejaVuSansCondensed-Bold.ttf NotoSans-Bold.ttf NotoSans-SemiBold.ttf NotoSans-CondensedBold.ttf NotoSans-SemiCondensedBold.ttf OpenSans-Bold.ttf OpenSans-Semibold.ttf Roboto-Bold.ttf Roboto-Medium.ttf Lato-Bold.ttf Lato-Heavy.ttf Arimo-Bold.ttf FreeSansBold.ttf NimbusSans-Bold.otf NimbusSansNarrow-Bold.otf Carlito-Bold.ttf Andika-Bold.ttf Cantarell-Bold.otf Manrope-Bold.ttf Manrope-SemiBold.ttf Karla-Bold.otf Quicksand-Bold.ttf NotoSansDisplay-Bold.ttf NotoSansDisplay-SemiCondensedBold.ttf Cabin-Bold.otf Cabin-SemiBold.otf OpenSans-CondBold.ttf PTN77F.ttf"
)
REG = G(
    "LiberationSans-Regular.ttf DejaVuSans.ttf DejaVuSansCondensed.ttf NotoSans-Regular.ttf NotoSans-Medium.ttf OpenSans-Regular.ttf Roboto-Regular.ttf Lato-Regular.ttf LiberationSansNarrow-Bold.ttf LiberationSansNarrow-Regular.ttf Arimo-Regular.ttf FreeSans.ttf NimbusSans-Regular.otf NimbusSansNarrow-Regular.otf Carlito-Regular.ttf Andika-Regular.ttf Cantarell-Regular.otf Manrope-Medium.ttf Karla-Medium.otf Quicksand-Medium.ttf NotoSansDisplay-Medium.ttf Cabin-Medium.otf Cabin-Regular.otf PTN57F.ttf NotoSans-SemiCondensedMedium.ttf"
)
UR = G("NotoNastaliqUrdu-*.ttf NotoNaskhArabic-*.ttf NafeesWeb.ttf Amiri-Bold.ttf NotoKufiArabic-Regular.ttf")
BOLD += [f for f in BOLD if "Liberation" in f] * 2
_c = {}


def font(p, px):
    k = (p, px)
    if k not in _c:
        _c[k] = ImageFont.truetype(p, px)
    return _c[k]


GIV = """Muhammad Mohammad Abdul Abdullah Ahmad Akbar Akhtar Akram Aleem Altaf Amina Amir Amjad Anila Anwar Aqsa Arif Aslam Asma Atif Ayesha Ayub Aziz Azra Basit Bashir Bushra Danish Dilawar Ehsan Erum Fahad Faheem Faiza Farah Farooq Fatima Fauzia Fayyaz Ghazala Ghulam Gulzar Habib Hafeez Hakeem Haleema Hameed Haris Haseeb Hina Humaira Iftikhar Ijaz Ilyas Imtiaz Inayat Iqbal Iqra Ishaq Ismail Jameel Jamila Junaid Kaleem Karim Khadija Khurram Kiran Kulsoom Laiba Latif Lubna Madiha Maham Majid Mansoor Maqbool Maria Maryam Masood Mehmood Mehwish Mohsin Mubarak Mudassar Mujahid Mumtaz Munir Murad Musarrat Mushtaq Muzaffar Nabeela Naila Najma Nasir Nasreen Nawaz Nazia Nida Nighat Nisar Omar Parveen Qadir Qasim Rabia Rafiq Rahim Ramzan Rana Rauf Razia Rehana Riaz Rubina Rukhsana Saba Sabir Sadia Saeed Safdar Saira Sakina Salma Samina Sana Sarfraz Sarwar Shabbir Shaheen Shakeel Shamim Shams Sharif Shazia Shumaila Sidra Sikandar Sobia Sohail Sultan Sumera Tahir Tahira Talat Tanveer Tasneem Tayyab Ubaid Uzma Wajid Waheed Wali Yaqoob Yasmeen Younis Yousaf Zafar Zahoor Zainab Zakir Zara Zubair""".split()
SUR = """Abbasi Afridi Ansari Arain Awan Baig Baloch Bangash Bhatti Bhutto Bokhari Brohi Butt Chandio Chaudhry Chishti Dar Durrani Farooqi Gilani Gondal Hashmi Janjua Jamali Jatoi Kakar Kayani Khan Khattak Khokhar Khoso Lashari Leghari Lodhi Magsi Malik Marri Mehsud Memon Mengal Minhas Mirza Mughal Naqvi Niazi Orakzai Paracha Qazi Qureshi Raja Rajput Rathore Rind Rizvi Sethi Shah Shaikh Siddiqui Soomro Sumro Tareen Tiwana Virk Warraich Yousafzai Zaidi Zardari Bibi Begum Khatoon Akhtar Parveen""".split()
TIT = "Syed Syeda Mian Hafiz Sardar Malik Haji Rana Raja Mir Pir Ch".split()
CTY = "Pakistan Saudi_Arabia United_Arab_Emirates United_Kingdom Canada Germany France Italy Spain Norway Sweden Oman Qatar Kuwait Bahrain Malaysia Australia Turkey China Japan South_Korea Greece Netherlands Belgium Ireland United_States_of_America South_Africa Denmark Austria Switzerland New_Zealand Portugal Hong_Kong Singapore Thailand Iraq Iran Libya Kenya Tanzania Yemen Jordan Cyprus Finland".split()
LAB = [
    "Name",
    "Father Name",
    "Husband Name",
    "Gender",
    "Country of Stay",
    "Identity Number",
    "Date of Birth",
    "Date of Issue",
    "Date of Expiry",
    "Signature",
    "Holder",
    "Address",
    "Place",
    "M",
    "F",
]
# Narrow letters and those taken for one another come twice: i, j, l, t, f, r; q, g; a, o, e.
LETTERS = "abcdefghijklmnopqrstuvwxyz" + "ijltfrqgaoe"
UL = "ابپتٹثجچحخدڈذرڑزژسشصضطظعغفقکگلمنوہھءیے"
SY = "ab ah ad ai al am an ar as az ba bi bu cha da di fa fi ga gu ha hi hu id if ik im in ir ja ju ka ki ku kh la li lu ma mi mu na ni no nu oo pa pi qa qu ra ri ru sa si su sh ta ti tu ud ul um us va wa wi ya yu za zi zu gh ee aan een oor".split()


def rname(r):
    s = "".join(r.choice(SY) for _ in range(r.randint(2, 4)))
    return s[:11].capitalize()


def text(r):
    k = r.random()
    d = lambda n: "".join(r.choice("0123456789") for _ in range(n))
    if k < 0.20:
        return "n", d(5) + "-" + d(7) + "-" + d(1)
    if k < 0.44:
        return "d", (
            "%02d.%02d.%d" % (r.randint(1, 31), r.randint(1, 12), r.randint(1930, 2045))
            if r.random() < 0.8
            else d(2) + "." + d(2) + "." + d(4)
        )
    if k < 0.86:
        n = r.choices([1, 2, 3, 4], [10, 45, 35, 10])[0]
        w = []
        for i in range(n):
            q = r.random()
            w.append(
                rname(r)
                if q < 0.36
                else (
                    r.choice(GIV)
                    if (q < 0.7 and i < n - 1) or (n == 1 and q < 0.8)
                    else (
                        r.choice(SUR)
                        if q < 0.84
                        else "".join(
                            r.choice(LETTERS) for _ in range(r.randint(2, 9))
                        ).capitalize()
                    )
                )
            )
        if r.random() < 0.1:
            w.insert(0, r.choice(TIT))
        if r.random() < 0.03:
            w.insert(r.randint(0, len(w) - 1), r.choice(["ur", "ul", "bin", "ud", "Din", "uz"]))
        s = " ".join(w)
        if r.random() < 0.03:
            s = s.replace(" ", "-", 1)
        if r.random() < 0.02 and len(s) > 6:
            s = s[:3] + "'" + s[3:]
        return "a", s[:34].strip() if r.random() < 0.78 else s[:30].strip().upper()
    if k < 0.91:
        return "c", r.choice(CTY).replace("_", " ")
    if k < 0.97:
        return "g", r.choice("MFX")
    return "l", "Lifetime"


def uword(r):
    return " ".join("".join(r.choice(UL) for _ in range(r.randint(2, 7))) for _ in range(r.randint(1, 4)))


def line(r, g):
    S = 2
    kind, t = text(r)
    f = r.choice(BOLD if r.random() < 0.72 else REG)
    px = r.uniform(25, 31)
    U = r.uniform
    fo = font(f, int(px * S))
    tw = fo.getlength(t) / S
    maxw = 478 if kind == "a" else 300
    while tw > maxw:
        px -= 1
        fo = font(f, int(px * S))
        tw = fo.getlength(t) / S
    # crop window in card pixels: text origin (x0, base); window height 34..48
    cap = px * 0.72
    top = U(2, 14) if r.random() < 0.8 else U(-1, 22)
    bot = U(3, 13) if r.random() < 0.85 else U(0, 20)
    left = U(2, 24)
    w = left + tw + U(2, 30)
    if kind != "g" and r.random() < 0.5:
        w = max(w, U(220, 500))
    if kind == "g":
        # The cutter cuts a letter as tightly as a name; a neighbour's rule may leave it wider.
        left = min(left, U(5, 24))
        w = left + tw + U(5, 10) if r.random() < 0.6 else max(w, U(40, 150))
    h = top + cap + px * 0.22 * (1 if r.random() < 0.8 else U(0, 1)) + bot
    h = max(h, cap + 6)
    P = 48
    CW, CH = int(w + 2 * P), int(h + 2 * P)
    bx, by = P + left, P + top + cap
    a0 = np.array([U(205, 250), U(215, 250), U(190, 245)])
    a1 = a0 + np.array([U(-35, 10), U(-20, 8), U(-35, 8)])
    x = np.linspace(0, 1, CW * S)[None, :, None]
    y = np.linspace(0, 1, CH * S)[:, None, None]
    m = np.clip(0.5 + 0.5 * np.sin(U(0.5, 3) * x + U(0.5, 3) * y + U(0, 6)), 0, 1)
    im = (a0 * (1 - m) + a1 * m).clip(0, 255).astype(np.uint8)
    con = U(0.4, 2.3)  # guilloche
    xs = np.arange(0, CW * S + 8, 8)
    for fam in range(0 if ABL == "noguil" else r.randint(0, 5)):
        col = tuple(
            int(max(0, 250 - (250 - v) * con)) for v in (r.randint(180, 225), r.randint(195, 225), r.randint(178, 215))
        )
        amp, per, ph = U(5, 80) * S, U(120, 450) * S, U(0, 6.3)
        sp = U(8, 46)
        for k in range(int((CH + 160) / sp)):
            yy = (k * sp - 80) * S + amp * np.sin(xs / per * 6.283 + ph + k * U(0.15, 0.22)) * (
                0.6 + 0.4 * np.sin(xs / (per * 2.7) + k * 0.1)
            )
            cv2.polylines(
                im, [np.stack([xs, yy], 1).astype(np.int32)], False, col, r.choice([1, 1, 1, 2, 3]), cv2.LINE_AA
            )
    if r.random() < 0.25:  # arcs
        th = np.linspace(0, 6.283, 200)
        cx, cy = U(0, CW) * S, U(-60, CH + 60) * S
        for k in range(r.randint(3, 14)):
            rad = (U(60, 80) + k * U(5, 9)) * S * (1 + 0.16 * np.sin(th * 9 + k * 0.3))
            cv2.polylines(
                im,
                [np.stack([cx + rad * np.cos(th), cy + 0.8 * rad * np.sin(th)], 1).astype(np.int32)],
                True,
                (r.randint(190, 225),) * 3,
                1,
                cv2.LINE_AA,
            )
    pi = Image.fromarray(im)
    d = ImageDraw.Draw(pi)
    ink = tuple(r.randint(8, 60) for _ in range(3))
    lc = tuple(r.randint(20, 110) for _ in range(3))
    if r.random() < 0.7:  # label above
        d.text(
            ((bx + U(-2, 2)) * S, (by - U(29, 36)) * S),
            r.choice(LAB),
            font=font(r.choice(REG), int(U(15, 20) * S)),
            fill=lc,
            anchor="ls",
        )
    if r.random() < 0.45:  # label of the next row
        d.text(
            ((bx + U(-4, 120)) * S, (by + U(48, 56)) * S),
            r.choice(LAB),
            font=font(r.choice(REG), int(U(15, 20) * S)),
            fill=lc,
            anchor="ls",
        )
    if r.random() < 0.40:  # thin rules of the card's grid, close to the text
        rc = tuple(r.randint(25, 140) for _ in range(3))
        rw = r.choice([1, 2, 2, 3])
        if r.random() < 0.7:
            yy = (by + U(9, 22)) * S
            d.line([(0, yy), (CW * S, yy)], fill=rc, width=rw)
        if r.random() < 0.35:
            yy = (by - cap - U(6, 30)) * S
            d.line([(0, yy), (CW * S, yy)], fill=rc, width=rw)
        if r.random() < 0.45:
            xx = (bx - U(5, 16)) * S
            d.line([(xx, 0), (xx, CH * S)], fill=rc, width=rw)
        if r.random() < 0.45:
            xx = (bx + tw + U(5, 30)) * S
            d.line([(xx, 0), (xx, CH * S)], fill=rc, width=rw)
    if r.random() < (
        0 if ABL == "nourdu" else 0.6 if kind == "a" else 0.1
    ):  # Urdu neighbour at the right, above or below, hanging into the window
        uf = font(r.choice(UR), int(U(18, 31) * S))
        below = r.random() < 0.55
        uy = by + (U(28, 42) if below else U(-38, -24))
        ux = P + w + U(-14, 10)
        try:
            d.text(
                (ux * S, uy * S),
                uword(r),
                font=uf,
                fill=lc if r.random() < 0.5 else ink,
                anchor="rs",
                direction="rtl",
                language="ur",
            )
        except Exception:
            d.text((ux * S, uy * S), uword(r), font=uf, fill=ink, anchor="rs")
    d.text((bx * S, by * S), t, font=fo, fill=ink, anchor="ls")
    if kind in "ndgc" and r.random() < 0.12:
        pass
    o = cv2.cvtColor(np.asarray(pi), cv2.COLOR_RGB2GRAY).astype(np.float32)
    if r.random() < 0.1:  # hologram-ish blob
        yy, xx = np.mgrid[: CH * S, : CW * S].astype(np.float32)
        cx, cy = U(0, CW) * S, U(0, CH) * S
        dd = np.sqrt((xx - cx) ** 2 + (yy - cy) ** 2) / (U(40, 90) * S)
        mm = np.clip(1.2 - dd, 0, 1) * 0.3
        o = o * (1 - mm) + mm * (160 + 40 * np.sin(np.arctan2(yy - cy, xx - cx) * 3 + dd * 9))
    # level
    lv = r.random()
    if ABL == "clean":
        lv *= 0.15
    if lv < 0.15:
        cw, bl, no, q, mo = U(0.95, 1.1), U(0.25, 0.5), U(0, 2.5), r.randint(80, 95), 0
    elif lv < 0.33:
        cw, bl, no, q, mo = U(0.8, 1.02), U(0.4, 1.0), U(1, 6), r.randint(55, 90), 0
    elif lv < 0.50:
        cw, bl, no, q, mo = U(0.9, 1.3), U(0.7, 1.7), U(2, 7), r.randint(45, 75), 0
    else:
        cw, bl, no, q, mo = (
            U(0.56, 0.68),
            U(0.4, 0.95),
            U(2, 7),
            r.randint(28, 50),
            (U(0.5, 4.6) if r.random() < 0.92 else 0),
        )
    ww, hh = int(CW * cw), int(CH * cw)
    sm = cv2.resize(o, (max(8, int(ww * 1.02)), max(8, int(hh * 1.02))), interpolation=cv2.INTER_AREA)
    s2 = sm.shape[1] / CW
    s3 = sm.shape[0] / CH
    an = math.radians(U(-6, 6)) if lv > 0.33 else math.radians(U(-2, 2))
    sh = U(-0.05, 0.05) if lv > 0.33 else 0
    st = U(0.94, 1.06) if lv > 0.33 else 1
    A = np.array([[math.cos(an), -math.sin(an) + sh], [math.sin(an), math.cos(an) * st]])
    c = np.array([sm.shape[1] / 2, sm.shape[0] / 2])
    ow, oh = sm.shape[1] + 8, sm.shape[0] + 8 + int(abs(math.sin(an)) * sm.shape[1])
    tr = np.array([ow / 2, oh / 2]) + np.array([U(-1, 1), U(-1, 1)])
    M = np.hstack([A, (tr - A @ c)[:, None]])
    o = cv2.warpAffine(sm, M, (ow, oh), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    yy, xx = np.mgrid[:oh, :ow].astype(np.float32)
    if lv > 0.33:
        k = U(0.0, 0.5)
        o *= U(1 - k, 1)
        gx = U(-0.3, 0.3)
        o *= 1 - gx * (xx / ow - 0.5)
        if r.random() < 0.30 and ABL != "noglare":  # glare; radius relative to a whole card
            R = U(60, 200) * cw
            cx, cy = U(-0.1, 1.1) * ow, U(-0.5, 1.5) * oh
            o += U(50, 165) * np.exp(-0.9 * (((xx - cx) / R) ** 2 + ((yy - cy) / (R * U(0.6, 1.2))) ** 2))
    elif r.random() < 0.2:
        o = (o - 128) * U(1.1, 1.7) + U(120, 152)
    o = cv2.GaussianBlur(o, (0, 0), bl)
    if ABL == "nomotion":
        mo = 0
    if mo:
        n = 9
        kz = np.zeros((n, n), np.float32)
        ang = U(0, 3.14)
        for tt in np.linspace(-mo / 2, mo / 2, 40):
            kz[int(round(4 + tt * math.sin(ang))), int(round(4 + tt * math.cos(ang)))] += 1
        o = cv2.filter2D(o, -1, kz / kz.sum())
    o = np.clip(o + g.normal(0, no * 0.6, o.shape), 0, 255).astype(np.uint8)
    o = cv2.imdecode(cv2.imencode(".jpg", o, [cv2.IMWRITE_JPEG_QUALITY, q])[1], 0)
    # rectify back with a slightly wrong transform, crop the window
    z = U(0.94, 1.10) if r.random() < 0.6 else 1.0
    z *= r.choice([1, 1, 1, 1.25, 1.5])
    e = math.radians(g.normal(0, 0.45))
    # patch pixel -> small pixel -> photo pixel
    L = np.array([[s2, 0], [0, s3]])
    Rr = np.array([[math.cos(e), -math.sin(e)], [math.sin(e), math.cos(e)]])
    F = A @ L @ Rr
    p0 = np.array([P, P]) + 0.0
    cc = np.array([CW / 2, CH / 2])
    off = A @ (L @ cc - c) + tr
    # window pixel u (size w*z,h*z): patch = p0+u/z ; photo = F@(patch-cc)+off
    N = np.hstack([F / z, (F @ (p0 - cc) + off)[:, None]])
    o = cv2.warpAffine(
        o, N, (int(w * z), int(h * z)), flags=cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_REPLICATE
    )
    return t, o


def s_(b):
    return struct.pack("<I", len(b)) + b


def page(i, t, o):
    png = cv2.imencode(".png", o, [cv2.IMWRITE_PNG_COMPRESSION, 2])[1].tobytes()
    T = t.encode()
    return (
        b"\x01"
        + s_(b"l%d" % i)
        + struct.pack("<i", 0)
        + s_(png)
        + s_(b"pk")
        + s_(T)
        + struct.pack("<I", 1)
        + struct.pack("<4h", 0, 0, o.shape[1], o.shape[0])
        + struct.pack("<I", 1)
        + s_(T)
        + b"\0"
    )


if __name__ == "__main__":
    out, n, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    B = 500
    for k in range(0, n, B):
        r = random.Random(seed * 7919 + k)
        g = np.random.default_rng([seed, k])
        m = min(B, n - k)
        buf = bytearray(struct.pack("<I", m))
        for i in range(m):
            buf += page(k + i, *line(r, g))
        open(f"{out}_{seed}_{k//B:04d}.lstmf", "wb").write(buf)
