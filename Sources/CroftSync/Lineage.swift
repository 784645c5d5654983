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

  /// Notes the push that made a version.
  mutating func note(_ version: UInt64, _ push: UUID) {
    let place = entries.firstIndex { $0.version >= version } ?? entries.count
    if entries.dropFirst(place).first?.version == version { entries.remove(at: place) }
    entries.insert(Entry(version: version, push: push), at: place)
    let version = entries[entries.count - 1].version
    let old = entries.dropLast(Self.latestCount)
    // Of the old ones the earliest within each power of two of a distance: it ages into the next one.
    var kept: [Entry] = []
    for entry in old {
      func size(_ entry: Entry) -> Int { (version - entry.version).leadingZeroBitCount }
      if kept.last.map({ size($0) != size(entry) }) ?? true { kept.append(entry) }
    }
    entries.removeFirst(old.count)
    entries.insert(contentsOf: kept, at: 0)
  }

  mutating func forget(after version: UInt64) { entries.removeAll { $0.version > version } }

  /// Whether a server has the last version by the same push, or has forgotten it.
  func isSame(as pushes: [UInt64: UUID], floor: UInt64) -> Bool {
    lastCommon(with: pushes, floor: floor) == entries.last?.version ?? 0
  }

  /// The last version that the server has by the same push, or has forgotten; 0 for none.
  func lastCommon(with pushes: [UInt64: UUID], floor: UInt64) -> UInt64 {
    entries.last { pushes[$0.version] == $0.push || $0.version < floor }?.version ?? 0
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
