import Foundation
@testable import LMDB
import Testing
import TestSupport

@testable import Croft

#if os(Linux)
  /// A store with a journal does what every other store does, and a power cut takes none of it back.
  @Suite struct StoreJournalTests {
    @Model struct Author: Equatable {
      @PrimaryKey var id: Int
      @Indexed(.unique) var email: String
    }
    @Model struct Note: Equatable {
      @PrimaryKey var id: Int
      @Relation(onDelete: .cascade) var author: Ref<Author>
      @Indexed var rank: Int
      var text: String
    }

    private let folder = TemporaryFolder()
    private var url: URL { folder.url.appending(path: "store.croft") }
    private static let options = {
      var options = Store.Options.forTests
      options.durability = .full
      return options
    }()

    private func open(_ url: URL) throws -> Store {
      try Store.open(at: url, models: Author.self, Note.self, options: Self.options)
    }

    /// The two files as a power cut leaves them now, opened as another store.
    ///
    /// - Parameter data: The data file of an earlier moment of the same session; now's where nil.
    private func cut(_ name: String, data: URL? = nil) throws -> Store {
      let image = folder.url.appending(path: name)
      try FileManager.default.copyItem(at: data ?? url, to: image)
      try FileManager.default.copyItem(
        atPath: url.path + "-journal", toPath: image.path + "-journal")
      return try open(image)
    }

    private func expectEqual(_ image: Store, _ store: Store) throws {
      #expect(try image.fetch(Author.all) == store.fetch(Author.all))
      #expect(try image.fetch(Note.all) == store.fetch(Note.all))
      #expect(try image.verify().isSound)
      for rank in 0..<5 {
        let query = Note.where { $0.rank == rank }
        #expect(try image.count(query) == store.count(query))
      }
    }

    private func notes(_ ids: Range<Int>, textBytes: Int = 20) -> [Note] {
      ids.map {
        Note(
          id: $0, author: Ref($0 % 10), rank: $0 % 5, text: String(repeating: "x", count: textBytes)
        )
      }
    }

    @Test func everyKindOfStatementSurvivesAPowerCut() throws {
      let store = try open(url)
      try store.write { tx in
        try tx.insert(contentsOf: (0..<10).map { Author(id: $0, email: "a\($0)") })
      }
      try store.write { try $0.insert(contentsOf: notes(0..<200)) }
      let before = folder.url.appending(path: "before")
      try FileManager.default.copyItem(at: url, to: before)
      try store.write { _ = try $0.delete(Author.self, 3) }
      #expect(throws: StoreError.self) {
        try store.write { try $0.insert(Author(id: 50, email: "a1")) }
      }
      try store.write { _ = try $0.delete(Note.where { $0.rank == 2 }) }
      try store.write { tx in
        try tx.update(Note.self, 1) { $0.rank = 4 }
        // Taken back alone.
        try? tx.savepoint {
          _ = try $0.deleteAll(Note.self)
          throw CancellationError()
        }
        try tx.upsert(Author(id: 3, email: "new"))
      }
      try expectEqual(try cut("early", data: before), store)
      try expectEqual(try cut("late"), store)
      // More than a record holds, and everything at once: the pages are synced instead.
      try store.write { try $0.insert(contentsOf: notes(1_000..<3_000, textBytes: 300)) }
      try store.write { try $0.update(Note.self, 1_000) { $0.text = "after" } }
      try expectEqual(try cut("large"), store)
      try store.write { _ = try $0.deleteAll(Note.self) }
      try expectEqual(try cut("empty"), store)
    }

    @Test func observersAndSnapshotsAndCopiesAreAsEver() throws {
      let store = try open(url)
      let results = Recorder<[Author]>()
      let token = store.observe(Author.all) { results.add(Array($0.after)) }
      try store.write { try $0.insert(Author(id: 1, email: "a")) }
      let snapshot = try store.snapshot(named: "one")
      for id in 2..<20 { try store.write { try $0.insert(Author(id: id, email: "a\(id)")) } }
      store.live.drain()
      #expect(try results.all.last == store.fetch(Author.all))
      token.cancel()
      #expect(try snapshot.count(Author.all) == 1)
      let copy = folder.url.appending(path: "copy")
      try store.backup(to: copy)
      #expect(try open(copy).count(Author.all) == 19)
      #expect(try store.statistics.readers.count == 1)
    }

    @Test func itsFeatureIsNamedBeforeItIsUsed() throws {
      var options = Store.Options.forTests
      options.durability = .fullWithoutJournal
      do {
        let store = try Store.open(at: url, models: Author.self, Note.self, options: options)
        try store.write { try $0.insert(Author(id: 1, email: "a")) }
      }
      var header: [UInt8] = []
      try CatalogEditing(url: url).header { header = $0 }
      #expect(!String(decoding: header, as: UTF8.self).contains("journal"))
      // A program that died before it could name the feature: the file has a journal, and this one uses it.
      let file = try DataFile(openingAt: url.path, Environment.Options(Self.options))
      _ = try JournalFile(creatingFor: file)
      try file.setJournalMarker(JournalMarker(session: .none))
      _ = try Store.open(at: url, models: Author.self, Note.self, options: options)
      try CatalogEditing(url: url).header { header = $0 }
      #expect(String(decoding: header, as: UTF8.self).contains("journal"))
      // The next opening finds it, and writes nothing.
      let named = header
      _ = try open(url)
      try CatalogEditing(url: url).header { header = $0 }
      #expect(header == named)
    }

    /// The last writer is killed between the look for a journal and the opening of a reader.
    @Test func aReaderWhoseWriterIsKilledMeanwhileReplays() throws {
      let store = try open(url)
      for id in 1..<5 { try store.write { try $0.insert(Author(id: id, email: "a\(id)")) } }
      let image = folder.url.appending(path: "image")
      try store.backup(to: image)
      var options = Self.options
      options.isReadOnly = true
      var openings = 0
      let reader = try StoreOpening(
        path: image.path, [Author.self, Note.self], options,
        willBegin: { stage in
          guard stage == .environment else { return }
          openings += 1
          if openings > 1 { return }
          for suffix in ["", "-journal"] {
            // There need be none.
            try? FileManager.default.removeItem(atPath: image.path + suffix)
            try FileManager.default.copyItem(
              atPath: url.path + suffix, toPath: image.path + suffix)
          }
        }
      ).run()
      #expect(openings == 2)
      #expect(try reader.count(Author.all) == 4)
    }

    @Test func aCopyInMemoryHasWhatTheJournalHas() throws {
      let store = try open(url)
      try store.write { try $0.insert(Author(id: 1, email: "a1")) }
      try store.write { try $0.insert(Author(id: 2, email: "a2")) }
      let image = folder.url.appending(path: "image")
      try FileManager.default.copyItem(at: url, to: image)
      try store.write { try $0.insert(Author(id: 3, email: "a3")) }
      try FileManager.default.copyItem(
        atPath: url.path + "-journal", toPath: image.path + "-journal")
      let copy = try Store.inMemory(copyOf: image, models: Author.self, Note.self)
      #expect(try copy.fetch(Author.all).map(\.id) == [1, 2, 3])
      // The file itself is unchanged, and is replayed when it is opened.
      #expect(try open(image).count(Author.all) == 3)
    }

    /// The two files as a power cut leaves them: the data file has the first commits, the journal all.
    private func makeImage(_ name: String = "image") throws -> URL {
      let store = try open(url)
      for id in 1..<3 { try store.write { try $0.insert(Author(id: id, email: "a\(id)")) } }
      let image = folder.url.appending(path: name)
      try FileManager.default.copyItem(at: url, to: image)
      for id in 3..<6 { try store.write { try $0.insert(Author(id: id, email: "a\(id)")) } }
      try FileManager.default.copyItem(
        atPath: url.path + "-journal", toPath: image.path + "-journal")
      return image
    }

    private static func read(_ url: URL) throws -> Store {
      var options = Store.Options.forTests
      options.isReadOnly = true
      return try Store.open(at: url, models: Author.self, Note.self, options: options)
    }

    /// It was refused: "open it once for writing".
    @Test func aReaderReplaysWhatWasNotClosed() throws {
      let image = try makeImage()
      #expect(try Self.read(image).fetch(Author.all).map(\.id) == Array(1..<6))
      // Now the file is complete without the journal.
      try FileManager.default.removeItem(atPath: image.path + "-journal")
      #expect(try Self.read(image).count(Author.all) == 5)
    }

    /// Nothing could be read on a read-only medium, or of another user, after a power cut.
    @Test func whatMayOnlyBeReadIsReadInAReplayedCopy() async throws {
      let inner = folder.url.appending(path: "in")
      try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: false)
      let image = try makeImage("in/image")
      let files = ["", "-journal"].map { image.path + $0 }
      let before = try files.map { try Data(contentsOf: URL(filePath: $0)) }
      func setMode(_ mode: Int, _ path: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
      }
      for path in files { try setMode(0o444, path) }
      try setMode(0o555, inner.path)
      try setMode(0o755, folder.path)
      await #expect(processExitsWith: .success) { [path = image.path as String] in
        if geteuid() == 0 { _ = (setegid(65_534), seteuid(65_534)) }
        let url = URL(filePath: path)
        let store = try Self.read(url)
        try #require(try await store.fetch(Author.all).map(\.id) == Array(1..<6))
        try #require(try await store.count(Author.where { $0.email == "a4" }) == 1)
        try #require(try await store.verify().isSound)
        try #require(try await store.snapshot().count(Author.all) == 5)
        let error = StoreError.thrown { try store.write { _ = try $0.deleteAll(Author.self) } }
        try #require(error == .readOnly)
        // Each opening has a copy of its own, and a writer has none.
        try #require(try await Self.read(url).count(Author.all) == 5)
        let refused = StoreError.thrown {
          _ = try Store.open(at: url, models: Author.self, Note.self, options: Self.options)
        }
        guard case .cannotOpen(path, _) = refused else {
          throw refused ?? StoreError.readOnly
        }
      }
      #expect(try files.map { try Data(contentsOf: URL(filePath: $0)) } == before)
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: inner.path).sorted()
          == ["image", "image-journal"])
      try setMode(0o755, inner.path)
    }

    #if DEBUG
      /// A reader that fails, at whatever call, leaves all to the next one, also where it replays.
      @Test(arguments: [LMDBError.Code.noPermission, .inputOutput, .outOfSpace])
      func anyFailingCallOfAReaderLeavesAllToTheNextOne(_ code: LMDBError.Code) throws {
        let image = try makeImage()
        var copies = 0
        for call in 1... {
          let place = folder.url.appending(path: "\(call)")
          for suffix in ["", "-journal"] {
            try FileManager.default.copyItem(
              atPath: image.path + suffix, toPath: place.path + suffix)
          }
          let plan = FaultPlan(failingCall: call, with: code)
          do {
            let store = try FaultPlan.$current.withValue(plan) { try Self.read(place) }
            #expect(try store.count(Author.all) == 5)
            // A copy is read where the call said that the file may not be written to.
            copies += store.environment.path == place.path ? 0 : 1
          } catch is StoreError {}
          #expect(try Self.read(place).count(Author.all) == 5, "call \(call)")
          guard plan.hasFailedCall else { break }
        }
        #expect((copies > 0) == (code == .noPermission))
      }
    #endif

    @Test func aStoreWhoseJournalIsLostSaysWhatToDo() throws {
      let store = try open(url)
      for id in 1..<5 { try store.write { try $0.insert(Author(id: id, email: "a\(id)")) } }
      let image = folder.url.appending(path: "image")
      try FileManager.default.copyItem(at: url, to: image)
      let error = StoreError.thrown(by: { _ = try open(image) })
      #expect(error?.description.contains("Store.recover(at:)") == true)
      try Store.recover(at: image, options: Self.options)
      let recovered = try open(image)
      #expect(try recovered.verify().isSound)
      #expect(try recovered.count(Author.all) == 4)
      #expect(throws: StoreError.self) { try Store.recover(at: image, options: Self.options) }
    }
  }
#endif
