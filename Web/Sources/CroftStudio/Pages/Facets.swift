import Croft
import PageServer

/// How many of the filtered objects have each value of a property: enums, truth values and references.
///
/// Objects are counted in one pass, which ends when the time for it is over: then they are a part of all.
struct Facets {
  /// How many values of a property are shown, the most frequent first.
  static let valuesShown = 20
  /// How many different values of a property are counted; more of them are not told apart.
  static let valuesCounted = 10_000
  /// How long is counted.
  static let limit = Duration.seconds(2)

  /// The properties with their values, for the template.
  let facets: [[String: Any]]
  /// How many objects were counted, where it was only a part.
  let countOfPart: Int?
  /// What is not counted, though it has few values, each with the reason.
  let leftOut: [String]

  /// One property's values and their numbers.
  private struct Counter {
    var counts: [StoredValue: Int] = [:]
    var others = 0

    mutating func add(_ value: StoredValue) {
      if counts.count == Facets.valuesCounted, counts[value] == nil { return others += 1 }
      counts[value, default: 0] += 1
    }
  }

  /// The properties whose values are counted.
  static func properties(of model: StoredModel) -> [StoredModel.Property] {
    model.properties.filter { property in
      let type = property.type
      return type.collection == nil && type.kind != .compound && type.kind != .coded
        && (type.kind == .bool || !property.cases.isEmpty || property.reference != nil)
    }
  }

  /// The properties with few values that are not counted, each with the reason.
  private static func leftOut(of model: StoredModel) -> [String] {
    model.properties.compactMap { property in
      let type = property.type
      let hasFew = type.kind == .bool || !property.cases.isEmpty || property.reference != nil
      if type.collection != nil, hasFew { return "\(property.name), a collection" }
      if type.kind == .compound { return "\(property.name), a key of several properties" }
      return nil
    }
  }

  /// Counts the values.
  ///
  /// - Parameters:
  ///   - model: The model.
  ///   - request: What the grid shows, whose order the links keep.
  ///   - tx: The transaction, whose progress ends when the time is over.
  /// - Throws: ``FilterProblem``; an error of the store.
  /// - Complexity: O(objects), in the memory of the different values, of which there is a maximum.
  init(
    of model: StoredModel, _ request: ObjectGrid.Request, in tx: inout ReadTransaction
  ) throws {
    let filter = request.filter
    try ObjectGrid.check(filter, of: model, in: &tx)
    let properties = Self.properties(of: model)
    var counters = properties.map { _ in Counter() }
    var count = 0
    var isPart = false
    if !properties.isEmpty {
      let names = properties.map(\.name.asQueryName).joined(separator: ", ")
      let condition = filter.isEmpty ? "" : " where (\(filter))"
      do {
        try tx.forEach(DynamicQuery("\(model.name.asQueryName)\(condition) select \(names)")) {
          object, _ in
          for (place, value) in object.values.enumerated() { counters[place].add(value) }
          count += 1
        }
      } catch QueryProgress.Stop.tooSlow {
        isPart = true
      }
    }
    countOfPart = isPart ? count : nil
    facets = zip(properties, counters).map { property, counter in
      Self.values(of: property, counter, request, in: model)
    }
    leftOut = Self.leftOut(of: model)
  }

  private static func values(
    of property: StoredModel.Property, _ counter: Counter, _ request: ObjectGrid.Request,
    in model: StoredModel
  ) -> [String: Any] {
    let sorted = counter.counts.map { (text: property.text(of: $0.key), value: $0.key, $0.value) }
      .sorted { ($1.2, $0.text) < ($0.2, $1.text) }
    let shown: [[String: Any]] = sorted.prefix(valuesShown).map { text, value, count in
      var values: [String: Any] = ["text": text.shown, "count": count]
      if value == .none { values["isNil"] = true }
      let literal = value == .none ? "nil" : ValueText.literal(value)
      values["valuePath"] = literal.map { literal in
        let term = "\(property.name.asTerm) == \(literal)"
        return StudioPath.grid(
          model.name,
          ObjectGrid.Request(filter: adding(term, to: request.filter), sort: request.sort))
      }
      return values
    }
    var facet: [String: Any] = ["name": property.name, "values": shown]
    if sorted.isEmpty { facet["hasNoValues"] = true }
    if sorted.count > valuesShown { facet["more"] = sorted.count - valuesShown }
    if counter.others > 0 { facet["isEndless"] = true }
    return facet
  }

  /// A filter with one more condition.
  static func adding(_ term: String, to filter: String) -> String {
    if filter.isEmpty { return term }
    let needsParentheses = hasOr(filter)
    return (needsParentheses ? "(\(filter))" : filter) + " and " + term
  }

  /// Whether a condition has an "or" that no parentheses are around.
  private static func hasOr(_ condition: String) -> Bool {
    var (depth, word, last) = (0, "", Character(" "))
    var quote: Character?
    for sign in condition.lowercased() + " " {
      defer { last = sign }
      if let open = quote {
        if sign == open, last != "\\" { quote = nil }
        continue
      }
      if sign.isLetter || sign.isNumber || sign == "_" || sign == "|" {
        word.append(sign)
        continue
      }
      if depth == 0, word == "or" || word.contains("||") { return true }
      word = ""
      switch sign {
      case "\"", "'", "`": quote = sign
      case "(": depth += 1
      case ")": depth -= 1
      default: break
      }
    }
    return false
  }
}

extension String {
  /// The name of a property as a person writes it in a filter: with quotes only where it needs them.
  var asTerm: String { DynamicQuery.path(self) }
}
