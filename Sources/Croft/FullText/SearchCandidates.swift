/// What an index tells about a search: the rows that match, and those that may.
///
/// Rows that may match and are not among those that do are to be tested.
struct SearchCandidates: Equatable {
  /// Numbers of rows all of which match.
  private(set) var certain: NumberSet
  /// Numbers of rows among which all are that match.
  private(set) var possible: NumberSet

  static let none = SearchCandidates(exactly: .none)
  static let all = SearchCandidates(exactly: .all)

  /// Makes candidates that need no test.
  init(exactly numbers: NumberSet) { (certain, possible) = (numbers, numbers) }

  /// Makes candidates of which some need a test.
  init(certain: NumberSet = .none, possible: NumberSet) {
    self.certain = certain
    self.possible = possible
  }

  func union(_ other: SearchCandidates) -> SearchCandidates {
    SearchCandidates(
      certain: certain.union(other.certain), possible: possible.union(other.possible))
  }

  func intersection(_ other: SearchCandidates) -> SearchCandidates {
    SearchCandidates(
      certain: certain.intersection(other.certain),
      possible: possible.intersection(other.possible))
  }

  var complement: SearchCandidates {
    SearchCandidates(certain: possible.complement, possible: certain.complement)
  }
}
