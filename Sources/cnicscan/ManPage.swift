internal import BatchRun
internal import CNICScan

/// The man page, written from the same tables as the help (`cnicscan help --man`), so that it cannot fall behind.
enum ManPage {
  static func text() -> String {
    var page = [
      ".\\\" Written by `cnicscan help --man`.",
      ".TH CNICSCAN 1 \"\" \"cnicscan \(EngineVersions.program)\" \"User Commands\"",
    ]
    page += section("NAME", ["cnicscan \\- read batches of scanned Pakistani identity cards offline"])
    page += section("SYNOPSIS", [".B cnicscan", ".I COMMAND", ".RI [ OPTION \" ...]\""])
    page += section(
      "DESCRIPTION",
      paragraphs([
        "Reads directories or manifests of scanned card pairs: the text of the front, the barcode of the back, and whether "
          + "the number in the barcode is the expected one. For each pair it writes the events of the mobile scan SDK and "
          + "one result line. Card images never leave the machine: it needs no network and its workers give it up.",
        "The same command line serves by hand, from cron and after a crash: what is done and unchanged is not done again, "
          + "and a run that did not finish is resumed.",
      ]))
    page += section("COMMANDS", Command.all.flatMap(Self.command))
    page += section(
      "PIPELINE DEFINITION",
      paragraphs([
        "A JSON5 file with any of these keys. Flags are put over it. Paths are relative to the file. Unknown keys are refused."
      ]) + Setting.all.flatMap { item($0.path, $0.help + ".") })
    page += section("FILES", files.flatMap { item($0.0, $0.1) })
    page += section(
      "EXIT STATUS", ExitStatus.allCases.flatMap { item(String($0.rawValue), $0.meaning + "; " + $0.remedy + ".") })
    page += section("ENVIRONMENT", environment.flatMap { item($0.0, $0.1) })
    page += section("SEE ALSO", [".BR tesseract (1),", ".BR systemd.timer (5),", ".BR crontab (5)"])
    return page.joined(separator: "\n") + "\n"
  }

  private static let files = [
    ("OUT/latest", "The newest run's folder."),
    ("OUT/runs/START/results.ndjson", "One line a pair, in input order, the same bytes for any number of workers."),
    ("OUT/runs/START/events.ndjson", "Every event, in the same order."),
    ("OUT/runs/START/rescan.csv", "A manifest of the pairs that need a new image of the back."),
    ("OUT/runs/START/summary.json, report.html", "The summary for programs and for people."),
    ("OUT/runs/START/timings.ndjson, log.ndjson", "What differs from run to run."),
    ("OUT/images", "The captured card images, readable by their owner alone."),
    ("OUT/ledger.sqlite", "What is done."),
  ]

  private static let environment = [
    ("CNICSCAN_MODELS", "Folder of card.traineddata and second.traineddata, tried before the installed one."),
    ("TESSDATA_PREFIX", "Folder of eng.traineddata, tried before Debian's."),
    ("NO_COLOR", "Set to anything: no colours."),
  ]

  private static func command(_ command: Command) -> [String] {
    var lines = [".SS " + quoted(("cnicscan " + command.name + " " + command.parameters))]
    lines += paragraphs([command.summary + "."] + (command.description.isEmpty ? [] : [command.description]))
    for option in command.options {
      var heads = ["--" + option.name + (option.kind == .flag ? "" : "=" + option.value)]
      if let short = option.short { heads.insert("-" + String(short), at: 0) }
      lines += item(heads.joined(separator: ", "), option.help + ".")
    }
    for example in command.examples {
      lines += [".PP", escaped(example.says) + ":", ".RS", ".EX", escaped(example.line), ".EE", ".RE"]
    }
    return lines
  }

  private static func section(_ name: String, _ lines: [String]) -> [String] { [".SH " + quoted(name)] + lines }

  private static func paragraphs(_ texts: [String]) -> [String] {
    texts.flatMap { [".PP"] + $0.split(separator: "\n").map { escaped(String($0)) } }
  }

  private static func item(_ head: String, _ text: String) -> [String] {
    [".TP", ".B " + quoted(head)] + text.split(separator: "\n").map { escaped(String($0)) }
  }

  /// A macro's argument; groff's quote inside it is doubled.
  private static func quoted(_ text: String) -> String { "\"" + escaped(text).replacing("\"", with: "\"\"") + "\"" }

  /// Text that groff takes as it is: hyphens that can be copied, no macro at the start of a line.
  private static func escaped(_ text: String) -> String {
    let safe = text.replacing("\\", with: "\\e").replacing("-", with: "\\-").replacing("…", with: "...")
      .replacing("→", with: "\\->").replacing("'", with: "\\(aq").replacing("`", with: "\\(ga")
    return safe.hasPrefix(".") ? "\\&" + safe : safe
  }
}
