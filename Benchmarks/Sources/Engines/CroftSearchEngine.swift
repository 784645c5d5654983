import Croft
import Foundation
package import Harness

/// A text under a number, with an index for searches.
@Model struct SearchedText {
  @PrimaryKey var id: Int64
  var text: String
  #FullText<SearchedText>([\.text])
}

/// Croft's search with its index, as its users write it.
package class CroftSearchEngine: SearchEngine {
  package class var name: String { "croft" }

  private var store: Store?

  package class func about() -> String {
    "Croft, \(SourceRevision.text); #FullText; durability .unsafe"
  }

  package required init(at path: String, holding texts: [String]) throws {
    let store = try Store.open(
      at: URL(fileURLWithPath: path), models: SearchedText.self,
      options: .searching)
    let objects = texts.enumerated().map { SearchedText(id: Int64($0), text: $1) }
    let commits = Self.commits(for: objects.count)
    for commit in 0..<commits {
      let part = objects.count * commit / commits..<objects.count * (commit + 1) / commits
      try store.write { try $0.insert(contentsOf: objects[part]) }
    }
    self.store = store
  }

  /// In how many commits some texts are inserted.
  class func commits(for count: Int) -> Int { 1 }

  /// The file is closed with the last reference.
  package func close() { store = nil }

  package func buildIndex() throws { try opened(store).rebuildIndexes() }

  package func indexBytes() throws -> Int {
    try opened(store).statistics.models.flatMap(\.indexes).reduce(0) { $0 + $1.tree.bytes }
  }

  package func insert(_ text: String, under id: Int64) throws {
    try opened(store).write { try $0.insert(SearchedText(id: id, text: text)) }
  }

  package func count(_ query: SearchWorkload.Query) throws -> Int {
    try opened(store).count(SearchedText.where { $0.matches(query.croft) })
  }

  package func first(_ count: Int, of query: SearchWorkload.Query) throws -> Int {
    try opened(store).fetch(SearchedText.search(query.croft).limit(count)).count
  }
}

/// Croft's search with an index that has as many segments as commits can leave.
package final class CroftSegmentsSearchEngine: CroftSearchEngine {
  package override class var name: String { "croft-segments" }

  package override class func about() -> String {
    "Croft, \(SourceRevision.text); #FullText after many commits"
  }

  /// Commits of more than 256 rows are a segment each, and eight segments of a level become one of the next.
  ///
  /// Of *n* commits, seven segments stay at each level but the last where *n* + 1 ends in zeros of base 8.
  override class func commits(for count: Int) -> Int {
    let (most, merged) = (count / 257, 8)
    var unit = merged
    while unit * merged <= most + 1 { unit *= merged }
    return max(1, (most + 1) / unit * unit - 1)
  }
}

/// Croft's search without an index, which reads all texts.
package final class CroftScanSearchEngine: SearchEngine {
  package static let name = "croft-scan"

  private var store: Store?

  package static func about() -> String {
    "Croft, \(SourceRevision.text); matches without an index"
  }

  package init(at path: String, holding texts: [String]) throws {
    let store = try Store.open(
      at: URL(fileURLWithPath: path), models: Title.self,
      options: .searching)
    try store.write { tx in
      try tx.insert(contentsOf: texts.enumerated().map { Title(id: Int64($0), text: $1) })
    }
    self.store = store
  }

  /// The file is closed with the last reference.
  package func close() { store = nil }

  package func buildIndex() {}

  package func indexBytes() -> Int { 0 }

  package func insert(_ text: String, under id: Int64) throws {
    try opened(store).write { try $0.insert(Title(id: id, text: text)) }
  }

  package func count(_ query: SearchWorkload.Query) throws -> Int {
    try opened(store).count(Title.where { $0.text.matches(query.croft) })
  }

  package func first(_ count: Int, of query: SearchWorkload.Query) throws -> Int {
    try opened(store).fetch(
      Title.where { $0.text.matches(query.croft) }.order(by: .relevance).limit(count)
    ).count
  }
}

extension Store.Options {
  /// Nothing waits for the disk.
  fileprivate static var searching: Store.Options {
    var options = Store.Options()
    options.durability = .unsafe
    options.logsCommits = false
    return options
  }
}

extension SearchWorkload.Query {
  fileprivate var croft: String {
    switch kind {
    case .word, .part: text
    case .prefix: text + "*"
    case .phrase: "\"\(text)\""
    }
  }
}
