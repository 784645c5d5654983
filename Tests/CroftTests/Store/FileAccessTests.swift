import Foundation
import LMDB
import Testing

@testable import Croft

/// The modes of files that Croft makes, and links that somebody planted, through which it never writes.
@Suite struct FileAccessTests {
  private static func withFolder(_ body: (URL) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "croft-test-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    try body(folder)
    try FileManager.default.removeItem(at: folder)
  }

  private static func mode(_ url: URL) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int
  }

  @Test func everyFileIsItsOwnersAlone() async throws {
    await #expect(processExitsWith: .success) {
      // The mask of the process must not be what keeps others out.
      umask(0)
      try Self.withFolder { folder in
        let url = folder.appending(path: "store.croft")
        do {
          let store = try Store.open(at: url, models: Song.self, options: .forTests)
          try store.write { try $0.insert(contentsOf: Song.numbered(0..<100)) }
          try store.backup(to: folder.appending(path: "backup.croft"))
          try store.compact(to: folder.appending(path: "compact.croft"))
          try store.backup(to: folder.appending(path: "backup.croft"), replacesExisting: true)
        }
        try Store.compact(at: url, options: .forTests)
        try JSONFileStorage(at: folder.appending(path: "values.json")).trySave(1, forKey: "a")
        let draft = try TemporaryFile(of: folder.appending(path: "other").path, mode: 0o600)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        try #require(names.contains { $0.contains("draft") })
        try #require(names.contains("store.croft-lock") && names.contains("values.json"))
        for name in names {
          try #require(try Self.mode(folder.appending(path: name)) == 0o600, "\(name)")
        }
        withExtendedLifetime(draft) {}
      }
    }
  }

  /// The lock table was written over the file that the link led to.
  @Test func aLinkInTheLockTablesPlaceIsRefusedAndItsTargetLeftAlone() throws {
    try Self.withFolder { folder in
      let url = folder.appending(path: "store.croft")
      let victim = folder.appending(path: "victim")
      try Data("secret".utf8).write(to: victim)
      try FileManager.default.createSymbolicLink(
        at: folder.appending(path: "store.croft-lock"), withDestinationURL: victim)
      let error = StoreError.thrown {
        _ = try Store.open(at: url, models: Song.self, options: .forTests)
      }
      guard case .cannotOpen(url.path, let reason) = error else {
        Issue.record("another error: \(String(describing: error))")
        return
      }
      #expect(
        reason.hasSuffix("-lock is a link, where the store's lock table belongs; move it away"))
      #expect(try Data(contentsOf: victim) == Data("secret".utf8))
    }
  }

  @Test func aStoresPathThatIsALinkToNothingIsCalledSo() throws {
    try Self.withFolder { folder in
      let url = folder.appending(path: "store.croft")
      try FileManager.default.createSymbolicLink(
        at: url, withDestinationURL: folder.appending(path: "nowhere"))
      let error = StoreError.thrown {
        _ = try Store.open(at: url, models: Song.self, options: .forTests)
      }
      #expect(error?.description.contains("it is a link to a file that does not exist") == true)
    }
  }

  /// A link where a copy or a draft goes is never written through.
  @Test func aLinkInACopysPlaceIsNotFollowed() throws {
    try Self.withFolder { folder in
      let store = try Store.open(
        at: folder.appending(path: "store.croft"), models: Song.self, options: .forTests)
      let victim = folder.appending(path: "victim")
      let copy = folder.appending(path: "copy.croft")
      for isThere in [false, true] {
        if isThere { try Data("secret".utf8).write(to: victim) }
        try FileManager.default.createSymbolicLink(at: copy, withDestinationURL: victim)
        for replaces in [false, true] {
          let error = StoreError.thrown { try store.backup(to: copy, replacesExisting: replaces) }
          #expect(error != nil)
        }
        #expect(FileManager.default.fileExists(atPath: victim.path) == isThere)
        try FileManager.default.removeItem(at: copy)
      }
      #expect(try Data(contentsOf: victim) == Data("secret".utf8))
    }
  }

  @Test(.enabled(if: geteuid() == 0, "Making another user's link takes root's rights."))
  func aLinkThatAnotherUserMadeIsNotFollowed() throws {
    try Self.withFolder { folder in
      let values = folder.appending(path: "values.json")
      let target = folder.appending(path: "target.json")
      try Data("{}".utf8).write(to: target)
      try FileManager.default.createSymbolicLink(at: values, withDestinationURL: target)
      #expect(lchown(values.path, 65_534, 65_534) == 0)
      let store = StoreError.thrown {
        _ = try Store.open(at: values, models: Song.self, options: .forTests)
      }
      let storage = StoreError.thrown { try JSONFileStorage(at: values).trySave(1, forKey: "a") }
      for error in [store, storage] {
        #expect(error?.description.contains("a link that another user made") == true)
      }
      #expect(try Data(contentsOf: target) == Data("{}".utf8))
      // One's own link stays a link.
      #expect(lchown(values.path, 0, 0) == 0)
      try JSONFileStorage(at: values).trySave(1, forKey: "a")
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: values.path) == target.path)
      #expect(try String(contentsOf: target, encoding: .utf8).contains("\"a\": 1"))
    }
  }
}
