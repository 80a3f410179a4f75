"""Hostile image files: what strangers, broken scanners and attackers send. Each comes with what may be said of it.

`None` stands for anything but a crash. Needs Pillow and pillow-heif (Support/requirements-test.txt).
"""
import io
import struct
import zlib

import pillow_heif
from PIL import Image

pillow_heif.register_heif_opener()
DAMAGED, FORMAT, PIXELS, PAGES = {"imageDamaged"}, {"formatNotAllowed"}, {"tooManyPixels"}, {"tooManyPages"}


def saved(image, kind, **options):
    out = io.BytesIO()
    image.copy().save(out, kind, **options)
    return out.getvalue()


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(width, height, rows=None, depth=8, colour=0, extra=b"", packed=None):
    """A PNG; without rows its data is a bomb: zeros, well packed."""
    if packed is None:
        packed = zlib.compress(rows if rows is not None else b"\0" * min(1 << 26, (width + 1) * height), 9)
    header = struct.pack(">IIBBBBB", width & 0xFFFFFFFF, height & 0xFFFFFFFF, depth, colour, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + extra + chunk(b"IDAT", packed) + chunk(b"IEND", b"")


def tiff(entries_of_pages, loop=False, payload=b""):
    """A TIFF of pages with these tags (tag, type, count, value); `payload` stands at offset 8."""
    out = bytearray(b"II*\0" + struct.pack("<I", 8 + len(payload) + len(payload) % 2) + payload + b"\0" * (len(payload) % 2))
    for index, tags in enumerate(entries_of_pages):
        end = len(out) + 2 + 12 * len(tags)
        out += struct.pack("<H", len(tags)) + b"".join(struct.pack("<HHII", tag, kind, count, value & 0xFFFFFFFF) for tag, kind, count, value in tags)
        last = index + 1 == len(entries_of_pages)
        out += struct.pack("<I", (8 if loop else 0) if last else end + 4)
    return bytes(out)


def grey_page(width, height, offset=8, packing=1, length=None):
    return [(256, 4, 1, width), (257, 4, 1, height), (258, 3, 1, 8), (259, 3, 1, packing), (262, 3, 1, 1), (273, 4, 1, offset),
            (277, 3, 1, 1), (278, 4, 1, height), (279, 4, 1, width * height if length is None else length)]


def jpeg_header(good, width, height):
    """A JPEG whose frame header lies about its size."""
    out, place = bytearray(good), 2
    while out[place] == 0xFF and out[place + 1] not in (0xC0, 0xC1, 0xC2):
        place += 2 + struct.unpack(">H", out[place + 2:place + 4])[0]
    out[place + 5:place + 9] = struct.pack(">HH", height, width)
    return bytes(out)


def segment(marker, data):
    return bytes([0xFF, marker]) + struct.pack(">H", len(data) + 2) + data


def pdf(objects, trailer=b"/Root 1 0 R"):
    return (b"%PDF-1.7\n" + b"".join(b"%d 0 obj\n%s\nendobj\n" % (number + 1, body) for number, body in enumerate(objects))
            + b"trailer<<" + trailer + b"/Size %d>>\n%%%%EOF\n" % (len(objects) + 1))


def pdf_page(box=b"0 0 200 200", content=b"", more=b"", count=1):
    stream = zlib.compress(content, 9)
    kids = b" ".join(b"3 0 R" for _ in range(count))
    return pdf([b"<</Type/Catalog/Pages 2 0 R" + more + b">>", b"<</Type/Pages/Count %d/Kids[%s]>>" % (count, kids),
                b"<</Type/Page/Parent 2 0 R/MediaBox[" + box + b"]/Contents 4 0 R>>",
                b"<</Length %d/Filter/FlateDecode>>stream\n%s\nendstream" % (len(stream), stream)])


def kinds(image, rng):
    """Name, extension, content, and the reasons that may stand in the record of a pair with this file alone on a side."""
    jpeg = saved(image, "JPEG", quality=85)
    rubbish = rng.randbytes(3000)
    yield "empty", "jpg", b"", {"fileEmpty"}
    yield "oneByte", "jpg", b"\xff", FORMAT
    yield "zeros", "jpg", b"\0" * 5000, FORMAT
    yield "random", "png", rng.randbytes(20000), FORMAT
    yield "text", "jpg", b"this is no image\n" * 50, FORMAT
    # Programs that open anything: none of them may be reached.
    yield "svg", "svg", b'<svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/passwd"/></svg>', FORMAT
    yield "svgAsPng", "png", b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><svg>&a;</svg>', FORMAT
    yield "mvg", "mvg", b"push graphic-context\nimage over 0,0 0,0 'https://127.0.0.1:PORT/mvg'\n", FORMAT
    yield "mvgAsJpg", "jpg", b"push graphic-context\nviewbox 0 0 9 9\nfill 'url(https://127.0.0.1:PORT/\"|touch \"CANARY)'\npop graphic-context", FORMAT
    yield "msl", "jpg", b'<?xml version="1.0"?><image><read filename="label:@/etc/passwd"/><write filename="CANARY"/></image>', FORMAT
    yield "eps", "jpg", b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n(%pipe%touch CANARY) (w) file showpage\n", FORMAT
    yield "xpm", "png", b"/* XPM */ static char *x[] = {\"1 1 1 1\", \"a c #000\", \"a\"};", FORMAT
    yield "bmp", "bmp", saved(image, "BMP"), FORMAT
    yield "ppm", "ppm", b"P6 99999999 99999999 255\n", FORMAT
    yield "jpeg2000", "jp2", saved(image, "JPEG2000"), FORMAT
    yield "psd", "jpg", b"8BPS\0\1" + b"\0" * 6 + b"\0\3\0\0\xff\xff\0\0\xff\xff\0\x08\0\3" + rubbish, FORMAT
    yield "hdr", "jpg", b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 99999 +X 99999\n", FORMAT
    yield "exr", "jpg", b"v/1\x01" + rubbish, FORMAT
    yield "vips", "jpg", b"\x08\xf2\xa6\xb6" + rubbish, FORMAT
    yield "zip", "jpg", b"PK\3\4" + rubbish, FORMAT
    yield "pdfNotAllowed", "pdf", pdf_page(), FORMAT
    # Bombs, zero and huge dimensions.
    yield "pngBomb", "png", png(60000, 60000), PIXELS
    yield "pngBombAtTheLimit", "png", png(10900, 10900, b"\0" * 10901 * 10900), None
    yield "pngTall", "png", png(1, 2_000_000), None
    yield "pngZero", "png", png(0, 0, b""), DAMAGED
    yield "pngHuge", "png", png(2**31 - 1, 2**31 - 1, b"\0"), DAMAGED | PIXELS
    yield "pngNegative", "png", png(-1, -1, b"\0"), DAMAGED | PIXELS
    yield "pngTextBomb", "png", png(64, 64, b"\0" * 65 * 64, extra=chunk(b"zTXt", b"x\0\0" + zlib.compress(b"a" * (1 << 27), 9))), None
    yield "pngManyChunks", "png", png(64, 64, b"\0" * 65 * 64, extra=chunk(b"tEXt", b"a\0b") * 50_000), None
    yield "jpegBomb", "jpg", jpeg_header(jpeg, 65500, 65500), PIXELS
    yield "jpegBombAtTheLimit", "jpg", saved(Image.new("RGB", (12000, 9900)), "JPEG", quality=20), None
    yield "jpegLies", "jpg", jpeg_header(jpeg, 9000, 9000), None
    yield "jpegZero", "jpg", jpeg_header(jpeg, 0, 0), DAMAGED
    yield "jpegFlat", "jpg", jpeg_header(jpeg, 65500, 1), None
    progressive = saved(Image.new("RGB", (4000, 4000)), "JPEG", progressive=True)
    scan = progressive[progressive.rindex(b"\xff\xda"):-2]
    yield "jpegScans", "jpg", progressive[:-2] + scan * 3000 + b"\xff\xd9", None
    yield "tiffHuge", "tif", tiff([grey_page(2**31, 2**31)]), DAMAGED | PIXELS
    yield "tiffLarge", "tif", tiff([grey_page(60000, 60000)]), PIXELS | DAMAGED
    yield "tiffZero", "tif", tiff([grey_page(0, 0)]), DAMAGED
    packed = zlib.compress(b"\0" * (10000 * 10000), 9)
    yield "tiffBomb", "tif", tiff([grey_page(60000, 60000, packing=8, length=len(packed))], payload=packed), PIXELS | DAMAGED
    yield "tiffBombAtTheLimit", "tif", tiff([grey_page(10000, 10000, packing=8, length=len(packed))], payload=packed), None
    yield "tiffLoop", "tif", tiff([grey_page(10, 10)] * 3, loop=True), None
    yield "tiffPages", "tif", tiff([grey_page(10, 10)] * 2000), PAGES
    yield "tiffFarAway", "tif", tiff([grey_page(100, 100, offset=0xFFFFFFF0)]), DAMAGED
    yield "tiffManyTags", "tif", tiff([grey_page(10, 10) + [(40000, 4, 1, 1)] * 60_000]), None
    yield "tiffTagOverflow", "tif", tiff([grey_page(10, 10) + [(33723, 1, 0xFFFFFFFF, 8), (700, 1, 0x7FFFFFFF, 8)]]), None
    yield "webpBomb", "webp", saved(Image.new("RGB", (16383, 16383)), "WEBP", lossless=True, quality=0, method=0), PIXELS
    yield "webpRubbish", "webp", b"RIFF\xff\xff\xff\x7fWEBPVP8X" + b"\xff" * 60, DAMAGED
    yield "gifBomb", "gif", saved(Image.new("P", (65535, 4000)), "GIF")[:6] + struct.pack("<HH", 65535, 65535) + saved(Image.new("P", (65535, 4000)), "GIF")[10:], PIXELS | DAMAGED
    yield "gifFrames", "gif", b"GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff" + b",\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0" * 200_000 + b";", None
    yield "gifRubbish", "gif", b"GIF89a\xff\xff\xff\xff\xf7\0\0," + b"\xff" * 40, DAMAGED | PIXELS
    heic = saved(image, "HEIF", quality=60)
    yield "heicRubbish", "heic", b"\0\0\0\x18ftypheic\0\0\0\0mif1heic" + b"\xff" * 200, DAMAGED
    place = heic.index(b"ispe")
    yield "heicBomb", "heic", heic[:place + 8] + struct.pack(">II", 60000, 60000) + heic[place + 16:], PIXELS | DAMAGED
    yield "heicZero", "heic", heic[:place + 8] + struct.pack(">II", 0, 0) + heic[place + 16:], DAMAGED
    yield "avifRubbish", "avif", b"\0\0\0\x18ftypavif\0\0\0\0mif1avif" + b"\xff" * 200, DAMAGED
    # Rubbish in what travels with an image; the image itself can be read.
    yield "pngIcc", "png", png(64, 64, b"\0" * 65 * 64, extra=chunk(b"iCCP", b"x\0\0" + zlib.compress(b"\xff" * 5000))), None
    yield "pngIccBomb", "png", png(64, 64, b"\0" * 65 * 64, extra=chunk(b"iCCP", b"x\0\0" + zlib.compress(b"\0" * (1 << 27), 9))), None
    yield "pngExif", "png", png(64, 64, b"\0" * 65 * 64, extra=chunk(b"eXIf", b"II*\0" + b"\xff" * 500)), None
    yield "jpegExif", "jpg", jpeg[:2] + segment(0xE1, b"Exif\0\0II*\0\x08\0\0\0\xff\xff" + rubbish) + jpeg[2:], None
    yield "jpegExifLoop", "jpg", jpeg[:2] + segment(0xE1, b"Exif\0\0II*\0\x08\0\0\0\x01\0\x69\x87\x04\0\x01\0\0\0\x08\0\0\0\x08\0\0\0") + jpeg[2:], None
    yield "jpegOrientation99", "jpg", jpeg[:2] + segment(0xE1, b"Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x63\0\0\0\0\0\0\0") + jpeg[2:], None
    yield "jpegIcc", "jpg", jpeg[:2] + segment(0xE2, b"ICC_PROFILE\0\x01\x01" + rubbish) + jpeg[2:], None
    yield "jpegIccParts", "jpg", jpeg[:2] + b"".join(segment(0xE2, b"ICC_PROFILE\0" + bytes([part, 255]) + rubbish) for part in range(256)) + jpeg[2:], None
    yield "jpegComments", "jpg", jpeg[:2] + segment(0xFE, b"<script>alert(1)</script>" * 2000) * 50 + jpeg[2:], None
    yield "jpegXmp", "jpg", jpeg[:2] + segment(0xE1, b"http://ns.adobe.com/xap/1.0/\0<!DOCTYPE x [<!ENTITY a SYSTEM 'file:///etc/passwd'>]><x>&a;</x>") + jpeg[2:], None
    yield "jpegTail", "jpg", jpeg + b"<?php system('touch CANARY') ?>" + rubbish, None
    yield "jpegTwice", "jpg", jpeg + jpeg, None
    # Unusual, but nothing is wrong with them: small, of few or many bits, with alpha, animated, of many pages.
    yield "onePixel", "png", png(1, 1, b"\0\0"), None
    yield "png1", "png", png(64, 64, (b"\0" + b"\xaa" * 8) * 64, depth=1), None
    yield "png16", "png", png(64, 64, (b"\0" + b"\x12\x34" * 64) * 64, depth=16), None
    yield "pngAlpha", "png", png(64, 64, (b"\0" + b"\1\2\3\4" * 64) * 64, colour=6), None
    yield "pngAllClear", "png", saved(Image.new("RGBA", image.size), "PNG"), None
    yield "apng", "png", saved(image, "PNG", save_all=True, append_images=[image] * 3), None
    yield "tiff1", "tif", saved(image.convert("1"), "TIFF", compression="group4"), None
    yield "tiffFloat", "tif", saved(image.convert("F"), "TIFF"), None
    yield "tiffNanFloat", "tif", saved(Image.new("F", (300, 200), float("nan")), "TIFF"), None
    yield "jpegCmyk", "jpg", saved(image.convert("CMYK"), "JPEG"), None
    yield "white", "png", saved(Image.new("RGB", (1000, 700), "white"), "PNG"), None
    yield "noise", "png", saved(Image.frombytes("RGB", (800, 500), rng.randbytes(1_200_000)), "PNG"), None


def pdf_kinds(image):
    """As `kinds`, for runs with --allow-pdf."""
    yield "pdfGood", "pdf", saved(image, "PDF", resolution=300.0), None
    yield "pdfNothing", "pdf", b"%PDF-1.4\n", DAMAGED
    yield "pdfNoPages", "pdf", pdf([b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Count 0/Kids[]>>"]), None
    yield "pdfSelfParent", "pdf", pdf([b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Count 9/Kids[2 0 R]>>"]), None
    yield "pdfBlank", "pdf", pdf_page(), None
    yield "pdfHuge", "pdf", pdf_page(b"0 0 14400 14400"), PIXELS
    yield "pdfHuger", "pdf", pdf_page(b"0 0 1e30 1e30"), None
    yield "pdfZero", "pdf", pdf_page(b"0 0 0 0"), None
    yield "pdfSamePage", "pdf", pdf_page(count=5000), None
    yield "pdfPages", "pdf", saved(Image.new("1", (8, 8)), "PDF", save_all=True, append_images=[Image.new("1", (8, 8))] * 60), PAGES
    yield "pdfLies", "pdf", pdf_page().replace(b"/Count 1", b"/Count 2000000000"), None
    yield "pdfStreamBomb", "pdf", pdf_page(content=b"q Q " * (1 << 24)), None
    yield "pdfPaths", "pdf", pdf_page(content=b"0 0 m 200 200 l S " * 2_000_000), None
    yield "pdfScript", "pdf", pdf_page(more=b"/OpenAction<</S/JavaScript/JS(app.launchURL\\('https://127.0.0.1:PORT/pdf'\\))>>"), None
    yield "pdfLaunch", "pdf", pdf_page(more=b"/OpenAction<</S/Launch/F(CANARY)/Unix(touch CANARY)>>"), None
    yield "pdfFile", "pdf", pdf([b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Count 1/Kids[3 0 R]>>",
                                 b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Contents 4 0 R>>", b"<</F(/etc/passwd)/Length 0>>stream\n\nendstream"]), None
    yield "pdfEncrypted", "pdf", pdf([b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Count 0/Kids[]>>", b"<</Filter/Standard/V 5/R 6/O(x)/U(y)/P -4>>"],
                                     b"/Root 1 0 R/Encrypt 3 0 R"), DAMAGED
    yield "pdfFont", "pdf", pdf_page(content=b"BT /F1 9 Tf (x) Tj ET", more=b"/Resources<</Font<</F1<</Type/Font/Subtype/Type1/BaseFont/../../etc/passwd>>>>>>"), None


def whole_files(image):
    """One sound file of every format that is read, to be cut and damaged."""
    small = image.resize((image.width * 2 // 3, image.height * 2 // 3))
    yield "jpeg", "jpg", saved(image, "JPEG", quality=85)
    yield "progressive", "jpg", saved(small, "JPEG", quality=85, progressive=True)
    yield "png", "png", saved(small, "PNG")
    yield "tiff", "tif", saved(small, "TIFF", compression="tiff_lzw", save_all=True, append_images=[small])
    yield "fax", "tif", saved(image.convert("1"), "TIFF", compression="group4")
    yield "webp", "webp", saved(small, "WEBP", quality=85)
    yield "webpLossless", "webp", saved(small, "WEBP", lossless=True, method=0)
    yield "gif", "gif", saved(small.quantize(64), "GIF")
    yield "heic", "heic", saved(small, "HEIF", quality=60)
    yield "avif", "avif", saved(small, "AVIF", quality=60)


def cut(content):
    for part in range(1, 20):
        yield f"cut{part}", content[: len(content) * part // 20]


def flipped(content, count, rng, reach):
    """Copies with 1 to 20 bits turned, half of them within the first `reach` bytes: headers are where the trouble is."""
    for number in range(count):
        damaged = bytearray(content)
        for _ in range(rng.randint(1, 20)):
            damaged[rng.randrange(min(reach, len(damaged)) if number % 2 else len(damaged))] ^= 1 << rng.randrange(8)
        yield f"flip{number}", bytes(damaged)
