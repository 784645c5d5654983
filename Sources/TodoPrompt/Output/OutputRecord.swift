import CroftFoundation
import Presentation
import TodoFormats
import TodoKit

/// An item or a group as programs read it: fields with stable keys, always in the same order.
struct OutputRecord {
  enum Value {
    case text(String)
    case number(Int)
    case flag(Bool)
    case texts([String])
    case none
  }

  /// The fields as tables have them.
  private(set) var fields: [(key: String, value: Value)]
  /// The record as a JSON object on one line, without a newline; exports and imports have the same.
  let json: String

  /// The keys of an item, in their order: that of `due` is among those that every item has.
  static let itemKeys =
    [
      "id", "number", "title", "isDone", "isImportant", "priority", "group", "due", "tags", "note",
      "createdAt", "doneAt",
    ] + ItemField.all.dropFirst().map(\.key)
  static let groupKeys = ["id", "name", "color", "total", "done", "createdAt"]

  init(_ item: TodoItem, number: Int?, group: String?) {
    let texts: [Value] = ItemField.all.map { $0.typed(item).map(Value.text) ?? .none }
    let values: [Value] =
      [
        .text(item.id.uuidString.lowercased()), number.map(Value.number) ?? .none,
        .text(item.title), .flag(item.isDone), .flag(item.isImportant),
        .text(item.priority.word(in: .english)), group.map(Value.text) ?? .none,
        texts[0], .texts(item.tags), .text(item.note), .text(item.createdAt.formatted(.iso8601)),
        item.doneAt.map { .text($0.formatted(.iso8601)) } ?? .none,
      ] + texts.dropFirst()
    fields = zip(Self.itemKeys, values).map { ($0, $1) }
    json = TaskObject.text(of: item.ownRecord(group: group), number: number)
  }

  init(_ group: TodoGroup, tally: Tally) {
    let values: [Value] = [
      .text(group.id.uuidString.lowercased()), .text(group.name), .text(group.color.description),
      .number(tally.total), .number(tally.done), .text(group.createdAt.formatted(.iso8601)),
    ]
    fields = zip(Self.groupKeys, values).map { ($0, $1) }
    var record = TaskGroup(group, tally: tally)
    // Only an export has pictures, which may have megabytes.
    record.image = nil
    json = GroupObject.text(of: record)
  }

  /// The record with all code points escaped that a terminal acts on.
  var visible: OutputRecord {
    var record = self
    record.fields = fields.map { ($0.key, $0.value.visible) }
    return record
  }
}

extension OutputRecord.Value {
  fileprivate var visible: Self {
    switch self {
    case .text(let text): .text(text.visible)
    case .texts(let texts): .texts(texts.map(\.visible))
    case .number, .flag, .none: self
    }
  }

  /// The value as a cell of a table: nothing for none, tags between blanks, each as it is typed.
  var cell: String {
    switch self {
    case .text(let text): text
    case .number(let number): String(number)
    case .flag(let flag): flag ? "true" : "false"
    case .texts(let texts): texts.map(\.asTag).joined(separator: " ")
    case .none: ""
    }
  }
}
