import Foundation
import Testing
import TestSupport

@testable import Croft

/// How long keys and values may be, how many readers and savepoints there may be.
@Suite(.keepsFailedStores) struct SizeLimitTests {
  @Model struct Named: Hashable {
    @PrimaryKey var name: String
    @Indexed var text: String
  }

  @Model struct Large {
    @PrimaryKey var id: Int
    var bytes: Data
    @Indexed var note = ""
  }

  /// A text's code ends with two bytes of its own.
  @Test func keysThatAreTooLongAreRefusedOneByOne() throws {
    try withStore(of: Named.self) { store in
      try store.write { tx in
        try tx.insert(Named(name: String(repeating: "k", count: 198), text: "fits"))
        for count in [199, 200, 256, 510, 511, 512, 70_000] {
          let name = String(repeating: "k", count: count)
          let error = StoreError.thrown { try tx.insert(Named(name: name, text: "")) }
          guard case .keyTooLong("Named", "name", let bytes) = error else {
            Issue.record("\(count): \(String(describing: error))")
            continue
          }
          #expect(bytes > 200)
          let advice = "at most 200 fit: a text of 198 English or 66 Korean letters"
          #expect(error?.description.contains(advice) == true)
        }
        // An index takes values of any length.
        try tx.insert(Named(name: "a", text: String(repeating: "t", count: 70_000)))
      }
      #expect(try store.count(Named.all) == 2)
      #expect(try store.fetch(Named.where { $0.text > "g" }).map(\.name) == ["a"])
    }
  }

  /// The error was the engine's: no model, no key, and a limit of keys that is not the store's.
  @Test func anObjectThatIsTooLargeIsNamed() {
    let error = StoreError.objectTooLarge(model: "Large", key: "7", bytes: 5_000_000_000)
    #expect(
      error.description
        == "Large 7 takes 5000000000 bytes; at most 4294967291 fit. Keep large values in files of "
        + "their own, or in several objects.")
    #expect(!error.isRetryable)
  }

  @Test(.enabled(if: Torture.isAskedFor, "It takes 16 GiB of memory."))
  func valuesOfAGibibyteAreKeptAndOfFourRefused() throws {
    try withStore(of: Large.self, options: .forTests { $0.mapSizeBytes = 16 << 30 }) { store in
      let gibibyte = Data(repeating: 7, count: 1 << 30)
      try store.write { try $0.insert(Large(id: 1, bytes: gibibyte)) }
      #expect(try store.fetch(Large.all).first?.bytes == gibibyte)
      try store.write { _ = try $0.update(Large.self, 1) { $0.note = "changed" } }
      let tooMuch = Data(repeating: 7, count: 1 << 32)
      for isUpdate in [false, true] {
        let error = StoreError.thrown {
          try store.write { tx in
            if isUpdate {
              try tx.update(Large.self, 1) { $0.bytes = tooMuch }
            } else {
              try tx.insert(Large(id: 2, bytes: tooMuch))
            }
          }
        }
        guard case .objectTooLarge("Large", isUpdate ? "1" : "2", let bytes) = error else {
          Issue.record("another error: \(String(describing: error))")
          continue
        }
        #expect(bytes > 1 << 32)
      }
      #expect(try store.fetch(Large.all).first?.bytes == gibibyte)
      #expect(try store.count(Large.all) == 1)
    }
  }

  @Test func aFullReaderTableRefusesReadersAndNoWriter() throws {
    let options = Store.Options.forTests { $0.maxReaders = 5 }
    try withStore(of: Song.self, options: options) { store in
      try store.write { try $0.insert(contentsOf: Song.numbered(0..<10)) }
      var snapshots: [StoreSnapshot] = []
      var error: StoreError?
      while error == nil, snapshots.count < 100 {
        do {
          snapshots.append(try store.snapshot(named: "held"))
        } catch let refusal as StoreError {
          error = refusal
        }
      }
      guard case .readersFull = error else {
        Issue.record("another error: \(String(describing: error))")
        return
      }
      #expect(error?.isRetryable == true)
      #expect(error?.description.contains("End some, or raise maxReaders") == true)
      #expect((1...5).contains(snapshots.count))
      try store.write { try $0.insert(Song(id: 10, title: "written meanwhile")) }
      for snapshot in snapshots { #expect(try snapshot.count(Song.all) == 10) }
      snapshots = []
      #expect(try store.count(Song.all) == 11)
    }
  }

  @Test(arguments: [1, 2, 31, 1_000]) func savepointsNestToAnyDepth(depth: Int) throws {
    func nest(_ level: Int, _ tx: inout WriteTransaction) throws {
      try tx.insert(Song(id: level, title: "level \(level)"))
      guard level < depth else { return }
      try tx.savepoint { try nest(level + 1, &$0) }
    }
    struct Undone: Error {}
    try withStore(of: Song.self) { store in
      try store.write { try nest(1, &$0) }
      #expect(try store.count(Song.all) == depth)
      // The innermost fails, and all of them with it.
      let error = #expect(throws: Undone.self) {
        try store.write { tx in
          func fail(_ level: Int, _ tx: inout WriteTransaction) throws {
            try tx.insert(Song(id: 10_000 + level, title: "gone"))
            guard level < depth else { throw Undone() }
            try tx.savepoint { try fail(level + 1, &$0) }
          }
          try fail(1, &tx)
        }
      }
      #expect(error != nil)
      #expect(try store.count(Song.all) == depth)
    }
  }
}
