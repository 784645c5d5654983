import Croft
import Foundation

/// The order of a grid: that of a property's values and then of the primary key, or of the primary key alone.
struct GridOrder {
  /// Where a page ends, after which the next one begins.
  struct Position {
    let key: ObjectKey
    /// The value of the property that decides; nil where the key alone does.
    let value: StoredValue?
  }

  /// Some objects of the order, which are one range of an index or of keys where there is one.
  struct Part {
    /// A condition of the query language; nil for all objects.
    var condition: String?
    var parameters: [String: any Storable] = [:]

    /// All objects in the order of the primary key.
    init(condition: String? = nil, parameters: [String: any Storable] = [:]) {
      (self.condition, self.parameters) = (condition, parameters)
    }
  }

  /// The property whose values decide first; nil for the order of the primary key.
  let property: StoredModel.Property?
  /// Whether the greatest value comes first.
  let isDescending: Bool
  /// Whether it is the order from the last object to the first one.
  private(set) var isBackward = false
  private let model: StoredModel

  /// Reads an order as addresses have it: the name of a property, and `desc` after a space.
  ///
  /// - Throws: ``FilterProblem`` for a property that there is not, or that has no order.
  init(_ text: String, of model: StoredModel) throws {
    self.model = model
    let words = text.split(separator: " ")
    guard let name = words.first else {
      (property, isDescending) = (nil, false)
      return
    }
    guard let property = model.properties.first(where: { $0.name == name }), words.count <= 2,
      words.count == 1 || words[1] == Self.descending, property.isSortable
    else {
      throw FilterProblem("Objects of \(model.name) cannot be sorted by \(text).")
    }
    isDescending = words.count == 2
    // The first property of the key decides in the order of the key, too.
    let isOfKey = property.name == model.primaryKey.first && !isDescending
    self.property = isOfKey ? nil : property
  }

  static let descending = "desc"

  /// The order from the last object to the first one.
  var reversed: GridOrder {
    var order = self
    order.isBackward.toggle()
    return order
  }

  /// The clause of the query language; empty for the order of the primary key.
  ///
  /// Keys decide between equal values from the least to the greatest, unless the clause says otherwise.
  var clause: String {
    var terms: [String] = []
    if let property {
      let isDescending = isDescending != isBackward
      terms.append(property.name.asQueryName + (isDescending ? " \(Self.descending)" : ""))
    }
    // Where the property is the whole key, no values are equal.
    if isBackward, property.map({ [$0.name] != model.primaryKey }) ?? true {
      terms += model.primaryKey.filter { $0 != property?.name }
        .map { "\($0.asQueryName) \(Self.descending)" }
    }
    return terms.isEmpty ? "" : " sort by " + terms.joined(separator: ", ")
  }

  /// The value that decides the position of an object; nil where its key alone does.
  ///
  /// - Throws: ``StoreError`` where the object lacks it.
  func value(of object: DynamicObject) throws -> StoredValue? {
    try property.map { try object[$0.name] }
  }
}

// Where a page begins.
extension GridOrder {
  /// The objects after a position, in their order.
  ///
  /// The parts are read one after the other, because each is one range: one condition for all of them would be
  /// tested on each object, or would collect all keys.
  ///
  /// - Returns: Nil where the position has no key of the model.
  func parts(after position: Position) -> [Part]? {
    guard let key = position.key.parameters(of: model) else { return nil }
    let laterKeys = ObjectKey.are(isBackward ? "<" : ">", model.primaryKey)
    let sign = isDescending != isBackward ? "<" : ">"
    guard let property else {
      return laterKeys.map { Part(condition: $0, parameters: key) }
    }
    let value = position.value ?? StoredValue.none
    let name = property.name.asQueryName
    var parameters = key
    parameters[Self.value] = value.parameter
    let rank = Rank(value)
    if [property.name] == model.primaryKey {
      return [Part(condition: "\(name) \(sign) $\(Self.value)", parameters: parameters)]
    }
    let tie = rank == .value ? "\(name) == $\(Self.value)" : condition(rank, property)
    parameters.merge(bounds(property)) { mine, _ in mine }
    var parts = laterKeys.map { Part(condition: "\(tie) and \($0)", parameters: parameters) }
    if rank == .value {
      parts.append(
        Part(condition: "\(name) \(sign) $\(Self.value)", parameters: parameters))
    }
    let ranks = ranks(of: property)
    for rank in ranks[((ranks.firstIndex(of: rank) ?? 0) + 1)...] {
      parts.append(Part(condition: condition(rank, property), parameters: bounds(property)))
    }
    return parts
  }

  /// The objects after a key of one property, in the order of keys; nil for a key of another model.
  func part(after key: ObjectKey) -> Part? {
    guard model.primaryKey.count == 1, let parameters = key.parameters(of: model) else {
      return nil
    }
    let condition = ObjectKey.are(isBackward ? "<" : ">", model.primaryKey)[0]
    return Part(condition: condition, parameters: parameters)
  }

  /// What a value is compared as: nil comes before all values, and NaN after all numbers.
  private enum Rank: CaseIterable {
    case nothing, value, notANumber

    init(_ value: StoredValue) {
      self =
        switch value {
        case .none: .nothing
        case .double(let number), .date(let number): number.isNaN ? .notANumber : .value
        default: .value
        }
    }
  }

  /// The ranks that a property's values can have, in the order of the grid.
  private func ranks(of property: StoredModel.Property) -> [Rank] {
    let ranks = Rank.allCases.filter { rank in
      switch rank {
      case .nothing: property.type.isOptional
      case .value: true
      case .notANumber: Self.infinity(of: property) != nil
      }
    }
    return isDescending != isBackward ? ranks.reversed() : ranks
  }

  private func condition(_ rank: Rank, _ property: StoredModel.Property) -> String {
    let name = property.name.asQueryName
    let isPresent = property.type.isOptional ? " and \(name) != nil" : ""
    switch rank {
    case .nothing: return "\(name) == nil"
    case .value:
      if Self.infinity(of: property) != nil { return "\(name) <= $\(Self.bound)" }
      return property.type.isOptional ? "\(name) != nil" : "true"
    case .notANumber: return "not (\(name) <= $\(Self.bound))" + isPresent
    }
  }

  private func bounds(_ property: StoredModel.Property) -> [String: any Storable] {
    Self.infinity(of: property).map { [Self.bound: $0] } ?? [:]
  }

  /// The greatest number of a property's type, after which NaN comes; nil for types without one.
  private static func infinity(of property: StoredModel.Property) -> (any Storable)? {
    switch property.type.kind {
    case .float, .double: Double.infinity
    case .date: Date(timeIntervalSinceReferenceDate: .infinity)
    default: nil
    }
  }

  private static let value = "value"
  private static let bound = "bound"
}

extension StoredModel.Property {
  /// Whether its values have an order.
  var isSortable: Bool { type.collection == nil && type.kind != .coded && type.kind != .compound }
}

// A position in an address.
extension GridOrder.Position {
  /// The most bytes of a value in an address; a longer one is read again with the object.
  private static let valueBytesMax = 1_000
  private static let nothing = "n"
  private static let some = "v"

  /// The value in an address; nil where there is none, or it is too long.
  var text: String? {
    switch value {
    case nil: return nil
    case .some(.none): return Self.nothing
    case .some(let value):
      let text = Self.some + ValueText.key(value)
      return text.utf8.count <= Self.valueBytesMax ? text : nil
    }
  }

  /// The value that a text of an address means, of a property's type; nil for another text.
  static func value(_ text: String, of property: StoredModel.Property) -> StoredValue? {
    if text == nothing { return StoredValue.none }
    guard text.hasPrefix(some) else { return nil }
    return ValueText.value(String(text.dropFirst(some.count)), as: property.type.kind)
  }
}
