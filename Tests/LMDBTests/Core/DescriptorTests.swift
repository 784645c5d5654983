import Foundation
@testable import LMDB
import Testing
import TestSupport

#if os(Linux)
  /// Openings and copies that fail leave no descriptor and no mapping open.
  ///
  /// Each test runs in a process of its own, in which nobody else opens files.
  @Suite struct DescriptorTests {
    let folder = TemporaryFolder()

    /// What of the system's a process has: descriptors, and mappings of files.
    private struct Holdings: Equatable {
      var descriptors: Set<String> = []
      var mappings = 0

      /// What this process has of files in a folder.
      init(of folder: String) throws {
        let files = FileManager.default
        for number in try files.contentsOfDirectory(atPath: "/proc/self/fd") {
          // The descriptor of the listing itself is gone by now.
          let name = try? files.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(number)")
          if let name, name.hasPrefix(folder) { descriptors.insert("\(number) \(name)") }
        }
        let maps = try String(contentsOfFile: "/proc/self/maps", encoding: .utf8)
        mappings = maps.split(separator: "\n").count { $0.contains(folder) }
      }
    }

    /// A folder, each way in which opening its file is refused, and what it needs for that.
    private static func refuse(_ way: String, in folder: String) throws {
      let (files, path) = (FileManager.default, folder + "/data.mdb")
      for name in try files.contentsOfDirectory(atPath: folder) {
        try files.removeItem(atPath: folder + "/" + name)
      }
      if way != "a link to nothing" {
        try Environment.open(at: path, options: .forTests()).write { transaction in
          let database = try transaction.openDatabase(named: "d")
          try transaction.put(String(repeating: "v", count: 100_000), at: "key", in: database)
        }
      }
      var options = Environment.Options.forTests()
      switch way {
      case "a link as lock table":
        try files.removeItem(atPath: path + "-lock")
        try files.createSymbolicLink(atPath: path + "-lock", withDestinationPath: folder + "/a")
      case "a text as lock table":
        try Data("secret".utf8).write(to: URL(filePath: path + "-lock"))
      case "a folder as lock table":
        try files.removeItem(atPath: path + "-lock")
        try files.createDirectory(atPath: path + "-lock", withIntermediateDirectories: false)
      case "a text": try Data(count: 20_000).write(to: URL(filePath: path))
      case "no end": #expect(truncate(path, 12_000) == 0)
      case "a link to nothing":
        try files.createSymbolicLink(atPath: path, withDestinationPath: folder + "/nowhere")
      case "another file's lock table": try replaceWhileOpen(path)
      default: preconditionFailure("There is no such way.")
      }
      let held = way.hasPrefix("another") ? nil : try Holdings(of: folder)
      for _ in 0..<8 {
        for isReadOnly in [false, true] {
          options.isReadOnly = isReadOnly
          _ = lmdbError { _ = try Environment.open(at: path, options: options) }
        }
        _ = lmdbError { try Environment.compact(at: path, options: options) }
      }
      if let held { try #require(try Holdings(of: folder) == held, "\(way)") }
    }

    private static func replaceWhileOpen(_ path: String) throws {
      let environment = try Environment.open(at: path, options: .forTests())
      try environment.copy(to: path + "2")
      try environment.write { _ = try $0.openDatabase(named: "e") }
      let held = try Holdings(of: path)
      try #require(rename(path + "2", path) == 0)
      for _ in 0..<8 {
        let error = lmdbError { _ = try Environment.open(at: path, options: .forTests()) }
        try #require(error?.code == .fileReplaced)
      }
      try #require(try Holdings(of: path).descriptors.count == held.descriptors.count)
      withExtendedLifetime(environment) {}
    }

    @Test(arguments: [
      "a link as lock table", "a text as lock table", "a folder as lock table", "a text", "no end",
      "a link to nothing", "another file's lock table",
    ]) func openingsThatAreRefusedKeepNothingOpen(way: String) async throws {
      await #expect(processExitsWith: .success) {
        [folder = folder.url.path as String, way = way as String] in
        try Self.refuse(way, in: folder)
      }
    }

    /// A store with a journal keeps one more file open than one without, in its session too.
    @Test func aJournalIsOneMoreOpenFile() async throws {
      await #expect(processExitsWith: .success) { [folder = folder.url.path as String] in
        func count(_ durability: Environment.Durability) throws -> Int {
          let path = folder + "/\(durability)"
          let environment = try Environment.open(
            at: path, options: .forTests { $0.durability = durability })
          for _ in 0..<3 { try environment.write { _ = try $0.openDatabase(named: "d") } }
          try #require(environment.hasJournal == (durability == .journal))
          return try Holdings(of: path).descriptors.count
        }
        let (without, with) = (try count(.full), try count(.journal))
        try #require(with == without + 1, "\(with) and \(without)")
      }
    }

    /// Each number of descriptors that an opening or a copy may lack, from all on.
    @Test func openingsThatRunOutOfDescriptorsKeepNothingOpen() async throws {
      await #expect(processExitsWith: .success) { [folder = folder.url.path as String] in
        let path = folder + "/data.mdb"
        func open(isReadOnly: Bool = false) throws -> Environment {
          try Environment.open(at: path, options: .forTests { $0.isReadOnly = isReadOnly })
        }
        try open().write { _ = try $0.openDatabase(named: "d") }
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var original = rlimit()
        getrlimit(resource, &original)
        // The parent of this process may have passed on descriptors with gaps between them.
        let inUse = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
        let highest = inUse.compactMap { Int32($0) }.max() ?? 0
        while dup(0) < highest {}
        let held = try Holdings(of: folder)
        var refusals = 0
        for spare in 0..<12 {
          let free = dup(0)
          close(free)
          for work in 0..<3 {
            var limit = original
            limit.rlim_cur = rlim_t(Int(free) + spare)
            setrlimit(resource, &limit)
            let error = lmdbError {
              switch work {
              case 0: _ = try open()
              case 1: _ = try open(isReadOnly: true)
              default: try Environment.compact(at: path, options: .forTests())
              }
            }
            setrlimit(resource, &original)
            refusals += error?.code == .tooManyFiles ? 1 : 0
            try #require(try Holdings(of: folder) == held, "\(spare) spare, work \(work)")
          }
        }
        try #require((9..<36).contains(refusals), "\(refusals)")
      }
    }

    #if DEBUG || CROFT_SWARM
      @Test(arguments: [LMDBError.Code.outOfSpace, .tooManyFiles, .outOfMemory])
      func openingsAndCopiesOfWhichACallFailsKeepNothingOpen(code: LMDBError.Code) async throws {
        await #expect(processExitsWith: .success) {
          [folder = folder.url.path as String, code = code.rawValue as Int32] in
          let path = folder + "/data.mdb"
          let makers: [@Sendable () throws -> Void] = [
            { _ = try Environment.open(at: path, options: .forTests()) },
            {
              _ = try Environment.open(at: path, options: .forTests { $0.isReadOnly = true })
            },
            { try Environment.compact(at: path, options: .forTests()) },
            {
              let environment = try Environment.open(at: path, options: .forTests())
              try environment.copy(to: path + "2", replacesExisting: true)
            },
          ]
          for (place, make) in makers.enumerated() {
            try make()
            let held = try Holdings(of: folder)
            var call = 1
            while call < 1_000 {
              let plan = FaultPlan(failingCall: call, with: LMDBError.Code(rawValue: code))
              do {
                try FaultPlan.$current.withValue(plan) { try make() }
              } catch is LMDBError {
                try #require(plan.hasFailedCall)
              }
              let found = try Holdings(of: folder)
              try #require(
                found == held, "maker \(place), call \(call): \(plan.failedFunction ?? "")")
              guard plan.hasFailedCall else { break }
              call += 1
            }
            try #require(call > 5)
          }
        }
      }
    #endif
  }
#endif
