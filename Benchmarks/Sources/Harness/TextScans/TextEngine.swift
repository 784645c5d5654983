/// A store of titles, which are searched for parts: each engine as its users would write it.
///
/// Threads: an engine belongs to one thread.
package protocol TextEngine: AnyObject, SendableMetatype {
  /// The name in reports.
  static var name: String { get }
  /// Whether a folded search ignores marks, and the case of letters that are not ASCII.
  static var foldsAllLetters: Bool { get }
  /// Whether it finds the words of a search without an index.
  static var findsWords: Bool { get }

  /// Versions and what a search is, for the head of a report.
  ///
  /// - Throws: what the engine throws when it cannot tell.
  static func about() throws -> String

  /// Makes a store with some titles, by ascending keys, and opens it.
  init(at path: String, holding titles: [String]) throws

  /// Closes the store.
  func close() throws

  /// Counts the titles that contain a text, or match it as a search.
  ///
  /// - Parameter comparison: what is ignored, as far as the engine can.
  func count(_ text: String, _ comparison: TextWorkload.Comparison) throws -> Int
}

extension TextEngine {
  package static var findsWords: Bool { false }
}
