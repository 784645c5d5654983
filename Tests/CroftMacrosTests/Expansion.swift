import CroftMacros
import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacrosGenericTestSupport
import Testing

/// The names of Croft's macros.
let allMacros: Set<String> = [
  "Model", "PrimaryKey", "Indexed", "Embedded", "Coded", "Transient", "Relation", "Renamed",
  "Removed", "Index", "Unique", "FullText",
]

/// Expands a source with Croft's macros and compares the whole text and every diagnostic.
///
/// - Parameters:
///   - fixed: the source after all fix-its, where there are any.
///   - macros: which attributes are expanded; the others stay in the text.
func expectExpansion(
  of source: String, _ expanded: String, diagnostics: [DiagnosticSpec] = [],
  fixed: String? = nil,
  conformances: [TypeSyntax] = [
    "Croft.Model", "Swift.Identifiable", "Croft.SearchableModel",
  ],
  expanding macros: Set<String> = allMacros,
  at location: Testing.SourceLocation = #_sourceLocation
) {
  let specs = [
    "Model": MacroSpec(type: ModelMacro.self, conformances: conformances),
    "PrimaryKey": MacroSpec(type: PrimaryKeyMacro.self),
    "Indexed": MacroSpec(type: IndexedMacro.self),
    "Embedded": MacroSpec(type: EmbeddedMacro.self, conformances: ["Croft.Embedded"]),
    "Coded": MacroSpec(type: CodedMacro.self),
    "Transient": MacroSpec(type: TransientMacro.self),
    "Relation": MacroSpec(type: RelationMacro.self),
    "Renamed": MacroSpec(type: RenamedMacro.self),
    "Removed": MacroSpec(type: RemovedMacro.self),
    "Index": MacroSpec(type: IndexMacro.self),
    "Unique": MacroSpec(type: UniqueMacro.self),
    "FullText": MacroSpec(type: FullTextMacro.self),
  ]
  assertMacroExpansion(
    source, expandedSource: expanded, diagnostics: diagnostics,
    macroSpecs: specs.filter { macros.contains($0.key) }, fixedSource: fixed,
    indentationWidth: .spaces(2),
    failureHandler: { failure in
      Issue.record(Comment(rawValue: failure.message), sourceLocation: location)
    })
}

/// Expects one misuse: its place, its sentence and what its fix-its make of the source.
///
/// - Parameters:
///   - expanded: what is left after expansion; the source without Croft's attributes.
///   - conforming: the model or part that gets a conformance without code, so that this error is the
///     only one; nil for what gets none.
///   - remedies: the fix-its' sentences, in order.
///   - fixed: the source after all fix-its, where there are any.
///   - macros: which attributes are expanded; the others stay in the text.
func expectMisuse(
  _ id: String, _ message: String, line: Int, column: Int, in source: String,
  expanded: String, conforming: PlainConformance? = nil, remedies: [String] = [],
  fixed: String? = nil,
  expanding macros: Set<String> = allMacros,
  at location: Testing.SourceLocation = #_sourceLocation
) {
  let diagnostic = DiagnosticSpec(
    id: MessageID(domain: "Croft", id: id), message: message, line: line, column: column,
    fixIts: remedies.map { FixItSpec(message: $0) })
  expectExpansion(
    of: source, expanded + (conforming.map { "\n\n" + $0.source } ?? ""),
    diagnostics: [diagnostic], fixed: fixed,
    expanding: macros, at: location)
}

/// The conformance of a declaration that cannot be a model or a part of one as it is written.
struct PlainConformance {
  let source: String

  static func model(
    _ name: String, key: String = "Int", isIdentified: Bool = true, isSearchable: Bool = false,
    access: String = ""
  ) -> PlainConformance {
    let identified = isIdentified ? ", Swift.Identifiable" : ""
    let searchable = isSearchable ? ", Croft.SearchableModel" : ""
    return PlainConformance(
      source: """
        nonisolated extension \(name): Croft.Model\(identified)\(searchable) {
          \(access)nonisolated static var _schema: Croft._ModelSchema<\(name)> {
            Swift.fatalError()
          }

          \(access)nonisolated var _primaryKey: \(key) {
            Swift.fatalError()
          }

          \(access)nonisolated init(_record row: inout Croft._RecordDecoder) throws {
            Swift.fatalError()
          }

          \(access)nonisolated func _encode(into row: inout Croft._RecordEncoder) {
          }
        }
        """)
  }
}
