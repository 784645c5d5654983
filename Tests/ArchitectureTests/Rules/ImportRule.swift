/// Modules import downwards only, and each only what it needs.
///
/// SwiftPM lets a target import what its dependencies depend on; this table does not.
struct ImportRule: Rule {
  private static let standard: Set<String> = ["Swift", "Synchronization"]
  private static let foundation: Set<String> = ["Foundation", "CroftFoundation"]

  /// What the sources of a module may import, by module; the standard library is everybody's.
  ///
  /// The names of the C library and of the parts of Foundation differ between platforms: one module
  /// each knows them, so that other files need no conditions.
  private static let allowed: [String: Set<String>] = [
    "CroftLibc": ["Darwin", "Glibc", "Musl"],
    "CroftFoundation": ["Foundation", "FoundationEssentials"],
    "LMDB": ["CLMDB", "CroftLibc", "Dispatch"],
    "CroftMacros": [
      "SwiftCompilerPlugin", "SwiftDiagnostics", "SwiftSyntax", "SwiftSyntaxBuilder",
      "SwiftSyntaxMacros",
    ],
    "Croft": foundation.union(["LMDB", "CroftLibc", "Dispatch", "Observation"]),
    "Reactive": ["CroftLibc", "Dispatch", "Observation"],
    "ReactiveTesting": ["Foundation", "Reactive", "Dispatch"],
    "CroftReactive": ["Croft", "Reactive", "Dispatch"],
    "Presentation": foundation.union(["Reactive", "Dispatch"]),
    "CroftPresentation": ["Croft", "Presentation"],
    "CroftSync": ["Croft", "CroftFoundation", "Dispatch"],
    "TodoKit": foundation.union([
      "CZlib", "Croft", "CroftReactive", "Reactive", "Presentation", "Dispatch",
    ]),
    "TodoScreens": foundation.union(["TodoKit", "Presentation", "Reactive"]),
    "TodoImages": foundation.union(["FoundationNetworking", "Presentation", "TodoKit"]),
    "TodoFormats": foundation.union(["TerminalText"]),
    "TerminalText": [],
    "LineEditing": foundation.union(["CroftLibc", "TerminalText"]),
    "TodoPrompt": foundation.union([
      "CroftLibc", "TodoKit", "TodoFormats", "TerminalText", "LineEditing", "Presentation",
      "Reactive",
    ]),
    "todo": ["TodoPrompt"],
  ]

  /// The folders of a module that alone may import another one.
  private static let onlyIn: [String: [String: [String]]] = [
    "Croft": ["Observation": ["Sources/Croft/Live/API/"]],
    // Where both are imported, its observable models and ours are two of one name.
    "Reactive": ["Observation": ["Sources/Reactive/Async/"]],
    "TodoKit": [
      "CZlib": ["Sources/TodoKit/Repository/"],
      "Croft": ["Sources/TodoKit/Models/", "Sources/TodoKit/Repository/"],
      "CroftReactive": ["Sources/TodoKit/Repository/"],
      // The queue on which the stored repository tells its observers.
      "Dispatch": ["Sources/TodoKit/Repository/"],
    ],
  ]

  func findings(in project: Project) -> [Finding] {
    project.swiftFiles(in: "Sources").flatMap { file in
      ImportRule.imports(of: file).compactMap { line, imported in
        remedy(for: imported, in: file).map {
          Finding(path: file.path, line: line, remedy: $0)
        }
      }
    }
  }

  private func remedy(for imported: String, in file: SourceFile) -> String? {
    guard let module = file.module else { return "sources belong into a module's folder" }
    guard let allowed = ImportRule.allowed[module] else {
      return "\(module) is no row of ImportRule's table: add what it may import"
    }
    guard allowed.union(ImportRule.standard).contains(imported) else {
      return "\(module) does not import \(imported): move the code to a module that may"
    }
    guard let folders = ImportRule.onlyIn[module]?[imported] else { return nil }
    if folders.contains(where: file.path.hasPrefix) { return nil }
    return "\(module) imports \(imported) only in \(folders.joined(separator: " and "))"
  }

  private static let kinds: Set<String> = [
    "struct", "class", "enum", "protocol", "actor", "typealias", "func", "let", "var",
  ]

  /// The modules a file imports, with the lines; attributes and access levels do not matter.
  static func imports(of file: SourceFile) -> [(line: Int, module: String)] {
    file.words.indices.compactMap { index in
      let word = file.words[index]
      guard word.text == "import", word.before == nil || word.before == " " || word.before == ";"
      else { return nil }
      var next = index + 1
      if next < file.words.count, ImportRule.kinds.contains(file.words[next].text) { next += 1 }
      guard next < file.words.count, file.words[next].line == word.line else { return nil }
      return (word.line, file.words[next].text)
    }
  }
}
