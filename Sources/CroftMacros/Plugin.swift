import SwiftCompilerPlugin
import SwiftSyntaxMacros

/// What the compiler loads: the list of the macros.
@main
struct Plugin: CompilerPlugin {
  let providingMacros: [any Macro.Type] = [
    ModelMacro.self,
    PrimaryKeyMacro.self,
    IndexedMacro.self,
  ]
}
