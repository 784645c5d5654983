import Foundation

/// The map of modules in its article is complete, and the manifest and the imports agree with it.
///
/// An arrow of the map is a dependency of the manifest. A dependency of the manifest is an arrow, or
/// several in a row, and some source imports it. What a source imports is a dependency.
struct ModuleMapRule: Rule {
  private static let page = "Sources/Croft/Croft.docc/Architecture.md"

  /// What a target needs without an import: the compiler runs it.
  private static let plugins: Set<String> = ["CroftMacros"]

  func findings(in project: Project) -> [Finding] {
    missingRows(in: project) + mapFindings(in: project) + importFindings(in: project)
  }

  private func missingRows(in project: Project) -> [Finding] {
    let rows = (project.file(ModuleMapRule.page)?.lines ?? []).filter { $0.hasPrefix("|") }
    let folders = project.paths.filter {
      $0.hasPrefix("Sources/") && $0.split(separator: "/").count == 2
    }
    return folders.sorted().compactMap { folder in
      let module = folder.dropFirst("Sources/".count)
      if rows.contains(where: { $0.contains("`\(module)`") }) { return nil }
      return Finding(
        path: folder, line: 0, remedy: "give \(module) a row in \(ModuleMapRule.page)")
    }
  }

  /// The arrows and the manifest against each other.
  private func mapFindings(in project: Project) -> [Finding] {
    guard let page = project.file(ModuleMapRule.page),
      let manifest = project.file("Package.swift")
    else { return [] }
    let arrows = arrows(in: page)
    let targets = targets(in: manifest)
    let undeclared = arrows.filter { targets[$0.from]?.contains($0.to) != true }.map {
      Finding(
        path: page.path, line: $0.line,
        remedy: "\($0.from) does not depend on \($0.to) in the manifest: mend the map")
    }
    let undrawn = targets.sorted { $0.key < $1.key }.flatMap { target, dependencies in
      dependencies.sorted().filter { !isReachable($0, from: target, by: arrows) }.map {
        Finding(
          path: page.path, line: 0,
          remedy: "\(target) depends on \($0) in the manifest: draw the arrow into the map")
      }
    }
    return undeclared + undrawn
  }

  /// The imports and the manifest against each other.
  private func importFindings(in project: Project) -> [Finding] {
    guard let manifest = project.file("Package.swift") else { return [] }
    let targets = targets(in: manifest)
    return targets.sorted { $0.key < $1.key }.flatMap { target, dependencies -> [Finding] in
      let files = project.swiftFiles(in: "Sources/\(target)")
      // A module of C alone imports nothing.
      if files.isEmpty { return [] }
      let imports = files.flatMap { file in
        ImportRule.imports(of: file).map { (file: file, line: $0.line, module: $0.module) }
      }
      let unneeded = dependencies.subtracting(imports.map(\.module))
        .subtracting(ModuleMapRule.plugins).sorted().map {
          Finding(
            path: manifest.path, line: 0,
            remedy: "no source of \(target) imports \($0): take the dependency out")
        }
      let undeclared = imports.filter {
        targets[$0.module] != nil && !dependencies.contains($0.module)
      }.map {
        Finding(
          path: $0.file.path, line: $0.line,
          remedy: "\(target) does not depend on \($0.module) in the manifest: declare it there")
      }
      return unneeded + undeclared
    }
  }

  private struct Arrow {
    let from: String
    let to: String
    /// Counted from 1.
    let line: Int
  }

  /// The arrows in the blocks of code that are of no language: `A, B -> C -> D, E (when compiling)`.
  private func arrows(in page: SourceFile) -> [Arrow] {
    var fence: String?
    return page.lines.enumerated().flatMap { index, line -> [Arrow] in
      if line.hasPrefix("```") {
        fence = fence == nil ? line : nil
        return []
      }
      guard fence == "```", line.contains("->") else { return [] }
      let groups = line.split(separator: "->").map { group in
        group.prefix { $0 != "(" }.split(separator: ",").map {
          $0.trimmingCharacters(in: .whitespaces)
        }
      }
      return zip(groups, groups.dropFirst()).flatMap { sources, targets in
        sources.flatMap { from in targets.map { Arrow(from: from, to: $0, line: index + 1) } }
      }
    }
  }

  private func isReachable(_ module: String, from start: String, by arrows: [Arrow]) -> Bool {
    var reached: Set = [start]
    while true {
      let next = Set(arrows.filter { reached.contains($0.from) }.map(\.to)).subtracting(reached)
      if next.contains(module) { return true }
      if next.isEmpty { return false }
      reached.formUnion(next)
    }
  }

  /// The targets in `Sources` by name, each with the targets of this package that it depends on.
  private func targets(in manifest: SourceFile) -> [String: Set<String>] {
    let text = manifest.lines.filter { !$0.contains("//") || $0.contains("\"") }
      .joined(separator: " ")
    var targets: [String: Set<String>] = [:]
    for declaration in text.split(
      separator: /\.(?=(?:target|executableTarget|testTarget|systemLibrary|macro)\()/
    )
    .dropFirst() {
      guard !declaration.hasPrefix("test"), !declaration.contains("path: \"Tests/"),
        let name = declaration.firstMatch(of: /\(\s*name: "(\w+)"/)
      else { continue }
      let list = declaration.firstMatch(of: /dependencies: \[(.*?)\](?:,|\))/)?.1 ?? ""
      targets[String(name.1)] = Set(
        list.replacing(/\.product\([^)]*\)/, with: "").matches(of: /"(\w+)"/).map { String($0.1) })
    }
    return targets
  }
}
