import Foundation
import Testing

@testable import Croft

#if canImport(Glibc)
  import Glibc
#endif

/// Bad input: an error that names its subject and the remedy, and an unchanged store.
@Suite(.keepsFailedStores) struct BadInputTests {
  private struct Meta {
    // Offsets in each of the two meta pages, of 4,096 bytes each.
    static let magic = 16
    static let version = 20
  }

  /// The bytes of a store's file, closed.
  private func storeFile() throws -> Data {
    var bytes = Data()
    try withTemporaryStore(of: Song.self, checksAtEnd: false) { temporary in
      do { try temporary.open().write { try $0.insert(contentsOf: Song.numbered(0..<100)) } }
      bytes = try Data(contentsOf: temporary.url)
    }
    return bytes
  }

  /// Opens a file of some bytes; it must be refused and left as it is, with nothing beside it.
  private func refusal(of bytes: Data, named words: [String]) throws {
    try withTemporaryStore(of: Song.self, checksAtEnd: false) { temporary in
      try bytes.write(to: temporary.url)
      for isReadOnly in [false, true] {
        let options = Store.Options.forTests { $0.isReadOnly = isReadOnly }
        let error = StoreError.thrown {
          _ = try Store.open(at: temporary.url, models: Song.self, options: options)
        }
        for word in words + [temporary.url.path] {
          #expect(error?.description.contains(word) == true, "\(String(describing: error))")
        }
        #expect(try Data(contentsOf: temporary.url) == bytes)
        #expect(try temporary.files == ["store.croft"])
      }
    }
  }

  @Test func aStoreOfAnotherByteOrderIsRefused() throws {
    var bytes = try storeFile()
    for page in [0, 4_096] { bytes[page + Meta.magic..<page + Meta.magic + 4].reverse() }
    try refusal(of: bytes, named: ["another word size or byte order", "choose another path"])
  }

  @Test func aStoreOfAnotherWordSizeIsRefused() throws {
    // With words of 4 bytes the header of a page has 12 bytes, not 16.
    let bytes = try storeFile()
    var narrow = Data(bytes[4..<bytes.count])
    narrow.append(Data(count: 4))
    try refusal(of: narrow, named: ["another word size or byte order", "choose another path"])
  }

  @Test func aStoreOfAnotherEngineVersionIsRefused() throws {
    var bytes = try storeFile()
    for page in [0, 4_096] { bytes[page + Meta.version] = 2 }
    try refusal(of: bytes, named: ["another format version", "choose another path"])
  }

  @Test func aTruncatedStoreIsRefused() throws {
    let bytes = try storeFile()
    try refusal(of: bytes.prefix(bytes.count / 2), named: ["ends before", "Restore a copy"])
  }

  @Test func aForeignFileIsRefused() throws {
    try refusal(
      of: Data("-----BEGIN CERTIFICATE-----\n".utf8), named: ["not a Croft file", "another path"])
  }

  @Test func aKeyThatIsTooLongNamesModelFieldAndRemedyAndChangesNothing() throws {
    try withTemporaryStore(of: Album.self) { temporary in
      let store = try temporary.open()
      try store.write { try $0.insert(Album(name: "kept", year: 1)) }
      let bytes = try Data(contentsOf: temporary.url)
      let name = String(repeating: "x", count: 199)
      for statement in [
        { try $0.insert(Album(name: name, year: 2)) },
        { try $0.upsert(Album(name: name, year: 2)) },
        { try $0.insert(contentsOf: [Album(name: "first", year: 3), Album(name: name, year: 2)]) },
      ] as [(inout WriteTransaction) throws -> Void] {
        let error = StoreError.thrown { try store.write { try statement(&$0) } }
        #expect(error == .keyTooLong(model: "Album", field: "name", bytes: 201))
        for word in ["Album.name", "201 bytes", "at most 200", "Use a shorter key"] {
          #expect(error?.description.contains(word) == true)
        }
        #expect(try Data(contentsOf: temporary.url) == bytes)
      }
      #expect(try store.fetch(Album.all).map(\.name) == ["kept"])
    }
  }

  @Test func aTakenKeyNamesModelKeyAndRemedyAndChangesNothing() throws {
    try withTemporaryStore(of: Song.self) { temporary in
      let store = try temporary.open()
      try store.write { try $0.insert(contentsOf: Song.numbered(0..<10)) }
      let bytes = try Data(contentsOf: temporary.url)
      let error = StoreError.thrown {
        try store.write { try $0.insert(contentsOf: Song.numbered(5..<20)) }
      }
      #expect(error == .duplicateKey(model: "Song", fields: ["id"], key: "5"))
      #expect(
        error?.description == "Song already has an object with key 5. Use upsert to replace it.")
      #expect(try Data(contentsOf: temporary.url) == bytes)
    }
  }

  @Test func aTakenValueNamesModelFieldsKeysAndRemedyAndChangesNothing() throws {
    try withTemporaryStore(of: Account.self) { temporary in
      let store = try temporary.open()
      try store.write { tx in
        try tx.insert(Account(id: 1, email: "a", team: "red", number: 1))
        try tx.insert(Account(id: 2, email: "b", team: "red", number: 2))
      }
      let bytes = try Data(contentsOf: temporary.url)
      let clash = StoreError.uniqueViolation(
        model: "Account", fields: ["team", "number"], key: "2", existing: "1")
      for statement in [
        { _ = try $0.update(Account.self, 2) { $0.number = 1 } },
        { try $0.upsert(Account(id: 2, email: "b", team: "red", number: 1)) },
        { tx in
          try tx.insert(Account(id: 3, email: "c"))
          _ = try tx.update(Account.where { $0.id == 2 }) { $0.number = 1 }
        },
      ] as [(inout WriteTransaction) throws -> Void] {
        let error = StoreError.thrown { try store.write { try statement(&$0) } }
        #expect(error == clash)
        #expect(
          error?.description == "Account 2 cannot have its team, number, which must be unique: "
            + "Account 1 has the same. Choose another value, or change that object first.")
        #expect(try Data(contentsOf: temporary.url) == bytes)
      }
    }
  }

  @Test func aDenyRuleNamesModelFieldKeyAndRemedyAndChangesNothing() throws {
    try withTemporaryStore(of: Person.self, Club.self) { temporary in
      let store = try temporary.open()
      try store.write { tx in
        try tx.insert(contentsOf: [Person(id: 1), Person(id: 2, guarantor: Ref(1))])
        try tx.insert(Person(id: 3, boss: Ref(1)))
      }
      let bytes = try Data(contentsOf: temporary.url)
      for statement in [
        { _ = try $0.delete(Person.self, 1) }, { _ = try $0.delete(Person.where { $0.id == 1 }) },
      ] as [(inout WriteTransaction) throws -> Void] {
        let error = StoreError.thrown { try store.write { try statement(&$0) } }
        #expect(
          error
            == .deniedByRelation(
              model: "Person", field: "guarantor", key: "2", target: "Person 1", count: 1))
        #expect(
          error?.description == "Person 1 cannot be deleted: an object refers to it by "
            + "Person.guarantor, first Person 2. Delete or change what refers to it first.")
        #expect(try Data(contentsOf: temporary.url) == bytes)
      }
      #expect(try store.count(Person.all) == 3)
    }
  }

  @Test func aReferenceToNothingNamesModelFieldKeyAndRemedyAndChangesNothing() throws {
    try withTemporaryStore(of: Person.self, Club.self) { temporary in
      let store = try temporary.open()
      try store.write { try $0.insert(Person(id: 1)) }
      let bytes = try Data(contentsOf: temporary.url)
      let error = StoreError.thrown {
        try store.write { try $0.insert(Person(id: 2, home: Ref("nowhere"))) }
      }
      #expect(
        error?.description == "Person.home of 2 refers to Club \"nowhere\", which does not exist. "
          + "Insert that object first, or refer to another one.")
      #expect(try Data(contentsOf: temporary.url) == bytes)
    }
  }

  /// Gives up the rights of root; another user keeps its rights.
  private static func becomeOrdinary() {
    if geteuid() == 0 { _ = (setegid(65_534), seteuid(65_534)) }
  }

  /// Passes a store's file in a folder that can only be read, and checks that nothing changes there.
  private func withReadOnlyFolder(
    _ body: (_ path: String) async throws -> Void
  ) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "croft-test-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    let url = folder.appending(path: "store.croft")
    try storeFile().write(to: url)
    func setMode(_ mode: Int, _ path: String) throws {
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }
    try setMode(0o444, url.path)
    try setMode(0o555, folder.path)
    let bytes = try Data(contentsOf: url)
    try await body(url.path)
    #expect(try Data(contentsOf: url) == bytes)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["store.croft"])
    try setMode(0o755, folder.path)
    try FileManager.default.removeItem(at: folder)
  }

  @Test func aStoreInAFolderThatCanOnlyBeReadIsReadAndNotWritten() async throws {
    try await withReadOnlyFolder { path in
      await #expect(processExitsWith: .success) { [path = path as String] in
        Self.becomeOrdinary()
        let url = URL(filePath: path)
        let store = try Store.open(
          at: url, models: Song.self, options: .forTests { $0.isReadOnly = true })
        try #require(try await store.fetch(Song.all) == Song.numbered(0..<100))
        try #require(try await store.count(Song.where { $0.plays == 3 }) == 10)
        try #require(try await store.verify().isSound)
        try #require(try await store.snapshot().count(Song.all) == 100)
        try #require(try store.statistics.readers == [])
        let error = StoreError.thrown { try store.write { _ = try $0.delete(Song.self, 1) } }
        try #require(error == .readOnly)
        // A copy is made where there is leave to.
        let copy = FileManager.default.temporaryDirectory.appending(path: "croft-test-\(UUID())")
        try await store.backup(to: copy)
        try #require(
          try await Store.open(at: copy, models: Song.self, options: .forTests).count(Song.all)
            == 100)
        for suffix in ["", "-lock"] {
          try FileManager.default.removeItem(atPath: copy.path + suffix)
        }
      }
    }
  }

  @Test func aFolderThatCanOnlyBeReadRefusesWritersWithARemedy() async throws {
    try await withReadOnlyFolder { path in
      await #expect(processExitsWith: .success) { [path = path as String] in
        Self.becomeOrdinary()
        for place in [path, path + "-new"] {
          let error = StoreError.thrown {
            _ = try Store.open(at: URL(filePath: place), models: Song.self, options: .forTests)
          }
          guard case .cannotOpen(place, let reason) = error else {
            preconditionFailure("another error: \(String(describing: error))")
          }
          try #require(reason.contains("check the owner and mode of the file and its folder"))
        }
        let copy = StoreError.thrown {
          try Store.compact(at: URL(filePath: path), options: .forTests)
        }
        guard case .cannotOpen(path, _) = copy else {
          preconditionFailure("another error: \(String(describing: copy))")
        }
      }
    }
  }
}
