import LMDB
import TestSupport
import Testing

@testable import Croft

/// The lists of terms that share blocks are read as they were written, by any range of terms.
@Suite struct TermBlockTests {
  /// A property, a term and 00, and how often the term occurs in each number.
  private typealias Lists = [[UInt8]: [UInt32: UInt32]]

  private static let segment = TextIndexHead.Segment(
    id: 7, level: 0, numbers: 0..<9_000, bytes: 1, live: 1)

  private static func term(_ random: inout SeededGenerator) -> [UInt8] {
    let word = (0..<1 + random.below(random.oneIn(9) ? 60 : 5)).map { _ in
      random.pick(["a", "b", "가", "각", " ", "\u{10FFFF}"])
    }
    return Array(word.joined().utf8.prefix(65))
  }

  private static func lists(_ random: inout SeededGenerator) -> Lists {
    var lists: Lists = [:]
    for _ in 0..<random.pick([0, 1, 8, 150]) {
      let term = [UInt8(random.below(2))] + term(&random) + [0]
      for _ in 0..<random.pick([1, 1, 3, 90]) {
        lists[term, default: [:]][UInt32(random.below(9_000))] =
          random.oneIn(2) ? 1 : UInt32(1 + random.below(1 << 31))
      }
    }
    return lists
  }

  private static func write(
    _ lists: Lists, longestBlock: Int, to index: TextTree,
    _ transaction: inout LMDB.WriteTransaction
  ) throws {
    try transaction.empty(index.tree)
    var writer = PostingWriter(segment: segment.id, longestBlock: longestBlock)
    var changes = TreeChanges()
    for (term, postings) in lists.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      term.withUnsafeBytes { writer.begin($0, &changes) }
      for (number, count) in postings.sorted(by: { $0.key < $1.key }) {
        writer.add(number, count, to: &changes)
      }
    }
    writer.finish(&changes)
    try changes.apply(to: index.tree, in: &transaction)
  }

  /// The lists of a range, and whether all that was read is undamaged.
  private static func read(
    _ range: TextTree.TermRange, of index: TextTree, _ transaction: borrowing LMDB.WriteTransaction
  ) throws -> (lists: Lists, areSound: Bool) {
    var found: Lists = [:]
    var last: (term: [UInt8], number: UInt32) = ([], 0)
    var areListsSound = true
    let areSound = try index.forEachList(of: range, in: segment, transaction) { term, first, list in
      let term = [UInt8(range.property)] + Array(term) + [0]
      let isSound = PostingBlock.forEach(in: list, from: first, of: segment.numbers) {
        if term == last.term { areListsSound = areListsSound && last.number < $0 }
        found[term, default: [:]][$0] = $1
        last = (term, $0)
      }
      areListsSound = areListsSound && isSound
    }
    return (found, areSound && areListsSound)
  }

  /// The entries of the tree.
  private static func entries(
    of index: TextTree, _ transaction: borrowing LMDB.WriteTransaction
  ) throws -> [(key: [UInt8], value: [UInt8])] {
    var entries: [(key: [UInt8], value: [UInt8])] = []
    try transaction.forEachBlock(of: index.tree) { rows in
      for row in 0..<rows.count {
        entries.append((rows.key(at: row).copied(), rows.value(at: row).copied()))
      }
      return true
    }
    return entries
  }

  @Test func listsAreReadAsTheyWereWritten() throws {
    var random = SeededGenerator.forTest("TermBlockTests")
    let twin = try TextTreeTwin(TextIndexBounds())
    let index = twin.index
    for step in 0..<Torture.steps(short: 120, long: 5_000) {
      let lists = Self.lists(&random)
      let longestBlock = random.pick([20, 60, 200, 980])
      let note = "seed \(random.seed), step \(step)"
      let terms = lists.keys.sorted { $0.lexicographicallyPrecedes($1) }
      try twin.environment.write { transaction in
        try Self.write(lists, longestBlock: longestBlock, to: index, &transaction)
        let entries = try Self.entries(of: index, transaction)
        #expect(entries.allSatisfy { $0.value.count <= longestBlock }, "\(note)")
        for property in 0..<2 {
          let all = lists.filter { $0.key[0] == UInt8(property) }
          let whole = try Self.read(.prefix([], of: property), of: index, transaction)
          #expect(whole.lists == all && whole.areSound, "\(note)")
          for _ in 0..<12 {
            let known = terms.isEmpty ? [0, 97, 0] : random.pick(terms)
            let (one, other) = (Array(known.dropFirst().dropLast()), Self.term(&random))
            let bounds = [one, other].sorted { $0.lexicographicallyPrecedes($1) }
            let ranges: [TextTree.TermRange] = [
              .term(one, of: property), .term(other, of: property),
              .prefix(Array(one.prefix(1 + random.below(4))), of: property),
              TextTree.TermRange(property: property, lower: bounds[0], upper: bounds[1]),
            ]
            for range in ranges {
              let expected = all.filter { list in
                let term = Array(list.key.dropFirst())
                return !term.lexicographicallyPrecedes(range.lower)
                  && range.upper.map { term.lexicographicallyPrecedes($0) } ?? true
              }
              let found = try Self.read(range, of: index, transaction)
              #expect(found.lists == expected && found.areSound, "\(note): \(range)")
            }
          }
        }
      }
    }
  }

  /// Short lists share entries, as many as fit.
  @Test func shortListsShareBlocks() throws {
    let twin = try TextTreeTwin(TextIndexBounds())
    var lists: Lists = [:]
    for place in 0..<1_000 { lists[[0] + Array("s\(1_000 + place)".utf8) + [0]] = [8_000: 1] }
    try twin.environment.write { transaction in
      try Self.write(lists, longestBlock: 980, to: twin.index, &transaction)
      let entries = try Self.entries(of: twin.index, transaction)
      #expect(entries.count <= 10)
      #expect(entries.dropLast().allSatisfy { $0.value.count > 900 })
      // The key has the last term, and the value does not repeat it.
      #expect(
        entries.last?.key == [5, 0, 0, 0, 7, 0] + Array("s1999".utf8) + [0, 0, 0, 0x1F, 0x40])
    }
    // A list alone: it shares all six bytes of its term; the number 8,000 has two, and the list one.
    try twin.environment.write { transaction in
      let list: Lists = [[0] + Array("s1234".utf8) + [0]: [8_000: 1]]
      try Self.write(list, longestBlock: 980, to: twin.index, &transaction)
      let entries = try Self.entries(of: twin.index, transaction)
      #expect(entries.map(\.value) == [[6, 0, 0xC0, 0x3E, 1, 0]])
    }
  }

  /// The key has the last term and the first number of its list, and nothing is after the list.
  @Test func aBlockUnderAnotherKeyIsDamaged() throws {
    let twin = try TextTreeTwin(TextIndexBounds())
    var lists: Lists = [:]
    for place in 0..<5 { lists[[0] + Array("s100\(place)".utf8) + [0]] = [8_000: 1] }
    try twin.environment.write { transaction in
      try Self.write(lists, longestBlock: 980, to: twin.index, &transaction)
      let (key, value) = try Self.entries(of: twin.index, transaction)[0]
      var (otherTerm, otherNumber) = (key, key)
      otherTerm[key.count - 6] += 1
      otherNumber[key.count - 1] += 1
      for (key, value, isSound) in [
        (key, value, true), (otherTerm, value, false), (otherNumber, value, false),
        (key, value + [0], false), (key, Array(value.dropLast(7)), false),
      ] {
        try transaction.empty(twin.index.tree)
        try transaction.put(value.span.bytes, at: key.span.bytes, in: twin.index.tree)
        let found = try Self.read(.prefix([], of: 0), of: twin.index, transaction)
        #expect(found.areSound == isSound, "\(key) \(value)")
      }
    }
  }

  /// The second list of a damaged block got the term of the first, and a merge subtracted from a less number.
  @Test func whatIsOutOfOrderIsNotWritten() throws {
    var writer = PostingWriter(segment: 7, longestBlock: 200)
    var changes = TreeChanges()
    let twin = try TextTreeTwin(TextIndexBounds())
    let term: [UInt8] = [0, 97, 0]
    term.withUnsafeBytes { writer.begin($0, &changes) }
    for number: UInt32 in [50, 3, 50, 51] { writer.add(number, 1, to: &changes) }
    writer.finish(&changes)
    try twin.environment.write { transaction in
      try transaction.empty(twin.index.tree)
      try changes.apply(to: twin.index.tree, in: &transaction)
      let read = try Self.read(.prefix([], of: 0), of: twin.index, transaction)
      #expect(read.lists == [term: [50: 1, 51: 1]] && read.areSound)
    }
    // A term that is read twice, and one that comes before the last, end the block.
    for terms: [[UInt8]] in [
      [[0, 97, 0], [0, 97, 0]], [[0, 98, 0], [0, 97, 0]], [[0, 97, 98, 0], [0, 97, 0]],
    ] {
      var block = _ByteBuffer()
      var last: [UInt8] = terms[1]
      for term in terms {
        last.withUnsafeBytes { last in
          term.withUnsafeBytes { unsafe block.append(term: $0, after: last) }
        }
        for number: UInt64 in [3, 0] { block.append(variable: number) }
        last = term
      }
      var reader = TermBlock()
      terms[1].withUnsafeBytes { reader.begin($0) }
      let bytes = block.copied
      let (first, second) = (reader.next(in: bytes.span.bytes), reader.next(in: bytes.span.bytes))
      #expect(first && !second, "\(terms)")
    }
  }

  /// Of a damaged block lists are lost, and it is told; any bytes are read.
  @Test func damagedBlocksAreReadUpToTheDamage() throws {
    var random = SeededGenerator.forTest("TermBlockTests")
    let twin = try TextTreeTwin(TextIndexBounds())
    var told = 0
    for step in 0..<Torture.steps(short: 150, long: 5_000) {
      let lists = Self.lists(&random)
      try twin.environment.write { transaction in
        try Self.write(lists, longestBlock: 200, to: twin.index, &transaction)
        let entries = try Self.entries(of: twin.index, transaction)
        guard !entries.isEmpty else { return }
        let entry = random.pick(entries)
        var (key, value) = entry
        switch random.below(4) {
        case 0: value.removeLast(min(value.count, 1 + random.below(3)))
        case 1: value.insert(UInt8(random.below(256)), at: random.below(value.count))
        case 2: value[random.below(min(value.count, 4))] = random.pick([0, 1, 0x7F, 0x80, 0xFF])
        default: value[random.below(value.count)] ^= 1 << UInt8(random.below(8))
        }
        try transaction.put(value.span.bytes, at: key.span.bytes, in: twin.index.tree)
        let found = try (0..<2).map {
          try Self.read(.prefix([], of: $0), of: twin.index, transaction)
        }
        let isSame = found[0].lists.merging(found[1].lists) { one, _ in one } == lists
        let isTold = !found.allSatisfy(\.areSound)
        // Other numbers or terms may be as sound as the right ones; the sums of a check tell them.
        if isTold { told += 1 }
        if isSame, value != entry.value { #expect(isTold, "seed \(random.seed), step \(step)") }
        key.removeLast(key.count - 6)
        try transaction.put(value.span.bytes, at: key.span.bytes, in: twin.index.tree)
        let property = Int(key[5])
        #expect(
          try !Self.read(.prefix([], of: property), of: twin.index, transaction).areSound)
      }
    }
    #expect(told > 40)
  }
}
