/// The words are the field's: metaphors that were given up do not come back.
///
/// Names in code, comments, articles and the README are looked at. A name is looked at word by word:
/// `doorCount` is about a door. `ProseRule` knows more words, and sentences.
struct HouseWordRule: Rule {
  private struct Ban {
    let words: Set<String>
    let instead: String

    init(_ words: String, instead: String) {
      self.words = Set(words.split(separator: " ").map(String.init))
      self.instead = instead
    }
  }

  private static let bans: [Ban] = [
    Ban("seat seats", instead: "registration, slot"),
    Ban("roster rosters", instead: "subscribers, list"),
    Ban("door doors", instead: "function, entry point"),
    Ban("surroundings", instead: "environment"),
    Ban("enrol enrols enrolled", instead: "add, register"),
    Ban("strike strikes struck", instead: "remove; of a fault: fail"),
    Ban("settle settles settled settling", instead: "finish, flush, update"),
    Ban("whoever", instead: "the caller, the thread, the program that"),
    Ban("lie lies", instead: "be, begin, be stored"),
    Ban("stand stands stood", instead: "be, come, be stored"),
  ]

  private static let banOfWord = Dictionary(
    uniqueKeysWithValues: bans.flatMap { ban in ban.words.map { ($0, ban) } })

  func findings(in project: Project) -> [Finding] {
    let pages = project.prose.filter { $0.module != nil || $0.path == "README.md" }
    let sources = project.swiftFiles(
      in: "Sources", "Web/Sources", "Postgres/Sources", "Tool/Sources")
    return (sources + pages).flatMap(findings(in:))
  }

  private func findings(in file: SourceFile) -> [Finding] {
    file.lines.indices.flatMap { index in
      HouseWordRule.words(of: text(of: file, line: index + 1)).compactMap { word -> Finding? in
        guard let ban = HouseWordRule.banOfWord[word] else { return nil }
        return Finding(
          path: file.path, line: index + 1, remedy: "write \(ban.instead), not '\(word)'")
      }
    }
  }

  /// What a line says to readers: of code its names and its comment, of a page all but test names.
  private func text(of file: SourceFile, line: Int) -> String {
    if file.code.isEmpty {
      return file.lines[line - 1].replacing(/`[A-Z]\w*Tests\.\w+`/, with: "")
    }
    return file.code[line - 1] + " " + (file.comment(atLine: line) ?? "")
  }

  /// The words of a text in small letters, those of names apart; `stands for` is none.
  private static func words(of text: String) -> [String] {
    var words: [String] = []
    var word = ""
    var wasSmall = false
    for byte in text.utf8 + [UInt8(ascii: " ")] {
      let isSmall = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
      let isCapital = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
      if !isSmall && !isCapital || isCapital && wasSmall {
        if !word.isEmpty { words.append(word.lowercased()) }
        word = ""
      }
      if isSmall || isCapital { word.unicodeScalars.append(Unicode.Scalar(byte)) }
      wasSmall = isSmall
    }
    return words.indices.filter { !isIdiom(words[$0...].prefix(2)) }.map { words[$0] }
  }

  /// Whether words are those of `stand for`, which says what a sign means.
  private static func isIdiom(_ words: ArraySlice<String>) -> Bool {
    words.last == "for" && ["stand", "stands", "stood"].contains(words.first)
  }
}
