/// What a column's references point to.
struct ForeignKeyDefinition: Sendable {
  /// The model referred to; asked for late, since models may refer to each other.
  let target: @Sendable () -> Schema
  /// What becomes of the object when one that it refers to is deleted.
  var onDelete: DeleteRule
}
