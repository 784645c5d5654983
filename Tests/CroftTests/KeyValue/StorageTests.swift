import Croft
import Foundation
import Testing

/// What both storages promise.
@Suite struct StorageTests {
  enum Kind: CaseIterable {
    case store, jsonFile

    func open(in folder: URL) -> any ThrowingStorage {
      switch self {
      case .store: StoreStorage(at: folder.appending(path: "values"), options: .forTests)
      case .jsonFile: JSONFileStorage(at: folder.appending(path: "values"))
      }
    }
  }

  struct Settings: Codable, Equatable {
    var theme = "dark"
    var sizes = [1, 2, 3]
    var ratio = 0.1
    var since = Date(timeIntervalSinceReferenceDate: 12_345.678)
    var note: String?
  }

  /// Passes a folder to a test.
  private func withFolder(_ body: (URL) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "croft-test-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer {
      // A folder that cannot be removed is litter and no failure of the test.
      try? FileManager.default.removeItem(at: folder)
    }
    try body(folder)
  }

  @Test(arguments: Kind.allCases) func whatIsSavedIsLoadedAndRemoved(kind: Kind) throws {
    try withFolder { folder in
      let storage = kind.open(in: folder)
      let settings = Settings()
      storage.save(settings, forKey: "settings")
      storage.save(7, forKey: "count")
      storage.save("한글 \"quoted\" \\ \n", forKey: "키 / \"key\"")
      storage.save([String: [Int]?](), forKey: "")
      #expect(storage.load(forKey: "settings") == settings)
      #expect(storage.load(forKey: "count") == 7)
      #expect(storage.load(forKey: "키 / \"key\"") == "한글 \"quoted\" \\ \n")
      #expect(storage.load(forKey: "") == [String: [Int]?]())
      storage.remove(forKey: "count")
      #expect(storage.load(forKey: "count") == Int?.none)
      storage.remove(forKey: "count")
      storage.save(Settings(theme: "light"), forKey: "settings")
      #expect((storage.load(forKey: "settings") as Settings?)?.theme == "light")
    }
  }

  @Test(arguments: Kind.allCases) func valuesOutliveTheStorage(kind: Kind) throws {
    try withFolder { folder in
      kind.open(in: folder).save(Settings(), forKey: "settings")
      #expect(kind.open(in: folder).load(forKey: "settings") == Settings())
    }
  }

  @Test(arguments: Kind.allCases) func aMissingValueIsNilAndNoError(kind: Kind) throws {
    try withFolder { folder in
      let storage = kind.open(in: folder)
      let failures = Recorder<StorageFailure>()
      storage.onError = { failures.add($0) }
      #expect(storage.load(forKey: "nothing") == Int?.none)
      storage.remove(forKey: "nothing")
      #expect(failures.all.isEmpty)
      let missing: Int? = try storage.tryLoad(forKey: "nothing")
      #expect(missing == nil)
    }
  }

  @Test(arguments: Kind.allCases) func onlyTheOwnerMayReadTheFile(kind: Kind) throws {
    try withFolder { folder in
      kind.open(in: folder).save(1, forKey: "a")
      let path = folder.appending(path: "values").path
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      #expect(attributes[.posixPermissions] as? Int == 0o600)
    }
  }

  /// The story: an app saved with `try?`, the disk said no, and the user's list was gone at the
  /// next start without a word.
  @Test(arguments: Kind.allCases) func aFailedSaveIsNotSilent(kind: Kind) throws {
    try withFolder { folder in
      // The folder of the file is a file itself.
      let place = folder.appending(path: "file")
      try Data().write(to: place)
      let storage = kind.open(in: place)
      let failures = Recorder<StorageFailure>()
      storage.onError = { failures.add($0) }
      storage.save(1, forKey: "count")
      #expect(failures.all.map(\.operation) == [.save])
      #expect(failures.all.map(\.key) == ["count"])
      #expect(failures.all.first?.description.contains("Cannot save count") == true)
      #expect(throws: StoreError.self) { try storage.trySave(1, forKey: "count") }
      #expect(failures.all.count == 1)
    }
  }

  @Test(arguments: Kind.allCases)
  func withoutAHandlerAFailedSaveIsALineOnTheStandardError(kind: Kind) async throws {
    let isStore = kind == .store
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      [isStore = isStore as Bool] in
      let storage = (isStore ? Kind.store : .jsonFile).open(in: URL(filePath: "/dev/null"))
      storage.save(1, forKey: "count")
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("croft: Cannot save count: "))
  }

  private struct Unencodable: Encodable {
    func encode(to encoder: any Encoder) throws {
      throw EncodingError.invalidValue(
        self, .init(codingPath: [], debugDescription: "no form for it."))
    }
  }

  @Test(arguments: Kind.allCases)
  func aValueThatCannotBeEncodedLeavesTheEarlierOne(kind: Kind) throws {
    try withFolder { folder in
      let storage = kind.open(in: folder)
      storage.save(1, forKey: "a")
      let errors = [
        StoreError.thrown { try storage.trySave(Unencodable(), forKey: "a") },
        StoreError.thrown { try storage.trySave(Double.infinity, forKey: "a") },
      ]
      #expect(errors[0] == .notCodable(key: "a", reason: "no form for it"))
      guard case .notCodable("a", _) = errors[1] else {
        Issue.record("another error: \(String(describing: errors[1]))")
        return
      }
      #expect(storage.load(forKey: "a") == 1)
    }
  }

  @Test(arguments: Kind.allCases) func aValueOfAnotherTypeIsAnErrorThatNamesTheKey(kind: Kind)
    throws
  {
    try withFolder { folder in
      let storage = kind.open(in: folder)
      storage.save("text", forKey: "a")
      let error = StoreError.thrown { _ = try storage.tryLoad(forKey: "a") as Int? }
      guard case .notCodable("a", _) = error else {
        Issue.record("another error: \(String(describing: error))")
        return
      }
      let failures = Recorder<StorageFailure>()
      storage.onError = { failures.add($0) }
      #expect(storage.load(forKey: "a") == Int?.none)
      #expect(failures.all.map(\.operation) == [.load])
      #expect(storage.load(forKey: "a") == "text")
    }
  }

  @Test(arguments: Kind.allCases) func manyThreadsLoseNoValue(kind: Kind) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "croft-test-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    let storage = kind.open(in: folder)
    await withTaskGroup(of: Void.self) { group in
      for task in 0..<8 {
        group.addTask {
          for round in 0..<10 { storage.save(round, forKey: "\(task)-\(round)") }
        }
      }
    }
    for task in 0..<8 {
      for round in 0..<10 { #expect(storage.load(forKey: "\(task)-\(round)") == round) }
    }
    try FileManager.default.removeItem(at: folder)
  }

  /// A program's own place, by the rules of its system.
  @Test func theSharedOnesLieInTheUsersFolderForData() async throws {
    let home = FileManager.default.temporaryDirectory.appending(path: "croft-test-\(UUID())")
    await #expect(processExitsWith: .success) { [path = home.path as String] in
      setenv("XDG_DATA_HOME", path, 1)
      StoreStorage.shared.save(1, forKey: "a")
      JSONFileStorage.shared.save(2, forKey: "a")
      try #require(StoreStorage.shared.load(forKey: "a") == 1)
      try #require(JSONFileStorage.shared.load(forKey: "a") == 2)
    }
    #if os(Linux)
      let programs = try FileManager.default.contentsOfDirectory(atPath: home.path)
      let folder = home.appending(path: try #require(programs.first))
      let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
      #expect(
        files == ["storage.croft", "storage.croft-journal", "storage.croft-lock", "storage.json"])
      try FileManager.default.removeItem(at: home)
    #endif
  }

  /// The protocol as the apps of old wrote it: a conformer needs these four and no more.
  @Test func theProtocolAsksForFourThings() {
    final class Memory: Storage, Sendable {
      static let shared = Memory()
      func save<T: Encodable>(_ value: T, forKey key: String) {}
      func load<T: Decodable>(forKey key: String) -> T? { nil }
      func remove(forKey key: String) {}
    }
    func count<S: Storage>(in storage: S.Type) -> Int? { storage.shared.load(forKey: "count") }
    #expect(count(in: Memory.self) == nil)
  }
}
