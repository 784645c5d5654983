import Croft
import PageServer

/// A part of a model's objects, in an order.
///
/// The part begins after a position, so that its cost does not grow with the number of objects before it. Its
/// cells are made object by object, with a bound for each, so that what it takes does not grow with them.
struct ObjectGrid {
  /// What a grid shows, as its address has it.
  struct Request: Equatable {
    /// A condition of the query language; empty for all objects.
    var filter = ""
    /// The order, as of ``GridOrder``; empty for that of the primary key.
    var sort = ""
    /// The key after which it begins; nil for the first part.
    var after: String?
    /// The value after which it begins in another order, as of ``GridOrder/Position``.
    var from: String?
    /// The key before which it ends, in place of the one after which it begins; nil elsewhere.
    var before: String?
    /// Whether the page waits for all of its objects, as one that no script completes does.
    var waits = false
  }

  /// How many objects a page has at most.
  static let rowCount = 100
  /// How many bytes the texts of a page have, about; then it ends earlier.
  static let textBytesMax = 1 << 20
  /// How many damaged objects a page names.
  static let damagedMax = 20
  /// How many objects are tested at first between two keys after which another page can continue.
  static let rangeCount = 1_000
  /// How many are tested at most, where that is quick.
  static let rangeCountMax = 64_000
  /// How long a range takes that is not made longer.
  static let rangeTime = Duration.milliseconds(200)
  /// How long all objects are tested at once.
  static let wholeLimit = Duration.seconds(1)
  /// How long a page waits for its objects, where others can come after it.
  static let firstLimit = Duration.milliseconds(200)
  /// The shortest time between two parts of a search that are told.
  static let tellPause = Duration.milliseconds(250)
  /// The number of objects from which on a page says that they are sorted without an index.
  static let manyObjects = 10_000

  /// The objects of the rows that can be read.
  let objects: [ObjectKey]
  /// The values of the rows, for the template.
  let rows: [[String: Any]]
  /// Where the next part begins; nil at the end.
  let next: Request?
  /// The part that ends before this one; nil for the first part.
  let previous: Request?
  /// Whether the part ends where the time of the query was over.
  let isStopped: Bool
  /// Whether these are the objects that were found until now, because the search takes long.
  let isSearching: Bool
  /// What the page says of its objects.
  let notes: [String]

  /// Reads a part.
  ///
  /// A query whose time is over has the objects that were found, where another one can continue after them.
  ///
  /// - Parameters:
  ///   - model: The model.
  ///   - request: What is shown.
  ///   - count: How many objects there are at most.
  ///   - patience: How long a filter may test objects in the order of keys, until it has what it has found; nil
  ///     for as long as a query may take.
  ///   - shown: How many objects are shown already, so that fewer are not told.
  ///   - tellPause: The shortest time between two calls of `tell`.
  ///   - tell: Receives what such a filter has found until then, whenever that is more; nil for nothing.
  ///   - tx: The transaction.
  /// - Throws: ``FilterProblem``; ``QueryProgress/Stop``; an error of the store.
  init(
    of model: StoredModel, _ request: Request, count: Int = rowCount,
    upTo patience: Duration? = nil, shown: Int = 0, tellPause: Duration = ObjectGrid.tellPause,
    tell: ((ObjectGrid) -> Void)? = nil, in tx: inout ReadTransaction
  ) throws {
    let filter = String(request.filter.trimmed)
    if !filter.isEmpty { try Self.check(filter, of: model, in: &tx) }
    let order = try GridOrder(request.sort, of: model)
    var parts = [GridOrder.Part()]
    if let position = try Self.position(request.after, request.from, order, model, in: &tx) {
      guard let later = order.parts(after: position) else { throw Self.noPosition(model) }
      parts = later
    }
    var reader = Reader(model: model, filter: filter, order: order, count: count)
    reader.patience = patience
    (reader.tellPause, reader.toldCount) = (tellPause, shown)
    reader.tell = tell.map { tell in { tell(ObjectGrid($0, request)) } }
    do {
      for part in parts { try reader.read(part, in: &tx) }
    } catch let error as QueryTextError {
      // The condition alone is one, so that it is what surrounds it that does not fit.
      throw FilterProblem(
        filter.isEmpty
          ? "\(error)"
          : "Type only what follows where.")
    }
    if let note = try reader.sorting(in: &tx) { reader.notes.append(note) }
    self.init(reader, request)
  }

  /// What a reader has found.
  private init(_ reader: Reader, _ request: Request) {
    (objects, rows, notes) = (reader.keys, reader.rows, reader.notes)
    (isStopped, isSearching) = (reader.stop != nil, reader.isSearching)
    var next = reader.next.map {
      Request(filter: request.filter, sort: request.sort, after: $0.key.path, from: $0.text)
    }
    if reader.isSearching {
      next = next ?? request
      next?.waits = true
    }
    self.next = next
    var previous = Request(filter: request.filter, sort: request.sort)
    previous.before = reader.first?.key.path ?? request.after
    previous.from = reader.first.map(\.text) ?? request.from
    self.previous = request.after == nil ? nil : previous
  }

  /// The part that ends before an object, as one that begins after another object; near the beginning the first part.
  ///
  /// - Parameters:
  ///   - request: What is shown, with the key before which it ends.
  ///   - count: How many objects it has at most.
  /// - Throws: As the initializer.
  static func previous(
    of model: StoredModel, _ request: Request, count: Int = rowCount,
    in tx: inout ReadTransaction
  ) throws -> Request {
    let filter = String(request.filter.trimmed)
    if !filter.isEmpty { try check(filter, of: model, in: &tx) }
    let order = try GridOrder(request.sort, of: model).reversed
    var found = Request(filter: request.filter, sort: request.sort)
    guard let position = try Self.position(request.before, request.from, order, model, in: &tx)
    else { return found }
    guard let parts = order.parts(after: position) else { throw noPosition(model) }
    var reader = Reader(model: model, filter: filter, order: order, count: count)
    reader.endsEarly = true
    for part in parts { try reader.read(part, in: &tx) }
    if let start = reader.start { (found.after, found.from) = (start.key.path, start.text) }
    return found
  }

  private static func position(
    _ path: String?, _ from: String?, _ order: GridOrder, _ model: StoredModel,
    in tx: inout ReadTransaction
  ) throws -> GridOrder.Position? {
    guard let path else { return nil }
    guard let key = ObjectKey(path: path), key.values(of: model) != nil else {
      throw noPosition(model)
    }
    guard let property = order.property else { return GridOrder.Position(key: key, value: nil) }
    if let from {
      guard let value = GridOrder.Position.value(from, of: property),
        value != .none || property.type.isOptional
      else { throw noPosition(model) }
      return GridOrder.Position(key: key, value: value)
    }
    guard let object = try key.object(of: model, in: &tx) else {
      throw FilterProblem(
        "The object at which this page begins or ends was deleted. Begin with the first page.")
    }
    return GridOrder.Position(key: key, value: try order.value(of: object))
  }

  private static func noPosition(_ model: StoredModel) -> FilterProblem {
    FilterProblem("The address names no key of \(model.name).")
  }

  /// Looks up the names of a filter.
  ///
  /// - Throws: ``FilterProblem`` where it cannot be used.
  static func check(
    _ filter: String, of model: StoredModel, in tx: inout ReadTransaction
  ) throws {
    if filter.isEmpty { return }
    let name = model.name.isWord ? model.name : model.name.asQueryName
    let start = "\(name) where "
    do {
      _ = try tx.names(of: DynamicQuery(start + filter))
      // With parentheses around it, so that it is a condition alone.
      _ = try tx.names(of: DynamicQuery("\(start)(\(filter))"))
    } catch let error as QueryTextError {
      // Where it can be read without parentheses, a clause follows the condition.
      let isAlone = error.query == start + filter
      let position = error.position - start.unicodeScalars.count - (isAlone ? 0 : 1)
      let advice = FilterAdvice(filter, of: model, among: try tx.models())
      if let clause = advice.clause(at: position) {
        throw FilterProblem(clause.reason, filter, clause.range)
      }
      if isAlone { throw FilterProblem(error, after: start) }
      throw FilterProblem("Type only what follows where.")
    }
  }
}

/// Makes the rows of a grid from the parts of an order.
private struct Reader {
  let model: StoredModel
  let filter: String
  let order: GridOrder
  let count: Int
  private(set) var keys: [ObjectKey] = []
  private(set) var rows: [[String: Any]] = []
  var notes: [String] = []
  /// How long objects are tested before the search is left to another reader; nil for no such time.
  var patience: Duration?
  /// Receives the reader when it has found more; nil for nothing.
  var tell: ((Reader) -> Void)?
  var tellPause = ObjectGrid.tellPause
  /// How many objects were told, or are shown already.
  var toldCount = 0
  private var toldTime = ContinuousClock.now
  /// Whether objects that are not tested at once end with the first ones that are found.
  var endsEarly = false
  /// Whether objects are left to be tested by another reader, or later by this one.
  private(set) var isSearching = false
  /// Where the last object is that was found.
  private var lastFound: GridOrder.Position?
  /// Where the first object is that was found.
  private(set) var first: GridOrder.Position?
  /// Where the last object is that was found, or looked at without a find after it.
  private var last: GridOrder.Position?
  /// Where the object is for which there was no room.
  private var rest: GridOrder.Position?
  /// Why the reading ended early; nil where it did not.
  private(set) var stop: QueryProgress.Stop?
  /// Whether there is an object after the last one.
  private var hasMore = false
  private var textBytes = 0
  private var damagedCount = 0
  private var isStopped = false

  init(model: StoredModel, filter: String, order: GridOrder, count: Int) {
    (self.model, self.filter, self.order, self.count) = (model, filter, order, count)
  }

  /// After which object the next part begins; nil at the end.
  var next: GridOrder.Position? {
    isSearching ? lastFound : hasMore || stop != nil ? last : nil
  }
  /// After which object the part begins that was read backwards; nil at the beginning.
  var start: GridOrder.Position? {
    rest ?? (isStopped || isSearching || stop != nil ? last : nil)
  }

  private var isFull: Bool { rows.count >= count || textBytes > ObjectGrid.textBytesMax }

  /// Appends the objects of a part, as many as are found in the time of the query.
  ///
  /// - Throws: ``QueryProgress/Stop`` where the time was over before there was anything to continue after.
  mutating func read(_ part: GridOrder.Part, in tx: inout ReadTransaction) throws {
    if stop != nil { return }
    do {
      try find(part, in: &tx)
    } catch let stop as QueryProgress.Stop {
      guard case .tooSlow(let limit) = stop, last != nil else { throw stop }
      self.stop = stop
      notes.append(
        "The query was ended after \(limit.components.seconds) s; these objects were found until then."
      )
    }
  }

  /// Appends the objects of a part; where testing each one takes long, in ranges of keys, after each of which another
  /// page can continue.
  private mutating func find(_ part: GridOrder.Part, in tx: inout ReadTransaction) throws {
    guard try isTested(in: &tx) else { return try append(part, in: &tx) }
    // Looking for the ends of ranges takes time, too, and most filters are done before they are needed.
    if tell == nil {
      let limit = min(ObjectGrid.wholeLimit, patience ?? ObjectGrid.wholeLimit)
      let whole: Void? = try QueryProgress.part(upTo: limit) { try append(part, in: &tx) }
      if whole != nil { return }
      if patience != nil {
        isSearching = true
        return
      }
    }
    let name = model.primaryKey[0].asQueryName
    var range = last.flatMap { order.part(after: $0.key) } ?? part
    var count = ObjectGrid.rangeCount
    while !hasMore, !isStopped, let end = try rangeEnd(of: range, count, in: &tx) {
      let start = ContinuousClock.now
      var bounded = range
      let bound = "\(name) \(order.isBackward ? ">=" : "<=") $\(Self.endName)"
      bounded.condition = [range.condition, bound].compactMap { $0 }.joined(separator: " and ")
      bounded.parameters[Self.endName] = end.values(of: model)?[0].parameter
      try append(bounded, in: &tx)
      guard !hasMore else { return }
      tellWhenDue()
      last = GridOrder.Position(key: end, value: nil)
      // The page that begins after the end of the range has other objects than that one.
      if endsEarly, keys.contains(where: { $0 != end }) {
        isSearching = true
        return
      }
      guard let later = order.part(after: end) else { return }
      range = later
      if start.duration(to: .now) < ObjectGrid.rangeTime {
        count = min(2 * count, ObjectGrid.rangeCountMax)
      }
    }
    try append(range, in: &tx)
  }

  /// Tells what was found, where that is more than the last time, and not too soon after it.
  private mutating func tellWhenDue() {
    let now = ContinuousClock.now
    guard let tell, keys.count > toldCount, toldTime.duration(to: now) >= tellPause else {
      return
    }
    (toldTime, toldCount) = (now, keys.count)
    var part = self
    part.isSearching = true
    tell(part)
  }

  private static let endName = "end"

  /// Whether the filter tests all of many objects, in the order of a key of one property.
  private func isTested(in tx: inout ReadTransaction) throws -> Bool {
    guard !filter.isEmpty, order.property == nil, model.objectCount > ObjectGrid.rangeCount,
      model.keyProperties.count == 1, model.keyProperties[0].type.kind != .compound
    else { return false }
    return try tx.explain(query(GridOrder.Part(), limit: count + 1, offset: 0)).access == .scan
  }

  /// The key at which a range ends; nil where fewer objects are left.
  private func rangeEnd(
    of part: GridOrder.Part, _ count: Int, in tx: inout ReadTransaction
  ) throws -> ObjectKey? {
    let condition = part.condition.map { " where \($0)" } ?? ""
    let query = try DynamicQuery(
      "\(model.name.asQueryName)\(condition)\(order.clause) limit 1 offset \(count)",
      named: part.parameters)
    do {
      return try tx.fetch(query).first.map { try ObjectKey($0, of: model) }
    } catch let error as StoreError {
      // The object is damaged, which is told where it is read.
      guard case .corrupt = error else { throw error }
      return nil
    }
  }

  /// Appends the objects of a part, and names those that are damaged.
  private mutating func append(_ part: GridOrder.Part, in tx: inout ReadTransaction) throws {
    var passed = 0
    var failure: StoreError?
    while !hasMore, !isStopped {
      let query = try query(part, limit: max(1, count + 1 - rows.count), offset: passed)
      do {
        try tx.forEach(query) { object, stops in
          if isFull {
            hasMore = true
            rest = try position(of: object)
            stops = true
          } else {
            try append(object)
            passed += 1
          }
        }
        return
      } catch let error as StoreError {
        guard case .corrupt = error else { throw error }
        guard error != failure, damagedCount < ObjectGrid.damagedMax else {
          notes.append("The objects after these cannot be read. \(error.pageText)")
          isStopped = true
          return
        }
        // An object that is passed over by an offset is not read.
        failure = error
        damagedCount += 1
        passed += 1
        rows.append(["damage": error.pageText.shown, "width": model.properties.count])
      }
    }
  }

  private func query(
    _ part: GridOrder.Part, limit: Int, offset: Int
  ) throws -> DynamicQuery {
    let conditions = [filter.isEmpty ? nil : filter, part.condition].compactMap { $0 }
    var text = model.name.asQueryName
    if !conditions.isEmpty {
      text += " where " + conditions.map { "(\($0))" }.joined(separator: " and ")
    }
    text += order.clause + " limit \(limit)" + (offset > 0 ? " offset \(offset)" : "")
    return try DynamicQuery(text, named: part.parameters)
  }

  private mutating func append(_ object: DynamicObject) throws {
    let position = try self.position(of: object)
    let key = position.key
    let cells = ValueCell.cells(of: object, key, model, .grid)
    for cell in cells { textBytes += (cell["text"] as? String)?.utf8.count ?? 0 }
    rows.append(["cells": cells])
    keys.append(key)
    (last, lastFound) = (position, position)
    if first == nil { first = position }
  }

  private func position(of object: DynamicObject) throws -> GridOrder.Position {
    GridOrder.Position(
      key: try ObjectKey(object, of: model), value: try order.value(of: object))
  }

  /// What a page says where many objects are sorted because no index has the order; nil elsewhere.
  func sorting(in tx: inout ReadTransaction) throws -> String? {
    guard let property = order.property, model.objectCount >= ObjectGrid.manyObjects,
      try tx.explain(query(GridOrder.Part(), limit: count + 1, offset: 0)).order == .sorted
    else { return nil }
    return "No index has the order of \(property.name): each page reads and sorts all objects that "
      + "the filter selects."
  }
}

extension String {
  /// Whether a query has the text as a name without marks around it.
  fileprivate var isWord: Bool {
    unicodeScalars.allSatisfy { $0 == "_" || $0.properties.isXIDContinue }
  }

  /// The text without the spaces and line ends around it.
  var trimmed: Substring {
    var text = drop(while: \.isWhitespace)
    while text.last?.isWhitespace == true { text.removeLast() }
    return text
  }
}
