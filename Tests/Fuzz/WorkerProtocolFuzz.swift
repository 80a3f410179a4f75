// Feeds both ends of the worker protocol: a line is refused, or read and written again to the same bytes.
import CardModel
import RecordFormats

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzWorkerProtocol(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  let line = Array(UnsafeBufferPointer(start: bytes, count: count))
  do throws(WorkerRequest.Refusal) {
    let again = try WorkerRequest(line: try WorkerRequest(line: line).line)
    let third = try WorkerRequest(line: again.line).line
    precondition(again.line == third, "a request changes when it is written again")
  } catch { _ = WorkerResponse(error).line }
  do throws(FormatError) {
    let first = try WorkerResponse(line: line).line
    let second = try WorkerResponse(line: first).line
    precondition(second == first, "a response changes when it is written again")
  } catch {}
  return 0
}
