internal import BatchRun
internal import CGLib
internal import Glibc

/// Parses a command's words with GLib's GOption and gives its help text.
///
/// *Ownership*: owns the context, the C strings and the cells that GOption writes to; all are released in `deinit`.
/// Values are taken as file names are, byte for byte, so that a C locale (cron's) does not refuse Urdu file names.
final class OptionParser {
  private let options: [Option]
  private let context: OpaquePointer
  private var strings: [UnsafeMutablePointer<CChar>] = []
  private var flagCells: [String: UnsafeMutablePointer<gboolean>] = [:]
  private var textCells: [String: UnsafeMutablePointer<UnsafeMutablePointer<gchar>?>] = [:]
  private var numberCells: [String: UnsafeMutablePointer<gint>] = [:]
  private var listCells: [String: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<gchar>?>?>] = [:]

  /// The cell of the words without a dash, GLib's G_OPTION_REMAINING.
  private static let remaining = ""
  private static let notGiven = gint.min

  init(command: Command) {
    options = command.options + [Option("help", short: "h", .flag, "Shows this help")]
    context = g_option_context_new(nil)
    g_option_context_set_help_enabled(context, 0)
    var entries = options.map(entry(of:))
    let words = UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<gchar>?>?>.allocate(capacity: 1)
    words.initialize(to: nil)
    listCells[Self.remaining] = words
    entries.append(
      GOptionEntry(
        long_name: copied(Self.remaining), short_name: 0, flags: 0, arg: G_OPTION_ARG_FILENAME_ARRAY, arg_data: words,
        description: nil, arg_description: copied(command.parameters)))
    entries.append(GOptionEntry())
    g_option_context_add_main_entries(context, entries, nil)
  }

  deinit {
    g_option_context_free(context)
    for cell in flagCells.values { cell.deallocate() }
    for cell in numberCells.values { cell.deallocate() }
    for cell in textCells.values {
      g_free(cell.pointee)
      cell.deallocate()
    }
    for cell in listCells.values {
      g_strfreev(cell.pointee)
      cell.deallocate()
    }
    for string in strings { free(string) }
  }

  /// Parses the words after the command's name.
  /// - Throws: `CommandFailure(.usage)` for an unknown option, a missing or malformed value, or text that is not UTF-8.
  func parse(_ arguments: [String]) throws(CommandFailure) -> ParsedOptions {
    var argv: [UnsafeMutablePointer<CChar>?] = (["cnicscan"] + spelledOut(arguments)).map { strdup($0) }
    let original = argv
    defer { for string in original { free(string) } }
    argv.append(nil)
    var problem: UnsafeMutablePointer<GError>?
    let parsed = argv.withUnsafeMutableBufferPointer { buffer -> gboolean in
      var count = gint(buffer.count - 1)
      var base = buffer.baseAddress
      return g_option_context_parse(context, &count, &base, &problem)
    }
    guard parsed != 0 else {
      let message = problem.map { String(cString: $0.pointee.message) } ?? "cannot parse the command line"
      g_clear_error(&problem)
      throw CommandFailure(.usage, message)
    }
    return try values()
  }

  /// GOption's own list of the options.
  var helpText: String {
    guard let text = g_option_context_get_help(context, 1, nil) else { return "" }
    defer { g_free(text) }
    return String(cString: text)
  }

  private func values() throws(CommandFailure) -> ParsedOptions {
    var out = ParsedOptions()
    for (name, cell) in flagCells where cell.pointee != 0 { out.flags.insert(name) }
    for (name, cell) in numberCells where cell.pointee != Self.notGiven { out.numbers[name] = Int(cell.pointee) }
    for (name, cell) in textCells {
      if let text = cell.pointee { out.texts[name] = try decoded(text) }
    }
    for (name, cell) in listCells {
      guard let list = cell.pointee else { continue }
      var values: [String] = []
      var place = 0
      while let text = list[place] {
        values.append(try decoded(text))
        place += 1
      }
      if name == Self.remaining { out.words = values } else { out.lists[name] = values }
    }
    return out
  }

  private func decoded(_ text: UnsafeMutablePointer<gchar>) throws(CommandFailure) -> String {
    guard let string = String(validatingCString: text) else {
      throw CommandFailure(.usage, "a word of the command line is not UTF-8 text")
    }
    return string
  }

  /// What GOption does not know: `-j4` for `-j 4`, and several words after a list option.
  private func spelledOut(_ arguments: [String]) -> [String] {
    let shortValues = Set(options.filter { $0.kind != .flag }.compactMap(\.short))
    let lists = Set(options.filter { $0.kind == .list }.map { "--" + $0.name })
    var out: [String] = []
    var openList: String?
    var verbatim = false
    for word in arguments {
      if verbatim || word == "--" {
        verbatim = true
        out.append(word)
      } else if lists.contains(word) {
        openList = word
      } else if let list = openList, !word.hasPrefix("-") || word == "-" {
        out += [list + "=" + word]
      } else {
        openList = nil
        if word.count > 2, word.hasPrefix("-"), let letter = word.dropFirst().first, shortValues.contains(letter) {
          out += [String(word.prefix(2)), String(word.dropFirst(2))]
        } else {
          out.append(word)
        }
      }
    }
    return out
  }

  private func copied(_ text: String) -> UnsafePointer<CChar> {
    guard let copy = strdup(text) else { fatalError("out of memory") }
    strings.append(copy)
    return UnsafePointer(copy)
  }

  private func entry(of option: Option) -> GOptionEntry {
    var entry = GOptionEntry()
    entry.long_name = copied(option.name)
    if let short = option.short?.asciiValue { entry.short_name = gchar(short) }
    entry.description = copied(option.help)
    if option.kind != .flag { entry.arg_description = copied(option.value) }
    switch option.kind {
    case .flag:
      let cell = UnsafeMutablePointer<gboolean>.allocate(capacity: 1)
      cell.initialize(to: 0)
      flagCells[option.name] = cell
      (entry.arg, entry.arg_data) = (G_OPTION_ARG_NONE, UnsafeMutableRawPointer(cell))
    case .number:
      let cell = UnsafeMutablePointer<gint>.allocate(capacity: 1)
      cell.initialize(to: Self.notGiven)
      numberCells[option.name] = cell
      (entry.arg, entry.arg_data) = (G_OPTION_ARG_INT, UnsafeMutableRawPointer(cell))
    case .text:
      let cell = UnsafeMutablePointer<UnsafeMutablePointer<gchar>?>.allocate(capacity: 1)
      cell.initialize(to: nil)
      textCells[option.name] = cell
      (entry.arg, entry.arg_data) = (G_OPTION_ARG_FILENAME, UnsafeMutableRawPointer(cell))
    case .list:
      let cell = UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<gchar>?>?>.allocate(capacity: 1)
      cell.initialize(to: nil)
      listCells[option.name] = cell
      (entry.arg, entry.arg_data) = (G_OPTION_ARG_FILENAME_ARRAY, UnsafeMutableRawPointer(cell))
    }
    return entry
  }
}
