import LMDB

/// The store's header: the file's format and identity, what it uses, and the number of its last commit.
///
/// In the tree `meta` under the key `header`, all integers little-endian: magic `CROFT\0\0\1` (8),
/// format version (u32), checksum (u32), store UUID (16), commit sequence (u64), catalog generation
/// (u64); from format 4 on followed by the names of the features that the file uses.
struct StoreHeader: Equatable, Sendable {
  static let key: [UInt8] = Array("header".utf8)
  /// The bytes `CROFT\0\0\1` as a word.
  static let magic: UInt64 = 0x0100_0054_464F_5243
  /// The bytes before the names of the features.
  static let size = 48
  /// The format that this version of Croft writes, and the newest that it reads.
  static let formatVersion: UInt32 = 4
  /// The first format whose header names features.
  static let firstWithFeatures: UInt32 = 4
  /// The first format whose rows, entries and header have checksums.
  static let firstWithChecksums: UInt32 = 3
  /// The oldest format that is read; no release wrote an older one.
  static let oldestVersion: UInt32 = 2

  var version = Self.formatVersion
  var store: (UInt64, UInt64)
  /// The number of commits so far.
  ///
  /// It is not LMDB's transaction number, because a copy of the file does not keep that one.
  var sequence: UInt64 = 0
  /// The number of changes of the catalog, by which other processes notice them.
  var generation: UInt64 = 0
  /// What a program must know to read and write the file.
  var features: StoreFeatures = []

  static func == (left: StoreHeader, right: StoreHeader) -> Bool {
    left.version == right.version && left.store == right.store
      && left.sequence == right.sequence && left.generation == right.generation
      && left.features == right.features
  }

  init(store: (UInt64, UInt64)) { self.store = store }

  /// Reads a header.
  ///
  /// - Throws: ``StoreError/notACroftFile(path:reason:)``,
  ///   ``StoreError/newerFormat(path:version:)``,
  ///   ``StoreError/unsupportedFeatures(path:features:)`` or
  ///   ``StoreError/corrupt(model:key:reason:)``.
  init(_ bytes: RawSpan, path: String) throws {
    guard bytes.byteCount >= Self.size, bytes.word(at: 0) == Self.magic else {
      throw StoreError.notACroftFile(path: path, reason: "its header is not Croft's")
    }
    version = UInt32(truncatingIfNeeded: bytes.word(at: 8) & 0xFFFF_FFFF)
    guard version <= Self.formatVersion else {
      throw StoreError.newerFormat(path: path, version: Int(version))
    }
    guard version >= Self.oldestVersion else {
      throw StoreError.notACroftFile(
        path: path, reason: "it has format \(version), which no release of Croft wrote")
    }
    store = (bytes.word(at: 16), bytes.word(at: 24))
    sequence = bytes.word(at: 32)
    generation = bytes.word(at: 40)
    let names =
      version < Self.firstWithFeatures || bytes.byteCount == Self.size
      ? [] : bytes.copied()[Self.size...]
    // A format without checksums has zeros instead.
    let stored = UInt32(truncatingIfNeeded: bytes.word(at: 8) >> 32)
    guard stored == (version < Self.firstWithChecksums ? 0 : checksum(names)) else {
      throw StoreError.corrupt(model: nil, key: nil, reason: "the header's checksum does not fit")
    }
    features = try StoreFeatures(names, path: path)
  }

  init(
    in meta: Database, _ transaction: borrowing some Transaction & ~Copyable, path: String
  ) throws {
    let key = Self.key
    guard let bytes = try unsafe transaction.get(key.span.bytes, in: meta) else {
      throw StoreError.notACroftFile(
        path: path, reason: "it is an LMDB file without Croft's header")
    }
    try self.init(bytes, path: path)
  }

  /// The row by which a file is known to be a store that this version of Croft can open.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - refuse: Receives the error of another file.
  static func identifyingRow(
    of path: String, refuse: @escaping (any Error) -> Void = { _ in }
  ) -> IdentifyingRow {
    IdentifyingRow(tree: StoredCatalog.treeName, key: key) { header, isEmpty in
      // A file without trees is a new store.
      if isEmpty { return true }
      do {
        guard let header else {
          throw StoreError.notACroftFile(
            path: path, reason: "it is an LMDB file that another program made")
        }
        // Safety: the bytes are read during the call.
        _ = try unsafe StoreHeader(header.span.bytes, path: path)
        return true
      } catch {
        refuse(error)
        return false
      }
    }
  }

  func write(to meta: Database, _ transaction: inout LMDB.WriteTransaction) throws {
    let key = Self.key
    let bytes = bytes
    _ = try unsafe transaction.put(bytes.span.bytes, at: key.span.bytes, in: meta)
  }

  /// The checksum of the key and the other bytes.
  ///
  /// Every transaction computes it, so it allocates no memory.
  private func checksum(_ names: ArraySlice<UInt8>) -> UInt32 {
    let words = (
      Self.magic.littleEndian, UInt64(version).littleEndian, store.0.littleEndian,
      store.1.littleEndian, sequence.littleEndian, generation.littleEndian
    )
    // Safety: six words are 48 bytes without gaps, and all are read during the call.
    return unsafe withUnsafeBytes(of: words) { words in
      unsafe Self.key.withUnsafeBytes { key in
        if names.isEmpty { return unsafe Checksum.of(key, words) }
        return unsafe withUnsafeTemporaryAllocation(
          byteCount: words.count + names.count, alignment: 1
        ) { both in
          unsafe both.copyMemory(from: words)
          unsafe both[words.count...].copyBytes(from: names)
          return unsafe Checksum.of(key, UnsafeRawBufferPointer(both))
        }
      }
    }
  }

  /// The header as it is stored.
  var bytes: [UInt8] {
    var bytes = _ByteBuffer()
    let names = version < Self.firstWithFeatures ? [] : features.bytes[...]
    let second = UInt64(version) | UInt64(checksum(names)) << 32
    for word in [Self.magic, second, store.0, store.1, sequence, generation] {
      bytes.append(littleEndian: word)
    }
    return bytes.copied + names
  }
}

/// The parts of the format that a file uses, each from its first use on.
///
/// A program that lacks one of them can neither read nor write the file without damage, and refuses it.
/// They are stored by name, so that a program can name one that it does not know.
struct StoreFeatures: OptionSet, Hashable, Sendable {
  let rawValue: Int

  /// Indexes on expressions that note with which Unicode and time zone data they were built.
  static let versionedExpressions = Self(rawValue: 1)

  /// A journal beside the file, which a program has to replay before it reads the file.
  static let journal = Self(rawValue: 2)

  /// Models whose changes are put into the outbox, whichever program makes them.
  static let replication = Self(rawValue: 4)

  /// Indexes for searches, which all programs that write have to keep up to date.
  static let textSearch = Self(rawValue: 8)

  /// Changes in the outbox that name earlier objects under their keys.
  static let earlierInsertions = Self(rawValue: 16)

  /// Indexes for searches whose blocks have the lists of several terms: form 2.
  ///
  /// A program that knows form 1 alone builds such an index again in that form, or takes it for
  /// damaged.
  static let sharedPostingBlocks = Self(rawValue: 32)

  /// All that this version of Croft knows, ascending by name.
  ///
  /// A name never changes and is never used again for something else.
  private static let known: [(feature: Self, name: String)] = [
    (.earlierInsertions, "earlier insertions"), (.journal, "journal"),
    (.replication, "replication"), (.sharedPostingBlocks, "shared posting blocks"),
    (.textSearch, "text search"),
    (.versionedExpressions, "versioned expressions"),
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
  var bytes: [UInt8] { Self.allBytes[rawValue] }

  /// The names of each set of features, by its raw value.
  private static let allBytes = (0..<1 << known.count).map { rawValue in
    known.filter { Self(rawValue: rawValue).contains($0.feature) }.flatMap { _, name in
      [UInt8(name.utf8.count)] + Array(name.utf8)
    }
  }

  init(rawValue: Int) { self.rawValue = rawValue }
}
