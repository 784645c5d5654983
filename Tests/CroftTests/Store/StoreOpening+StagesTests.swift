import Foundation
import Synchronization
import Testing
import TestSupport

@testable import Croft

/// A store's opening fails or is killed as any stage begins, and the next opening continues.
@Suite(.keepsFailedStores) struct StoreOpeningStagesTests {
  enum Old {
    @Model struct Ride {
      @PrimaryKey var id: Int
      var code: Int
      var note: String
    }
    @Model struct Rider {
      @PrimaryKey var id: Int
      var age: String
    }
  }

  /// An index over many objects in a type of its own, and a migration in another.
  enum New {
    @Model struct Ride {
      @PrimaryKey var id: Int
      @Indexed var code: Int
      var note: String
    }
    @Model struct Rider {
      @PrimaryKey var id: Int
      var age: Int
    }
  }

  /// A unique index that the objects violate.
  enum Unique {
    @Model struct Ride {
      @PrimaryKey var id: Int
      @Indexed(.unique) var code: Int
      var note: String
    }
  }

  /// A key of another type, which no object has.
  enum Other {
    @Model struct Ride {
      @PrimaryKey var id: String
      var code: Int
    }
  }

  /// What programs do, each of which goes through stages of its own.
  enum Program: CaseIterable {
    case new, unique, erasing

    var stages: Set<StoreOpening.Stage> {
      switch self {
      case .new: [.compaction, .replay, .environment, .catalog, .schema, .index, .publication]
      case .unique: [.compaction, .replay, .environment, .catalog, .schema, .index, .abandonment]
      case .erasing: [.compaction, .replay, .environment, .catalog, .erasure, .publication]
      }
    }

    private static let ages = Migration.convert(\New.Rider.age) { old, new in
      new?.age = Int(try old["age", as: String.self]) ?? -1
    }

    func open(
      _ url: URL, willBegin: @escaping (StoreOpening.Stage) throws -> Void = { _ in }
    ) throws -> Store {
      let models: [any Model.Type] =
        switch self {
        case .new: [New.Ride.self, New.Rider.self]
        case .unique: [Unique.Ride.self]
        case .erasing: [Other.Ride.self]
        }
      let options = Store.Options.forTests {
        $0.compaction = CompactionRule(leastFileBytes: 0, leastFreeShare: 0)
        $0.erasesOnSchemaMismatch = self == .erasing
      }
      return try StoreOpening(
        path: url.path, models, options, self == .new ? [Self.ages] : [],
        limits: StepwiseBuild.building, willBegin: willBegin
      ).run()
    }

    /// Whether an opening that nothing disturbs fails.
    var isRefused: Bool { self == .unique }
  }

  private struct Failure: Error {}

  /// Passes the file of a store with objects that an old program wrote; no program has it open.
  ///
  /// - Parameter isCut: Whether it is left as a power cut leaves a store that is written to by a journal.
  private func withOldFile(
    isCut: Bool, _ body: (URL) async throws -> Void
  ) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "croft-test-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    let url = folder.appending(path: "store.croft")
    if isCut {
      try Self.fillAndCut(url)
    } else {
      try Self.fill(try Self.openOld(url))
    }
    try await body(url)
    try FileManager.default.removeItem(at: folder)
  }

  /// Fills a store by way of its journal; the data file is that of the session's beginning.
  private static func fillAndCut(_ url: URL) throws {
    let live = url.deletingLastPathComponent().appending(path: "live.croft")
    var options = Store.Options.forTests
    options.durability = .full
    let store = try Store.open(
      at: live, models: Old.Ride.self, Old.Rider.self, options: options)
    for age in ["a", "b"] {
      try store.write { try $0.upsert(Old.Rider(id: 0, age: age)) }
    }
    try FileManager.default.copyItem(at: live, to: url)
    try store.write { _ = try $0.delete(Old.Rider.self, 0) }
    try fill(store)
    try FileManager.default.copyItem(
      atPath: live.path + "-journal", toPath: url.path + "-journal")
  }

  private static func fill(_ store: Store) throws {
    try store.write { tx in
      try tx.insert(contentsOf: (0..<300).map { Old.Ride(id: $0, code: $0 % 50, note: "n\($0)") })
      try tx.insert(contentsOf: (0..<20).map { Old.Rider(id: $0, age: "\($0 * 2)") })
    }
  }

  @discardableResult
  private static func openOld(_ url: URL) throws -> Store {
    try Store.open(at: url, models: Old.Ride.self, Old.Rider.self, options: .forTests)
  }

  /// What holds of a file after an opening that failed or was killed as a stage began.
  private static func check(_ url: URL, after program: Program, failedAt stage: StoreOpening.Stage)
    throws
  {
    if program == .new, ![.index, .publication].contains(stage) {
      // Nothing was committed: the old program reads all that it wrote.
      let old = try openOld(url)
      #expect(try old.verify().isSound)
      #expect(try old.fetch(Old.Rider.all).map(\.age) == (0..<20).map { "\($0 * 2)" })
    }
    if program == .unique {
      // Whatever the new program left, the old one continues as before.
      let old = try openOld(url)
      #expect(try old.verify().isSound)
      try old.write { try $0.insert(Old.Ride(id: 900, code: 1, note: "")) }
      try old.write { try $0.delete(Old.Ride.self, 900) }
    }
    let store: Store
    do {
      store = try program.open(url)
    } catch {
      #expect(program.isRefused, "after \(stage): \(error)")
      #expect("\(error)".contains("unique index over code cannot be made"))
      #expect(try openOld(url).count(Old.Ride.all) == 300)
      return
    }
    #expect(try store.verify().isSound)
    switch program {
    case .new:
      #expect(try store.fetch(New.Rider.all).map(\.age) == (0..<20).map { $0 * 2 })
      let query = New.Ride.where { $0.code == 7 }
      #expect(try store.explain(query).access == .indexEquality)
      #expect(try store.fetch(query).map(\.note) == [7, 57, 107, 157, 207, 257].map { "n\($0)" })
    case .unique: Issue.record("objects with the same code were accepted")
    case .erasing: #expect(try store.count(Other.Ride.all) == 0)
    }
  }

  @Test(arguments: Program.allCases, [false, true])
  func aStageThatFailsLosesNothing(program: Program, isCut: Bool) async throws {
    var seen: Set<StoreOpening.Stage> = []
    var call = 0
    var isDone = false
    while !isDone {
      try await withOldFile(isCut: isCut) { url in
        var left = call
        var failed: StoreOpening.Stage?
        do {
          _ = try program.open(url) { stage in
            seen.insert(stage)
            if left == 0 {
              failed = stage
              throw Failure()
            }
            left -= 1
          }
        } catch {
          #expect(error is Failure || failed == nil && program.isRefused, "\(error)")
        }
        guard let failed else {
          isDone = true
          return
        }
        try Self.check(url, after: program, failedAt: failed)
      }
      call += 1
    }
    #expect(seen == program.stages)
    #expect(call > program.stages.count)
  }

  /// A killed process is one that fails without a word; its commits stay and its transaction is gone.
  @Test(arguments: Program.allCases, [false, true])
  func aProcessKilledAtAStageLosesNothing(program: Program, isCut: Bool) async throws {
    for stage in StoreOpening.Stage.allCases where program.stages.contains(stage) {
      try await withOldFile(isCut: isCut) { url in
        await #expect(processExitsWith: .signal(SIGKILL)) {
          [url = url as URL, program = "\(program)" as String, stage = "\(stage)" as String] in
          let program = Program.allCases.first { "\($0)" == program }
          _ = try program?.open(url) { if "\($0)" == stage { kill(getpid(), SIGKILL) } }
        }
        try Self.check(url, after: program, failedAt: stage)
      }
    }
  }
}
