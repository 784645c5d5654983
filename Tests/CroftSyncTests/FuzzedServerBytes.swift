import Croft

@testable import CroftSync

/// What reads the bytes of a server, or of a replica's own trees, called with bytes that nobody wrote.
///
/// Each must take any bytes: nil and an error are answers, a trap is not. What it reads comes back unchanged when it
/// is sent. libFuzzer runs it through `Scripts/fuzz`.
enum FuzzedServerBytes {
  static let count: UInt8 = 6

  /// Calls one of the decoders.
  static func run(_ choice: UInt8, _ bytes: [UInt8]) {
    switch choice % count {
    case 0: row(bytes, isDeleted: false)
    case 1: row(bytes, isDeleted: true)
    case 2:
      guard let row = ServerRow(record: bytes) else { return }
      precondition(ServerRow(record: row.recordBytes) == row, "A record is read as it was written.")
    case 3:
      guard let part = SyncPush.Part(bytes) else { return }
      precondition(SyncPush.Part(part.bytes) == part, "A part is read as it was written.")
    case 4:
      guard let aside = Aside(bytes) else { return }
      precondition(Aside(aside.bytes) == aside, "An object is read as it was set aside.")
    default:
      var schema = SpaceSchema([])
      // An error is an answer.
      try? schema.add(
        SyncRow(
          object: SyncObject(model: SpaceSchema.model, key: Array("m".utf8)), version: 1,
          isDeleted: false, stamps: [], fields: bytes))
    }
  }

  /// A row, of whose bytes the first one says how many are stamps.
  private static func row(_ bytes: [UInt8], isDeleted: Bool) {
    let count = Int(bytes.first ?? 0)
    let object = SyncObject(model: 1, key: [1])
    let row = SyncRow(
      object: object, version: 7, isDeleted: isDeleted,
      stamps: Array(bytes.dropFirst().prefix(count)),
      fields: isDeleted ? nil : Array(bytes.dropFirst(1 + count)))
    guard let read = ServerRow(row) else { return }
    let sent = SyncRow(read.pushed(as: object, over: 6), version: row.version)
    precondition(ServerRow(sent) == read, "A row is read as it was sent.")
  }
}
