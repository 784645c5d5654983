import Foundation

/// A folder of a test's own that goes away with its last holder.
package final class TemporaryFolder: Sendable {
  package let path: String

  package init() throws {
    let url = FileManager.default.temporaryDirectory
      .appending(path: "todokit-\(UUID().uuidString)", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    path = url.path
  }

  deinit {
    // A folder that stays behind harms no test; the system clears it some day.
    try? FileManager.default.removeItem(atPath: path)
  }

  package func path(to name: String) -> String { "\(path)/\(name)" }
}
