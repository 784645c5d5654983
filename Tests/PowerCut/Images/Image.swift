/// What a disk may hold after a power cut: the bytes of each name.
public struct Image: Sendable {
  /// The files by their names.
  public private(set) var files: [String: [UInt8]] = [:]
  /// How much of what was on its way arrived, for messages.
  public let manner: Manner

  /// Which part of what was on its way has reached the disk.
  public enum Manner: CaseIterable, Sendable {
    /// Nothing of it.
    case nothing
    /// All of it.
    case all
    /// What came first.
    case prefix
    /// Whole writes, in whatever order the disk liked.
    case someWrites
    /// In each sector of 512 bytes all that was written until some moment, another one for each.
    case tornSectors
    /// The same for each page of 4,096 bytes.
    case tornPages
    /// All but up to three sectors.
    case sectorsMissing
    /// Up to three sectors only.
    case sectorsAlone
    /// Each sector or not.
    case halfTheSectors
  }

  /// Makes an image of what a disk may hold if the power goes now.
  public init(of disk: Disk, _ random: inout some RandomNumberGenerator) {
    manner = Manner.allCases.randomElement(using: &random) ?? .nothing
    for (name, number) in Image.names(of: disk, manner, &random) where files[name] == nil {
      files[name] = Image.bytes(of: disk.files[number], manner, disk.trace, &random)
    }
  }

  /// Which names there are: those of a moment since the last sync, or some of what was done since.
  private static func names(
    of disk: Disk, _ manner: Manner, _ random: inout some RandomNumberGenerator
  ) -> [(key: String, value: Int)] {
    var names = disk.syncedNames
    let count =
      switch manner {
      case .nothing: 0
      case .all: disk.pendingNames.count
      default: Int.random(in: 0...disk.pendingNames.count, using: &random)
      }
    let picks = manner == .someWrites
    for (place, change) in disk.pendingNames.enumerated()
    where picks ? Bool.random(using: &random) : place < count {
      for (name, file) in change { names[name] = file }
    }
    return names.sorted { $0.key < $1.key }
  }

  private static func bytes(
    of file: Disk.File, _ manner: Manner, _ trace: Trace,
    _ random: inout some RandomNumberGenerator
  ) -> [UInt8] {
    var bytes = file.synced
    let pending = file.pending
    if pending.isEmpty { return bytes }
    let kept: [Bool]
    switch manner {
    case .nothing: kept = pending.map { _ in false }
    case .all: kept = pending.map { _ in true }
    case .prefix:
      let count = Int.random(in: 0...pending.count, using: &random)
      kept = pending.indices.map { $0 < count }
    case .someWrites:
      let percent = Int.random(in: 0..<100, using: &random)
      kept = pending.map { _ in Int.random(in: 0..<100, using: &random) < percent }
    default:
      let sectors = Sectors(manner, pending, bytes.count, &random)
      sectors.write(pending, of: trace, into: &bytes)
      return bytes
    }
    trace.apply(zip(pending, kept).filter { $1 || $0.isSynced }.map(\.0), to: &bytes)
    return bytes
  }
}

/// Which version of each sector has reached the disk: how many of the changes it knows.
private struct Sectors {
  private let size: Int
  private var versions: [Int]
  private let bytes: Int
  private let isFullLength: Bool

  init(
    _ manner: Image.Manner, _ pending: [Disk.Change], _ synced: Int,
    _ random: inout some RandomNumberGenerator
  ) {
    size = manner == .tornPages ? 4_096 : 512
    bytes = pending.reduce(synced) { most, change in
      switch change {
      case .write(let offset, let bytes, _): max(most, offset + bytes.count)
      case .resize(let count): max(most, count)
      }
    }
    let sectors = bytes / size + 1
    let all = pending.count
    switch manner {
    case .sectorsMissing: versions = Array(repeating: all, count: sectors)
    case .sectorsAlone: versions = Array(repeating: 0, count: sectors)
    case .halfTheSectors:
      versions = (0..<sectors).map { _ in Bool.random(using: &random) ? 0 : all }
    default: versions = (0..<sectors).map { _ in Int.random(in: 0...all, using: &random) }
    }
    isFullLength = Bool.random(using: &random)
    guard [.sectorsMissing, .sectorsAlone].contains(manner) else { return }
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      guard case .write(let offset, let bytes, _)? = pending.randomElement(using: &random),
        !bytes.isEmpty
      else { continue }
      let sector = (offset + Int.random(in: 0..<bytes.count, using: &random)) / size
      versions[sector] =
        manner == .sectorsMissing
        ? Int.random(in: 0..<all, using: &random) : Int.random(in: 1...all, using: &random)
    }
  }

  /// Makes the changes, in each sector as many as have reached it.
  func write(_ pending: [Disk.Change], of trace: Trace, into file: inout [UInt8]) {
    // The length is on the disk before the bytes there, or only as far as some are.
    if isFullLength { file.resize(max(file.count, bytes)) }
    for (place, change) in pending.enumerated() {
      guard case .write(let offset, let bytes, let isSynced) = change else { continue }
      var start = offset
      while start < offset + bytes.count {
        let end = min((start / size + 1) * size, offset + bytes.count)
        if isSynced || place < versions[start / size] {
          let from = bytes.lowerBound + start - offset
          trace.write(from..<from + end - start, at: start, to: &file)
        }
        start = end
      }
    }
  }
}
