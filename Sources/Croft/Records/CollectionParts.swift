/// Where the parts of a collection's bytes begin, counted from the first byte.
struct CollectionParts {
  /// Where presence bits begin: behind the count.
  static let presence = 4
  /// The end offsets of a dictionary's texts.
  let keyEnds: Int
  /// The elements of fixed width, or the end offsets of others.
  let values: Int
  /// The first byte of variable length; nothing of a collection lies behind it that has none.
  let variable: Int

  init(_ storage: StorageType, count: Int) {
    keyEnds = Self.presence + (storage.isElementOptional ? (count + 7) / 8 : 0)
    values = keyEnds + (storage.collection == .dictionary ? 4 * count : 0)
    variable = values + count * (storage.kind.width > 0 ? storage.kind.width : 4)
  }
}
