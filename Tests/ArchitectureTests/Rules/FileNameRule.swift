/// A type is found by the name of its file.
///
/// A type at the top of a file shares a word with the file's name, in its own name or in what it
/// inherits: `Merging` and `MergeSink` are in `Merge.swift`, `TerminalAnswers: AnswerSource` in
/// `AnswerSource.swift`. A type in an extension is said by its own name or by that of the extended
/// type. What only its file can see may have any name.
struct FileNameRule: Rule {
  func findings(in project: Project) -> [Finding] {
    project.swiftFiles(in: "Sources", "Web/Sources", "Postgres/Sources", "Tool/Sources").flatMap(
      strangers(in:))
  }

  private func strangers(in file: SourceFile) -> [Finding] {
    let said = Set(FileNameRule.words(of: file.stem))
    var extended: [String] = []
    return TypeDeclaration.all(in: file).compactMap { type in
      if type.keyword == "extension" {
        if type.depth == 0 { extended = FileNameRule.words(of: type.name) }
        return nil
      }
      if type.depth == 0 { extended = [] }
      if type.isPrivate || type.depth > 1 || type.depth == 1 && extended.isEmpty { return nil }
      if !said.isDisjoint(with: FileNameRule.words(of: type.head) + extended) { return nil }
      return Finding(
        path: file.path, line: type.line,
        remedy: "'\(type.name)' is not found by the name '\(file.stem)': give it a file, nest it "
          + "in a type that the name says, make it private, or rename the file")
    }
  }

  /// The words of names, which are one for the rule where they begin with the same four letters.
  private static func words(of names: String) -> [String] {
    var words: [String] = []
    var isInside = false
    for (character, next) in zip(names, Array(names.dropFirst()) + [" "]) {
      guard character.isLetter || character.isNumber else {
        isInside = false
        continue
      }
      // A capital begins a word: after a small letter, and as the last one of several.
      if !isInside || character.isUppercase && (next.isLowercase || !isCapital(words.last)) {
        words.append("")
      }
      words[words.count - 1].append(character)
      isInside = true
    }
    return words.map { word in
      let word = word.lowercased()
      return String((word.hasSuffix("s") ? word.dropLast() : word[...]).prefix(4))
    }
  }

  /// Whether a word is of capitals so far.
  private static func isCapital(_ word: String?) -> Bool {
    word?.last?.isUppercase ?? false
  }
}
