/// How two values compare.
package enum Comparison: String, Hashable, Sendable, Codable, CaseIterable {
  case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
}

/// How many elements must meet a condition.
package enum Quantity: String, Hashable, Sendable, Codable, CaseIterable {
  case any, all, none
}

/// What is made of elements, or of the objects of a query.
package enum Measure: String, Hashable, Sendable, Codable, CaseIterable {
  case count, sum, min, max, average
}

/// What a text must have.
package enum TextTest: String, Hashable, Sendable, Codable, CaseIterable {
  case equals, contains, hasPrefix, hasSuffix, like
}

/// A condition on one property.
package indirect enum FieldTest: Hashable, Sendable, Codable {
  case compare(Comparison, Value)
  case within([Value])
  case isNil
  case text(TextTest, String, options: Int)
  case elements(Quantity, FieldTest)
  case measure(Measure, Comparison, Value)
  /// Of a reference: the object that it names has a property that passes.
  case target(String, FieldTest)
  /// Of a reference: two properties of the object that it names compare so.
  case targets(String, Comparison, String)
}

/// A condition on an object.
package indirect enum Term: Hashable, Sendable, Codable {
  case constant(Bool)
  case field(String, FieldTest)
  case fields(String, Comparison, String)
  /// Objects of another model refer to this one by a property, and meet a condition.
  case referrers(String, by: String, Quantity, Term)
  case referrerCount(String, by: String, Comparison, Int)
  case and([Term])
  case or([Term])
  case not(Term)
}

/// A key of an order.
package struct Sort: Hashable, Sendable, Codable {
  package var field: String
  package var isDescending: Bool

  package init(_ field: String, isDescending: Bool = false) {
    self.field = field
    self.isDescending = isDescending
  }
}

/// A query, as plain data.
package struct Question: Hashable, Sendable, Codable {
  package var model: String
  package var term: Term
  package var order: [Sort]
  package var distinct: [String]
  package var limit: Int?
  package var offset: Int

  package init(
    _ model: String, _ term: Term = .constant(true), order: [Sort] = [], distinct: [String] = [],
    limit: Int? = nil, offset: Int = 0
  ) {
    self.model = model
    self.term = term
    self.order = order
    self.distinct = distinct
    self.limit = limit
    self.offset = offset
  }
}
