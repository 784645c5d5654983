/// The parts of the format that a file uses, each from its first use on.
///
/// A program that lacks one of them can neither read nor write the file without damage, and refuses it.
/// They are stored by name, so that a program can name one that it does not know.
struct StoreFeatures: OptionSet, Hashable, Sendable {
  let rawValue: Int

  /// Indexes on expressions that note with which Unicode and time zone data they were built.
  static let versionedExpressions = Self(rawValue: 1)

  /// All that this version of Croft knows, ascending by name.
  ///
  /// A name never changes and is never used again for something else.
  private static let known: [(feature: Self, name: String)] = [
    (.versionedExpressions, "versioned expressions")
  ]

  /// Reads the names of a header, each as its length in one byte and UTF-8.
  ///
  /// - Throws: ``StoreError/unsupportedFeatures(path:features:)`` naming those that are not known;
  ///   ``StoreError/corrupt(model:key:reason:)`` where the bytes end within a name.
  init(_ bytes: ArraySlice<UInt8>, path: String) throws {
    self = []
    var unknown: [String] = []
    var rest = bytes
    while let count = rest.popFirst() {
      guard count <= rest.count else {
        throw StoreError.corrupt(
          model: nil, key: nil, reason: "the header ends within the name of a feature")
      }
      let name = String(decoding: rest.prefix(Int(count)), as: UTF8.self)
      rest = rest.dropFirst(Int(count))
      if let found = Self.known.first(where: { $0.name == name }) {
        insert(found.feature)
      } else {
        unknown.append(name)
      }
    }
    guard unknown.isEmpty else {
      throw StoreError.unsupportedFeatures(path: path, features: unknown)
    }
  }

  /// The names as a header stores them.
  var bytes: [UInt8] {
    Self.known.filter { contains($0.feature) }.flatMap { _, name in
      [UInt8(name.utf8.count)] + Array(name.utf8)
    }
  }

  init(rawValue: Int) { self.rawValue = rawValue }
}
