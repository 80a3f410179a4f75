#!/usr/bin/env python3
"""Makes an integer Tesseract network float again, which lstmtraining's --continue_from insists on.

    dequantise.py IN.lstm OUT.lstm

A float weight is the 8-bit weight times the scale of its row."""

import struct, sys, numpy as np

b = open(sys.argv[1], "rb").read()
o = bytearray()
p = 0


def take(n, emit=True):
    global p
    s = b[p : p + n]
    p += n
    if emit:
        o.extend(s)
    return s


def i32():
    return struct.unpack("<i", take(4))[0]


def string():
    n = i32()
    return take(n)


def wm():
    global p
    mode = take(1, False)[0]
    assert mode & 128 and mode & 1, mode
    d1, d2 = struct.unpack("<II", take(8, False))
    take(1, False)  # dims, empty value
    w = np.frombuffer(take(d1 * d2, False), np.int8).reshape(d1, d2).astype(np.float64)
    n = struct.unpack("<I", take(4, False))[0]
    sc = np.frombuffer(take(8 * n, False), np.float64)[:d1]
    w = w * sc[:, None]
    o.append(mode & ~1)
    o.extend(struct.pack("<IId", d1, d2, 0.0))
    o.extend(w.astype("<f8").tobytes())
    print("   weights", d1, d2, "mode", mode, "absmax %.3f" % abs(w).max())


def net(ind=0):
    t = take(1)[0]
    assert t == 0
    ty = string().decode()
    take(1)
    take(1)
    fl, ni, no, nw = i32(), i32(), i32(), i32()
    nm = string().decode()
    print(" " * ind, ty, nm, "flags", fl, "ni", ni, "no", no, "weights", nw)
    if ty in (
        "Series",
        "Parallel",
        "Replicated",
        "ParBidiLSTM",
        "DepParUDLSTM",
        "Par2dLSTM",
        "RTLReversed",
        "TTBReversed",
        "XYTranspose",
    ):
        for _ in range(i32()):
            net(ind + 1)
        if fl & 64:
            n = i32()
            take(4 * n)
    elif ty == "Input":
        take(20)
    elif ty in ("Convolve", "Maxpool", "Reconfig"):
        take(8)
    elif ty in ("LSTM", "SummLSTM"):
        na = i32()
        ns = no
        for g in range(5):
            if g == 4 and na == ni + ns:
                continue
            wm()
    elif ty in ("Logistic", "LinLogistic", "LinTanh", "Tanh", "Relu", "Linear", "Softmax", "SoftmaxNoCTC"):
        wm()
    else:
        raise SystemExit("type " + ty)


net()
print("net str", string())
fl = struct.unpack("<i", take(4, False))[0]
print("flags", fl)
o.extend(struct.pack("<i", fl & ~1))
take(len(b) - p)
open(sys.argv[2], "wb").write(o)
print(len(b), "->", len(o))
