import Foundation
import LMDB
import Testing
import TestSupport

@testable import Croft

/// The tree of a search index over two texts of each row, and a dictionary of the same rows.
final class TextTreeTwin {
  /// Two texts, and the terms that they have.
  struct Row {
    let texts: [String]
    let terms: [[[UInt8]: UInt32]]
    let units: [[NaiveSearch.Unit]]

    init(_ texts: [String]) {
      self.texts = texts
      terms = texts.map(NaiveSearch.terms(of:))
      units = texts.map(NaiveSearch.units(of:))
    }
  }

  /// How many rows, searches and postings were compared.
  struct Counts {
    var commits = 0, undone = 0, flushes = 0, merging = 0, postings = 0
  }

  let environment: LMDB.Environment
  let index: TextTree
  private let rows: Database
  private(set) var twin: [[UInt8]: Row] = [:]
  var counts = Counts()
  private let folder = TemporaryFolder()

  init(_ bounds: TextIndexBounds) throws {
    var options = LMDB.Environment.Options()
    options.durability = .unsafe
    environment = try LMDB.Environment.open(at: folder.path(to: "texts"), options: options)
    let trees = try environment.write {
      (try $0.openDatabase(named: "rows"), try $0.openDatabase(named: "x"))
    }
    rows = trees.0
    index = TextTree(trees.1, of: "Text", properties: 2, bounds)
  }

  private struct Undone: Error {}

  /// Makes changes of rows in one transaction: nil deletes.
  func commit(_ changes: [[UInt8]: [String]?], isUndone: Bool = false) throws {
    var next = twin
    do {
      try environment.write { transaction in
        var keys = ByteList()
        var bytes = 0
        for (key, texts) in changes.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
          key.withUnsafeBytes { unsafe keys.append($0) }
          if let texts {
            next[key] = Row(texts)
            let value = texts.joined(separator: "\u{1}")
            bytes += value.utf8.count
            try transaction.put(Array(value.utf8).span.bytes, at: key.span.bytes, in: rows)
          } else {
            next[key] = nil
            try transaction.delete(key.span.bytes, in: rows)
          }
        }
        let before = try index.head(in: transaction)
        try index.write(keys, bytes: bytes, in: &transaction, terms)
        let after = try index.head(in: transaction)
        counts.flushes += after.waitingRows <= before.waitingRows && keys.count > 0 ? 1 : 0
        counts.merging += after.segments.contains { $0.target != 0 } ? 1 : 0
        if isUndone { throw Undone() }
      }
      twin = next
      counts.commits += 1
    } catch is Undone { counts.undone += 1 }
  }

  /// Adds rows as the steps of a build do.
  func build(_ added: [[UInt8]: [String]]) throws {
    try environment.write { transaction in
      var keys = ByteList()
      for (key, texts) in added.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
        key.withUnsafeBytes { unsafe keys.append($0) }
        twin[key] = Row(texts)
        let value = Array(texts.joined(separator: "\u{1}").utf8)
        try transaction.put(value.span.bytes, at: key.span.bytes, in: rows)
      }
      try index.build(keys, in: &transaction, terms)
    }
  }

  private func terms(
    _ key: RawSpan, _ transaction: borrowing LMDB.WriteTransaction,
    _ postings: inout PendingPostings
  ) throws -> Bool {
    guard
      let value = try transaction.get(key, in: rows)?.copied()
    else { return false }
    let texts = value.split(separator: 1, omittingEmptySubsequences: false)
    for (property, text) in texts.enumerated() {
      let folded = TextFolding.folded(String(decoding: text, as: UTF8.self), .forSearch)
      Array(folded.utf8).withUnsafeBytes { postings.add($0, of: property) }
    }
    return true
  }
}

// MARK: - Searching

extension TextTreeTwin {
  /// Compares a search of the index with one of the dictionary.
  ///
  /// - Returns: How many rows match, and how many the index has tested.
  func search(
    _ query: String, in properties: [Int], _ place: String
  ) throws -> (hits: Int, tests: Int) {
    let naive = NaiveSearch(query)
    let expected = Set(
      twin.filter { row in naive.matches(properties.map { row.value.units[$0] }) }.keys)
    return try environment.read { transaction in
      let answer = try index.answer(SearchQuery(query), in: properties, transaction)
      let waiting = Set(answer.waiting)
      var (certain, possible): (Set<[UInt8]>, Set<[UInt8]>) = ([], [])
      try index.forEachOwner(of: answer.numbers, in: transaction) { ordinal, key in
        let isNew =
          answer.isCertain[ordinal]
          ? certain.insert(Array(key)).inserted : possible.insert(Array(key)).inserted
        #expect(isNew && !waiting.contains(Array(key)), "\(place): \(query)")
        return true
      }
      #expect(certain.isSubset(of: expected), "\(place): \(query)")
      #expect(
        expected.isSubset(of: certain.union(possible).union(waiting)), "\(place): \(query)")
      return (expected.count, possible.count)
    }
  }
}

// MARK: - Comparing

extension TextTreeTwin {
  /// Checks that the tree has what it must have, and nothing else.
  func check(_ place: String) throws {
    try environment.read { transaction in
      let head = try index.head(in: transaction)
      let waiting = try index.waiting(in: transaction)
      var waits: Set<[UInt8]> = []
      for place in 0..<waiting.count { waits.insert(Array(waiting.keys[place])) }
      #expect(waits.count == Int(head.waitingRows), "\(place)")
      #expect(waits.count <= index.bounds.waitingRows, "\(place)")
      let owners = try owners(head, transaction, place)
      #expect(Int(head.live) == owners.count, "\(place)")
      for key in twin.keys { #expect(waits.contains(key) || owners[key] != nil, "\(place)") }
      for key in owners.keys { #expect(waits.contains(key) || twin[key] != nil, "\(place)") }
      for (key, old) in zip(0..<waiting.count, waiting.rows) {
        #expect(owners[Array(waiting.keys[key])] == old.old, "\(place)")
      }
      try checkSegments(head, transaction, place)
      var own: [UInt32: [[[UInt8]: UInt32]]] = [:]
      for (key, number) in owners where !waits.contains(key) { own[number] = twin[key]?.terms }
      let old = waiting.olds
      let lengths = (0..<2).map { property in
        owners.keys.reduce(0 as UInt64) { sum, key in
          guard !waits.contains(key), let row = twin[key] else { return sum }
          return sum + TextLength.units(of: TextLength.code(of: row.units[property].count))
        }
      }
      if old.isEmpty { #expect(head.lengths == lengths, "\(place)") }
      let found = try postings(head, transaction, hiding: old, place)
      #expect(found == own.filter { $0.value.contains { !$0.isEmpty } }, "\(place)")
    }
  }

  /// The numbers of rows by their keys, which the two maps must agree on.
  private func owners(
    _ head: TextIndexHead, _ transaction: borrowing LMDB.ReadTransaction, _ place: String
  ) throws -> [[UInt8]: UInt32] {
    var (owners, dead): ([[UInt8]: UInt32], Set<UInt32>) = ([:], [])
    var bits = DeadNumbers(in: index)
    for number in 0..<head.nextNumber {
      let owner = try index.owner(of: number, in: transaction)
      #expect(try bits.contains(number, in: transaction) == (owner == nil), "\(place)")
      guard let owner else {
        dead.insert(number)
        continue
      }
      #expect(owners.updateValue(number, forKey: owner) == nil, "\(place)")
      let other = try owner.withUnsafeBytes { try index.number(of: $0, in: transaction) }
      #expect(other == number, "\(place)")
    }
    let entries = try transaction.count(
      of: index.tree, in: .prefix(TextIndexKey.number.prefix), upTo: .max)
    #expect(entries == owners.count, "\(place)")
    return owners
  }

  private func checkSegments(
    _ head: TextIndexHead, _ transaction: borrowing LMDB.ReadTransaction, _ place: String
  ) throws {
    for segment in head.segments {
      var bytes = 0
      let keys = KeyRange.prefix(TextIndexKey.block.key(segment.id))
      try transaction.forEachBlock(of: index.tree, in: keys) { blocks in
        for place in 0..<blocks.count {
          bytes += PostingWriter.size(
            key: blocks.key(at: place).byteCount, value: blocks.value(at: place).byteCount)
        }
        return true
      }
      #expect(segment.bytes == bytes, "\(place)")
    }
    let targets = Set(head.segments.map(\.target)).subtracting([0])
    var end: UInt32 = 0
    for segment in head.segments where !targets.contains(segment.id) {
      #expect(segment.numbers.lowerBound >= end, "\(place)")
      #expect(segment.id < head.nextSegment, "\(place)")
      #expect(segment.bytes > 0 || segment.target != 0, "\(place)")
      end = segment.numbers.upperBound
    }
    #expect(end <= head.nextNumber, "\(place)")
    #expect(head.segments.count < 60, "\(place)")
    #expect(Set(head.segments.map(\.id)).count == head.segments.count, "\(place)")
  }

  /// The terms of each number that is neither dead nor hidden, by property.
  private func postings(
    _ head: TextIndexHead, _ transaction: borrowing LMDB.ReadTransaction,
    hiding hidden: Set<UInt32>, _ place: String
  ) throws -> [UInt32: [[[UInt8]: UInt32]]] {
    var found: [UInt32: [[[UInt8]: UInt32]]] = [:]
    var last: [[UInt8]: UInt32] = [:]
    var dead = DeadNumbers(in: index)
    var blocks = 0
    for segment in head.segments {
      for property in 0..<2 {
        let all = TextTree.TermRange.prefix([], of: property)
        blocks += try index.countBlocks(of: property, in: segment, transaction)
        let areSound = try index.forEachList(of: all, in: segment, transaction) {
          term, first, list in
          let term = Array(term)
          var postings: [(UInt32, UInt32)] = []
          let isSound = PostingBlock.forEach(in: list, from: first, of: segment.numbers) {
            postings.append(($0, $1))
          }
          #expect(isSound, "\(place)")
          for (number, count) in postings {
            let key = [UInt8(property)] + term
            #expect(last[key].map { $0 < number } ?? true, "\(place)")
            last[key] = number
            if try dead.contains(number, in: transaction) || hidden.contains(number) { continue }
            counts.postings += 1
            found[number, default: [[:], [:]]][property][term] = count
          }
        }
        #expect(areSound, "\(place)")
      }
    }
    let entries = try transaction.count(
      of: index.tree, in: .prefix(TextIndexKey.block.prefix), upTo: .max)
    #expect(entries == blocks, "\(place)")
    try transaction.forEachBlock(of: index.tree, in: .prefix(TextIndexKey.block.prefix)) { rows in
      for row in 0..<rows.count {
        #expect(rows.value(at: row).byteCount <= index.bounds.longestBlock, "\(place)")
      }
      return true
    }
    return found
  }
}
