import Foundation

/// The long forms of tests, which `Scripts/torture` asks for.
///
/// The suites in the files that name it are the ones that the command runs.
package enum Torture {
  /// The share of the long forms that is asked for; nil asks for the short ones.
  private static let share =
    ProcessInfo.processInfo.environment["CROFT_TORTURE"].flatMap(Double.init)

  /// Whether long forms are asked for.
  package static var isAskedFor: Bool { share != nil }

  /// How many steps a test takes: few in `Scripts/test`, many in `Scripts/torture`.
  ///
  /// Their random numbers come from `SeededGenerator`, which takes the seed that
  /// `Scripts/torture --seed` gives.
  package static func steps(short: Int, long: Int) -> Int {
    share.map { max(short, Int(Double(long) * $0)) } ?? short
  }
}
