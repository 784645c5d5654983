package import Foundation

/// A folder of a test's own, which is deleted with its last reference.
package final class TemporaryFolder: Sendable {
  package let url: URL

  package init() {
    url = FileManager.default.temporaryDirectory
      .appending(path: "croft-test-\(UUID())", directoryHint: .isDirectory)
    do {
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    } catch {
      preconditionFailure("Tests need a folder for temporary files: \(error)")
    }
  }

  deinit {
    // A folder that cannot be removed is litter and no failure of the test.
    try? FileManager.default.removeItem(at: url)
  }

  /// The path of the folder, without a slash at its end.
  package var path: String { url.path }

  /// The path of a file in the folder.
  package func path(to name: String) -> String { "\(path)/\(name)" }

  /// The names of the files in the folder, ascending.
  package var files: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
  }
}
