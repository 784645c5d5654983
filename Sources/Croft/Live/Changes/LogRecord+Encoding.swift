/// Writes the record of a commit, model by model; the format is told at ``LogRecord``.
struct LogRecordEncoder: ~Copyable {
  private(set) var bytes = _ByteBuffer()
  /// The most bytes of a record's keys; a model whose keys do not fit is said to have changed.
  private let largestKeyBytes: Int
  /// Where the keys of the model at hand begin, behind their number.
  private var start = 0
  private var count: UInt32 = 0
  /// Whether keys of the model at hand were left out.
  private var isCut = false

  init(largestKeyBytes: Int = CommitLog.largestKeyBytes) {
    self.largestKeyBytes = largestKeyBytes
    bytes.append(LogRecord.version)
  }

  /// Begins a model; its number is greater than those before it.
  ///
  /// Without a key behind it the record says that any object of the model may have changed.
  mutating func beginModel(_ number: Int) {
    bytes.append(littleEndian: UInt32(truncatingIfNeeded: number))
    bytes.append(littleEndian: 0)
    (start, count, isCut) = (bytes.count, 0, false)
  }

  /// Adds a key of the model, past those before it, of at most 200 bytes.
  mutating func append(key: UnsafeRawBufferPointer) {
    isCut = isCut || bytes.count + key.count > largestKeyBytes
    if isCut {
      bytes.count = start
      count = 0
    } else {
      bytes.append(UInt8(truncatingIfNeeded: key.count))
      unsafe bytes.append(contentsOf: key)
      count += 1
    }
    // Safety: `beginModel` put the number of keys in the four bytes before the first.
    unsafe bytes.base.storeBytes(
      of: count.littleEndian, toByteOffset: start - 4, as: UInt32.self)
  }
}

extension _ByteBuffer {
  /// Appends an integer, least significant byte first.
  fileprivate mutating func append(littleEndian value: UInt32) {
    append(bigEndian: value.byteSwapped)
  }
}
