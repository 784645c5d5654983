import Croft
import TestSupport

// What questions give, an object at a time.

extension Search {
  /// Whether some texts match together, each term in one of them.
  fileprivate func holds(in texts: [String]) -> Bool {
    groups.allSatisfy { terms in
      terms.contains { term in
        let search = TextSearch(term.query)
        return texts.contains { search.matches($0) } != term.isExcluded
      }
    }
  }
}

extension Twin {
  /// The primary keys that a question gives, in its order.
  func keys(of question: Question) -> [Value] { rows(of: question).map(\.key) }

  /// The rows that a question gives, in its order, which does not know how relevant they are.
  func rows(of question: Question) -> [(key: Value, row: Fields)] {
    let shape = models.shape(question.model)
    var found = rows(question.model).filter { holds(question.term, $0.row, shape) }
    if !question.order.isEmpty {
      // The sort is stable in effect: ties end in the primary key.
      let keyed = found.map { entry in
        (entry, question.order.map { value($0.field, of: entry.row, shape) })
      }
      found = keyed.sorted { left, right in
        for (place, sort) in question.order.enumerated() {
          let order = left.1[place].order(to: right.1[place])
          if order != 0 { return (order < 0) != sort.isDescending }
        }
        return left.0.key.order(to: right.0.key) < 0
      }.map(\.0)
    }
    if !question.distinct.isEmpty {
      var seen: Set<[Value]> = []
      found = found.filter { entry in
        seen.insert(question.distinct.map { value($0, of: entry.row, shape).identity }).inserted
      }
    }
    let rest = found.dropFirst(question.offset)
    return Array(question.limit.map { rest.prefix($0) } ?? rest)
  }

  func holds(_ term: Term, _ row: Fields, _ shape: any Shape) -> Bool {
    switch term {
    case .constant(let holds): return holds
    case .search(let search):
      let texts = shape.searched.flatMap { name in
        let value = value(name, of: row, shape)
        if case .text(let text) = value { return [text] }
        return Self.elements(value, shape.info(name)?.kind ?? .bool).compactMap {
          if case .text(let text) = $0 { text } else { nil }
        }
      }
      return search.holds(in: texts)
    case .field(let field, let test):
      return holds(test, value(field, of: row, shape), shape.info(field)?.kind ?? .bool)
    case .fields(let left, let comparison, let right):
      return Self.compare(value(left, of: row, shape), comparison, value(right, of: row, shape))
    case .referrers(let model, let field, let quantity, let term):
      let source = models.shape(model)
      let referrers = referrers(to: row, of: shape, source, by: field)
      switch quantity {
      case .any: return referrers.contains { holds(term, $0, source) }
      case .all: return referrers.allSatisfy { holds(term, $0, source) }
      case .none: return !referrers.contains { holds(term, $0, source) }
      }
    case .referrerCount(let model, let field, let comparison, let count):
      let referrers = referrers(to: row, of: shape, models.shape(model), by: field)
      return Self.compare(
        .int(Int64(referrers.count)), comparison, .int(Int64(count)))
    case .and(let terms): return terms.allSatisfy { holds($0, row, shape) }
    case .or(let terms): return terms.contains { holds($0, row, shape) }
    case .not(let term): return !holds(term, row, shape)
    }
  }

  private func referrers(
    to row: Fields, of shape: any Shape, _ source: any Shape, by field: String
  ) -> [Fields] {
    let key = shape.key(of: row).identity
    guard let kind = source.info(field)?.kind else { return [] }
    return (tables[source.name]?.rows ?? [:]).values.filter { row in
      Self.references(row[field] ?? .null, kind).contains { $0.identity == key }
    }
  }

  private func holds(_ test: FieldTest, _ value: Value, _ kind: Kind) -> Bool {
    switch test {
    case .compare(let comparison, let other): return Self.compare(value, comparison, other)
    case .within(let values): return values.contains { value.equals($0) }
    case .isNil: return value == .null
    case .text(let test, let wanted, let options):
      guard case .text(let text) = value else { return false }
      return Folding.passes(text, test, wanted, options: options)
    case .search(let search):
      guard case .text(let text) = value else { return false }
      return search.holds(in: [text])
    case .elements(let quantity, let test):
      let elements = Self.elements(value, kind)
      let element = kind.element ?? kind
      switch quantity {
      case .any: return elements.contains { holds(test, $0, element) }
      case .all: return elements.allSatisfy { holds(test, $0, element) }
      case .none: return !elements.contains { holds(test, $0, element) }
      }
    case .measure(let measure, let comparison, let other):
      let own = Self.measured(
        measure, Self.elements(value, kind), kind.element ?? kind, isClamped: true)
      return Self.compare(own ?? .null, comparison, other)
    case .targets(let left, let comparison, let right):
      guard let target = kind.target, let row = row(target, value) else { return false }
      let shape = models.shape(target)
      return Self.compare(
        self.value(left, of: row, shape), comparison, self.value(right, of: row, shape))
    case .target(let field, let test):
      guard let target = kind.target else { return false }
      let shape = models.shape(target)
      let kind = shape.info(field)?.kind ?? .bool
      guard value != .null, let row = row(target, value) else { return holds(test, .null, kind) }
      return holds(test, self.value(field, of: row, shape), kind)
    }
  }

  static func elements(_ value: Value, _ kind: Kind) -> [Value] {
    guard case .list(let list) = value else { return [] }
    guard case .dictionary = kind.unwrapped else { return list }
    return list.map { if case .parts(let pair) = $0 { pair[1] } else { .null } }
  }

  static func compare(_ left: Value, _ comparison: Comparison, _ right: Value) -> Bool {
    switch comparison {
    case .equal: return left.equals(right)
    case .notEqual: return !left.equals(right)
    case .less, .lessOrEqual, .greater, .greaterOrEqual: break
    }
    if left == .null || right == .null || left.isNaN || right.isNaN { return false }
    let order = left.order(to: right)
    return switch comparison {
    case .less: order < 0
    case .lessOrEqual: order <= 0
    case .greater: order > 0
    default: order >= 0
    }
  }

  /// What a measure makes of values; nil where a sum does not fit.
  static func measured(
    _ measure: Measure, _ values: [Value], _ kind: Kind, isClamped: Bool
  ) -> Value? {
    let present = values.filter { $0 != .null }
    let ordered = present.filter { !$0.isNaN }
    switch measure {
    case .count: return .int(Int64(values.count))
    case .min: return ordered.min { $0.order(to: $1) < 0 } ?? .null
    case .max: return ordered.max { $0.order(to: $1) < 0 } ?? .null
    case .sum, .average: break
    }
    var (whole, reals) = (Int128(0), [Double]())
    for value in present {
      switch value {
      case .int(let value): whole += Int128(value)
      case .uint(let value): whole += Int128(value)
      case .real(let value): reals.append(value)
      default: break
      }
    }
    let real = reals.exactSum
    if measure == .average {
      return present.isEmpty ? .null : .real((real + Double(whole)) / Double(present.count))
    }
    let kind = kind.unwrapped
    if kind.isReal { return .real(real) }
    if kind.isUnsigned {
      if let sum = UInt64(exactly: whole) { return .uint(sum) }
      return isClamped ? .uint(UInt64(clamping: whole)) : nil
    }
    if let sum = Int64(exactly: whole) { return .int(sum) }
    return isClamped ? .int(Int64(clamping: whole)) : nil
  }
}
