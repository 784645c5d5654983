/// When a value was written, and by which replica: the time of a hybrid logical clock.
///
/// Stamps are compared as bytes are: by time, and by replica where the times are the same.
package struct Stamp: Hashable, Comparable, Sendable {
  /// Milliseconds since 1970 in the upper 48 bits, and a counter in the lower 16.
  package var time: UInt64
  /// The number of the replica in its space.
  package var replica: UInt16

  /// Makes a stamp.
  package init(time: UInt64, replica: UInt16) { (self.time, self.replica) = (time, replica) }

  /// Compares times, and replicas where the times are the same.
  package static func < (left: Self, right: Self) -> Bool {
    (left.time, left.replica) < (right.time, right.replica)
  }
}

// MARK: - As bytes

extension Stamp {
  /// Reads the time (u64, big-endian) and the replica (u16); nil where the bytes end too early.
  package init?(_ reader: inout ByteReader) {
    guard let time: UInt64 = reader.integer(), let replica: UInt16 = reader.integer() else {
      return nil
    }
    self.init(time: time, replica: replica)
  }

  /// Appends the bytes of the stamp, which compare as stamps do.
  package func append(to bytes: inout [UInt8]) {
    bytes.append(bigEndian: time)
    bytes.append(bigEndian: replica)
  }
}

extension [Stamp] {
  /// Reads stamps; nil where there are none, or the bytes end too early.
  package init?(_ reader: inout ByteReader) {
    self.init()
    guard let count: UInt32 = reader.integer(), count > 0 else { return nil }
    for _ in 0..<count {
      guard let stamp = Stamp(&reader) else { return nil }
      append(stamp)
    }
  }

  /// The count of the stamps (u32), of which there is at least one, and each.
  package func append(to bytes: inout [UInt8]) {
    bytes.append(bigEndian: UInt32(truncatingIfNeeded: count))
    for stamp in self { stamp.append(to: &bytes) }
  }
}

extension [UInt16: Stamp] {
  /// Reads stamps of fields; nil where the bytes end too early.
  package init?(_ reader: inout ByteReader) {
    self.init()
    guard let count: UInt16 = reader.integer() else { return nil }
    for _ in 0..<count {
      guard let field: UInt16 = reader.integer(), let stamp = Stamp(&reader) else { return nil }
      self[field] = stamp
    }
  }

  /// The count of the stamps (u16), and each with its field (u16) before it, ascending.
  package func append(to bytes: inout [UInt8]) {
    bytes.append(bigEndian: UInt16(truncatingIfNeeded: count))
    for (field, stamp) in sorted(by: { $0.key < $1.key }) {
      bytes.append(bigEndian: field)
      stamp.append(to: &bytes)
    }
  }
}
