/// One stored property without its Swift type.
struct ColumnDefinition: Sendable {
  let name: String
  let storage: StorageType
  var isKey = false
  /// For the primary key: its code alone gives the value back.
  var keyRestoresValue = false
  /// Names that the field had before: the store's field of such a name is this one.
  var aliases: [String] = []
  /// The parts of the name that were others before: the property's own, then those of structs around
  /// it, the innermost first.
  private(set) var renames: [PartRename] = []
  /// What the property refers to, where it holds references.
  var reference: ForeignKeyDefinition?
  /// Writes the property's default as the row's next value; nil where it has none.
  var storeDefault: (@Sendable (inout _RowEncoder) -> Void)?

  /// Whether the row leaves the column out because the key holds it.
  var isOnlyInKey: Bool { isKey && keyRestoresValue }
}

/// A part of a column's name that was another before.
struct PartRename: Sendable {
  /// The name up to the part's end.
  let name: String
  /// What that was.
  let formers: [String]
}

extension ColumnDefinition {
  /// Adds what the column was called while its property, or one around it, had other names.
  mutating func addAliases(_ names: [String], inPlaceOf name: String) {
    guard !names.isEmpty else { return }
    let known = [self.name] + aliases
    aliases += names.flatMap { old in known.map { old + $0.dropFirst(name.count) } }
    renames.append(PartRename(name: name, formers: names))
  }

  /// The name in which some parts are former ones.
  ///
  /// - Parameter choices: For each of ``renames`` a former name's number from 1 on; 0 for the present.
  func name(_ choices: [Int]) -> String {
    zip(renames, choices).reduce(name) { name, part in
      let (rename, choice) = part
      return choice == 0 ? name : rename.formers[choice - 1] + name.dropFirst(rename.name.count)
    }
  }
}
