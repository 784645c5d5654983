/// What a line editor knows of the lines that it edits: their completion, and their colours.
package struct LineAssistant {
  /// Whether colour is on where lines are drawn; suggestions are shown in grey then too.
  package var usesColor = false
  /// The code (SGR) of a style; nil for one that is not shown.
  package var code: (ANSIStyle) -> String? = ANSIStyle.usualCode
  /// The style of each character of a line; those after the last one have none.
  package var styles: (String) -> [ANSIStyle?] = { _ in [] }
  /// The completion of the text before the cursor.
  package var complete: (String) -> Completion = { _ in Completion() }

  /// Makes an assistant that completes and colours nothing.
  package init() {}
}
