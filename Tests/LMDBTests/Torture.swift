import Foundation

/// The long forms of tests, which `Scripts/torture` asks for.
///
/// The suites in the files that call `steps` are the ones that the command runs.
enum Torture {
  /// How many steps a test takes: few in `Scripts/test`, many in `Scripts/torture`.
  static func steps(short: Int, long: Int) -> Int {
    ProcessInfo.processInfo.environment["CROFT_TORTURE"] == nil ? short : long
  }
}
