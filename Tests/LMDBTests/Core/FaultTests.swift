import TestSupport

#if DEBUG
  import LMDB
  import Testing

  /// Every call of the C library fails once, and the file must hold a state between two commits.
  @Suite struct FaultTests {
    /// What the file holds before the workload, after its first commit, and after its second.
    private static let states: [[String]] = [
      ["a=1", "b=2", "big=\(String(repeating: "x", count: 9_000))"],
      ["b=3", "c=4", "d=5", "e=6"],
      ["b=3", "c=4", "d=5", "e=6", "f=7"],
    ]

    private static func workload(_ path: String) throws {
      let environment = try Environment.open(at: path, options: .forTests())
      try environment.write { transaction in
        let database = try transaction.openDatabase(named: "d")
        try transaction.put("3", at: "b", in: database)
        try transaction.put("4", at: "c", in: database, mode: .insert)
        try transaction.delete("a".bytes.span.bytes, in: database)
        try transaction.deleteRange(.prefix("big".bytes), in: database)
        try transaction.nested { transaction in
          _ = try transaction.openDatabase(named: "new")
          try transaction.put("5", at: "d", in: database)
        }
        try transaction.put("6", at: "e", in: database)
        try transaction.put("?", at: "ee", in: database)
        try transaction.delete("ee".bytes.span.bytes, in: database)
      }
      let snapshot = try environment.snapshot(named: "between")
      try environment.write { transaction in
        let database = try transaction.openDatabase(named: "d")
        try transaction.put("7", at: "f", in: database)
        let new = try transaction.openDatabase(named: "new")
        try transaction.empty(new)
      }
      for found in [try snapshot.read(content), try environment.read(content)] {
        guard states.contains(found) else { throw WrongContent() }
      }
    }

    private struct WrongContent: Error {}

    private static func content(_ transaction: inout ReadTransaction) throws -> [String] {
      guard let database = try transaction.database(named: "d") else { return [] }
      return try transaction.rows(of: database).map { row in
        row.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "=")
      }
    }

    private func prepare(_ path: String) throws {
      let environment = try Environment.open(at: path, options: .forTests())
      try environment.write { transaction in
        let database = try transaction.openDatabase(named: "d")
        for row in Self.states[0] {
          let parts = row.split(separator: "=")
          try transaction.put(String(parts[1]), at: String(parts[0]), in: database)
        }
      }
    }

    @Test(arguments: [LMDBError.Code.outOfSpace, .outOfMemory, .inputOutput, .badTransaction])
    func anyFailingCallLeavesAStateBetweenCommits(_ code: LMDBError.Code) throws {
      var failures = 0
      for call in 1... {
        let folder = TemporaryFolder()
        try prepare(folder.path())
        let plan = FaultPlan(failingCall: call, with: code)
        let error = lmdbError {
          try FaultPlan.$current.withValue(plan) { try Self.workload(folder.path()) }
        }
        failures += error == nil ? 0 : 1
        let environment = try Environment.open(at: folder.path(), options: .forTests())
        let found = try environment.read(Self.content)
        #expect(Self.states.contains(found), "call \(call): \(found)")
        if error == nil { #expect(found == Self.states[2], "call \(call)") }
        // The file can be written again whatever happened.
        try environment.write { _ = try $0.openDatabase(named: "afterwards") }
        guard plan.hasFailedCall else { break }
      }
      // The workload makes several dozen calls, nearly all of which cannot be done without.
      #expect(failures > 40)
    }

    /// A full map is reported in the same way wherever it is met, and nothing of it remains.
    @Test func aFullMapMayBeMetInEveryWrite() throws {
      for call in 1... {
        let folder = TemporaryFolder()
        try prepare(folder.path())
        let plan = FaultPlan(failingCall: call, with: .mapFull)
        let error = lmdbError {
          try FaultPlan.$current.withValue(plan) { try Self.workload(folder.path()) }
        }
        if let error { #expect(error.code == .mapFull, "call \(call): \(error)") }
        guard plan.hasFailedCall else { break }
        // The work that met it succeeds when it is done again.
        if error != nil,
          try Environment.open(at: folder.path(), options: .forTests())
            .read(Self.content) == Self.states[0]
        {
          try Self.workload(folder.path())
        }
      }
    }

    /// Each opening asked for the lock table of its file once for each file that was open: a thousand made six
    /// million calls.
    @Test func anOpeningMakesNoCallsForOtherFilesThatAreOpen() throws {
      let folder = TemporaryFolder()
      var environments: [Environment] = []
      var calls: [Int] = []
      for number in 0..<40 {
        let plan = FaultPlan(failingCall: .max, with: .outOfSpace)
        environments.append(
          try FaultPlan.$current.withValue(plan) {
            try Environment.open(at: folder.path(to: "\(number)"), options: .forTests())
          })
        calls.append(plan.callCount)
      }
      #expect(calls[1] > 10 && Set(calls.dropFirst()).count == 1, "\(calls)")
    }

    /// After a nested transaction had met a full map, whatever the outer one failed with was reported
    /// as a full map, so that callers repeated what cannot succeed.
    @Test func aFullMapInANestedTransactionHidesNoLaterError() throws {
      var commitFailures = 0
      // The first call begins the nested transaction, which needs no page.
      for (full, call) in (2...6).flatMap({ full in (1...40).map { (full, $0) } }) {
        let folder = TemporaryFolder()
        try prepare(folder.path())
        let environment = try Environment.open(at: folder.path(), options: .forTests())
        let plan = FaultPlan(failingCall: call, with: .outOfSpace)
        let error = lmdbError {
          try FaultPlan.$current.withValue(plan) {
            try environment.write { transaction in
              let database = try transaction.openDatabase(named: "d")
              do {
                try FaultPlan.$current.withValue(FaultPlan(failingCall: full, with: .mapFull)) {
                  try transaction.nested { try $0.put("1", at: "inner", in: database) }
                }
              } catch LMDBError.Code.mapFull {}
              try transaction.put("2", at: "outer", in: database)
            }
          }
        }
        guard plan.hasFailedCall else { continue }
        if let error { #expect(error.code == .outOfSpace, "call \(call) after \(full): \(error)") }
        commitFailures += error?.operation == .commit ? 1 : 0
      }
      #expect(commitFailures > 0)
    }
  }
#endif
