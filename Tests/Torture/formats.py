#!/usr/bin/env python3
"""The same card in every form that scanners, phones and office programs give: each must read like the original.

usage: formats.py CNICSCAN FIXTURES     (needs Pillow and pillow-heif: Support/requirements-test.txt)

`same` forms hold the very pixels, so that every value must be the same. `near` forms lose something (chroma, colours): the number
and the comparison must be the same and no value may differ, though one may be missing. `number` forms must give the back's number, and
`safe` forms lose much, or nobody scans to them: in none may a value be wrong.
"""
import argparse
import csv
import io
import json
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import zlib

import pillow_heif
from PIL import Image, ImageCms

pillow_heif.register_heif_opener()
INVERSE = {2: Image.Transpose.FLIP_LEFT_RIGHT, 3: Image.Transpose.ROTATE_180, 4: Image.Transpose.FLIP_TOP_BOTTOM,
           5: Image.Transpose.TRANSPOSE, 6: Image.Transpose.ROTATE_90, 7: Image.Transpose.TRANSVERSE, 8: Image.Transpose.ROTATE_270}


def saved(image, kind, **options):
    out = io.BytesIO()
    image.copy().save(out, kind, **options)  # Pillow leaves settings of one writer on the image
    return out.getvalue()


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def sixteen(image):
    """A PNG of 16 bits a channel, which Pillow reads but does not write: every sample twice."""
    samples, width = image.tobytes(), image.width * 3
    rows = b"".join(b"\0" + bytes(value for sample in samples[y * width:(y + 1) * width] for value in (sample, sample))
                    for y in range(image.height))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", image.width, image.height, 16, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows, 1)) + chunk(b"IEND", b""))


def oriented(image, number, kind, **options):
    exif = Image.Exif()
    exif[0x0112] = number
    return saved(image.transpose(INVERSE[number]), kind, exif=exif, **options)


def seen_through(image):
    """An alpha channel that hides nothing of the card, and clear borders that become white."""
    clear = Image.new("RGBA", (image.width + 80, image.height + 80), (0, 0, 0, 0))
    clear.paste(image.convert("RGBA"), (40, 40))
    return clear


def forms(image):
    """Name, extension, how much must be kept, and the file's bytes of one side."""
    grey = image.convert("L")
    large = image.resize((image.width * 2, image.height * 2), Image.Resampling.LANCZOS)
    yield "png", "png", "same", saved(image, "PNG")
    yield "pngAgain", "png", "same", saved(image, "PNG", compress_level=9)
    yield "tiff", "tif", "same", saved(image, "TIFF")
    yield "tiffLzw", "tif", "same", saved(image, "TIFF", compression="tiff_lzw")
    yield "tiffDeflate", "tiff", "same", saved(image, "TIFF", compression="tiff_adobe_deflate")
    yield "tiffPackbits", "tif", "same", saved(image, "TIFF", compression="packbits")
    yield "webpLossless", "webp", "same", saved(image, "WEBP", lossless=True)
    yield "png16", "png", "same", sixteen(image)
    yield "pngAlpha", "png", "same", saved(image.convert("RGBA"), "PNG")
    yield "tiffAlpha", "tif", "same", saved(image.convert("RGBA"), "TIFF")
    yield "wrongExtension", "jpg", "same", saved(image, "PNG")
    yield "noExtension", "scan", "same", saved(image, "TIFF")
    for number in INVERSE:
        yield f"tiffTurned{number}", "tif", "same", oriented(image, number, "TIFF")
        yield f"jpegTurned{number}", "jpg", "near", oriented(image, number, "JPEG", quality=95, subsampling=0)
    yield "jpeg", "jpg", "near", saved(image, "JPEG", quality=92)
    yield "jpegProgressive", "jpg", "near", saved(image, "JPEG", quality=92, progressive=True)
    yield "jpegGrey", "jpg", "near", saved(grey, "JPEG", quality=92)
    yield "jpegCmyk", "jpg", "near", saved(image.convert("CMYK"), "JPEG", quality=95)
    yield "tiffCmyk", "tif", "near", saved(image.convert("CMYK"), "TIFF", compression="tiff_lzw")
    yield "tiffJpeg", "tif", "near", saved(image, "TIFF", compression="jpeg", quality=92)
    yield "tiffYCbCr", "tif", "near", saved(image.convert("YCbCr"), "TIFF")
    yield "tiffLab", "tif", "safe", saved(image.convert("LAB"), "TIFF")
    yield "tiff16Grey", "tif", "near", saved(grey.convert("I").point(lambda value: value * 257).convert("I;16"), "TIFF")
    yield "pngGrey", "png", "near", saved(grey, "PNG")
    yield "pngGreyAlpha", "png", "near", saved(image.convert("LA"), "PNG")
    yield "pngPalette", "png", "near", saved(image.quantize(256), "PNG")
    yield "pngClearBorder", "png", "number", saved(seen_through(image), "PNG")
    yield "gif", "gif", "near", saved(image.quantize(256), "GIF")
    yield "gifAnimated", "gif", "near", saved(image.quantize(256), "GIF", save_all=True, append_images=[Image.new("P", image.size)] * 3)
    yield "webp", "webp", "near", saved(image, "WEBP", quality=92)
    yield "webpAnimated", "webp", "near", saved(image, "WEBP", quality=92, save_all=True, append_images=[Image.new("RGB", image.size)] * 3)
    yield "heic", "heic", "near", saved(image, "HEIF", quality=92)
    yield "avif", "avif", "near", saved(image, "AVIF", quality=92)
    yield "iccOther", "jpg", "near", saved(image, "JPEG", quality=95, icc_profile=other_profile())
    yield "bilevel", "tif", "safe", saved(large.convert("L").point(lambda value: 255 * (value > 110)).convert("1"), "TIFF", compression="group4")
    yield "bilevelDithered", "png", "safe", saved(large.convert("1"), "PNG")
    yield "palette16", "png", "safe", saved(image.quantize(16), "PNG")


def other_profile():
    """A profile that does not say that it is sRGB, so that it is applied."""
    return ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes().replace(b"sRGB", b"othe")


def documents(front, back):
    """Files that hold both sides: name, extension, how much must be kept, bytes."""
    yield "twoPageTiff", "tif", "near", saved(front, "TIFF", save_all=True, append_images=[back], compression="tiff_lzw")
    yield "twoPageTiffSwapped", "tif", "near", saved(back, "TIFF", save_all=True, append_images=[front])
    yield "twoPagePdf", "pdf", "near", saved(front, "PDF", save_all=True, append_images=[back], resolution=300.0)
    # An office scanner's A4 page of 200 dpi: how much of a card of 700 pixels can be read on it is not the question here.
    both = Image.new("RGB", (1654, 2339), (250, 250, 248))
    both.paste(front, (180, 200))
    both.paste(back, (180, 1000))
    yield "onePagePdf", "pdf", "number", saved(both, "PDF", resolution=200.0)
    yield "onePageTiff", "tif", "number", saved(both, "TIFF", compression="tiff_lzw")
    yield "greyPdf", "pdf", "near", saved(front.convert("L"), "PDF", save_all=True, append_images=[back.convert("L")], resolution=300.0)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("cnicscan")
    parser.add_argument("fixtures")
    parser.add_argument("--pair", default="clean-201-00002")
    parser.add_argument("--keep", action="store_true")
    options = parser.parse_args()
    work, faults = tempfile.mkdtemp(prefix="cnicscan-formats-"), []
    rows = {row["id"]: row for row in csv.DictReader(open(os.path.join(options.fixtures, "manifest.csv")))}
    row = rows[options.pair]
    sides = [Image.open(os.path.join(options.fixtures, row[side])).convert("RGB") for side in ("front", "back")]
    kept, lines = {}, []
    for (name, extension, keeps, front), (_, _, _, back) in zip(forms(sides[0]), forms(sides[1])):
        for side, content in (("front", front), ("back", back)):
            with open(os.path.join(work, f"{name}_{side}.{extension}"), "wb") as file:
                file.write(content)
        kept[name] = keeps
        lines.append(f"{name},{name}_front.{extension},{name}_back.{extension},{row['identityNumber']}")
    for name, extension, keeps, content in documents(*(side.copy() for side in sides)):
        with open(os.path.join(work, f"{name}.{extension}"), "wb") as file:
            file.write(content)
        kept[name] = keeps
        lines.append(f"{name},{name}.{extension},{name}.{extension},{row['identityNumber']}")
    with open(os.path.join(work, "manifest.csv"), "w") as manifest:
        manifest.write("id,front,back,identityNumber\n" + "\n".join(lines) + "\n")
    out = os.path.join(work, "out")
    result = subprocess.run([options.cnicscan, "run", "--manifest", os.path.join(work, "manifest.csv"), "--output", out, "--allow-pdf",
                             "--sandbox", "required", "--seconds-per-pair", "120"], capture_output=True, text=True)
    if result.returncode != 0:
        faults.append(f"status {result.returncode}: {result.stderr[-300:]}")
    records = {record["id"]: record for record in map(json.loads, open(os.path.join(out, "latest", "results.ndjson")))}
    expected = records["png"].get("payload", {})
    if records["png"]["outcome"] != "matched" or len(expected["extractedData"]) < 5:
        faults.append(f"the original itself: {records['png']['outcome']} {sorted(expected.get('extractedData', {}))}")
    counts = {}
    for name, keeps in kept.items():
        record = records.get(name)
        if record is None:
            faults.append(f"{name}: no record")
            continue
        found = record.get("payload", {}).get("extractedData", {})
        # Field names alone are told: values may be a person's.
        wrong = sorted(key for key in found if key != "raw" and expected["extractedData"].get(key) not in (None, found[key]))
        missing = sorted(set(expected["extractedData"]) - set(found))
        counts[name] = [record["outcome"], len(found)]
        if wrong:
            faults.append(f"{name}: other values of {wrong}")
        if keeps == "same" and (missing or record["outcome"] != "matched"):
            faults.append(f"{name}: {record['outcome']} {record['reasons']}, missing {missing}")
        if keeps == "near" and (record["outcome"] != "matched" or len(missing) > 2):
            faults.append(f"{name}: {record['outcome']} {record['reasons']}, missing {missing}")
        if keeps == "number" and record["outcome"] != "matched" or keeps == "safe" and record["outcome"] == "mismatched":
            faults.append(f"{name}: {record['outcome']}")
    if not options.keep:
        shutil.rmtree(work)
    print(json.dumps({"test": "formats", "forms": len(kept), "read": counts, "faults": faults}))
    sys.exit(1 if faults else 0)


main()
