import Foundation

/// A folder that holds one store's files and nothing else.
package struct StoreFolder: Sendable {
  private let url: URL

  /// Names a folder; nothing is created yet.
  package init(_ name: String, in directory: String) {
    url = URL(fileURLWithPath: directory, isDirectory: true)
      .appendingPathComponent(name, isDirectory: true)
  }

  /// The path to open the store at.
  package var storePath: String { url.appendingPathComponent("store").path }

  /// Makes the folder, empty.
  package func create() throws {
    try remove()
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
  }

  /// Removes the folder with all that it holds; one that is not there is fine.
  package func remove() throws {
    guard FileManager.default.fileExists(atPath: url.path) else { return }
    try FileManager.default.removeItem(at: url)
  }

  /// Makes this folder a copy of another, down on the disk.
  ///
  /// A timed commit that follows then writes its own pages only, none of the copy's.
  package func copy(from other: StoreFolder) throws {
    try create()
    for file in try other.dataFiles() {
      let target = url.appendingPathComponent(file.lastPathComponent)
      try FileManager.default.copyItem(at: file, to: target)
      let handle = try FileHandle(forUpdating: target)
      try handle.synchronize()
      try handle.close()
    }
  }

  /// The bytes of the store's files.
  ///
  /// Lock files and shared memory are no data.
  package func dataBytes() throws -> Int {
    try dataFiles().reduce(0) { sum, file in
      sum + (try file.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0)
    }
  }

  private func dataFiles() throws -> [URL] {
    try FileManager.default.contentsOfDirectory(at: url, includingPropertiesForKeys: nil)
      .filter {
        !$0.lastPathComponent.hasSuffix("-lock") && !$0.lastPathComponent.hasSuffix("-shm")
      }
  }
}
