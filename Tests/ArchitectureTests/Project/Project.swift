import Foundation

/// The files that the rules are about: the tree this test was compiled from, or one made up.
struct Project: Sendable {
  /// Every text file, ascending by path.
  let files: [SourceFile]
  /// The path of every file and folder, whatever it holds.
  let paths: Set<String>

  /// A made-up project: a path and a text for each file.
  init(_ texts: [String: String]) {
    files = texts.map { SourceFile(path: $0.key, text: $0.value) }.sorted { $0.path < $1.path }
    var paths: Set<String> = []
    for file in files {
      let components = file.components
      for count in 1...components.count {
        paths.insert(components.prefix(count).joined(separator: "/"))
      }
    }
    self.paths = paths
  }

  /// This project, read from the folder above `Tests`.
  static let current: Result<Project, any Error> = Result { try Project(readingFrom: root) }

  /// The top of the clone.
  ///
  /// Links are followed: a package that borrows these tests by a link checks the project itself.
  static let root = URL(filePath: #filePath).resolvingSymlinksInPath()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  private init(readingFrom root: URL) throws {
    var texts: [String: String] = [:]
    let ignored = try String(contentsOf: root.appending(path: ".gitignore"), encoding: .utf8)
      .split(separator: "\n")
    for name in try FileManager.default.contentsOfDirectory(atPath: root.path) {
      // Hidden folders are builds and other tools' business, but for the project's own.
      if name.hasPrefix("."), !Project.ownHiddenNames.contains(name) { continue }
      if ignored.contains(where: { Project.matches(name, pattern: $0) }) { continue }
      try Project.read(root.appending(path: name), as: name, into: &texts)
    }
    self.init(texts)
  }

  private static let ownHiddenNames: Set<String> = [".ci", ".gitignore", ".swift-format"]

  /// A pattern of `.gitignore`, of which the project needs names and stars at one end.
  static func matches(_ name: String, pattern: Substring) -> Bool {
    if pattern.hasPrefix("*") { return name.hasSuffix(pattern.dropFirst()) }
    if pattern.hasSuffix("*") { return name.hasPrefix(pattern.dropLast()) }
    return name == pattern || name + "/" == pattern
  }

  private static func read(_ url: URL, as path: String, into texts: inout [String: String]) throws {
    let values = try url.resourceValues(forKeys: [.isDirectoryKey])
    guard values.isDirectory == true else {
      texts[path] = String(decoding: try Data(contentsOf: url), as: UTF8.self)
      return
    }
    for name in try FileManager.default.contentsOfDirectory(atPath: url.path) {
      if name.hasPrefix(".") { continue }
      try read(url.appending(path: name), as: "\(path)/\(name)", into: &texts)
    }
  }
}

extension Project {
  /// The file at a path.
  func file(_ path: String) -> SourceFile? {
    files.first { $0.path == path }
  }

  /// The Swift files in one of the top folders.
  func swiftFiles(in folders: String...) -> [SourceFile] {
    files.filter { file in
      file.path.hasSuffix(".swift") && folders.contains { file.path.hasPrefix($0 + "/") }
    }
  }

  /// The articles of all DocC catalogues and the README.
  var prose: [SourceFile] {
    files.filter { $0.path.hasSuffix(".md") }
  }

  /// The modules that have Swift sources, ascending.
  var modules: [String] {
    Set(swiftFiles(in: "Sources").compactMap(\.module)).sorted()
  }
}
