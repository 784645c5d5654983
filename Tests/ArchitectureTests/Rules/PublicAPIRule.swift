/// The page that lists all public types is the one that the sources give.
///
/// So a type or a member that is added is seen in the difference of a commit.
struct PublicAPIRule: Rule {
  static let path = "Sources/Croft/Croft.docc/APIAtAGlance.md"

  func findings(in project: Project) -> [Finding] {
    let page = Self.page(of: project)
    let lines = project.file(Self.path)?.lines ?? []
    let expected = page.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    if lines == expected { return [] }
    let same = zip(lines, expected).prefix { $0 == $1 }.count
    return [
      Finding(
        path: Self.path, line: same + 1,
        remedy: "write the page again: CROFT_REWRITE_GOLDEN=1 Scripts/test, or run its test "
          + "thePageOfThePublicTypesIsWritten alone")
    ]
  }

  /// The page: the public types of each module by folder.
  static func page(of project: Project) -> String {
    var sections: [String] = []
    var total = (types: 0, members: 0)
    for module in project.modules {
      let types = PublicType.all(of: module, in: project)
      if types.isEmpty { continue }
      let members = types.reduce(0) { $0 + $1.members }
      total = (total.types + types.count, total.members + members)
      sections.append("## \(module): \(types.count) types, \(members) members")
      let folders = Dictionary(grouping: types, by: \.folder)
      for folder in folders.keys.sorted() {
        let rows = (folders[folder] ?? []).sorted { $0.name < $1.name }.map {
          "| `\($0.name)` | \($0.keyword) | \($0.members) | \($0.summary) |"
        }
        let heading = folder.isEmpty ? [] : ["### \(folder)"]
        let table = ["| Type | | Members | |", "|---|---|---|---|"] + rows
        sections += heading + [table.joined(separator: "\n")]
      }
    }
    return """
      # API at a glance

      All public types of the package: \(total.types), with \(total.members) public members.

      The page is written by a test, which fails where it differs from the sources. Members are counted with
      those of the extensions in the type's module. Names that begin with `_` are called by the code of
      macros and by inlined code only.

      \(sections.joined(separator: "\n\n"))

      """
  }
}

/// A public type, with its members in all files of its module.
struct PublicType {
  /// With the types around it: `Store.Options`.
  let name: String
  let keyword: String
  /// The first folder below the module, where there is one.
  let folder: String
  /// The first sentence of its documentation.
  let summary: String
  var members = 0

  private static let keywords: Set<String> = [
    "struct", "class", "enum", "actor", "protocol", "macro",
  ]
  private static let members: Set<String> = [
    "func", "var", "let", "init", "subscript", "case", "typealias", "associatedtype",
  ]

  /// The public types of a module, with the members of its extensions.
  static func all(of module: String, in project: Project) -> [PublicType] {
    var types: [String: PublicType] = [:]
    var counts: [String: Int] = [:]
    for file in project.swiftFiles(in: "Sources/\(module)") {
      let depths = Declaration.depthsAtLineStart(of: file)
      let visible = Set(Declaration.visible(in: file).map(\.line))
      /// The types and extensions around the line.
      var owners: [(name: String, depth: Int)] = []
      for (index, code) in file.code.enumerated() {
        while let owner = owners.last, depths[index] <= owner.depth { owners.removeLast() }
        guard let (modifiers, keyword) = Declaration.head(of: code) else { continue }
        let name = self.name(after: keyword, in: code)
        let full = (owners.map(\.name) + [name]).joined(separator: ".")
        let isPublic =
          visible.contains(index + 1) && !modifiers.contains("package")
          && !isUnavailable(file, index)
        if keyword == "extension" || keywords.contains(keyword) {
          if depths[index + 1] > depths[index] || !code.contains("{") {
            if keyword != "macro" { owners.append((name, depths[index])) }
          }
          guard isPublic, keyword != "extension" else { continue }
          if types[full] == nil {
            let folders = file.components.dropFirst(2).dropLast()
            types[full] = PublicType(
              name: full, keyword: keyword, folder: folders.first ?? "",
              summary: summary(above: index, in: file))
          }
        } else if isPublic, members.contains(keyword) {
          let owner = owners.map(\.name).joined(separator: ".")
          counts[owner.isEmpty ? full : owner, default: 0] += 1
        }
      }
    }
    return types.values.map { type in
      var type = type
      type.members = counts[type.name] ?? 0
      return type
    }
  }

  private static func name(after keyword: String, in code: String) -> String {
    guard let end = code.firstRange(of: keyword + " ")?.upperBound else { return keyword }
    return String(code[end...].prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." })
  }

  /// Whether a declaration has an attribute that offers something else.
  private static func isUnavailable(_ file: SourceFile, _ index: Int) -> Bool {
    for line in stride(from: index, through: max(0, index - 6), by: -1) {
      let code = file.code[line].drop { $0 == " " }
      if code.contains("unavailable") { return true }
      if line < index, code.isEmpty || code.hasSuffix("}") || code.hasSuffix("{") { return false }
    }
    return false
  }

  private static func summary(above index: Int, in file: SourceFile) -> String {
    let lines = file.lines[..<index].map { $0.drop { $0 == " " } }
    guard let last = lines.lastIndex(where: { $0.hasPrefix("///") }) else { return "" }
    var first = last
    while first > 0, lines[first - 1].hasPrefix("///") { first -= 1 }
    return lines[first...last].prefix { $0 != "///" }
      .map { $0.dropFirst(3).drop { $0 == " " } }
      .joined(separator: " ").replacing("``", with: "`")
  }
}
