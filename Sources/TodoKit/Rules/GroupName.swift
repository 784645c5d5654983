/// The rules for the names of groups, which are applied where a name is stored.
///
/// Screens refuse a blank name before it comes here (``Validator/groupName``). Callers without a
/// screen, such as an import, get one that is made up.
///
/// Names are compared as Swift compares texts: by canonical equivalence, so a name typed in
/// another normal form is the same name.
package enum GroupName {
  /// What a group is called whose name was left empty.
  static let untitled = "Untitled Group"
  /// The names of lists that are no groups.
  private static let reserved = ["important", "중요"]

  /// Whether a name is that of a list that is no group; case does not matter.
  package static func isReserved(_ name: String) -> Bool {
    reserved.contains(name.trimmed.lowercased())
  }

  /// The names to try for what was typed, best first: as it is, then with (1), (2), ...
  package static func candidates(for typed: String) -> some Sequence<String> {
    let name = typed.isBlank ? untitled : typed.trimmed
    return (0...).lazy.map { $0 == 0 ? name : "\(name) (\($0))" }
  }
}
