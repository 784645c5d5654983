import Presentation

/// The rules for the names of groups, which are applied when a name is stored.
///
/// Screens refuse a blank name earlier, by ``Validator/groupName``. For callers without a screen,
/// such as an import, a blank name becomes ``untitled``.
///
/// Names are compared as Swift compares texts: by canonical equivalence, so a name typed in
/// another normal form is the same name.
package enum GroupName {
  /// The name of a group whose name was blank.
  static let untitled = "Untitled Group"
  /// The names of lists other than groups.
  private static let reserved = ["important", "중요", "none", "없음"]

  /// Whether a name belongs to a list other than a group, in any case.
  package static func isReserved(_ name: String) -> Bool {
    reserved.contains(name.trimmed.lowercased())
  }

  /// The name that is stored for a typed one where no group has it.
  package static func plain(_ typed: String) -> String {
    typed.isBlank ? untitled : typed.trimmed
  }

  /// The names to try for a typed name, in order: unchanged, then with (1), (2), ...
  package static func candidates(for typed: String) -> some Sequence<String> {
    let name = plain(typed)
    return (0...).lazy.map { $0 == 0 ? name : "\(name) (\($0))" }
  }
}
