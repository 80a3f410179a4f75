import BatchRun
import CardModel
import Foundation
import RecordFormats
import TestSupport
import Testing

/// `worker --jobs K`: what an engine's pipe relies on, with a stub as worker.
@Suite struct FanOutTests {
  private let fixture: BatchFixture

  init() throws { fixture = try BatchFixture() }

  private func fanOut(jobs: Int, environment: [String: String] = [:]) throws -> WorkerFanOut {
    let settings = try fixture.settings(environment: environment)
    var limits = WorkerLimits()
    limits.pairSeconds = 1
    return WorkerFanOut(
      command: settings.worker, limits: limits, jobs: jobs, delivery: .android, handlesSignals: false)
  }

  private func line(_ id: String) throws -> String {
    let images = fixture.directory.path("images")
    try FileManager.default.createDirectory(atPath: images, withIntermediateDirectories: true)
    return "{\"id\":\"\(id)\",\"imagesDirectory\":\"\(images)\"}\n"
  }

  /// Answers a file of lines into a file.
  private func answers(to input: String, by fanOut: WorkerFanOut) throws -> [WorkerResponse] {
    let from = try FileHandle(forReadingFrom: URL(fileURLWithPath: try fixture.directory.write(input, to: "lines")))
    let path = try fixture.directory.write("", to: "answers")
    let to = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try fanOut.run(input: from.fileDescriptor, output: to.fileDescriptor)
    return try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map {
      try WorkerResponse(line: Array($0.utf8))
    }
  }

  @Test(arguments: [1, 3]) func everyLineIsAnsweredOnceInOrderWhateverItsWorkerDoes(jobs: Int) throws {
    var ids = (0..<40).map { "p\($0)" + ($0 % 5 == 0 ? "-slow" : "") }
    ids[7] += "-crash"
    ids[11] += "-crashonce"
    ids[19] += "-hang"
    ids[23] += "-wrongid"
    let input = try ids.map(line).joined() + "\n" + "not JSON\n" + line("last").dropLast()
    let responses = try answers(to: input, by: fanOut(jobs: jobs, environment: ["STUB_SLOW": "0.02"]))
    #expect(responses.map(\.id) == ids + ["", "last"])
    let failed = responses.filter { $0.result.outcome == .failed }
    #expect(failed.map(\.id) == [ids[7], ids[19], ids[23], ""])
    #expect(
      failed.map(\.result.reasons) == [[.workerCrashed], [.timeLimit], [.workerCrashed], [.invalidRequest]])
    #expect(responses[11].result.outcome == .matched, "a crash that does not come again costs nothing")
  }

  @Test func aPairThatCrashesItsWorkerKeepsItsExpectedNumber() throws {
    let input = try line("a-crash").replacing("{", with: "{\"identityNumber\":\"1234512345671\",", maxReplacements: 1)
    let responses = try answers(to: input, by: fanOut(jobs: 1))
    #expect(responses.map(\.result.reasons) == [[.workerCrashed]])
    #expect(responses.first?.result.details.expectedNumber?.digits == "1234512345671")
  }

  @Test func anInputWithoutLinesNeedsNoWorker() throws {
    #expect(try answers(to: "", by: fanOut(jobs: 2, environment: ["STUB_NEVER_STARTS": "1"])).isEmpty)
  }

  @Test func workersThatCannotStartAreTheTasksFailure() throws {
    let error = #expect(throws: RunError.self) {
      try answers(to: line("a"), by: fanOut(jobs: 2, environment: ["STUB_NEVER_STARTS": "69"]))
    }
    #expect(error?.status == .engineMissing)
  }

  @Test func aFullDiskIsTheTasksFailureNotThePairs() throws {
    let error = #expect(throws: RunError.self) { try answers(to: line("a-nowrite"), by: fanOut(jobs: 1)) }
    #expect(error?.status == .outputFailure)
  }

  @Test func anInputThatCannotBeReadIsNoEnd() throws {
    let folder = try FileHandle(forReadingFrom: fixture.directory.url)
    let answers = try FileHandle(forWritingTo: URL(fileURLWithPath: try fixture.directory.write("", to: "answers")))
    let error = #expect(throws: RunError.self) {
      try fanOut(jobs: 1).run(input: folder.fileDescriptor, output: answers.fileDescriptor)
    }
    #expect(error?.status == .outputFailure)
  }

  /// An engine that writes without reading must be held up after a few lines, not have its task's whole part taken into memory.
  @Test func whatIsReadAheadIsBounded() throws {
    let (input, output) = (Pipe(), Pipe())
    let fanOut = try fanOut(jobs: 1)
    let thread = Thread {
      // It ends as the answers' reader goes away.
      _ = try? fanOut.run(
        input: input.fileHandleForReading.fileDescriptor, output: output.fileHandleForWriting.fileDescriptor)
    }
    thread.start()
    let descriptor = input.fileHandleForWriting.fileDescriptor
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    let text = Array(
      "{\"id\":\"\(String(repeating: "x", count: 1000))\",\"identityNumber\":\"\(String(repeating: "9", count: 60_000))\"}\n"
        .utf8)
    var written = 0
    var quietSince = Date()
    while Date().timeIntervalSince(quietSince) < 1.5, written < 20 << 20 {
      let offset = written % text.count
      let count = text.withUnsafeBytes { write(descriptor, $0.baseAddress! + offset, text.count - offset) }
      if count > 0 { (written, quietSince) = (written + count, Date()) } else { usleep(10_000) }
    }
    // 8 lines a worker out, what answers fill the output pipe, and what the pipes and the reader's buffer hold.
    #expect(written < 200 * text.count, "\(written / text.count) lines were read without one answer taken")
    #expect(written > 4 * text.count)
    try input.fileHandleForWriting.close()
    try output.fileHandleForReading.close()
    let deadline = Date().addingTimeInterval(20)
    while !thread.isFinished, Date() < deadline { usleep(10_000) }
    #expect(thread.isFinished)
  }
}
