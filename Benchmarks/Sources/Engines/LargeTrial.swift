import Croft
import Foundation
package import Harness

/// What only `--growth` measures: operations on one thing that is as large as the number of objects.
package enum LargeWorkload: String, CaseIterable, Sendable {
  /// A reference is appended to a collection of as many.
  case append = "large-collection-append"
  /// An object is deleted that a collection of as many references has.
  case delete = "large-collection-delete"
  /// A query of a twentieth as many conditions, joined by `||`.
  case terms = "large-or"
  /// A property is changed beside one of a hundred times as many bytes.
  case value = "large-value"
  /// A hundredth as many observers, of one object each.
  case observers = "large-observers"
  /// A thousandth as many stores in memory, each with an observer, and a commit in each.
  case stores = "large-stores"

  /// The word that stands for all of them.
  package static let group = "large"

  /// The workloads of a name, or all of them for the group's; nil when the word names nothing.
  package static func named(_ word: String) -> [LargeWorkload]? {
    word == group ? allCases : LargeWorkload(rawValue: word).map { [$0] }
  }
}

/// One workload on one large thing, by Croft alone, in this process.
///
/// Threads: a trial belongs to one thread.
package final class LargeTrial: Contestant {
  package let name = CroftEngine.name
  private let workload: LargeWorkload
  private let size: Int
  private let folder: StoreFolder
  private let store: Store

  /// Makes a store, and in it what is measured.
  ///
  /// - Parameters:
  ///   - size: how many objects, as the workload takes it.
  ///   - directory: the folder of the store.
  package init(_ workload: LargeWorkload, size: Int, in directory: String) throws {
    self.workload = workload
    self.size = size
    folder = StoreFolder(workload.rawValue, in: directory)
    try folder.create()
    var options = Store.Options()
    options.durability = .unsafe
    store = try Store.open(
      at: URL(fileURLWithPath: folder.storePath), models: LargeList.self, LargeEntry.self,
      options: options)
    try store.write { tx in
      switch workload {
      case .append, .delete:
        try tx.insert(contentsOf: (0...size).map(LargeEntry.init))
        try tx.insert(LargeList(id: 0, note: "", entries: (0..<size).map { Ref($0) }))
      case .value:
        try tx.insert(LargeList(id: 0, note: "", bytes: Data(count: 100 * size)))
      case .terms: try tx.insert(contentsOf: (0..<terms).map(LargeEntry.init))
      case .observers: try tx.insert(contentsOf: (0..<observers).map(LargeEntry.init))
      case .stores: break
      }
    }
  }

  /// How long a delivery may take.
  private static let patience = Duration.seconds(10)

  private var terms: Int { max(1, size / 20) }
  private var observers: Int { max(1, size / 100) }
  private var stores: Int { max(1, size / 1000) }

  package func round() throws -> Sample {
    let memory = PeakMemory()
    let clock = ContinuousClock()
    let start = clock.now
    let (objects, answer) = try perform()
    let elapsed = clock.now - start
    let peakBytes = memory.growthBytes()
    var checksum = Checksum()
    checksum.add(answer, named: workload.rawValue)
    try undo()
    return Sample(
      nanoseconds: elapsed / .nanoseconds(1), objects: objects,
      checksum: checksum.hexadecimal, fileBytes: try folder.dataBytes(), peakBytes: peakBytes)
  }

  /// Closes the store and removes its files.
  package func finish() throws { try folder.remove() }

  /// The timed part: what its time is divided by, and what it came to.
  private func perform() throws -> (objects: Int, answer: Int) {
    switch workload {
    case .append:
      try changeList { $0.entries.append(Ref(self.size)) }
      return (size, 1)
    case .delete:
      return (size, try store.write { try $0.delete(LargeEntry.self, size / 2) } ? 1 : 0)
    case .terms:
      let query = LargeEntry.where { entry in
        (1..<terms).reduce(entry.rank == 0) { $0 || entry.rank == 2 * $1 }
      }
      return (terms, try store.count(query))
    case .value:
      try changeList { $0.note += "a" }
      return (size, 1)
    case .observers:
      let inbox = Inbox()
      let tokens = (0..<observers).map { rank in
        store.observe(LargeEntry.where { $0.rank == rank }, onError: { inbox.fail($0) }) { _ in
          inbox.deliver { .numbers([]) }
        }
      }
      for _ in tokens { try inbox.wait(atMost: Self.patience) }
      return withExtendedLifetime(tokens) { (observers, tokens.count) }
    case .stores: return (stores, try commitInEach())
    }
  }

  private func commitInEach() throws -> Int {
    let inbox = Inbox()
    let opened = try (0..<stores).map { _ in try Store.inMemory(models: LargeEntry.self) }
    let tokens = opened.map { store in
      store.observe(LargeEntry.all.count, onError: { inbox.fail($0) }) { _ in
        inbox.deliver { .numbers([]) }
      }
    }
    for _ in tokens { try inbox.wait(atMost: Self.patience) }
    for store in opened { try store.write { try $0.insert(LargeEntry(0)) } }
    for _ in tokens { try inbox.wait(atMost: Self.patience) }
    return withExtendedLifetime(tokens) { tokens.count }
  }

  /// Restores what the next round begins with.
  private func undo() throws {
    switch workload {
    case .append: try changeList { $0.entries.removeLast() }
    case .delete:
      try store.write { try $0.insert(LargeEntry(self.size / 2)) }
      try changeList { $0.entries.append(Ref(self.size / 2)) }
    case .value: try changeList { $0.note = "" }
    case .terms, .observers, .stores: break
    }
  }

  private func changeList(_ change: (inout LargeList) -> Void) throws {
    _ = try store.write { try $0.update(LargeList.self, 0, change) }
  }
}

/// A list of references, and a value that may be large.
@Model struct LargeList {
  @PrimaryKey var id: Int
  var note: String
  @Relation(onDelete: .nullify) var entries: [Ref<LargeEntry>] = []
  var bytes: Data = Data()
}

/// What the list refers to.
@Model struct LargeEntry {
  @PrimaryKey var id: Int
  @Indexed var rank: Int
}

extension LargeEntry {
  init(_ number: Int) { self.init(id: number, rank: number) }
}
