import Dispatch
import Foundation

/// A directory of this run's own, removed at its end, also when the run is interrupted.
final class WorkDirectory {
  /// The absolute path.
  let path: String
  private var interruptions: [any DispatchSourceSignal] = []

  /// Makes a new directory.
  ///
  /// - Parameter parent: where; nil for TMPDIR, and /tmp where that is not set.
  init(in parent: String?) throws {
    let place =
      parent ?? ProcessInfo.processInfo.environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 }
      ?? "/tmp"
    path =
      URL(fileURLWithPath: place, isDirectory: true)
      .appendingPathComponent("croft-bench-\(UUID().uuidString)", isDirectory: true).path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    // A child that died must show as a missing answer, not end this process.
    signal(SIGPIPE, SIG_IGN)
    interruptions = [SIGINT, SIGTERM].map(removing)
  }

  /// Removes the directory with all that it holds.
  func remove() {
    // Nothing is lost with files that stay: the run is over, and its figures are out.
    try? FileManager.default.removeItem(atPath: path)
  }

  private func removing(on number: CInt) -> any DispatchSourceSignal {
    signal(number, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
    source.setEventHandler { [path] in
      // As in `remove`: the files hold nothing that is worth a message now.
      try? FileManager.default.removeItem(atPath: path)
      exit(128 + number)
    }
    source.resume()
    return source
  }
}
