import Croft
import Foundation
package import Harness

/// Croft's search for parts of texts as its users write it.
package final class CroftTextEngine: TextEngine {
  package static let name = "croft"
  package static let foldsAllLetters = true
  package static let findsWords = true

  private var store: Store?

  package static func about() -> String {
    "Croft, \(SourceRevision.text); contains, folded with caseInsensitive and diacriticInsensitive"
  }

  package init(at path: String, holding titles: [String]) throws {
    let store = try Store.open(at: URL(fileURLWithPath: path), models: Title.self)
    try store.write { tx in
      try tx.insert(contentsOf: titles.enumerated().map { Title(id: Int64($0), text: $1) })
    }
    self.store = store
  }

  /// The file is closed with the last reference.
  package func close() { store = nil }

  package func count(_ text: String, _ comparison: TextWorkload.Comparison) throws -> Int {
    let query =
      switch comparison {
      case .exact: Title.where { $0.text.contains(text) }
      case .folded:
        Title.where { $0.text.contains(text, options: [.caseInsensitive, .diacriticInsensitive]) }
      case .matches: Title.where { $0.text.matches("\"\(text)\"") }
      }
    return try opened(store).count(query)
  }
}
