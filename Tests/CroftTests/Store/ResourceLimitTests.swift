import Foundation
import Testing

@testable import Croft

#if os(Linux)
  /// Limits of the process (see ulimit): each is an error that says what to do, and nothing is lost.
  @Suite struct ResourceLimitTests {
    /// Passes a store of 100 songs to a test, whose child has the limit, and checks it afterwards.
    private func withSongs(_ body: (URL) async throws -> Void) async throws {
      let folder = FileManager.default.temporaryDirectory.appending(path: "croft-test-\(UUID())")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
      let url = folder.appending(path: "store.croft")
      do {
        let store = try Store.open(at: url, models: Song.self, options: .forTests)
        try await store.write { try $0.insert(contentsOf: Song.numbered(0..<100)) }
      }
      try await body(url)
      let store = try Store.open(at: url, models: Song.self, options: .forTests)
      #expect(try await store.fetch(Song.where { $0.id < 100 }) == Song.numbered(0..<100))
      #expect(try await store.verify().isSound)
      try FileManager.default.removeItem(at: folder)
    }

    private static func limit(_ resource: __rlimit_resource, to value: Int) {
      var limit = rlimit(rlim_cur: rlim_t(value), rlim_max: rlim_t(value))
      guard setrlimit(__rlimit_resource_t(resource.rawValue), &limit) == 0 else {
        preconditionFailure("The limit cannot be set: \(errno).")
      }
    }

    private static func fileBytes(_ url: URL) throws -> Int {
      try url.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
    }

    private static func insertMuch(_ store: Store) -> StoreError? {
      let text = String(repeating: "x", count: 1_000)
      return StoreError.thrown {
        try store.write { tx in
          try tx.insert(contentsOf: (1_000..<5_000).map { Song(id: $0, title: text) })
        }
      }
    }

    @Test(arguments: [Store.Durability.full, .unsafe])
    func aFileThatMustNotGrowIsAnErrorWhereTheSignalIsIgnored(
      _ durability: Store.Durability
    ) async throws {
      try await withSongs { url in
        let isFull = durability == .full
        await #expect(processExitsWith: .success) { [url = url as URL, isFull = isFull as Bool] in
          signal(SIGXFSZ, SIG_IGN)
          let options = Store.Options.forTests { $0.durability = isFull ? .full : .unsafe }
          let store = try Store.open(at: url, models: Song.self, options: options)
          for spare in [0, 1_000, 4_096, 70_000] {
            var limit = rlimit()
            getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            limit.rlim_cur = rlim_t(try Self.fileBytes(url) + spare)
            setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            let error = Self.insertMuch(store)
            try #require(error?.description.contains("Raise the limit (ulimit -f)") == true)
            try #require(try await store.count(Song.all) == 100)
            try #require(try await store.verify().isSound)
          }
        }
      }
    }

    @Test func aFileThatMustNotGrowEndsAProcessThatLeavesTheSignalAsItIs() async throws {
      try await withSongs { url in
        await #expect(processExitsWith: .signal(SIGXFSZ)) { [url = url as URL] in
          Self.limit(RLIMIT_CORE, to: 0)
          signal(SIGXFSZ, SIG_DFL)
          // As on the main thread: those of queues and tasks block the signal, and get the error.
          var signals = sigset_t()
          sigemptyset(&signals)
          pthread_sigmask(SIG_SETMASK, &signals, nil)
          let store = try Store.open(at: url, models: Song.self, options: .forTests)
          Self.limit(RLIMIT_FSIZE, to: try Self.fileBytes(url))
          _ = Self.insertMuch(store)
        }
      }
    }

    @Test func noDescriptorsLeftIsAnErrorOfOpeningAndCopying() async throws {
      try await withSongs { url in
        await #expect(processExitsWith: .success) { [url = url as URL] in
          let store = try Store.open(at: url, models: Song.self, options: .forTests)
          try await store.write { try $0.insert(Song(id: 100, title: "a")) }
          let other = url.deletingLastPathComponent().appending(path: "other.croft")
          Self.limit(RLIMIT_NOFILE, to: 3)
          let opening = StoreError.thrown {
            _ = try Store.open(at: other, models: Song.self, options: .forTests)
          }
          guard case .cannotOpen = opening else { preconditionFailure("\(opening as Any)") }
          try #require(opening?.description.contains("raise the limit (ulimit -n)") == true)
          let copying = StoreError.thrown { try store.backup(to: other) }
          guard case .cannotWrite = copying else { preconditionFailure("\(copying as Any)") }
          try #require(copying?.description.contains("raise the limit (ulimit -n)") == true)
          // The open store still works.
          try await store.write { try $0.insert(Song(id: 101, title: "b")) }
          try #require(try await store.count(Song.all) == 102)
        }
      }
    }

    /// The system's timers need descriptors: without any, the first observation of a process ended it.
    @Test func aFirstObservationWithoutDescriptorsIsAnErrorAndALaterOneBegins() async throws {
      try await withSongs { url in
        await #expect(processExitsWith: .success) { [url = url as URL] in
          let store = try Store.open(at: url, models: Song.self, options: .forTests)
          var taken: [Int32] = []
          Self.limit(RLIMIT_NOFILE, to: 64)
          while case let descriptor = open("/dev/null", O_RDONLY), descriptor >= 0 {
            taken.append(descriptor)
          }
          let (errors, counts) = (Recorder<StoreError?>(), Recorder<Int>())
          for spare in 0..<4 {
            let token = store.observe(Song.all.count, onError: { errors.add($0 as? StoreError) }) {
              counts.add($0)
            }
            store.live.drain()
            guard case .cannotOpen(url.path, _)? = errors.all.last ?? nil, token.error != nil else {
              preconditionFailure("with \(spare) descriptors: \(errors.all)")
            }
            if let last = taken.popLast() { close(last) }
          }
          try #require(counts.all.isEmpty && errors.all.count == 4)
          try #require(errors.all[0]?.description.contains("raise the limit (ulimit -n)") == true)
          // What is open continues, and with descriptors so do observations.
          try await store.write { try $0.insert(Song(id: 100, title: "a")) }
          for descriptor in taken { close(descriptor) }
          let token = store.observe(Song.all.count) { counts.add($0) }
          store.live.drain()
          try await store.write { try $0.insert(Song(id: 101, title: "b")) }
          store.live.drain()
          try #require(counts.all == [101, 102] && token.error == nil)
        }
      }
    }

    /// Each number of descriptors that an opening may lack, from none on.
    @Test func anOpeningThatRunsOutOfDescriptorsHalfwaySaysSo() async throws {
      try await withSongs { url in
        await #expect(processExitsWith: .success) { [url = url as URL] in
          // What the runtime opens at first use is not the store's.
          for _ in 0..<2 {
            let store = try Store.open(at: url, models: Song.self, options: .forTests)
            try #require(try await store.count(Song.all) == 100)
          }
          // The parent of this process may have passed on descriptors with gaps between them.
          let inUse = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
          let highest = inUse.compactMap { Int32($0) }.max() ?? 0
          while open("/dev/null", O_RDONLY) < highest {}
          let free = open("/dev/null", O_RDONLY)
          close(free)
          var refusals = 0
          for spare in 0..<16 {
            var limit = rlimit()
            getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            limit.rlim_cur = rlim_t(Int(free) + spare)
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            var error: StoreError?
            do {
              let store = try Store.open(at: url, models: Song.self, options: .forTests)
              try #require(try await store.count(Song.all) == 100)
            } catch let refusal as StoreError {
              error = refusal
            }
            guard let error else { continue }
            refusals += 1
            try #require(error.description.contains("raise the limit (ulimit -n)"))
          }
          try #require((1..<16).contains(refusals))
        }
      }
    }

    @Test func littleAddressSpaceMakesTheMapSmallerAndThenAnError() async throws {
      try await withSongs { url in
        await #expect(processExitsWith: .success) { [url = url as URL] in
          let pages = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
            .split(separator: " ").first.flatMap { Int($0) }
          Self.limit(RLIMIT_AS, to: try #require(pages) * 4_096 + 96 << 20)
          let options = Store.Options.forTests { $0.mapSizeBytes = 64 << 30 }
          let store = try Store.open(at: url, models: Song.self, options: options)
          let text = String(repeating: "x", count: 10_000)
          var written = 0
          let error = StoreError.thrown {
            while written < 30_000 {
              try store.write { tx in
                try tx.insert(
                  contentsOf: (0..<100).map { Song(id: 1_000 + written + $0, title: text) })
              }
              written += 100
            }
          }
          guard case .mapFull = error else { preconditionFailure("\(error as Any)") }
          try #require(try await store.count(Song.all) == 100 + written)
          try #require(try await store.verify().isSound)
        }
      }
    }
  }
#endif
