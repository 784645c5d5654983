import Croft
import Foundation
import Harness

/// Croft's search for parts of texts as its users write it.
package final class CroftTextEngine: TextEngine {
  package static let name = "croft"
  package static let foldsAllLetters = true

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

  package func count(containing text: String, isFolded: Bool) throws -> Int {
    let options: TextOptions = isFolded ? [.caseInsensitive, .diacriticInsensitive] : []
    return try opened(store).count(Title.where { $0.text.contains(text, options: options) })
  }
}
