import Foundation

/// The long form of the swarm, which `Scripts/torture` asks for.
enum Torture {
  /// Whether it is asked for.
  static let isAskedFor = ProcessInfo.processInfo.environment["CROFT_TORTURE"] != nil

  /// How many programs are run: few in `Scripts/test`, many in `Scripts/torture`.
  static func steps(short: Int, long: Int) -> Int { isAskedFor ? long : short }
}
