"""Drives the review pages in headless Chromium as a reviewer would, by keyboard, and says what it saw as JSON.

usage: review_in_chromium.py OUT SCREENSHOTS
OUT holds runs/, review/ and an empty images/; this script draws the images. The download lands in OUT/download.
"""
import json
import os
import struct
import sys
import time
import zlib

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait


def draw_card(path, red, green, blue):
    """A PNG of a card's proportions with darker bands, so that a screenshot shows where boxes lie."""
    width, height = 506, 319
    rows = b""
    for y in range(height):
        shade = 40 if 70 < y < 95 else 0
        rows += b"\0" + bytes((red - shade, green - shade, blue - shade)) * width
    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
                   + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def main():
    out, shots = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    download = os.path.join(out, "download")
    for folder in (download, shots):
        os.makedirs(folder, exist_ok=True)
    draw_card(os.path.join(out, "images", "front_a.png"), 190, 220, 190)
    draw_card(os.path.join(out, "images", "back_a.png"), 190, 200, 230)

    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--window-size=1280,1500",
                     "--user-data-dir=" + os.path.join(out, "profile")):
        options.add_argument(argument)
    options.add_experimental_option("prefs", {"download.default_directory": download})
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    browser = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
    seen = {}
    try:
        def body(*keys):
            browser.find_element(By.TAG_NAME, "body").send_keys(*keys)
        def title():
            return browser.find_element(By.CSS_SELECTOR, "#pair h2").text
        def status():
            return browser.find_element(By.ID, "status").text
        def rest():
            WebDriverWait(browser, 10).until(lambda b: b.execute_script("return document.readyState") == "complete")
        def waits(seconds, is_so):
            end = time.monotonic() + seconds
            while not is_so() and time.monotonic() < end:
                time.sleep(0.1)
            return is_so()

        browser.get("file://" + out + "/review/index.html")
        seen["links"] = len(browser.find_elements(By.CSS_SELECTOR, "ol a"))
        browser.find_element(By.CSS_SELECTOR, "ol a").click()
        rest()
        seen["first"] = title()
        WebDriverWait(browser, 10).until(
            lambda b: b.execute_script("return [...document.images].every(i => i.complete)"))
        seen["imageWidths"] = browser.execute_script("return [...document.images].map(i => i.naturalWidth)")
        seen["boxes"] = browser.execute_script(
            "return [...document.querySelectorAll('rect')].map(r => {"
            " const i = document.images[0].getBoundingClientRect(), b = r.getBoundingClientRect();"
            " return [(b.x - i.x) / i.width, (b.y - i.y) / i.height].map(v => Math.round(v * 100) / 100); })")
        browser.save_screenshot(os.path.join(shots, "review-first.png"))
        seen["titles"] = [title()]
        for _ in range(40):
            before = title()
            body("n")
            if title() == before:
                break
            seen["titles"].append(title())
        seen["atEnd"] = status()
        for _ in seen["titles"]:
            body("k")
        seen["backAtFirst"] = title()

        body("a")                                   # accept the first, which goes on to the second
        seen["afterAccept"] = [title(), status()]
        body("r")                                   # reject the second
        seen["afterReject"] = title()
        row = browser.find_element(By.ID, "field-identityNumber").find_element(By.XPATH, "ancestor::tr")
        cells = [cell.text.strip() for cell in row.find_elements(By.TAG_NAME, "td")]
        seen["numbers"] = [row.find_element(By.TAG_NAME, "input").get_attribute("value")] + [
            cells[1].removeprefix("100 % ")] + cells[2:]
        browser.save_screenshot(os.path.join(shots, "review-mismatch.png"))
        body("c")                                   # correct the third: a wrong date is refused, a right one is taken
        focused = browser.switch_to.active_element
        seen["focused"] = focused.get_attribute("id")
        seen["marked"] = len(browser.find_elements(By.CSS_SELECTOR, "rect.marked"))
        focused.send_keys(Keys.CONTROL, "a")
        focused.send_keys("a n r <b>Jane</b>")
        date = browser.find_element(By.ID, "field-dateOfBirth")
        date.clear()
        date.send_keys("31.02.1990")
        browser.find_element(By.ID, "note").send_keys("looked at twice")
        date.send_keys(Keys.CONTROL, Keys.ENTER)
        seen["refused"] = status()
        browser.save_screenshot(os.path.join(shots, "review-refused.png"))
        date.clear()
        date.send_keys("28.02.1990")
        country = browser.find_element(By.ID, "field-country")
        country.clear()
        country.send_keys(Keys.CONTROL, Keys.ENTER)
        seen["afterCorrect"] = [title(), status()]
        # Accept the fourth while the browser keeps nothing, reject the fifth once it does again, then undo both.
        browser.execute_script("window.keeps = Storage.prototype.setItem; Storage.prototype.setItem = () => { throw new Error('full'); }")
        body("a")
        seen["unkept"] = browser.find_element(By.ID, "progress").text
        browser.execute_script("Storage.prototype.setItem = window.keeps")
        body("r")
        seen["keptAgain"] = browser.find_element(By.ID, "progress").text
        seen["stored"] = browser.execute_script("return localStorage.length")
        for _ in range(2):
            body("p")
            body("u")
        seen["afterUndo"] = status()
        # Chromium hands a page's decisions to another process, which writes them some seconds later. On a busy machine a page that is
        # loaded again before that may never see them: twice it did not.
        def is_written():
            parts = []
            for folder, _, names in os.walk(os.path.join(out, "profile", "Default", "Local Storage")):
                for name in names:
                    with open(os.path.join(folder, name), "rb") as file:
                        parts.append(file.read())
            return b"looked at twice" in b"".join(parts)
        seen["written"] = waits(60, is_written)
        browser.refresh()
        rest()
        waits(30, lambda: "3 decided here" in browser.find_element(By.ID, "progress").text)
        seen["kept"] = browser.find_element(By.ID, "progress").text
        seen["storedAgain"] = browser.execute_script(
            "try { return Object.keys(localStorage).length; } catch (error) { return String(error); }")
        body("d")
        waits(30, lambda: os.path.exists(os.path.join(download, "decisions.ndjson")))
        seen["afterDownload"] = status()
        seen["title"] = browser.title
        browser.save_screenshot(os.path.join(shots, "review-later.png"))

        run = os.listdir(os.path.join(out, "runs"))[0]
        browser.get("file://" + out + "/runs/" + run + "/report.html")
        rest()
        seen["reportTitle"] = browser.title
        browser.save_screenshot(os.path.join(shots, "report-top.png"))
        height = browser.execute_script("return document.documentElement.scrollHeight")
        browser.set_window_size(1280, min(height + 200, 8000))
        browser.save_screenshot(os.path.join(shots, "report-whole.png"))
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": "dark"}]})
        browser.save_screenshot(os.path.join(shots, "report-dark.png"))
        seen["console"] = [entry["message"] for entry in browser.get_log("browser")]
    finally:
        browser.quit()
    print(json.dumps(seen))


if __name__ == "__main__":
    main()
