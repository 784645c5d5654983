import Croft
import Foundation
import LMDB
import Testing

/// Files that are not stores are refused with a sentence, and do not change.
@Suite(.keepsFailedStores) struct StoreOpeningTests {
  /// Opens a file of some bytes; it must be refused, unchanged, and alone in its folder.
  private func refusal(of bytes: Data) throws -> StoreError? {
    var refused: StoreError?
    try withTemporaryStore(of: Song.self, checksAtEnd: false) { temporary in
      try bytes.write(to: temporary.url)
      refused = #expect(throws: StoreError.self) { _ = try temporary.open() }
      #expect(try Data(contentsOf: temporary.url) == bytes)
      #expect(try temporary.files == ["store.croft"])
      #expect(refused?.description.contains(temporary.url.path) == true)
    }
    return refused
  }

  /// The bytes of a store of songs, changed through the storage engine.
  private func storeFile(
    songs: Int = 500, _ change: (inout LMDB.WriteTransaction) throws -> Void = { _ in }
  ) throws -> Data {
    var bytes = Data()
    try withTemporaryStore(of: Song.self, checksAtEnd: false) { temporary in
      try temporary.open().write { try $0.insert(contentsOf: Song.numbered(0..<songs)) }
      try Environment.open(at: temporary.url.path).write { try change(&$0) }
      bytes = try Data(contentsOf: temporary.url)
    }
    return bytes
  }

  @Test(arguments: [1, 9, 5_000, 50_000])
  func aTextIsNoStore(count: Int) throws {
    let text = String(repeating: "hostname\n", count: count)
    guard case .notACroftFile = try refusal(of: Data(text.utf8)) else {
      Issue.record("not refused as a foreign file")
      return
    }
  }

  @Test func anEmptyFileIsANewStore() throws {
    try withTemporaryStore(of: Song.self) { temporary in
      try Data().write(to: temporary.url)
      let store = try temporary.open()
      try store.write { try $0.insert(Song(id: 1, title: "a")) }
      #expect(try store.count(Song.all) == 1)
    }
  }

  @Test(arguments: [1, 2, 3, 4, 6, 8])
  func aTruncatedStoreIsAnErrorAndNoCrash(eighths: Int) throws {
    let whole = try storeFile()
    let error = try refusal(of: whole.prefix(whole.count * eighths / 8 - 1))
    guard case .corrupt(_, _, let reason) = error else {
      Issue.record("not called damaged: \(String(describing: error))")
      return
    }
    #expect(reason.contains("ends before"))
  }

  /// Opens a store that was changed; whatever is wrong is found, and nothing is written.
  private func refusalAfter(
    _ change: @escaping (inout LMDB.WriteTransaction) throws -> Void
  ) throws -> StoreError? {
    let bytes = try storeFile(change)
    var refused: StoreError?
    try withTemporaryStore(of: Song.self, checksAtEnd: false) { temporary in
      try bytes.write(to: temporary.url)
      refused = #expect(throws: StoreError.self) { _ = try temporary.open() }
      #expect(try Data(contentsOf: temporary.url) == bytes)
    }
    return refused
  }

  private func storeFile(
    _ change: (inout LMDB.WriteTransaction) throws -> Void
  ) throws -> Data { try storeFile(songs: 5, change) }

  private func changeHeader(
    _ tx: inout LMDB.WriteTransaction, _ change: (inout [UInt8]) -> Void
  ) throws {
    let meta = try #require(try tx.database(named: "meta"))
    let key = Array("header".utf8)
    var header: [UInt8] = []
    if let bytes = try tx.get(key.span.bytes, in: meta) {
      header = bytes.withUnsafeBytes { Array($0) }
    }
    #expect(header.count == 48)
    change(&header)
    try tx.put(header.span.bytes, at: key.span.bytes, in: meta)
  }

  @Test func aNewerFormatIsRefusedByItsVersion() throws {
    let error = try refusalAfter { try changeHeader(&$0) { $0[8] = 9 } }
    guard case .newerFormat(_, 9) = error else {
      Issue.record("not called newer: \(String(describing: error))")
      return
    }
    #expect(error?.description.contains("Update the program") == true)
  }

  @Test func aStoreIsOpenedForANewerFormatOnlyWhenItIsRead() throws {
    // Another process may raise the version while this one has the store open.
    try withTemporaryStore(of: Song.self, checksAtEnd: false) { temporary in
      let store = try temporary.open()
      let environment = try Environment.open(at: temporary.url.path, options: .likeStores)
      try environment.write { try changeHeader(&$0) { $0[8] = 9 } }
      #expect(throws: StoreError.newerFormat(path: temporary.url.path, version: 9)) {
        try store.count(Song.all)
      }
      #expect(throws: StoreError.newerFormat(path: temporary.url.path, version: 9)) {
        try store.write { try $0.insert(Song(id: 1, title: "a")) }
      }
    }
  }

  @Test func anotherMagicIsNoStore() throws {
    for change in [{ $0[0] = 0x58 }, { $0.removeAll() }, { $0 = Array($0.prefix(47)) }]
      as [(inout [UInt8]) -> Void]
    {
      let error = try refusalAfter { try changeHeader(&$0, change) }
      guard case .notACroftFile = error else {
        Issue.record("not refused as a foreign file: \(String(describing: error))")
        continue
      }
    }
  }

  @Test func anLMDBFileOfAnotherProgramIsNoStore() throws {
    for name in ["people", "meta"] {
      try withTemporaryStore(of: Song.self, checksAtEnd: false) { temporary in
        do {
          try Environment.open(at: temporary.url.path).write { tx in
            let tree = try tx.openDatabase(named: name)
            try tx.put([1].span.bytes, at: [2].span.bytes, in: tree)
          }
        }
        let bytes = try Data(contentsOf: temporary.url)
        // With the default durability a store would get a journal.
        for options in [Store.Options.forTests, Store.Options()] {
          let error = #expect(throws: StoreError.self) {
            _ = try Store.open(at: temporary.url, models: Song.self, options: options)
          }
          guard case .notACroftFile(_, let reason) = error else {
            Issue.record("not refused as a foreign file: \(String(describing: error))")
            return
          }
          #expect(reason.contains("LMDB"))
          #expect(try Data(contentsOf: temporary.url) == bytes)
        }
        #expect(!FileManager.default.fileExists(atPath: temporary.url.path + "-journal"))
      }
    }
  }

  @Test func aDamagedCatalogIsAnError() throws {
    let broken = try refusalAfter { tx in
      let meta = try #require(try tx.database(named: "meta"))
      try tx.put(Array("{".utf8).span.bytes, at: Array("model/1".utf8).span.bytes, in: meta)
    }
    guard case .corrupt = broken else {
      Issue.record("not called damaged: \(String(describing: broken))")
      return
    }
  }

  /// A missing file and a missing folder had one text, which asked for both to be made.
  @Test func aMissingFolderAndAFolderAreNamed() throws {
    try withTemporaryStore(of: Song.self, checksAtEnd: false) { temporary throws in
      let missing = temporary.folder.appending(path: "none/store.croft")
      let noFolder =
        "its folder does not exist; make the folder \(temporary.folder.path)/none first"
      var reading = Store.Options.forTests
      reading.isReadOnly = true
      let noFile = "there is no such file; open the store for writing to create it"
      let file = temporary.folder.appending(path: "other.croft")
      for (url, options, word) in [
        (missing, .forTests, noFolder), (missing, reading, noFolder), (file, reading, noFile),
        (temporary.folder, .forTests, "folder"),
      ] {
        let error = #expect(throws: StoreError.self) {
          _ = try Store.open(at: url, models: Song.self, options: options)
        }
        guard case .cannotOpen(url.path, let reason) = error else {
          Issue.record("not called unopenable: \(String(describing: error))")
          continue
        }
        #expect(reason.contains(word))
      }
      #expect(try temporary.files == [])
    }
  }
}

extension LMDB.Environment.Options {
  /// The options that a test's store opens the file with: one process, one set of options.
  fileprivate static var likeStores: Self {
    var options = Self()
    options.durability = .unsafe
    options.mapSizeBytes = 256 << 20
    options.maxReaders = 512
    options.maxDatabases = 1024
    options.writerTimeout = Store.Options.forTests.writerTimeout
    return options
  }
}
