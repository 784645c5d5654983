import TestSupport

/// What is on a disk, and what is only on its way there, after some events of a trace.
public struct Disk: Sendable {
  /// A change of a file's bytes that may or may not reach the disk.
  enum Change: Sendable {
    case write(offset: Int, bytes: Range<Int>, isSynced: Bool)
    case resize(Int)

    /// Whether it has reached the disk whatever happened to those before it.
    var isSynced: Bool {
      if case .write(_, _, let isSynced) = self { isSynced } else { false }
    }
  }

  struct File: Sendable {
    /// What survives any power cut.
    var synced: [UInt8] = []
    /// What was done since, in order: also what is on the disk, where something before it is not.
    var pending: [Change] = []
  }

  /// What names led to at once, as one step of the file system: a file's number or nothing.
  typealias NameChange = [(name: String, file: Int?)]

  let trace: Trace
  /// The files by a number of ours, because the system uses its numbers again.
  private(set) var files: [File] = []
  private var numbers: [Int: Int] = [:]
  /// The names that survive any power cut.
  private(set) var syncedNames: [String: Int] = [:]
  /// What was done to names since, in order.
  private(set) var pendingNames: [NameChange] = []
  /// The names as the program sees them.
  private var names: [String: Int] = [:]
  /// Chooses what a failed sync has written.
  private var random: SeededGenerator

  /// A disk before the first event of a trace.
  public init(_ trace: Trace, seed: UInt64) {
    self.trace = trace
    random = SeededGenerator(seed: seed)
  }

  /// Lets an event happen.
  public mutating func apply(_ event: Trace.Event) {
    switch event {
    case .write(let file, let offset, let bytes, let isSynced):
      let number = number(of: file)
      if isSynced, files[number].pending.isEmpty {
        trace.write(bytes, at: offset, to: &files[number].synced)
      } else {
        files[number].pending.append(.write(offset: offset, bytes: bytes, isSynced: isSynced))
      }
    case .resize(let file, let bytes): files[number(of: file)].pending.append(.resize(bytes))
    case .sync(let file):
      let number = number(of: file)
      trace.apply(files[number].pending, to: &files[number].synced)
      files[number].pending = []
    case .name(let name, let file): lead(name, to: file)
    case .rename(let old, let new):
      let file = names[old]
      names[old] = nil
      names[new] = file
      pendingNames.append([(old, nil), (new, file)])
    case .remove(let name):
      names[name] = nil
      pendingNames.append([(name, nil)])
    case .syncNames:
      for change in pendingNames { for (name, file) in change { syncedNames[name] = file } }
      pendingNames = []
    case .failedSync(let file):
      // The system takes what it was to write for written, and forgets that it is not.
      let number = number(of: file)
      var random = random
      let isAllLost = random.oneIn(2)
      let written = files[number].pending.filter { change in
        if case .resize = change { true } else { change.isSynced || !isAllLost && random.oneIn(2) }
      }
      self.random = random
      trace.apply(written, to: &files[number].synced)
      files[number].pending = []
    case .mark: break
    }
  }

  /// What an event adds to what is on its way, before the system has answered.
  public func during(_ event: Trace.Event) -> Disk {
    var disk = self
    switch event {
    case .write(let file, let offset, let bytes, _):
      disk.apply(.write(file: file, offset: offset, bytes: bytes, isSynced: false))
    case .sync, .syncNames, .failedSync: break
    default: disk.apply(event)
    }
    return disk
  }

  private mutating func lead(_ name: String, to file: Int) {
    // A number that no name leads to any more is that of a new file, which has no bytes.
    if let number = numbers[file], names.values.contains(number) {
      if names[name] == number { return }
    } else {
      numbers[file] = nil
    }
    let number = number(of: file)
    names[name] = number
    pendingNames.append([(name, number)])
  }

  private mutating func number(of file: Int) -> Int {
    if let number = numbers[file] { return number }
    files.append(File())
    numbers[file] = files.count - 1
    return files.count - 1
  }
}

extension Trace {
  /// Writes bytes of the trace into a file, which grows as needed.
  func write(_ range: Range<Int>, at offset: Int, to file: inout [UInt8]) {
    let end = offset + range.count
    if file.count < end { file.resize(end) }
    // By one copy, which a debug build makes as fast as another: images are made by the thousand.
    bytes.withUnsafeBytes { source in
      file.withUnsafeMutableBytes { target in
        // Safety: both ranges are within their arrays.
        unsafe UnsafeMutableRawBufferPointer(rebasing: target[offset..<end]).copyMemory(
          from: UnsafeRawBufferPointer(rebasing: source[range]))
      }
    }
  }

  /// Makes changes of a file, one after another.
  func apply(_ changes: [Disk.Change], to file: inout [UInt8]) {
    for change in changes {
      switch change {
      case .write(let offset, let bytes, _): write(bytes, at: offset, to: &file)
      case .resize(let count): file.resize(count)
      }
    }
  }
}

extension [UInt8] {
  /// Truncates, or fills up with zeros.
  mutating func resize(_ bytes: Int) {
    if bytes < count { removeLast(count - bytes) }
    if bytes > count { self += [UInt8](repeating: 0, count: bytes - count) }
  }
}
