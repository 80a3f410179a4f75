import Foundation
import Testing

import RecordFormats

/// Holds lines against a schema with Debian's python3-jsonschema: a validator that is not ours.
enum SchemaValidator {
  private static let script = """
    import json, sys
    import jsonschema
    schema = json.load(open(sys.argv[1], encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    for number, line in enumerate(open(sys.argv[2], encoding="utf-8"), 1):
        if validator.is_valid(json.loads(line)):
            print("valid")
        else:
            print("invalid")
    """

  /// Whether each line is valid.
  static func verdicts(_ schema: Schema, _ lines: [String]) throws -> [Bool] {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("schema-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { do { try FileManager.default.removeItem(at: folder) } catch {} }
    let schemaFile = folder.appendingPathComponent("schema.json")
    let linesFile = folder.appendingPathComponent("lines.ndjson")
    try Data(schema.text.utf8).write(to: schemaFile)
    try Data(lines.map { $0 + "\n" }.joined().utf8).write(to: linesFile)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    process.arguments = ["-c", script, schemaFile.path, linesFile.path]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    return String(decoding: output, as: UTF8.self).split(separator: "\n").map { $0 == "valid" }
  }
}
