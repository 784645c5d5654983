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

/// What is searched for: in each group one of some terms holds.
package struct Search: Hashable, Sendable, Codable {
  /// A quoted text, of which the last word may be a beginning.
  package struct Term: Hashable, Sendable, Codable {
    package var text: String
    package var isOpen: Bool
    package var isExcluded: Bool

    package init(_ text: String, isOpen: Bool = false, isExcluded: Bool = false) {
      self.text = text
      self.isOpen = isOpen
      self.isExcluded = isExcluded
    }

    /// The term by itself, as people type it.
    var query: String { "\"\(text)\"" + (isOpen ? "*" : "") }
  }

  package var groups: [[Term]]

  package init(_ groups: [[Term]]) { self.groups = groups }

  /// The search as people type it.
  var query: String {
    groups.map { terms in
      terms.map { ($0.isExcluded ? "-" : "") + $0.query }.joined(separator: " OR ")
    }.joined(separator: " ")
  }
}

/// A condition on one property.
package indirect enum FieldTest: Hashable, Sendable, Codable {
  case compare(Comparison, Value)
  case within([Value])
  case isNil
  case text(TextTest, String, options: Int)
  /// Of a text: it matches a search.
  case search(Search)
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
  /// The texts of the model's index for searches match, each term in any of them.
  case search(Search)
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
  /// Whether the most relevant objects come first, before all other keys of the order.
  package var isByRelevance: Bool
  package var order: [Sort]
  package var distinct: [String]
  package var limit: Int?
  package var offset: Int

  package init(
    _ model: String, _ term: Term = .constant(true), isByRelevance: Bool = false,
    order: [Sort] = [], distinct: [String] = [], limit: Int? = nil, offset: Int = 0
  ) {
    self.model = model
    self.term = term
    self.isByRelevance = isByRelevance
    self.order = order
    self.distinct = distinct
    self.limit = limit
    self.offset = offset
  }
}
