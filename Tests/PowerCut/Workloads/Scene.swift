import CPowerCut
import Croft
import Foundation
import TestSupport

/// Where a workload runs, and how: its folder, its random numbers, and what a commit waits for.
struct Scene {
  let folder: URL
  var random: SeededGenerator
  /// How many transactions it makes, roughly.
  let steps: Int
  let durability: Store.Durability
  /// Which of several writers it is.
  let lane: Int
  /// How large the map is at first.
  var mapBytes = 64 << 20
  /// How long a write waits for another writer.
  var writerTimeout = Duration.seconds(10)

  var url: URL { folder.appending(path: "store.croft") }
  var copyURL: URL { folder.appending(path: "copy.croft") }

  var options: Store.Options {
    var options = Store.Options()
    options.durability = durability
    options.mapSizeBytes = mapBytes
    options.writerTimeout = writerTimeout
    return options
  }

  /// Says in the trace that a state is about to be committed; `lane` tells writers apart.
  func attempt(_ number: Int, digest: UInt64 = 0, lane: Int = 0) {
    powercut_mark("attempt \(lane) \(number) \(digest)")
  }

  /// Says in the trace that a state was acknowledged; `digest` is its content where several had its number.
  func acknowledge(_ number: Int, digest: UInt64 = 0, lane: Int = 0) {
    powercut_mark("acknowledged \(lane) \(number) \(digest)")
  }
}

/// What a program had said when the power went.
struct Told {
  /// The digests of the states that were begun, by number, for each writer.
  ///
  /// A commit that failed may have the number of the one after it.
  private(set) var attempted: [Int: [Int: Set<UInt64>]] = [:]
  /// The last state that was acknowledged to each writer.
  private(set) var acknowledged: [Int: Int] = [:]
  /// Whether programs continue and report more, so that there may be states that nothing reported.
  let isUnfinished: Bool
  /// The writer that may lose nothing where others may.
  let strictLane: Int?

  init(isUnfinished: Bool = false, strictLane: Int? = nil) {
    self.isUnfinished = isUnfinished
    self.strictLane = strictLane
  }

  /// Hears one more mark.
  mutating func hear(_ mark: String) {
    let words = mark.split(separator: " ")
    guard words.count == 4, let lane = Int(words[1]), let number = Int(words[2]),
      let digest = UInt64(words[3])
    else { return }
    switch words[0] {
    case "attempt": attempted[lane, default: [:]][number, default: []].insert(digest)
    case "acknowledged":
      acknowledged[lane] = max(acknowledged[lane] ?? 0, number)
      if digest != 0 { attempted[lane]?[number] = [digest] }
    default: break
    }
  }

  /// The lanes that were heard of.
  var lanes: [Int] { attempted.keys.sorted() }

  /// Holds a state that was found to what was told.
  ///
  /// - Parameters:
  ///   - number: The state's number; 0 is that before the first.
  ///   - digest: What the state's content comes to; nil where the workload does not tell.
  ///   - mayLose: How many acknowledged states the durability gives up.
  func check(_ number: Int, _ digest: UInt64?, lane: Int, mayLose: Int) throws {
    let last = acknowledged[lane] ?? 0
    guard number >= last - (lane == strictLane ? 0 : mayLose) else {
      throw Damage.lost("lane \(lane) is at \(number), acknowledged were \(last)")
    }
    if number == 0 || isUnfinished { return }
    guard let expected = attempted[lane]?[number] else {
      throw Damage.wrong("lane \(lane) is at \(number), which nobody has begun")
    }
    if let digest, !expected.contains(digest) {
      throw Damage.wrong("state \(number) of lane \(lane) has another content")
    }
  }
}

/// What is wrong with what was found after a power cut.
enum Damage: Error {
  /// An acknowledged commit is not there.
  case lost(String)
  /// The store cannot be opened, is unsound, or holds what nobody has committed.
  case wrong(String)
}

extension SeededGenerator {
  /// Some bytes, fewer than a bound.
  mutating func bytes(_ bound: Int) -> [UInt8] {
    (0..<below(bound)).map { _ in UInt8(truncatingIfNeeded: next()) }
  }
}

/// A number for contents, by Fowler, Noll and Vo.
struct Digest {
  private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  mutating func add(_ text: String) {
    for byte in text.utf8 { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
    value = (value ^ 0xFF) &* 0x100_0000_01B3
  }

  mutating func add(_ number: Int) { add("\(number)") }
}
