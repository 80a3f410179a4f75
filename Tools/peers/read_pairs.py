#!/usr/bin/env python3
"""A peer: reads the pairs of a manifest with another engine, one thread, and writes result lines as `cnicscan` words them.

    read_pairs.py --engine tesseract|rapidocr --manifest FILE --output FILE"""

import argparse
import csv
import json
import os

os.environ.update(OMP_THREAD_LIMIT="1", OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")

import cv2  # noqa: E402
import zxingcpp  # noqa: E402

import parse  # noqa: E402

cv2.setNumThreads(1)
LONG_SIDE = 1600


def resized(image):
    scale = LONG_SIDE / max(image.shape[:2])
    if scale >= 1:
        return cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC) if scale > 1.3 else image
    return cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)


class Tesseract:
    def __init__(self):
        import pytesseract
        self.api = pytesseract

    def front(self, image):
        data = self.api.image_to_data(resized(image), config="--psm 11 --oem 1", output_type=self.api.Output.DICT)
        words = [(data["text"][k], data["left"][k], data["top"][k], data["left"][k] + data["width"][k], data["top"][k] + data["height"][k],
                  (data["block_num"][k], data["par_num"][k], data["line_num"][k]))
                 for k in range(len(data["text"])) if data["text"][k].strip() and float(data["conf"][k]) > 20]
        boxes, last = [], None
        for text, x0, y0, x1, y1, line in words:
            if boxes and last == line and x0 - boxes[-1][3] < 1.1 * (y1 - y0):
                a = boxes[-1]
                boxes[-1] = (a[0] + " " + text, a[1], min(a[2], y0), x1, max(a[4], y1))
            else:
                boxes.append((text, x0, y0, x1, y1))
            last = line
        return parse.read_front(boxes)[0]


class Rapid:
    def __init__(self):
        from rapidocr import RapidOCR
        self.engine = RapidOCR(params={"EngineConfig.onnxruntime.intra_op_num_threads": 1, "EngineConfig.onnxruntime.inter_op_num_threads": 1,
                                       "Global.log_level": "error"})

    def front(self, image):
        output = self.engine(image)
        if output is None or output.boxes is None:
            return {}
        h, w = image.shape[:2]
        best, most = {}, -99
        for turn in range(4):  # which way up the page is shows by which way the boxes parse
            boxes = []
            for quad, text in zip(output.boxes, output.txts):
                points = [turned(float(x), float(y), w, h, turn) for x, y in quad]
                xs, ys = [p[0] for p in points], [p[1] for p in points]
                boxes.append((text, min(xs), min(ys), max(xs), max(ys)))
            boxes.sort(key=lambda b: (b[2], b[1]))
            fields, upright = parse.read_front(boxes)
            if upright > most:
                best, most = fields, upright
        return best


def turned(x, y, w, h, quarter):
    return [(x, y), (y, w - x), (w - x, h - y), (h - y, x)][quarter]


def back(image):
    for code in zxingcpp.read_barcodes(image):
        kind = {"QR Code": "QRCode", "Code 128": "Code128"}.get(str(code.format), str(code.format).replace(" ", "").split(".")[-1])
        number = parse.number_of(kind, bytes(code.bytes))
        if number:
            return number, "old" if kind == "PDF417" else "new"
    return None, None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", choices=["tesseract", "rapidocr"], required=True)
    parser.add_argument("--manifest", required=True)
    parser.add_argument("--output", required=True)
    arguments = parser.parse_args()
    engine = Tesseract() if arguments.engine == "tesseract" else Rapid()
    folder = os.path.dirname(os.path.abspath(arguments.manifest))
    with open(arguments.manifest) as rows, open(arguments.output, "w") as out:
        for row in csv.DictReader(rows):
            number, kind = back(cv2.imread(os.path.join(folder, row["back"])))
            fields = {} if kind == "old" else engine.front(cv2.imread(os.path.join(folder, row["front"])))
            kind = kind or ("new" if fields else "old")
            expected = "".join(c for c in row["identityNumber"] if c.isdigit())
            payload = dict(documentType=kind, extractedData=fields)
            if number:
                payload.update(identityNumber=parse.dashed(number), distance=int(number != expected))
            outcome = "rescanBack" if not number else "mismatched" if payload["distance"] else "matched"
            out.write(json.dumps(dict(id=row["id"], payload=payload, outcome=outcome, reasons=[], batch={})) + "\n")


if __name__ == "__main__":
    main()
