// What a program that always has a struct tells others, which may lack it.

extension SchemaDiff {
  /// The places of hidden columns that tell if a struct is there which the program always has.
  ///
  /// Where one says for another program that there is no struct, what that one saves next takes the
  /// values away; so all that this program writes has to say that there is. A struct inside one
  /// that the program may lack has a column of its own, which is not hidden.
  var structMarks: [Int] {
    let declared = record.fields.filter { fields.contains($0.id) }
    return layout.columns.indices.dropFirst(fields.count).filter { place in
      let id = layout.columns[place].field
      guard let mark = record.fields.first(where: { $0.id == id }),
        mark.storage == StorageType(.bool)
      else { return false }
      return declared.contains { $0.isInside(mark.name) }
    }
  }
}

extension CatalogEntry.Field {
  /// Whether it is, or was once, a property inside a struct of some name.
  fileprivate func isInside(_ name: String) -> Bool {
    ([self.name] + aliases).contains { $0.hasPrefix(name + ".") }
  }
}
