import Foundation
import LMDB

@testable import Croft

/// A model with a column of each form, for rows of bytes that somebody made up.
@Model struct Fuzzed: Hashable {
  @PrimaryKey var id: Int
  var text: String
  var number: Decimal?
  var date: Date
  var data: Data?
  var link: URL?
  var flag: Bool?
  var byte: UInt8
  var token: UUID
  var list: [Int16?]
  var words: Set<String>
  var prices: [String: Double]
}

/// Everything that reads bytes out of a file or texts of a query, called with bytes that nobody wrote.
///
/// Each must take any bytes: an error or nil is an answer, a trap or a look past the end is not. The
/// first byte chooses the decoder. libFuzzer runs it through `Scripts/fuzz`, and a test with the inputs
/// of `Tests/Fuzz/Corpus` and changes of them.
enum FuzzedDecoders {
  static let count: UInt8 = 8

  private static let layout = RecordLayout(schema: Fuzzed._schema.erased, id: 1)
  private static let types: [StorageType] = {
    let kinds: [StorageType.Kind] = [
      .bool, .int8, .int64, .uint32, .float, .double, .date, .uuid, .string, .data, .decimal,
      .coded,
    ]
    return kinds.flatMap { [StorageType($0), StorageType($0, isOptional: true)] }
  }()

  static func run(_ input: [UInt8]) {
    guard let choice = input.first else { return }
    let bytes = Array(input.dropFirst())
    switch choice % count {
    case 0: row(bytes)
    case 1: keys(bytes)
    case 2: collections(bytes)
    case 3:
      _ = LogRecord(sequence: 1, bytes.span.bytes)
      _ = LogRecord(sequence: 1, ([1] + bytes).span.bytes)
    case 4: _ = try? StoreHeader(bytes.span.bytes, path: "")
    case 5: _ = try? JSONDecoder().decode(CatalogEntry.self, from: Data(bytes))
    case 6: bytes.withUnsafeBytes { _ = unsafe DecimalCode.value(of: $0) }
    default: text(String(decoding: bytes, as: UTF8.self))
    }
  }

  /// Two objects that are asked for and changed by texts.
  private static let store = try? makeStore()

  private static func makeStore() throws -> Store {
    let store = try Store.inMemory(models: Fuzzed.self)
    try store.write { tx in
      for id in 1...2 {
        try tx.insert(
          Fuzzed(
            id: id, text: "우유 \(id)", number: id == 1 ? nil : 2,
            date: Date(timeIntervalSince1970: 0), flag: true, byte: 7,
            token: UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1)),
            list: [1, nil], words: ["milk"], prices: ["home": 2.5]))
      }
    }
    return store
  }

  /// A query or a statement, and what would complete it.
  private static func text(_ text: String) {
    guard let store else { preconditionFailure("A store in memory can be made.") }
    refusing {
      try store.read { tx in
        _ = try tx.completions(of: text)
        guard !DynamicStatement.isStatement(text) else { return }
        _ = try tx.fetch(DynamicQuery(text))
      }
    }
    guard DynamicStatement.isStatement(text) else { return }
    refusing {
      try store.write { tx in
        _ = try tx.perform(DynamicStatement(text))
        // Nothing is kept, so that the next text finds the same objects.
        throw CancellationError()
      }
    }
  }

  /// Performs what may be refused, but not as a damage of the store.
  private static func refusing(_ body: () throws -> Void) {
    do {
      try body()
    } catch let error as StoreError {
      if case .corrupt = error { preconditionFailure("A text damages nothing: \(error).") }
    } catch {}
  }

  /// A row whose header is right, so that the code after its check is reached.
  private static func row(_ bytes: [UInt8]) {
    let isWide = (bytes.first ?? 0) & 1
    let row = [0x52, isWide, 1, 0] + bytes.dropFirst()
    let key: [UInt8] = [0x80, 0, 0, 0, 0, 0, 0, 7]
    key.withUnsafeBytes { key in
      row.withUnsafeBytes { row in
        guard let view = unsafe RecordView(key: key, stored: row, layout: layout) else { return }
        for column in layout.columns {
          _ = try? column.value(in: view, layout)
          _ = try? column.isSame(in: view, view, layout)
        }
        var decoder = _RecordDecoder(layout: layout)
        decoder.move(to: view)
        _ = try? Fuzzed(_record: &decoder)
      }
    }
  }

  private static func keys(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { bytes in
      for type in types {
        for isDescending in [false, true] {
          let length = unsafe KeyCode.length(of: type, in: bytes, isDescending: isDescending)
          precondition(
            (length ?? 0) <= bytes.count, "A code ends within its bytes: mend KeyCode.length.")
        }
        _ = unsafe KeyCode.describe(bytes, as: type)
      }
    }
  }

  private static func collections(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { bytes in
      for kind in types.map(\.kind) {
        for form in [StorageType.Collection.array, .set, .dictionary] {
          for isElementOptional in [false, true] {
            let type = StorageType(kind, collection: form, isElementOptional: isElementOptional)
            guard let view = unsafe CollectionView(bytes, type) else { continue }
            _ = view.values
          }
        }
      }
    }
  }
}
