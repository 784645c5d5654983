import Foundation

/// Every dependency has a row with its reason in the README; peers are for Benchmarks alone.
struct DependencyRule: Rule {
  /// What the package itself may depend on.
  private static let ofThePackage: Set<String> = [
    "swift-syntax", "Rainbow", "swift-collections", "zlib",
  ]

  private static let manifests = [
    "Package.swift", "Benchmarks/Package.swift", "Web/Package.swift", "Postgres/Package.swift",
    "Tool/Package.swift",
  ]

  func findings(in project: Project) -> [Finding] {
    let rows = (project.file("README.md")?.lines ?? []).filter { $0.hasPrefix("|") }
    return DependencyRule.manifests.compactMap(project.file).flatMap { file in
      file.lines.enumerated().flatMap { index, line in
        dependencies(named: line).compactMap { name in
          remedy(for: name, in: file, rows: rows).map {
            Finding(path: file.path, line: index + 1, remedy: $0)
          }
        }
      }
    }
  }

  private func remedy(for name: String, in file: SourceFile, rows: [String]) -> String? {
    if file.path == "Package.swift", !name.hasPrefix("lib"),
      !DependencyRule.ofThePackage.contains(name)
    {
      return "\(name) is not among the package's dependencies: keep it in Benchmarks, or do without"
    }
    if rows.contains(where: { $0.localizedStandardContains(name) }) { return nil }
    return "\(name) has no row in the README's dependency table: add it with a reason"
  }

  /// Packages by the last part of their URL, system libraries with the `lib` of their names.
  private func dependencies(named line: String) -> [String] {
    line.matches(of: /\.package\(url: "[^"]*\/([^"\/]+?)(?:\.git)?"/).map { String($0.1) }
      + line.matches(of: /pkgConfig: "([^"]+)"/).map {
        $0.1.hasPrefix("lib") || $0.1.hasSuffix("lib") ? String($0.1) : "lib\($0.1)"
      }
      + line.matches(of: /linkedLibrary\("([^"]+)"/).map { "lib\($0.1)" }
  }
}
