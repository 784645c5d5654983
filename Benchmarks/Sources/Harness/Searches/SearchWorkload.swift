/// One thing that is measured on engines that search texts with an index.
package struct SearchWorkload: Sendable {
  /// What is done with the texts.
  package enum Task: String, Sendable, CaseIterable {
    /// The index is built again over all texts.
    case build
    /// Frequent words.
    case words
    /// The beginnings of frequent words.
    case prefixes
    /// Words that few texts have.
    case rare
    /// Two words that follow each other.
    case phrases
    /// One syllable of Korean words.
    case syllable
    /// Two syllables.
    case syllables
    /// Three and four syllables.
    case parts
    /// Single insertions, each a commit that nothing waits for.
    case commit
    /// The longest of so many insertions.
    case longest
  }

  /// What is asked for.
  package enum Part: String, Sendable, CaseIterable {
    /// How many texts match.
    case all
    /// The twenty most relevant ones.
    case first
  }

  /// A text that is searched for, as each engine writes it.
  package struct Query: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
      case word, prefix, phrase, part
    }

    package let text: String
    package let kind: Kind
  }

  package let corpus: SearchCorpus
  package let task: Task
  /// What is asked of a search; nil for another task.
  package let part: Part?

  /// The name in reports and after `--only`.
  package var name: String {
    ([Self.group, corpus.rawValue, task.rawValue] + [part?.rawValue].compactMap(\.self))
      .joined(separator: "-")
  }

  /// The engines that take part, by their names; the others do not find the same, or are not asked.
  package var engines: [String] {
    switch task {
    case .build, .commit, .longest: ["croft", "fts5-unicode61", "fts5-trigram"]
    case .words, .prefixes: ["croft", "croft-segments", "fts5-unicode61"]
    case .rare: ["croft", "fts5-unicode61"]
    case .phrases: ["croft", "fts5-unicode61", "croft-scan"]
    case .syllable, .syllables: ["croft", "like"]
    case .parts: ["croft", "fts5-trigram", "like"]
    }
  }

  /// Whether all engines find the same, so that what they found goes into the checksum.
  ///
  /// Croft finds parts of Korean words also where the text has a space inside, from a word's start on. The
  /// most relevant ones are not the same, because relevance is rounded otherwise.
  package var isComparable: Bool {
    switch task {
    case .syllable, .syllables, .parts: false
    case .build, .words, .prefixes, .rare, .phrases, .commit, .longest: true
    }
  }

  /// How many insertions a round makes, so that each round has merges of every engine.
  package static let commits = 1000
  /// How many objects `first` asks for.
  package static let wanted = 20
  private static let queryCount = 8

  /// What is searched for, one after the other.
  package func queries(in texts: [String]) -> [Query] {
    let words = SearchWords()
    func make(_ texts: some Sequence<String>, _ kind: Query.Kind) -> [Query] {
      texts.prefix(Self.queryCount).map { Query(text: $0, kind: kind) }
    }
    let short = words.korean.lazy.filter { $0.count == 2 }
    switch task {
    case .build, .commit, .longest: return []
    case .words: return make(words.english, .word)
    case .prefixes: return make(words.english.lazy.map { String($0.prefix(2)) }, .prefix)
    case .rare: return make(words.english.dropFirst(words.english.count / 2), .word)
    case .phrases:
      let english = stride(from: 2, to: texts.count, by: 4).lazy.map { texts[$0] }
      return make(
        english.map { $0.split(separator: " ").prefix(2).joined(separator: " ") }, .phrase)
    case .syllable: return make(short.map { String($0.prefix(1)) }, .part)
    case .syllables: return make(short, .part)
    case .parts:
      let long = words.korean.lazy.filter { $0.count == 3 }.prefix(Self.queryCount / 2)
      return make(Array(long) + short.prefix(Self.queryCount / 2).map { $0 + "에서" }, .part)
    }
  }

  /// The word that stands for all of them.
  package static let group = "search"

  /// Every workload, in the order of a report; the commits change the texts, and come last.
  package static let all: [SearchWorkload] = SearchCorpus.allCases.flatMap { corpus in
    Task.allCases.flatMap { task -> [SearchWorkload] in
      switch task {
      case .build, .commit, .longest: [SearchWorkload(corpus: corpus, task: task, part: nil)]
      default: Part.allCases.map { SearchWorkload(corpus: corpus, task: task, part: $0) }
      }
    }
  }

  /// The workloads of a name, or all of them for the group's; nil when the word names nothing.
  package static func named(_ word: String) -> [SearchWorkload]? {
    if word == group { return all }
    let found = all.filter { $0.name == word }
    return found.isEmpty ? nil : found
  }
}
