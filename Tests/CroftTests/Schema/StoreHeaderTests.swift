import Foundation
import LMDB
import Testing

@testable import Croft

@Suite(.keepsFailedStores) struct StoreHeaderTests {
  private func header(_ temporary: TemporaryStore) throws -> StoreHeader {
    var header: StoreHeader?
    try Environment.open(at: temporary.url.path).read { tx in
      let meta = try #require(try tx.database(named: "meta"))
      let key = Array("header".utf8)
      if let bytes = try tx.get(key.span.bytes, in: meta) {
        header = try StoreHeader(bytes, path: "")
      }
    }
    return try #require(header)
  }

  @Test func aHeaderIs48BytesInTheOrderThatTheFormatSays() throws {
    var header = StoreHeader(store: (0x0102_0304_0506_0708, 0x1112_1314_1516_1718))
    header.sequence = 0x21
    header.generation = 0x31
    let expected: [UInt8] =
      [0x43, 0x52, 0x4F, 0x46, 0x54, 0, 0, 1] + [4, 0, 0, 0] + header.bytes[12..<16]
      + [8, 7, 6, 5, 4, 3, 2, 1] + [0x18, 0x17, 0x16, 0x15, 0x14, 0x13, 0x12, 0x11]
      + [0x21, 0, 0, 0, 0, 0, 0, 0] + [0x31, 0, 0, 0, 0, 0, 0, 0]
    #expect(header.bytes == expected)
    let read = try StoreHeader(expected.span.bytes, path: "")
    #expect(read == header)
    header.features = .versionedExpressions
    let named = header.bytes
    #expect(Array(named[48...]) == [21] + Array("versioned expressions".utf8))
    #expect(Array(named[..<12] + named[16..<48]) == Array(expected[..<12] + expected[16...]))
    #expect(try StoreHeader(named.span.bytes, path: "") == header)
  }

  @Test func aHeaderOfAFormatBeforeTheFirstReleaseIsRefused() throws {
    var bytes = StoreHeader(store: (1, 2)).bytes
    // Formats without checksums have zero in their place.
    for (offset, byte) in [(8, 1), (12, 0), (13, 0), (14, 0), (15, 0)] {
      bytes[offset] = UInt8(byte)
    }
    let error = #expect(throws: StoreError.self) {
      _ = try StoreHeader(bytes.span.bytes, path: "a.croft")
    }
    guard case .notACroftFile("a.croft", let reason) = error else {
      Issue.record("another error: \(String(describing: error))")
      return
    }
    #expect(reason.contains("format 1"))
    bytes[8] = 2
    #expect(try StoreHeader(bytes.span.bytes, path: "a.croft").version == 2)
  }

  @Test func theSequenceCountsCommitsThatChangedSomething() throws {
    try withTemporaryStore(of: Song.self) { temporary throws in
      do {
        let store = try temporary.open()
        try store.write { try $0.insert(contentsOf: Song.numbered(0..<3)) }
        try store.write { _ = try $0.delete(Song.self, 99) }
        try store.write { _ = try $0.upsert(Song.numbered(1..<2)[0]) }
        try store.write { _ = try $0.update(Song.self, 1) { $0.plays += 0 } }
        #expect(throws: Refused.self) {
          try store.write { tx in
            try tx.delete(Song.self, 0)
            throw Refused()
          }
        }
        try store.write { _ = try $0.delete(Song.self, 0) }
      }
      #expect(try header(temporary).sequence == 2)
    }
  }

  @Test func theGenerationCountsChangesOfTheCatalog() throws {
    try withTemporaryStore(of: Song.self, Album.self) { temporary throws in
      for (models, generation) in [(1, 1), (1, 1), (2, 2), (1, 2), (2, 2)] as [(Int, UInt64)] {
        do {
          _ =
            try models == 1
            ? Store.open(at: temporary.url, models: Song.self, options: .forTests)
            : temporary.open()
        }
        #expect(try header(temporary).generation == generation)
      }
    }
  }

  @Test func everyStoreHasAnIdentityOfItsOwn() throws {
    var stores: Set<[UInt64]> = []
    for _ in 0..<2 {
      try withTemporaryStore(of: Song.self) { temporary in
        _ = try temporary.open()
        let store = try header(temporary).store
        stores.insert([store.0, store.1])
        _ = try temporary.open()
        #expect(try header(temporary).store == store)
      }
    }
    #expect(stores.count == 2)
  }
}
