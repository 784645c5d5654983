import Foundation

/// The long form of the swarm, which `Scripts/torture` asks for.
enum Torture {
  /// The share of the long forms that is asked for; nil asks for the short ones.
  private static let share =
    ProcessInfo.processInfo.environment["CROFT_TORTURE"].flatMap(Double.init)

  /// Whether long forms are asked for.
  static var isAskedFor: Bool { share != nil }

  /// How many programs are run: few in `Scripts/test`, many in `Scripts/torture`.
  static func steps(short: Int, long: Int) -> Int {
    share.map { max(short, Int(Double(long) * $0)) } ?? short
  }
}
