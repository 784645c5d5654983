import Foundation
import LMDB
import Testing

@testable import Croft

/// A row that cannot be read stops an index that is built in steps, and nobody's opening.
@Suite(.keepsFailedStores) struct IndexBuildingDamageTests {
  enum Plain {
    @Model struct Book: Equatable {
      @PrimaryKey var id: Int
      var title: String
      var year: Int
    }
  }
  enum ByYear {
    @Model struct Book {
      @PrimaryKey var id: Int
      var title: String
      @Indexed var year: Int
    }
  }
  enum ByTitle {
    @Model struct Book {
      @PrimaryKey var id: Int
      @Indexed(.unique) var title: String
      var year: Int
    }
  }
  /// Has an index on an expression, whose value may be absent although no property may.
  enum ByDouble {
    @Model struct Book {
      @PrimaryKey var id: Int
      var title: String
      var year: Int
      #Index<Book> { [($0.year * 2).ascending] }
    }
  }
  /// Has that index on years that are never missing, and takes none for another year.
  enum Dated {
    @Model struct Book {
      @PrimaryKey var id: Int
      var title: String
      var year = 0
      #Index<Book> { [($0.year * 2).ascending] }
    }
  }
  /// Has it on years that may be missing, so that its entries have other keys.
  enum Undated {
    @Model struct Book {
      @PrimaryKey var id: Int
      var title: String
      var year: Int?
      #Index<Book> { [($0.year * 2).ascending] }
    }
  }
  /// Adds a property beside the index, and makes another one optional.
  enum Longer {
    @Model struct Book {
      @PrimaryKey var id: Int
      var title: String?
      @Indexed var year: Int
      var pages = 100
    }
  }

  static let newer: [any Model.Type] = [
    ByYear.Book.self, ByTitle.Book.self, ByDouble.Book.self, Longer.Book.self,
  ]
  private let books = (0..<240).map { Plain.Book(id: $0, title: "title \($0)", year: $0 % 10) }

  /// Passes a store of books, of which number 200 is damaged; nobody has it open.
  ///
  /// - Parameter models: Those with which the store is opened one after the other before.
  private func withDamage(
    after models: [any Model.Type] = [], _ bytes: (inout [UInt8]) -> Void,
    _ body: (TemporaryStore) throws -> Void
  ) throws {
    try withTemporaryStore(of: Plain.Book.self, checksAtEnd: false) { temporary in
      try temporary.open().write { try $0.insert(contentsOf: books) }
      for model in models { _ = try StepwiseBuild.open(at: temporary.url, model) }
      let environment = try Environment.open(at: temporary.url.path, options: .init(.forTests))
      try environment.write { transaction in
        let rows = try #require(try transaction.database(named: "e1"))
        var (key, row): ([UInt8], [UInt8]) = ([], [])
        var number = 0
        try transaction.forEachBlock(of: rows) { block in
          for place in 0..<block.count {
            if number == 200 {
              (key, row) = (block.key(at: place).copied(), block.value(at: place).copied())
            }
            number += 1
          }
          return true
        }
        bytes(&row)
        _ = try transaction.put(row.span.bytes, at: key.span.bytes, in: rows)
      }
      try body(temporary)
    }
  }

  /// The catalog kept the index that was begun, so that every later opening, of older programs too,
  /// read the damaged row again and was refused.
  @Test(arguments: newer.indices, [false, true])
  func aDamagedRowBesideANewIndexRefusesTheNewProgramAlone(newer: Int, isHeader: Bool) throws {
    let model = Self.newer[newer]
    func damage(_ row: inout [UInt8]) {
      if isHeader { row = [0x52, 0, 1] } else { row[row.count - 6] ^= 0x20 }
    }
    try withDamage(damage) { temporary in
      for _ in 0..<2 {
        let error = StoreError.thrown { _ = try StepwiseBuild.open(at: temporary.url, model) }
        guard case .corrupt("Book", "200", let reason)? = error else {
          Issue.record("it was \(String(describing: error))")
          return
        }
        #expect(model == Longer.Book.self || reason.contains("cannot be built"))
        for opening in [
          { try StepwiseBuild.open(at: temporary.url, Plain.Book.self) }, { try temporary.open() },
        ] {
          let old = try opening()
          #expect(try old.statistics.models[0].indexes.isEmpty)
          #expect(try old.get(Plain.Book.self, 199) == books[199])
          try old.write { tx in
            try tx.insert(Plain.Book(id: 1_000, title: "another", year: 3))
            try tx.delete(Plain.Book.self, 1_000)
          }
        }
      }
      guard !isHeader else { return }
      try temporary.open().write { _ = try $0.delete(Plain.Book.self, 200) }
      let new = try StepwiseBuild.open(at: temporary.url, model)
      #expect(try new.verify().problems == [])
      #expect(try new.verify().indexEntries == 239)
    }
  }

  /// The program before lost its own index to the one that was built in its place, and was refused.
  @Test func aDamagedRowBesideARebuiltIndexRefusesTheNewProgramAlone() throws {
    let models: [any Model.Type] = [Undated.Book.self, Dated.Book.self, Undated.Book.self]
    try withDamage(after: models, { $0[$0.count - 6] ^= 0x20 }) { temporary in
      for _ in 0..<2 {
        let error = StoreError.thrown {
          _ = try StepwiseBuild.open(at: temporary.url, Dated.Book.self)
        }
        guard case .corrupt("Book", "200", _)? = error else {
          Issue.record("it was \(String(describing: error))")
          return
        }
        let old = try StepwiseBuild.open(at: temporary.url, Undated.Book.self)
        #expect(try old.statistics.models[0].indexes.count == 1)
        #expect(try old.count(Undated.Book.where { $0.year * 2 == 8 }) == 24)
      }
      try StepwiseBuild.open(at: temporary.url, Undated.Book.self).write {
        _ = try $0.delete(Undated.Book.self, 200)
      }
      let new = try StepwiseBuild.open(at: temporary.url, Dated.Book.self)
      #expect(try new.verify().problems == [])
      #expect(try new.verify().indexEntries == 239)
    }
  }
}
