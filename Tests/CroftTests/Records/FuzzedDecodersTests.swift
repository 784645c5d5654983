import Foundation
import Testing
import TestSupport

/// The inputs that a fuzzer has found to reach something new, and changes of them.
@Suite struct FuzzedDecodersTests {
  static var corpus: [[UInt8]] {
    get throws {
      let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Fuzz/Corpus")
      return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().map {
        [UInt8](try Data(contentsOf: folder.appending(path: $0)))
      }
    }
  }

  @Test func everyInputOfTheCorpusIsReadOrRefused() throws {
    let corpus = try Self.corpus
    #expect(!corpus.isEmpty)
    for input in corpus { FuzzedDecoders.run(input) }
  }

  @Test func changedInputsAreReadOrRefused() throws {
    let corpus = try Self.corpus
    var random = SeededGenerator.forTest("changedInputsAreReadOrRefused")
    let inputs = Torture.steps(short: 3_000, long: 5_000_000)
    for _ in 0..<inputs {
      var input = random.pick(corpus)
      for _ in 0...random.below(4) {
        let place = random.below(max(1, input.count))
        switch random.below(5) {
        case 0 where !input.isEmpty: input[place] ^= 1 << UInt8(random.below(8))
        case 1 where !input.isEmpty: input[place] = random.pick([0, 1, 0x7F, 0x80, 0xFF])
        case 2 where !input.isEmpty: input.removeSubrange(place...)
        case 3: input.insert(UInt8(truncatingIfNeeded: random.next()), at: min(place, input.count))
        default: input += random.pick(corpus).prefix(random.below(40))
        }
      }
      FuzzedDecoders.run(input)
    }
    print("counts: inputs fuzzed \(inputs), crashed 0")
  }
}
