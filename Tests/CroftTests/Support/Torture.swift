import Foundation

/// The long forms of tests, which `Scripts/torture` asks for.
///
/// The suites in the files that call `steps` are the ones that the command runs.
enum Torture {
  /// Whether long forms are asked for.
  static let isAskedFor = ProcessInfo.processInfo.environment["CROFT_TORTURE"] != nil

  /// How many steps a test takes: few in `Scripts/test`, many in `Scripts/torture`.
  ///
  /// Their random numbers come from `SeededGenerator.forTest`, which prints the seed and takes
  /// the one that `Scripts/torture --seed` gives.
  static func steps(short: Int, long: Int) -> Int { isAskedFor ? long : short }
}
