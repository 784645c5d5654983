/// A store of texts with an index for searches: each engine as its users would write it.
///
/// Nothing waits for the disk, which would hide the work. Threads: an engine belongs to one thread.
package protocol SearchEngine: AnyObject, SendableMetatype {
  /// The name in reports.
  static var name: String { get }

  /// Versions and what a search is, for the head of a report.
  ///
  /// - Throws: what the engine throws when it cannot tell.
  static func about() throws -> String

  /// Makes a store with some texts, by ascending keys from 0, and with their index.
  init(at path: String, holding texts: [String]) throws

  /// Closes the store.
  func close() throws

  /// Builds the index again from the texts.
  func buildIndex() throws

  /// The bytes of the index alone, in whole pages.
  func indexBytes() throws -> Int

  /// Inserts a text in a commit of its own.
  func insert(_ text: String, under id: Int64) throws

  /// Counts the texts that match.
  func count(_ query: SearchWorkload.Query) throws -> Int

  /// Reads the most relevant texts that match, and returns how many they are.
  func first(_ count: Int, of query: SearchWorkload.Query) throws -> Int
}
