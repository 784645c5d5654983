import Croft

/// A model of the swarm.
struct ShapeOf<M: SwarmModel>: Shape {
  let key: [String]
  let uniques: [[String]]
  let rules: [String: Rule]
  let infos: [FieldInfo]
  private let fields: [String: any ModelField<M>]

  init(
    _ model: M.Type, key: [String] = ["id"], unique: [[String]] = [], rules: [String: Rule] = [:]
  ) {
    self.key = key
    uniques = unique
    self.rules = rules
    infos = M.fields.map { field in
      FieldInfo(
        name: field.name, kind: field.kind, type: field.type, derived: field.derived,
        calculation: field.calculation)
    }
    fields = Dictionary(M.fields.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  var name: String { M.name }
  var searched: [String] { M.searched }
  var type: any Model.Type { M.self }

  func object(_ row: Fields) -> M {
    var object = M()
    for info in stored {
      if let value = row[info.name] { fields[info.name]?.set(&object, value) }
    }
    return object
  }

  func row(_ object: M) -> Fields {
    var row: Fields = [:]
    for info in stored { row[info.name] = fields[info.name]?.get(object) }
    return row
  }

  private func key(of object: M) -> Value { object._primaryKey.swarm }

  // Queries.

  func condition<R>(_ term: Term, _ root: QueryColumn<R, M>, _ family: Models) -> QueryCondition<R>?
  {
    switch term {
    case .constant: return nil
    case .field(let name, let test): return fields[name]?.condition(test, on: root)
    case .search(let search):
      guard let type = M.self as? any SearchableModel.Type else { return nil }
      func open<S: SearchableModel>(_ type: S.Type) -> QueryCondition<R>? {
        (root as? QueryColumn<S, S>)?.matches(search.query) as? QueryCondition<R>
      }
      return open(type)
    case .fields(let left, let comparison, let right):
      guard let left = fields[left], let right = fields[right] else { return nil }
      return left.condition(comparison, right, on: root)
    case .referrers(let model, let field, let quantity, let term):
      return family.shape(model).referrers(to: root, by: field, quantity, term, family)
    case .referrerCount(let model, let field, let comparison, let count):
      let column = family.shape(model).referrerCount(of: root, by: field)
      return column.flatMap {
        Int.condition(.compare(comparison, .int(Int64(count))), on: $0)
      }
    case .and(let terms):
      return joined(terms, root, family) { $0 && $1 }
    case .or(let terms):
      return joined(terms, root, family) { $0 || $1 }
    case .not(let term):
      return condition(term, root, family).map { !$0 }
    }
  }

  private func joined<R>(
    _ terms: [Term], _ root: QueryColumn<R, M>, _ family: Models,
    _ join: (QueryCondition<R>, QueryCondition<R>) -> QueryCondition<R>
  ) -> QueryCondition<R>? {
    var result: QueryCondition<R>?
    for term in terms {
      guard let next = condition(term, root, family) else { return nil }
      result = result.map { join($0, next) } ?? next
    }
    return result
  }

  /// The query of a question; nil where it cannot be written.
  func query(_ question: Question, _ family: Models) -> Query<M>? {
    var query = M.all
    var isWritten = true
    if question.term == .constant(true) {
    } else if question.term == .constant(false) {
      guard let field = fields[key[0]] else { return nil }
      query = M.where { root in
        let test = field.condition(.within([]), on: root)
        isWritten = test != nil
        return test ?? (root.referringToNothing)
      }
    } else {
      query = M.where { root in
        let term = condition(question.term, root, family)
        isWritten = term != nil
        return term ?? root.referringToNothing
      }
    }
    guard isWritten else { return nil }
    let order = question.order.compactMap { sort in
      fields[sort.field]?.sortKeys.map { sort.isDescending ? $0.descending : $0.ascending }
    }
    guard order.count == question.order.count else { return nil }
    switch order.count {
    case 0: if question.isByRelevance { query = query.order(by: .relevance) }
    case 1 where question.isByRelevance: query = query.order(by: .relevance, order[0])
    case _ where question.isByRelevance: return nil
    case 1: query = query.order(by: order[0])
    case 2: query = query.order(by: order[0], order[1])
    default: query = query.order(by: order[0], order[1], order[2])
    }
    let distinct = question.distinct.compactMap { fields[$0]?.sortKeys?.ascending }
    switch distinct.count {
    case 0: break
    case 1: query = query.distinct(by: distinct[0])
    default: query = query.distinct(by: distinct[0], distinct[1])
    }
    if question.limit != nil || question.offset > 0 {
      query = query.limit(question.limit ?? Int.max, offset: question.offset)
    }
    return query
  }

  private func written(_ question: Question, _ family: Models) throws -> Query<M> {
    guard let query = query(question, family) else { throw Unaskable(question: question) }
    return query
  }

  func rows<T: ReadableTransaction & ~Copyable>(in transaction: inout T) throws -> [Fields] {
    try transaction.fetch(M.all).map(row)
  }

  func keys<T: ReadableTransaction & ~Copyable>(
    _ question: Question, in transaction: inout T, _ family: Models
  ) throws -> [Value]? {
    guard let query = query(question, family) else { return nil }
    return try transaction.fetch(query).map(key(of:))
  }

  func count<T: ReadableTransaction & ~Copyable>(
    _ question: Question, in transaction: inout T, _ family: Models
  ) throws -> Int {
    try transaction.count(try written(question, family))
  }

  func first<T: ReadableTransaction & ~Copyable>(
    _ question: Question, in transaction: inout T, _ family: Models
  ) throws -> Value? {
    try transaction.first(try written(question, family)).map(key(of:))
  }

  func pages<T: ReadableTransaction & ~Copyable>(
    _ question: Question, of count: Int, in transaction: inout T, _ family: Models
  ) throws -> [Value] {
    let query = try written(question, family)
    var (found, page): ([M], [M]) = ([], [])
    repeat {
      page = try transaction.fetch(query.page(after: found.last, count))
      found += page
    } while page.count == count
    return found.map(key(of:))
  }

  func get<T: ReadableTransaction & ~Copyable>(
    _ key: Value, in transaction: inout T
  ) throws -> Fields? {
    try transaction.get(M.self, M.PrimaryKey(swarm: key)).map(row)
  }

  func deltas(of commit: StoreCommit) throws -> [(old: Fields?, new: Fields?)]? {
    try commit.changes(of: M.self)?.map { ($0.old.map(row), $0.new.map(row)) }
  }

  func measure<T: ReadableTransaction & ~Copyable>(
    _ measure: Measure, of field: String, _ question: Question, in transaction: inout T,
    _ family: Models
  ) throws -> Value? {
    guard let query = query(question, family) else { return nil }
    return try fields[field]?.measure(measure, query, in: &transaction)
  }

  func groups<T: ReadableTransaction & ~Copyable>(
    by field: String, _ question: Question, in transaction: inout T, _ family: Models
  ) throws -> [(Value, Int)]? {
    guard let query = query(question, family) else { return nil }
    return try fields[field]?.groups(query, in: &transaction)
  }

  func sections<T: ReadableTransaction & ~Copyable>(
    by field: String, isDescending: Bool, _ question: Question, in transaction: inout T,
    _ family: Models
  ) throws -> [(Value, [Value])]? {
    guard let query = query(question, family) else { return nil }
    return try fields[field]?.sections(query, isDescending: isDescending, in: &transaction)?
      .map { ($0.0, $0.1.map(key(of:))) }
  }

  func referrers<R, T: Model>(
    to root: QueryColumn<R, T>, by field: String, _ quantity: Quantity, _ term: Term,
    _ family: Models
  ) -> QueryCondition<R>? {
    guard let referrers = fields[field]?.referrers(root) else { return nil }
    var isWritten = true
    func inner<I>(_ root: QueryColumn<I, M>) -> QueryCondition<I> {
      guard let condition = condition(term, root, family) else {
        isWritten = false
        return root.referringToNothing
      }
      return condition
    }
    let result =
      switch quantity {
      case .any: referrers.any { inner($0) }
      case .all: referrers.all { inner($0) }
      case .none: referrers.none { inner($0) }
      }
    return isWritten ? result : nil
  }

  func referrerCount<R, T: Model>(
    of root: QueryColumn<R, T>, by field: String
  ) -> QueryColumn<R, Int>? {
    fields[field]?.referrers(root).count
  }

  func observe(
    _ question: Question, sections: String?, in store: Store, _ family: Models
  ) -> (any LiveReplay)? {
    guard let query = query(question, family) else { return nil }
    return Replay<M>(question, sections: sections, row: row, key: key(of:)) { body in
      guard let sections else {
        return store.observe(query) { change in
          body(
            LiveStepOf<M>(
              sequence: change.sequence, isInitial: change.isInitial,
              before: Array(change.before), after: Array(change.after),
              deletions: change.deletions, insertions: change.insertions,
              modifications: change.modifications,
              moves: change.moves.map { ($0.from, $0.to) }))
        }
      }
      return fields[sections]?.observe(query, in: store, body)
    }
  }

  func observeReading(
    _ question: Question, in store: Store, _ family: Models
  ) -> (any LiveReplay)? {
    guard let query = query(question, family) else { return nil }
    let row = row
    return ReadingReplay(question) { replay in
      [
        store.observe(ReadRequest { tx in try tx.fetch(query).map(row) }) { [weak replay] rows in
          replay?.take(rows: rows)
        },
        store.observe(query.count) { [weak replay] count in replay?.take(count: count) },
        store.observe(CombinedRequest(M.all, query)) { [weak replay] all, some in
          replay?.take(together: some.after.count, of: all.after.count)
        },
      ]
    }
  }

  // Statements.

  func run(
    _ statement: Statement, in transaction: inout WriteTransaction, _ family: Models
  ) throws -> Int? {
    switch statement {
    case .insert(_, let row): try transaction.insert(object(row))
    case .insertAll(_, let rows): try transaction.insert(contentsOf: rows.lazy.map(object))
    case .upsert(_, let row): try transaction.upsert(object(row))
    case .merge(_, let original, let row):
      try transaction.upsert(object(row), .merge(from: object(original)))
    case .update(_, let key, let changes):
      let object = try transaction.update(M.self, M.PrimaryKey(swarm: key)) { change(&$0, changes) }
      return object == nil ? 0 : 1
    case .updateAll(let question, let changes):
      return try transaction.update(try written(question, family)) { change(&$0, changes) }
    case .set(let question, let field, let value):
      return try fields[field]?.setAll(try written(question, family), to: value, in: &transaction)
    case .delete(_, let key):
      return try transaction.delete(M.self, M.PrimaryKey(swarm: key)) ? 1 : 0
    case .deleteAll(let question): return try transaction.delete(try written(question, family))
    case .deleteEvery: return try transaction.deleteAll(M.self)
    case .savepoint, .check: preconditionFailure("The runner does these itself.")
    }
    return nil
  }

  private func change(_ object: inout M, _ changes: Fields) {
    for (field, value) in changes { fields[field]?.set(&object, value) }
  }
}

/// A question that no query can be written for; the generator asks none.
struct Unaskable: Error {
  let question: Question
}

extension QueryColumn where Value: SwarmModel {
  /// A condition in the place of one that cannot be written; its query is never run.
  fileprivate var referringToNothing: QueryCondition<M> {
    for field in Value.fields {
      if let condition = field.condition(.within([]), on: self) { return condition }
    }
    preconditionFailure("\(Value.self) has a primary key, which can be asked.")
  }
}
