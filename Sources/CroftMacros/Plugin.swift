import SwiftCompilerPlugin
import SwiftSyntaxMacros

/// The compiler plugin: the list of the macros.
@main
struct Plugin: CompilerPlugin {
  let providingMacros: [any Macro.Type] = [
    ModelMacro.self,
    PrimaryKeyMacro.self,
    IndexedMacro.self,
    EmbeddedMacro.self,
    CodedMacro.self,
    TransientMacro.self,
    RelationMacro.self,
    RenamedMacro.self,
    RemovedMacro.self,
    IndexMacro.self,
    UniqueMacro.self,
    FullTextMacro.self,
  ]
}
