import Croft
import PageServer

/// Why a filter cannot be used, and the word in it that does not fit.
struct FilterProblem: Error {
  /// A filter, and the word in it.
  struct Place: Equatable {
    let before: String
    /// What does not fit; three dots where something is missing at the end.
    let word: String
    let after: String
  }

  /// What is wrong, as a sentence.
  let reason: String
  /// Where it is wrong; nil where that is not known.
  let place: Place?

  init(_ reason: String) { (self.reason, place) = (reason, nil) }

  /// The problem of a query that ends with a filter.
  ///
  /// - Parameters:
  ///   - error: What is wrong with the query.
  ///   - start: The text of the query before the filter.
  init(_ error: QueryTextError, after start: String) {
    reason = FilterAdvice.reason(error.reason)
    let filter = Array(error.query.unicodeScalars.dropFirst(start.unicodeScalars.count))
    let position = min(max(0, error.position - start.unicodeScalars.count), filter.count)
    var end = position
    while end < filter.count, filter[end].isPartOfWord { end += 1 }
    if end == position, end < filter.count { end += 1 }
    place = Place(
      before: Self.text(filter[..<position]),
      word: end == position ? "…" : Self.text(filter[position..<end]),
      after: Self.text(filter[end...]))
  }

  /// The problem of a part of a filter.
  ///
  /// - Parameter range: Where the part begins and ends, as numbers of Unicode scalars.
  init(_ reason: String, _ filter: String, _ range: Range<Int>) {
    self.reason = reason
    let filter = Array(filter.unicodeScalars)
    place = Place(
      before: Self.text(filter[..<range.lowerBound]), word: Self.text(filter[range]),
      after: Self.text(filter[range.upperBound...]))
  }

  /// The values for the template.
  var values: [String: Any] {
    var values: [String: Any] = ["reason": reason.shown]
    if let place {
      values["place"] = [
        "before": place.before.shown, "word": place.word.shown, "after": place.after.shown,
      ]
    }
    return values
  }

  private static func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    var text = ""
    text.unicodeScalars.append(contentsOf: scalars)
    return text
  }
}

extension Unicode.Scalar {
  /// Whether names and numbers have it.
  fileprivate var isPartOfWord: Bool {
    properties.isAlphabetic || properties.numericType != nil || self == "_" || self == "."
      || properties.canonicalCombiningClass != .notReordered
  }
}

extension StoreError {
  /// Whether a query is to blame, or the rows that it reads; another query may succeed.
  var isOfQuery: Bool {
    switch self {
    case .overflow, .conditionTooDeep, .expressionTooDeep, .searchTooLong, .relevanceWithoutSearch,
      .schemaMismatch, .corrupt:
      true
    default: false
    }
  }
}
