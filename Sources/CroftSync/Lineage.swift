import Croft
import CroftFoundation

/// Which pushes made the versions of the space that a replica has seen.
///
/// A server that was restored, or that took the place of another one, counts versions on: only the pushes tell
/// that one version is another state. Of the latest versions all are kept, of earlier ones fewer and fewer.
struct Lineage: Equatable {
  struct Entry: Equatable {
    var version: UInt64
    var push: UUID
  }

  /// How many of the latest versions are kept.
  private static let latestCount = 64

  /// Ascending by version.
  private(set) var entries: [Entry] = []

  var versions: [UInt64] { entries.map(\.version) }

  subscript(version: UInt64) -> UUID? { entries.last { $0.version == version }?.push }

  /// Notes the push that made a version, which is later than all others.
  mutating func note(_ version: UInt64, _ push: UUID) {
    forget(after: version - 1)
    entries.append(Entry(version: version, push: push))
    let old = entries.dropLast(Self.latestCount)
    // Of the old ones the latest within each power of two of a distance.
    var kept: [Entry] = []
    for entry in old.reversed() {
      func size(_ entry: Entry) -> Int { (version - entry.version).leadingZeroBitCount }
      if kept.last.map({ size($0) != size(entry) }) ?? true { kept.append(entry) }
    }
    entries.removeFirst(old.count)
    entries.insert(contentsOf: kept.reversed(), at: 0)
  }

  mutating func forget(after version: UInt64) { entries.removeAll { $0.version > version } }

  /// The last version that the server has by the same push; 0 for none.
  func lastCommon(with pushes: [UInt64: UUID]) -> UInt64 {
    entries.last { pushes[$0.version] == $0.push }?.version ?? 0
  }
}

// MARK: - As bytes

extension Lineage {
  init?(_ reader: inout ByteReader) {
    guard let count: UInt16 = reader.integer() else { return nil }
    for _ in 0..<count {
      guard let version: UInt64 = reader.integer(), let push = UUID(&reader) else { return nil }
      entries.append(Entry(version: version, push: push))
    }
  }

  func append(to bytes: inout [UInt8]) {
    bytes.append(bigEndian: UInt16(truncatingIfNeeded: entries.count))
    for entry in entries {
      bytes.append(bigEndian: entry.version)
      bytes += entry.push.bytes
    }
  }
}
