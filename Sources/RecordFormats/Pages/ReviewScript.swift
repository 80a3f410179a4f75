/// What makes the review pages work: it shows one pair after the other, takes decisions by keyboard or mouse, keeps them in the browser
/// and hands them out as NDJSON. It uses no markup from data: every text goes through `textContent`.
enum ReviewScript {
  static let source = #"""
    "use strict";
    (() => {
      const data = JSON.parse(document.getElementById("data").textContent);
      const prefix = "cnicscan-review/" + data.run + "/";
      const main = document.getElementById("pair");
      const status = document.getElementById("status");
      const progress = document.getElementById("progress");
      const svgNamespace = "http://www.w3.org/2000/svg";
      let position = 0;
      let inputs = {};
      let note = null;

      // What the browser's storage has not taken yet: a decision, or null where one was undone. It may fail for a moment or for
      // good: all of it is offered again whenever the pair changes.
      const unkept = new Map();

      const store = {
        all() {
          const found = new Map();
          try {
            for (let i = 0; i < localStorage.length; i += 1) {
              const key = localStorage.key(i);
              if (key.startsWith(prefix)) found.set(key.slice(prefix.length), JSON.parse(localStorage.getItem(key)));
            }
          } catch (error) { /* Then what was not kept is all there is. */ }
          for (const [id, decision] of unkept) if (decision) found.set(id, decision); else found.delete(id);
          return found;
        },
        get(id) {
          if (unkept.has(id)) return unkept.get(id);
          try {
            const text = localStorage.getItem(prefix + id);
            return text === null ? null : JSON.parse(text);
          } catch (error) { return null; }
        },
        set(id, decision) { unkept.set(id, decision); },
        remove(id) { unkept.set(id, null); },
        // Whether the browser has everything, and takes more.
        keep() {
          try {
            for (const [id, decision] of [...unkept]) {
              if (decision) localStorage.setItem(prefix + id, JSON.stringify(decision)); else localStorage.removeItem(prefix + id);
              unkept.delete(id);
            }
            localStorage.setItem(prefix, "1");
            localStorage.removeItem(prefix);
            return true;
          } catch (error) { return false; }
        },
      };

      function element(name, properties, ...children) {
        const made = document.createElement(name);
        for (const [key, value] of Object.entries(properties || {})) {
          if (key === "class") made.className = value;
          else if (key in made && key !== "list") made[key] = value;
          else made.setAttribute(key, value);
        }
        for (const child of children) made.append(child);
        return made;
      }

      // Marks that turn the reading direction around are shown, not obeyed: a name must not pass for another.
      function visible(text) {
        return text.replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
          (mark) => "[U+" + mark.codePointAt(0).toString(16).toUpperCase() + "]");
      }

      function say(text) { status.textContent = text; }

      function picture(title, address, boxes) {
        if (!address) return element("figure", {}, element("figcaption", {}, title + ": no image was saved"));
        const image = element("img", { src: address, alt: "Image of the card's " + title.toLowerCase() });
        const overlay = document.createElementNS(svgNamespace, "svg");
        overlay.setAttribute("viewBox", "0 0 1 1");
        overlay.setAttribute("preserveAspectRatio", "none");
        overlay.setAttribute("aria-hidden", "true");
        for (const [key, box] of Object.entries(boxes || {})) {
          const shape = document.createElementNS(svgNamespace, "rect");
          shape.setAttribute("x", box.x);
          shape.setAttribute("y", box.y);
          shape.setAttribute("width", box.width);
          shape.setAttribute("height", box.height);
          shape.dataset.field = key;
          overlay.append(shape);
        }
        image.addEventListener("error", () => {
          frame.replaceChildren(element("p", {}, "The image is not where it should be."));
        });
        const frame = element("div", { class: "frame" }, image, overlay);
        return element("figure", {}, element("figcaption", {}, title), frame);
      }

      function mark(field, on) {
        for (const shape of main.querySelectorAll("rect")) {
          if (shape.dataset.field === field) shape.classList.toggle("marked", on);
        }
      }

      // Where an expected value is known, it is what the others are held against.
      function differs(field, source) {
        return Boolean(field.expected && field[source] && field[source] !== field.expected);
      }
      function said(field, source) {
        return (field[source] || "") + (differs(field, source) ? " (differs)" : "");
      }

      function fieldRow(field, decision) {
        const corrected = decision && decision.corrections && field.key in decision.corrections;
        const value = corrected ? decision.corrections[field.key] || "" : field.value;
        const input = element("input", { type: "text", value, id: "field-" + field.key, autocomplete: "off", spellcheck: false });
        input.dir = "auto";
        input.addEventListener("focus", () => mark(field.key, true));
        input.addEventListener("blur", () => mark(field.key, false));
        inputs[field.key] = input;
        const confidence = field.confidence === null ? "" : Math.round(field.confidence * 100) + " %";
        return element("tr", { class: field.isDoubtful ? "doubtful" : "" },
          element("th", { scope: "row" }, element("label", { htmlFor: "field-" + field.key }, field.label)),
          element("td", {}, input),
          element("td", { class: "number" }, confidence + (field.isDoubtful ? " (little)" : "")
            + (differs(field, "value") ? " (differs)" : "")),
          element("td", { class: differs(field, "barcode") ? "differs" : "" }, said(field, "barcode")),
          element("td", {}, field.expected || ""));
      }

      function show() {
        inputs = {};
        const item = data.pairs[position];
        if (!item) {
          main.replaceChildren(element("p", {}, "Nothing needs to be looked at."));
          count();
          return;
        }
        const decision = store.get(item.id);
        const boxes = {};
        for (const field of item.fields) if (field.box) boxes[field.key] = field.box;
        const rows = item.fields.map((field) => fieldRow(field, decision));
        note = element("input", { type: "text", id: "note", value: (decision && decision.note) || "", autocomplete: "off" });
        note.dir = "auto";
        const title = element("h2", { tabIndex: -1 }, "Pair ", element("bdi", {}, visible(item.id)));
        const words = element("ul", { class: "why" }, ...item.why.map((text) => element("li", {}, text)));
        const barcode = Object.entries(item.barcodeFields).map(([key, value]) =>
          element("tr", {}, element("th", { scope: "row" }, key), element("td", {}, element("bdi", {}, value))));
        const table = element("table", {},
          element("caption", {}, "What was read. Change what is wrong, empty what the card does not have."),
          element("thead", {}, element("tr", {},
            ...["Field", "Value", "Confidence", "Barcode says", "Expected"].map((text) => element("th", { scope: "col" }, text)))),
          element("tbody", {}, ...rows));
        const buttons = element("p", { class: "buttons" },
          button("Accept", "a", () => decide("accepted")),
          button("Save correction", "Ctrl+Enter", () => decide("corrected")),
          button("Reject", "r", () => decide("rejected")),
          button("Undo", "u", undo));
        const children = [title,
          element("p", { class: "faint" }, item.outcome + (item.documentType ? ", " + item.documentType + " card" : "")),
          words,
          element("div", { class: "pictures" }, picture("Front", item.front, boxes), picture("Back", item.back, null)),
          table];
        if (barcode.length) {
          children.push(element("table", {}, element("caption", {}, "Further fields of the barcode"), element("tbody", {}, ...barcode)));
        }
        children.push(element("p", {}, element("label", { htmlFor: "note" }, "Note "), note), buttons);
        if (decision) children.push(element("p", { class: "decided" }, "Decided: " + decision.decision));
        main.replaceChildren(...children);
        history.replaceState(null, "", "#" + (position + 1));
        title.focus({ preventScroll: true });
        window.scrollTo(0, 0);
        count();
      }

      function button(label, key, action) {
        const made = element("button", { type: "button" }, label + " ", element("kbd", {}, key));
        made.addEventListener("click", action);
        return made;
      }

      function count() {
        const isKept = store.keep();
        const here = data.pairs.filter((item) => store.get(item.id)).length;
        progress.textContent = "Pair " + Math.min(position + 1, data.pairs.length) + " of " + data.pairs.length + " on this page, " + here
          + " decided here, " + store.all().size + " in all pages" + (isKept ? "" : ". This browser does not keep them: download before leaving");
      }

      function date(text) {
        const parts = /^(\d{2})\.(\d{2})\.(\d{4})$/.exec(text);
        if (!parts) return null;
        const [day, month, year] = parts.slice(1).map(Number);
        const when = new Date(Date.UTC(year, month - 1, day));
        const exists = when.getUTCFullYear() === year && when.getUTCMonth() === month - 1 && when.getUTCDate() === day;
        return exists && year >= 1900 && year <= 2199 ? text : null;
      }

      const forms = {
        identityNumber(text) {
          const digits = /^\d{13}$/.test(text) ? text : /^\d{5}-\d{7}-\d$/.test(text) ? text.replaceAll("-", "") : null;
          return digits && digits.slice(0, 5) + "-" + digits.slice(5, 12) + "-" + digits.slice(12);
        },
        dateOfBirth: date,
        dateOfIssue: date,
        dateOfExpiry: date,
        gender(text) { return ["M", "F", "X"].includes(text.toUpperCase()) ? text.toUpperCase() : null; },
      };

      function corrections(item) {
        const changed = {};
        for (const field of item.fields) {
          const text = inputs[field.key].value.trim();
          if (text === field.value) continue;
          if (text === "") { changed[field.key] = null; continue; }
          const form = forms[field.key];
          const value = form ? form(text) : text;
          if (!value) {
            inputs[field.key].focus();
            say(field.label + " does not have its form: dates DD.MM.YYYY, numbers 13 digits, gender M, F or X.");
            return null;
          }
          if (value !== field.value) changed[field.key] = value;
        }
        return changed;
      }

      function decide(verdict) {
        const item = data.pairs[position];
        if (!item) return;
        const decision = { decision: verdict, decidedAt: new Date().toISOString(), note: note.value.trim() };
        const changed = corrections(item);
        if (changed === null) return;
        const isChanged = Object.keys(changed).length > 0;
        if (verdict === "corrected") {
          if (!isChanged) { say("Nothing was changed: accept the pair, or correct a field first."); return; }
          decision.corrections = changed;
        } else if (isChanged && verdict === "accepted") {
          say("A field was changed: save the correction, or undo the change.");
          return;
        }
        store.set(item.id, decision);
        const words = "Pair " + (position + 1) + " " + verdict + ".";
        if (position + 1 < data.pairs.length) { position += 1; show(); } else { show(); }
        say(words);
      }

      function undo() {
        const item = data.pairs[position];
        if (!item) return;
        store.remove(item.id);
        show();
        say("Pair " + (position + 1) + " is undecided.");
      }

      function move(step) {
        const next = position + step;
        if (next >= 0 && next < data.pairs.length) { position = next; show(); say(""); return; }
        const other = step > 0 ? data.next : data.previous;
        if (other) location.href = other + (step > 0 ? "#1" : "#last"); else say(step > 0 ? "This was the last pair." : "This is the first pair.");
      }

      function download() {
        const lines = [];
        for (const [id, made] of store.all()) {
          const line = { decidedAt: made.decidedAt, decision: made.decision, id, run: data.run, schemaVersion: 1 };
          if (made.corrections) line.corrections = made.corrections;
          if (made.note) line.note = made.note;
          lines.push(JSON.stringify(line));
        }
        if (!lines.length) { say("Nothing is decided yet."); return; }
        lines.sort();
        const address = URL.createObjectURL(new Blob([lines.join("\n") + "\n"], { type: "application/x-ndjson" }));
        element("a", { href: address, download: "decisions.ndjson" }).click();
        setTimeout(() => URL.revokeObjectURL(address), 10000);
        say(lines.length + (lines.length === 1 ? " decision" : " decisions") + " written to decisions.ndjson.");
      }

      document.addEventListener("keydown", (event) => {
        if (event.altKey || event.metaKey) return;
        const isTyping = event.target instanceof HTMLInputElement;
        if (event.key === "Enter" && event.ctrlKey) { event.preventDefault(); decide("corrected"); return; }
        if (event.key === "Escape" && isTyping) { event.target.blur(); return; }
        if (event.ctrlKey || isTyping) return;
        const actions = {
          n: () => move(1), j: () => move(1), ArrowRight: () => move(1), p: () => move(-1), k: () => move(-1), ArrowLeft: () => move(-1),
          a: () => decide("accepted"), r: () => decide("rejected"), u: undo, d: download,
          c: () => {
            const item = data.pairs[position];
            if (!item) return;
            const first = item.fields.find((field) => field.isDoubtful) || item.fields[0];
            inputs[first.key].focus();
            inputs[first.key].select();
          },
        };
        const action = actions[event.key];
        if (action) { event.preventDefault(); action(); }
      });
      document.getElementById("download").addEventListener("click", download);
      document.getElementById("next").addEventListener("click", () => move(1));
      document.getElementById("previous").addEventListener("click", () => move(-1));
      // Another page's decisions count here too; its trial of the storage is none.
      window.addEventListener("storage", (event) => { if (event.key !== prefix) count(); });
      if (location.hash === "#last") position = Math.max(0, data.pairs.length - 1);
      else if (/^#\d+$/.test(location.hash)) position = Math.min(Math.max(0, data.pairs.length - 1), Math.max(0, Number(location.hash.slice(1)) - 1));
      show();
    })();
    """#

  static let style = """
    .pictures { display: flex; flex-wrap: wrap; gap: 1rem; } .pictures figure { flex: 1 1 24rem; margin: .5rem 0; }
    .frame { position: relative; display: inline-block; border: 1px solid var(--line); } .frame img { display: block; max-width: 100%; height: auto; }
    .frame svg { position: absolute; inset: 0; width: 100%; height: 100%; } .frame rect { fill: none; stroke: #b45309; stroke-width: 2px;
      vector-effect: non-scaling-stroke; } .frame rect.marked { fill: rgba(180, 83, 9, .25); stroke-width: 4px; }
    input { font: inherit; padding: .2rem .4rem; min-width: 16rem; max-width: 100%; color: inherit; background: var(--paper); border: 1px solid var(--faint); }
    #note { min-width: 24rem; } button { font: inherit; padding: .35rem .8rem; margin: 0 .5rem .5rem 0; color: inherit; background: var(--ground);
      border: 1px solid var(--faint); border-radius: .3rem; cursor: pointer; } kbd { border: 1px solid var(--faint); border-radius: .2rem;
      padding: 0 .3rem; font-size: .85em; } .differs { font-weight: 600; }
      .doubtful th { border-left: .4rem solid var(--mark); padding-left: .5rem; }
    .why { margin: .25rem 0; } .decided { font-weight: 600; } h2:focus-visible { outline: none; } [role=status] { min-height: 1.5em; font-weight: 600; }
    nav { display: flex; flex-wrap: wrap; align-items: baseline; gap: .5rem 1rem; }
    """
}
