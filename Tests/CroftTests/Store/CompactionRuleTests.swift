import Foundation
import LMDB
import Testing
import TestSupport

@testable import Croft

/// Compaction replaces a file, so it must know whose file it is.
@Suite struct CompactionRuleTests {
  private let folder = TemporaryFolder()
  private var url: URL { URL(filePath: folder.path(to: "file")) }

  /// Files that are not stores of this version, by what refuses them.
  enum Other: CaseIterable {
    case lmdb, duplicates, otherMeta, newer, text

    func make(at url: URL) throws {
      switch self {
      case .text: try Data(String(repeating: "text ", count: 5_000).utf8).write(to: url)
      case .newer:
        let store = try Store.open(at: url, models: Song.self, options: .forTests)
        try store.write { try $0.insert(contentsOf: Song.numbered(0..<100)) }
        try store.environment.write { transaction in
          let meta = try #require(try transaction.database(named: "meta"))
          let key = Array("header".utf8)
          var header = try #require(try transaction.get(key.span.bytes, in: meta)?.copied())
          header[8] = 99
          _ = try transaction.put(header.span.bytes, at: key.span.bytes, in: meta)
        }
      default: try makeLMDB(at: url)
      }
    }

    private func makeLMDB(at url: URL) throws {
      let name = self == .otherMeta ? "meta" : "zzqx"
      do {
        let environment = try Environment.open(at: url.path)
        for round in 0..<3 {
          try environment.write { transaction in
            let tree = try transaction.openDatabase(named: name)
            let value = [UInt8](repeating: UInt8(round), count: 100_000)
            _ = try transaction.put(value.span.bytes, at: [1].span.bytes, in: tree)
          }
        }
      }
      guard self == .duplicates else { return }
      // The flags of the tree's record follow its name and four bytes; 4 stands for duplicate keys.
      var bytes = try Data(contentsOf: url)
      var rest = bytes.startIndex..<bytes.endIndex
      while let found = bytes.range(of: Data(name.utf8), in: rest) {
        bytes[found.upperBound + 4] |= 4
        rest = found.upperBound..<bytes.endIndex
      }
      try bytes.write(to: url)
    }
  }

  /// Any LMDB file was rewritten before it was known to be a store; one with keys of several values was
  /// called damaged, with the advice to restore a copy.
  @Test(arguments: Other.allCases) func onlyStoresAreCompacted(_ other: Other) throws {
    try other.make(at: url)
    let bytes = try Data(contentsOf: url)
    let attempts: [() throws -> Void] = [
      { try Store.compact(at: url) },
      {
        var options = Store.Options()
        options.compaction = CompactionRule(leastFileBytes: 0, leastFreeShare: 0)
        _ = try Store.open(at: url, models: Song.self, options: options)
      },
    ]
    for attempt in attempts {
      let error = StoreError.thrown(by: attempt)
      switch error {
      case .notACroftFile(let path, _)? where other != .newer: #expect(path == url.path)
      case .newerFormat(let path, 99)? where other == .newer: #expect(path == url.path)
      default: Issue.record("\(other): \(String(describing: error))")
      }
      #expect(try Data(contentsOf: url) == bytes, "\(other) is unchanged")
      #expect(try folder.files.filter { $0.contains("draft") } == [])
    }
  }
}
