#if os(Linux) && (DEBUG || CROFT_SWARM)
  import Croft
  import Foundation
  import TestSupport
  import Testing

  #if canImport(Glibc)
    import Glibc
  #endif

  /// Every way to write, with each number of descriptors that it may lack, down to the last one.
  @Suite struct DescriptorLoopTests {
    private static let paths =
      FaultLoop.transactions + FaultLoop.openings + [
        WritePath("observe and write") { url, faulty in
          let store = try FaultLoop.open(url)
          try faulty {
            let token = store.observe(Song.all.count) { _ in }
            try store.write { try $0.insert(Song(id: 100, title: "new")) }
            token.cancel()
          }
        }
      ]

    /// The most descriptors that a way to write is found to need, and some more.
    private static let mostSpare = 24

    @Test func withoutDescriptorsAWriteIsDoneOrRefused() async throws {
      await #expect(processExitsWith: .success) {
        var refusals = 0
        for path in DescriptorLoopTests.paths {
          func run(
            spare: Int?, acts: Bool = true
          ) throws -> (content: String, failure: (any Error)?) {
            let folder = TemporaryFolder()
            let url = URL(filePath: folder.path(to: "store.croft"))
            try path.prepare(url)
            guard acts else { return (try path.content(url), nil) }
            var failure: (any Error)?
            try path.act(url) { body in
              let former = DescriptorLoopTests.limit(toSpare: spare)
              defer { DescriptorLoopTests.limit(to: former) }
              do { try body() } catch { failure = error }
            }
            return (try path.content(url), failure)
          }
          let before = try run(spare: nil, acts: false).content
          let after = try run(spare: nil).content
          for spare in 0..<DescriptorLoopTests.mostSpare {
            let (content, failure) = try run(spare: spare)
            guard let failure else {
              precondition(content == after, "\(path.name) with \(spare) descriptors")
              break
            }
            refusals += 1
            precondition(failure is StoreError, "\(path.name) with \(spare): \(failure)")
            precondition(content == before || content == after, "\(path.name) with \(spare)")
          }
        }
        try #require(refusals > 20)
      }
    }

    /// Leaves so many free descriptors; nil for all.
    ///
    /// - Returns: The limit before.
    private static func limit(toSpare spare: Int?) -> rlim_t {
      var limit = rlimit()
      getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      guard let spare else { return limit.rlim_cur }
      // A descriptor gets the least free number: with gaps below it there are more.
      let free = open("/dev/null", O_RDONLY)
      close(free)
      Self.limit(to: rlim_t(Int(free) + spare))
      return limit.rlim_cur
    }

    private static func limit(to count: rlim_t) {
      var limit = rlimit()
      getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      limit.rlim_cur = count
      setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
  }
#endif
