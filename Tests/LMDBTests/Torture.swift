import Foundation

/// The long forms of tests, which `Scripts/torture` asks for.
///
/// The suites in the files that call `steps` are the ones that the command runs.
enum Torture {
  /// Whether long forms are asked for.
  static let isAskedFor = ProcessInfo.processInfo.environment["CROFT_TORTURE"] != nil

  /// The share of the long forms that there is time for: all of them take some four hours.
  private static let share =
    ProcessInfo.processInfo.environment["CROFT_MINUTES"].flatMap(Double.init)
    .map { min(1, $0 / 240) } ?? 1

  /// How many steps a test takes: few in `Scripts/test`, many in `Scripts/torture`.
  static func steps(short: Int, long: Int) -> Int {
    isAskedFor ? max(short, Int(Double(long) * share)) : short
  }
}
