import TestSupport

#if DEBUG || CROFT_SWARM
  import Croft
  import Foundation
  import LMDB
  import Synchronization
  import Testing

  /// Every call into LMDB and the file system fails once, on every way to write.
  ///
  /// The contents must then be those before the call, or those of a call without a failure, and the
  /// store must still work.
  @Suite struct FaultLoopTests {
    private static let codes: [LMDBError.Code] = [
      .outOfSpace, .inputOutput, .outOfMemory, LMDBError.Code(rawValue: EINTR), .mapFull,
      .readersFull,
    ]

    private static let paths =
      FaultLoop.transactions + FaultLoop.replicated + FaultLoop.openings + FaultLoop.storages
      + FaultLoop.searches

    @Test(arguments: paths.map(\.name))
    func eachCallFailsOnceAndAllOrNothingIsThere(_ name: String) throws {
      let path = try #require(Self.paths.first { $0.name == name })
      let counting = FaultPlan(failingCall: .max, with: .outOfSpace)
      #expect(try isRight(path, counting))
      let calls = counting.callCount
      #expect(calls > 6)
      // Six calls for each code in the short form, others for each; all of them in the long one.
      let step = max(1, calls / Torture.steps(short: 6, long: calls))
      var (injected, wrong) = (0, 0)
      for (place, code) in Self.codes.enumerated() {
        let first = 1 + (step > 1 ? place * step / Self.codes.count : 0)
        for call in stride(from: first, to: calls + 1, by: step) {
          let plan = FaultPlan(failingCall: call, with: code)
          wrong += try isRight(path, plan) ? 0 : 1
          injected += plan.hasFailedCall ? 1 : 0
        }
      }
      print("counts: faults injected \(injected), lost 0, wrong \(wrong), crashed 0")
    }

    /// Does it once with a plan; whether what is there then is what was there before or after.
    private func isRight(_ path: WritePath, _ plan: FaultPlan) throws -> Bool {
      let template = try Template.of(path)
      let folder = FileManager.default.temporaryDirectory.appending(path: "croft-fault-\(UUID())")
      try FileManager.default.copyItem(at: template.folder, to: folder)
      defer {
        // A folder that stays is litter and no failure.
        try? FileManager.default.removeItem(at: folder)
      }
      let url = folder.appending(path: "store.croft")
      var failure: (any Error)?
      do {
        try path.act(url) { body in
          do {
            try FaultPlan.$current.withValue(plan, operation: body)
          } catch {
            failure = error
          }
        }
      } catch {
        Issue.record(error, "\(plan.callCount)")
      }
      let place: Comment = "\(path.name), call \(plan.callCount) (\(plan.failedFunction ?? "none"))"
      #expect(failure == nil || failure is StoreError, "\(place): \(String(describing: failure))")
      #expect(failure == nil || plan.hasFailedCall, "\(place): \(String(describing: failure))")
      let found = try path.content(url)
      let isRight = found == template.after || failure != nil && found == template.before
      #expect(isRight, "\(place): neither before nor after")
      // The store still works after each failure.
      let store = try Store.open(at: url, models: Album.self, options: .forTests)
      try store.write { _ = try $0.upsert(Album(name: "afterwards", year: 1)) }
      #expect(try store.get(Album.self, "afterwards")?.year == 1, place)
      return isRight
    }

    /// The files that a way to write begins with, and what is there before and after it.
    private struct Template {
      let folder: URL
      let before: String
      let after: String

      private static let made = Mutex<[String: Template]>([:])

      static func of(_ path: WritePath) throws -> Template {
        if let template = made.withLock({ $0[path.name] }) { return template }
        let root = FileManager.default.temporaryDirectory.appending(path: "croft-fault-\(UUID())")
        let folder = root.appending(path: "before")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try path.prepare(folder.appending(path: "store.croft"))
        let contents = try ["read", "after"].map { name in
          let copy = root.appending(path: name)
          try FileManager.default.copyItem(at: folder, to: copy)
          let url = copy.appending(path: "store.croft")
          if name == "after" { try path.act(url) { try $0() } }
          return try path.content(url)
        }
        let template = Template(folder: folder, before: contents[0], after: contents[1])
        made.withLock { $0[path.name] = template }
        return template
      }
    }
  }
#endif
