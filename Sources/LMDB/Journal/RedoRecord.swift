/// What one write transaction did, to be done again after a power cut.
///
/// Operations are noted when LMDB has made them. A nested transaction that aborts takes its own back. A
/// transaction whose operations exceed ``mostBytes``, or that creates a tree, is not noted further: its
/// commit waits until its pages are on the disk instead.
///
/// Threads: that of the running writer.
final class RedoRecord {
  /// The most bytes of operations: a larger transaction's pages are synced as fast as its record.
  static var mostBytes: Int { Threshold.recordBytes.value }

  /// The kinds of operations, as they are stored.
  enum Kind: UInt8 {
    /// Gives a name to a number by which later operations of the record name a tree.
    case tree = 1
    case put, delete, empty
  }

  /// The number of bytes of an operation without key and value.
  static let headBytes = 11

  /// Whether operations are noted at all.
  private(set) var isRecording = false
  /// Whether the operations are incomplete, so that the pages themselves have to be synced.
  private(set) var isPartial = false
  /// The operations: a value, so that to note one is one access to this object.
  private var notes = Notes()

  /// The bytes of the operations.
  var byteCount: Int { notes.byteCount }
  /// The operations: kind (1 byte), tree (4), lengths of key (2) and value (4), key, value.
  var operations: [UInt8] { Array(notes.room[..<notes.byteCount]) }

  /// Begins the record of an outermost transaction.
  func begin() {
    isRecording = true
    isPartial = false
    notes.removeAll()
  }

  /// Ends the record: what follows is not noted.
  func end() { isRecording = false }

  /// A nested transaction begins.
  func beginNested() { notes.beginNested() }

  /// The innermost nested transaction ends.
  ///
  /// A partial record stays so: the bytes of an earlier operation may be gone.
  func endNested(isCommitted: Bool) { notes.endNested(isCommitted: isCommitted) }

  /// Leaves the operations incomplete, because one of them has no form here.
  func skip() {
    guard isRecording else { return }
    isPartial = true
    notes.byteCount = 0
  }

  /// Notes an operation that LMDB has made.
  ///
  /// - Parameter name: The name of the tree, called where the record does not have it yet.
  func note(
    _ kind: Kind, _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer, in tree: UInt32,
    named name: () -> String?
  ) {
    guard isRecording, !isPartial else { return }
    guard unsafe notes.add(kind, key, value, in: tree, named: name) else { return skip() }
  }
}

/// The operations of a ``RedoRecord``.
private struct Notes {
  /// Room for operations, of which the first bytes are used.
  var room: [UInt8] = []
  var byteCount = 0
  /// The trees that have a name in the record.
  private var named: [UInt32] = []
  /// What each open nested transaction began with.
  private var marks: [(bytes: Int, trees: Int)] = []

  mutating func removeAll() {
    byteCount = 0
    named.removeAll(keepingCapacity: true)
    marks.removeAll(keepingCapacity: true)
  }

  mutating func beginNested() { marks.append((byteCount, named.count)) }

  mutating func endNested(isCommitted: Bool) {
    guard let mark = marks.popLast(), !isCommitted else { return }
    byteCount = min(mark.bytes, byteCount)
    named.removeSubrange(min(mark.trees, named.count)...)
  }

  /// Adds an operation, after the name of its tree where that is new; false where it does not fit.
  mutating func add(
    _ kind: RedoRecord.Kind, _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer,
    in tree: UInt32, named name: () -> String?
  ) -> Bool {
    if !named.contains(tree) {
      guard var name = name(), hasRoom(for: name.utf8.count, 0) else { return false }
      named.append(tree)
      // Safety: the name outlives the call.
      name.withUTF8 {
        unsafe append(
          .tree, UnsafeRawBufferPointer($0), UnsafeRawBufferPointer(start: nil, count: 0), tree)
      }
    }
    guard hasRoom(for: key.count, value.count) else { return false }
    unsafe append(kind, key, value, tree)
    return true
  }

  /// Whether an operation fits in the record.
  private func hasRoom(for key: Int, _ value: Int) -> Bool {
    byteCount + RedoRecord.headBytes + key + value <= RedoRecord.mostBytes
  }

  private mutating func append(
    _ kind: RedoRecord.Kind, _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer,
    _ tree: UInt32
  ) {
    let start = byteCount
    byteCount += RedoRecord.headBytes + key.count + value.count
    if byteCount > room.count {
      room += [UInt8](repeating: 0, count: max(byteCount - room.count, room.count))
    }
    // Safety: the numbers and the caller's bytes fill the room from the start to the count.
    unsafe room.withUnsafeMutableBytes { room in
      let bytes = unsafe UnsafeMutableRawBufferPointer(rebasing: room[start..<byteCount])
      unsafe bytes.storeBytes(of: kind.rawValue, as: UInt8.self)
      unsafe bytes.storeBytes(of: tree, toByteOffset: 1, as: UInt32.self)
      unsafe bytes.storeBytes(of: UInt16(key.count), toByteOffset: 5, as: UInt16.self)
      unsafe bytes.storeBytes(of: UInt32(value.count), toByteOffset: 7, as: UInt32.self)
      let head = RedoRecord.headBytes
      unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[head...]).copyMemory(from: key)
      unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[(head + key.count)...])
        .copyMemory(from: value)
    }
  }
}

extension RedoRecord {
  /// One operation of a stored record.
  struct Operation {
    let kind: Kind
    let tree: UInt32
    let key: ArraySlice<UInt8>
    let value: ArraySlice<UInt8>
  }

  /// Reads stored operations; nil where they are not what ``note(_:_:_:in:named:)`` writes.
  static func parse(_ bytes: [UInt8]) -> [Operation]? {
    var found: [Operation] = []
    var offset = 0
    while offset < bytes.count {
      guard let kind = Kind(rawValue: bytes[offset]),
        let tree = bytes.number(at: offset + 1, UInt32.self),
        let keyCount = bytes.number(at: offset + 5, UInt16.self),
        let valueCount = bytes.number(at: offset + 7, UInt32.self)
      else { return nil }
      let key = offset + headBytes
      let value = key + Int(keyCount)
      let end = value + Int(valueCount)
      guard end <= bytes.count else { return nil }
      found.append(
        Operation(kind: kind, tree: tree, key: bytes[key..<value], value: bytes[value..<end]))
      offset = end
    }
    return found
  }
}

extension [UInt8] {
  /// Appends a number in the machine's byte order.
  mutating func append<N: FixedWidthInteger & BitwiseCopyable>(number: N) {
    // Safety: a number has no invalid bytes.
    unsafe Swift.withUnsafeBytes(of: number) { unsafe append(contentsOf: $0) }
  }
}
