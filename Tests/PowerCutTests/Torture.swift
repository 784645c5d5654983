import Foundation
import TestSupport

extension Torture {
  /// The seed that the environment asks for, or a fresh one; it is printed once.
  static let seed: UInt64 = {
    let asked = ProcessInfo.processInfo.environment["CROFT_SEED"].flatMap { UInt64($0) }
    let seed = asked ?? .random(in: 0...1_000_000)
    print("power cuts: CROFT_SEED=\(seed)")
    return seed
  }()
}
