import Croft
import Foundation
import LineEditing

// What Tab offers.
extension Shell {
  /// What may take the place of the last word of an entry, up to the cursor.
  func candidates(for text: String) -> LineReader.Candidates {
    let line = text.drop(while: \.isWhitespace)
    if line.hasPrefix(".") { return commandCandidates(String(line)) }
    if let query = ShellCommand.watchedQuery(in: String(line)), !hasModel("watch") {
      return queryCandidates(query)
    }
    var candidates = queryCandidates(text)
    if line.count == candidates.word.count {
      let words = ["watch "] + (writes ? ["begin", "commit", "rollback"] : [])
      candidates = LineReader.Candidates(
        word: candidates.word,
        texts: candidates.texts + words.filter { $0.hasPrefix(candidates.word) })
    }
    return candidates
  }

  private func commandCandidates(_ line: String) -> LineReader.Candidates {
    guard let blank = line.firstIndex(where: \.isWhitespace) else {
      let commands = ShellCommand.usages.filter { $0.name.hasPrefix(line) }
      return LineReader.Candidates(
        word: line, texts: commands.map { $0.name + ($0.words.isEmpty ? "" : " ") })
    }
    let rest = String(line[blank...].drop(while: \.isWhitespace))
    let usage = ShellCommand.usages.first { $0.name == line[..<blank] }
    switch usage?.words.first {
    case "MODEL"? where usage?.name == ".import":
      // Options come before the model, and a file after it.
      let parts = rest.split(separator: " ", omittingEmptySubsequences: false)
      guard let place = parts.firstIndex(where: { hasModel(String($0)) }), place + 1 < parts.count
      else {
        let word = String(parts.last ?? "")
        let names = word.hasPrefix("-") ? ["--update", "--skip", "--dry-run", "--map"] : modelNames
        return Self.candidates(names.map { $0 + " " }, beginningWith: word)
      }
      return fileCandidates(parts[(place + 1)...].joined(separator: " "), takesQuotes: false)
    case "MODEL"?: return Self.candidates(modelNames, beginningWith: rest)
    case "OTHER"?:
      guard let models = ShellCommand.fileAndRest(rest).rest else {
        return fileCandidates(rest, takesQuotes: true)
      }
      let word = models.split(separator: " ", omittingEmptySubsequences: false).last ?? ""
      return Self.candidates(modelNames, beginningWith: String(word))
    case "FORMAT"?:
      return Self.candidates(OutputFormat.allCases.map(\.rawValue), beginningWith: rest)
    case "QUERY"?: return queryCandidates(rest)
    case OperatorHelp.topic?: return Self.candidates([OperatorHelp.topic], beginningWith: rest)
    case "FILE"?, "COPY"?:
      // A name that nothing follows is written as it is, also with blanks.
      let isFollowed = (usage?.words.count ?? 0) > 1
      if isFollowed, let query = ShellCommand.fileAndRest(rest).rest {
        return queryCandidates(query)
      }
      let found = fileCandidates(rest, takesQuotes: isFollowed)
      guard usage?.name == ".export", found.texts.isEmpty else { return found }
      return LineReader.Candidates(word: rest, texts: Self.endings(of: rest))
    default: return LineReader.Candidates(word: rest, texts: [])
    }
  }

  /// The name of a new file with each ending that names a format.
  private static func endings(of typed: String) -> [String] {
    guard let name = typed.split(separator: "/", omittingEmptySubsequences: false).last,
      !name.isEmpty, !typed.hasPrefix("\"")
    else { return [] }
    let point = name.dropFirst().lastIndex(of: ".")
    let stem = point.map { typed[..<$0] } ?? typed[...]
    let begun = point.map { name[name.index(after: $0)...].lowercased() } ?? ""
    return OutputFormat.endings.map(\.ending).filter { $0.hasPrefix(begun) }
      .map { "\(stem).\($0)" }
  }

  private static func candidates(
    _ texts: [String], beginningWith word: String
  ) -> LineReader.Candidates {
    LineReader.Candidates(word: word, texts: texts.filter { $0.hasPrefix(word) })
  }

  /// The names of the models; without a file that can be read there are none.
  var modelNames: [String] {
    // The error is ignored: the next line that needs the file reports it.
    (try? file.reading().models.map(\.name)) ?? []
  }

  /// Whether the file has a model of a name.
  func hasModel(_ name: String) -> Bool { modelNames.contains(name) }

  private func queryCandidates(_ text: String) -> LineReader.Candidates {
    // The error is ignored: the next line that needs the file reports it.
    guard let completion = try? file.reading().completions(of: text) else {
      return LineReader.Candidates(word: "", texts: [])
    }
    let isStatement = DynamicStatement.isStatement(text)
    let texts = completion.candidates.compactMap { candidate -> String? in
      switch candidate.kind {
      case .keyword where ["insert", "update", "delete"].contains(candidate.text):
        // A statement would be refused, where nobody has said that the file may change.
        writes || isStatement ? candidate.text + " " : nil
      case .reference, .function: candidate.text
      case .model, .property, .keyword, .sign, .value: candidate.text + " "
      }
    }
    return LineReader.Candidates(word: completion.word, texts: texts)
  }

  /// Paths that begin as what was typed; those of folders end with a slash.
  private func fileCandidates(_ typed: String, takesQuotes: Bool) -> LineReader.Candidates {
    let isQuoted = takesQuotes && typed.hasPrefix("\"")
    let path = isQuoted ? String(typed.dropFirst()) : typed
    let slash = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    let (folder, name) = (String(path[..<slash]), String(path[slash...]))
    // The error is ignored: a folder that cannot be read has no names to offer.
    let names = try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)
    let texts = (names ?? []).sorted().filter { found in
      found.hasPrefix(name) && (!found.hasPrefix(".") || name.hasPrefix("."))
    }.map { found in
      var isFolder: ObjCBool = false
      let whole = folder + found
      let isThere = FileManager.default.fileExists(atPath: whole, isDirectory: &isFolder)
      let needsQuotes = isQuoted || takesQuotes && whole.contains(where: \.isWhitespace)
      let text = (needsQuotes ? "\"" : "") + whole
      if isThere, isFolder.boolValue { return text + "/" }
      return text + (needsQuotes ? "\"" : "")
    }
    return LineReader.Candidates(word: typed, texts: texts)
  }
}
