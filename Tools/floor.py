"""The floor of a pair: what no design avoids. Decoding the two images, the network on the value lines alone (cut by the
truth's boxes), one barcode decode of the unwarped back, and two PNG files. Measured with one thread;
the files by OpenCV, and the benchmark takes its own stage where that is cheaper."""

import ctypes
import ctypes.util
import os
import statistics
import time

import cv2
import numpy as np
import zxingcpp

cv2.setNumThreads(1)
CARD = (1518, 957)


class LineReader:
    """Tesseract's C interface, PSM 13, no dictionaries."""

    def __init__(self, models, language):
        self.api = ctypes.CDLL(ctypes.util.find_library("tesseract"))
        for name, result, arguments in (
                ("TessBaseAPICreate", ctypes.c_void_p, []),
                ("TessBaseAPIInit2", ctypes.c_int, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_int]),
                ("TessBaseAPISetPageSegMode", None, [ctypes.c_void_p, ctypes.c_int]),
                ("TessBaseAPISetImage", None, [ctypes.c_void_p, ctypes.c_char_p] + [ctypes.c_int] * 4),
                ("TessBaseAPIGetUTF8Text", ctypes.c_void_p, [ctypes.c_void_p]), ("TessDeleteText", None, [ctypes.c_void_p])):
            function = getattr(self.api, name)
            function.restype, function.argtypes = result, arguments
        self.handle = self.api.TessBaseAPICreate()
        if self.api.TessBaseAPIInit2(self.handle, models.encode(), language.encode(), 1):
            raise SystemExit(f"no language data {language} in {models}")
        self.api.TessBaseAPISetPageSegMode(self.handle, 13)

    def read(self, line):
        line = np.ascontiguousarray(line)
        self.api.TessBaseAPISetImage(self.handle, line.tobytes(), line.shape[1], line.shape[0], 1, line.shape[1])
        text = self.api.TessBaseAPIGetUTF8Text(self.handle)
        value = ctypes.string_at(text).decode().strip()
        self.api.TessDeleteText(text)
        return value


def unwarped(image, corners):
    source = np.float32(corners)
    target = np.float32([[0, 0], [CARD[0], 0], [CARD[0], CARD[1]], [0, CARD[1]]])
    return cv2.warpPerspective(image, cv2.getPerspectiveTransform(source, target), CARD)


def side_truth(truth, side):
    """(file, corners in pixels, value boxes as lists) of either generator's truth."""
    if side in truth:
        return truth[side]["file"], truth[side]["corners"], truth[side].get("valueBoxes") or {}
    image = truth["images"][side]
    w, h = image["size"]
    boxes = {k: [b["x"], b["y"], b["width"], b["height"]] for k, b in truth.get("boxes", {}).items()} if side == "front" else {}
    return image["file"], [[x * w, y * h] for x, y in image["corners"]], boxes


def line_images(card, boxes):
    grey = cv2.cvtColor(card, cv2.COLOR_BGR2GRAY)
    for x, y, w, h in boxes.values():
        x0, y0, x1, y1 = int(x * CARD[0]) - 4, int(y * CARD[1]) - 4, int((x + w) * CARD[0]) + 4, int((y + h) * CARD[1]) + 4
        part = grey[max(0, y0):y1, max(0, x0):x1]
        if part.size:
            lines = 2 if h > .07 else 1
            for k in range(lines):
                one = part[k * part.shape[0] // lines:(k + 1) * part.shape[0] // lines]
                yield cv2.resize(one, (max(8, round(one.shape[1] * 44 / one.shape[0])), 44), interpolation=cv2.INTER_AREA)


def measure(folder, truths, models, language):
    """-> {part: median milliseconds of CPU a pair}, mean over pairs that have the part."""
    reader, spent = LineReader(models, language), dict(decodeImages=[], network=[], barcode=[], savePNG=[])
    clock = time.process_time
    for truth in truths:
        files = {side: side_truth(truth, side) for side in ("front", "back")}
        start = clock()
        images = {side: cv2.imread(os.path.join(folder, file)) for side, (file, _, _) in files.items()}
        spent["decodeImages"].append(clock() - start)
        cards = {side: unwarped(images[side], corners) for side, (_, corners, _) in files.items()}
        lines = list(line_images(cards["front"], files["front"][2]))
        start = clock()
        for line in lines:
            reader.read(line)
        spent["network"].append(clock() - start)
        start = clock()
        zxingcpp.read_barcodes(cards["back"], try_rotate=False, try_downscale=False, try_invert=False)
        spent["barcode"].append(clock() - start)
        small = [cv2.resize(cards[side], (1012, 638), interpolation=cv2.INTER_AREA) for side in ("front", "back")]
        start = clock()
        for card in small:
            cv2.imencode(".png", card, [cv2.IMWRITE_PNG_COMPRESSION, 1])
        spent["savePNG"].append(clock() - start)
    parts = {part: round(1000 * statistics.fmean(values), 2) for part, values in spent.items()}
    parts["total"] = round(sum(parts.values()), 2)
    return parts
