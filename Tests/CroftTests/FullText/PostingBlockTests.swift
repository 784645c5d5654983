import TestSupport
import Testing

@testable import Croft

@Suite struct PostingBlockTests {
  private struct Posting: Equatable {
    let number: UInt32
    let count: UInt32
  }

  private func read(
    _ block: [UInt8], from first: UInt32, of numbers: Range<UInt32> = 0..<UInt32.max
  ) -> (postings: [Posting], isSound: Bool) {
    var postings: [Posting] = []
    let isSound = PostingBlock.forEach(in: block.span.bytes, from: first, of: numbers) {
      postings.append(Posting(number: $0, count: $1))
    }
    return (postings, isSound)
  }

  private func write(_ postings: [Posting]) -> [UInt8] {
    var block = _ByteBuffer()
    var last = postings[0].number
    for posting in postings {
      PostingBlock.append(posting.number - last, count: posting.count, to: &block)
      last = posting.number
    }
    return block.copied
  }

  private func postings(_ random: inout SeededGenerator) -> [Posting] {
    var numbers: Set<UInt32> = []
    let most = random.pick([40, 5_000, Int(UInt32.max)])
    for _ in 0...random.below(30) { numbers.insert(UInt32(random.below(most))) }
    return numbers.sorted().map {
      Posting(number: $0, count: random.oneIn(2) ? 1 : UInt32(1 + random.below(1 << 31)))
    }
  }

  @Test func blocksAreReadAsTheyWereWritten() {
    var random = SeededGenerator.forTest("PostingBlockTests")
    for _ in 0..<3_000 {
      let postings = postings(&random)
      let block = write(postings)
      let found = read(block, from: postings[0].number)
      #expect(found.postings == postings && found.isSound, "seed \(random.seed)")
      // A part of it has the first postings, and is sound where it ends after one.
      let part = read(Array(block.prefix(random.below(block.count))), from: postings[0].number)
      #expect(part.postings == Array(postings.prefix(part.postings.count)))
    }
  }

  @Test func damagedBlocksAreReadUpToTheDamage() {
    // Nothing; a first distance that is not 0; a distance of 0; an end inside a number or before a count.
    for block in [[], [2], [0, 0], [0, 0x80], [1], [1, 0x82]] as [[UInt8]] {
      #expect(!read(block, from: 5).isSound)
    }
    // A count of 1 or 0; numbers of too many bits; counts and numbers that are too great.
    let long: [UInt8] = [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F]
    for block in [[1, 1], [1, 0], [0] + long, [1] + long, [0, 0xFE, 0xFF, 0xFF, 0xFF, 0x1F]]
      as [[UInt8]]
    {
      #expect(!read(block, from: 5).isSound)
    }
    #expect(read([0, 2, 0x80], from: 5).postings.map(\.number) == [5, 6])
    // Numbers of other segments.
    #expect(!read([0, 2], from: 5, of: 6..<9).isSound)
    #expect(!read([0, 2], from: 5, of: 5..<6).isSound)
  }

  @Test func anyBytesAreRead() {
    var random = SeededGenerator.forTest("PostingBlockTests")
    for _ in 0..<20_000 {
      var block = write(postings(&random))
      for _ in 0...random.below(3) {
        let place = random.below(block.count)
        switch random.below(4) {
        case 0 where !block.isEmpty: block[place] ^= 1 << UInt8(random.below(8))
        case 1 where !block.isEmpty: block[place] = random.pick([0, 1, 0x7F, 0x80, 0xFF])
        case 2: block.insert(UInt8(truncatingIfNeeded: random.next()), at: place)
        default: block.removeLast(min(block.count, random.below(3)))
        }
      }
      let first = UInt32(random.below(Int(UInt32.max)))
      let found = read(block, from: first)
      #expect(zip(found.postings, found.postings.dropFirst()).allSatisfy { $0.number < $1.number })
      #expect(found.postings.first.map { $0.number == first && $0.count > 0 } ?? true)
      _ = OwnerGroup.owners(in: block, properties: 2)
      _ = TextIndexHead(block + Checksum.bytes([0], block), properties: 2)
      _ = WaitingRows.Row(block.span.bytes)
    }
  }

  @Test func lengthsAreRoundedToQuartersOfAnOctave() {
    let codes = [(0, 0), (1, 1), (2, 5), (3, 7), (4, 9), (5, 10), (6, 11), (7, 12), (1_000, 41)]
    for (units, code) in codes { #expect(TextLength.code(of: units) == UInt8(code)) }
    #expect([0, 1, 5, 9, 41].map(TextLength.units(of:)) == [0, 1, 2, 4, 1_024])
    #expect(TextLength.units(of: .max) > 0)
    #expect(TextLength.code(of: .max) < .max)
    var last: UInt8 = 0
    for units in 0..<5_000 {
      let code = TextLength.code(of: units)
      #expect(code >= last)
      last = code
    }
  }
}
