internal import CardModel

extension PairRecord {
  /// The record of a pair that no worker answered for: it may not be read, crashed its worker, or ran out of time or memory.
  /// Whoever reviews it needs the number that was expected, as in every other record.
  init(unanswered request: PairRequest, _ reason: Reason) {
    self.init(id: request.id, events: [], outcome: .failed, reasons: [reason])
    details.expectedNumber = request.expectedNumber.flatMap { IdentityNumber($0) }
  }
}
