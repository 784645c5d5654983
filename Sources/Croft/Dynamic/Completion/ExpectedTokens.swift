/// What the grammar would take where a text ends, as the parser notes it while it reads.
struct ExpectedTokens {
  /// The part of a statement that a value is in.
  enum Part: Hashable {
    case condition
    case selection
    /// What is grouped by, or distinct.
    case key
    case order
    /// A side of a comparison or an operator.
    case value
    /// The text after an operator of texts.
    case text
    /// A literal, and not a property.
    case literal
    case argument
    /// The unit of a function, such as a month.
    case unit
  }

  /// What was read before, on which depends what a name may be.
  struct Place: Hashable {
    var model: QuerySyntax.Name?
    /// The collections whose elements are named, the outermost first.
    var quantified: [QuerySyntax] = []
    var part = Part.condition
    /// What the value is compared with, or assigned to.
    var compared: QuerySyntax?
  }

  enum Item: Hashable {
    case model
    case keyword(String)
    case sign(String)
    /// A value: a literal, a property, or a call of a function.
    case operand
    /// The next name of a path.
    case path(after: [QuerySyntax.Name])
    /// An operator that tells something of a value.
    case operators(after: QuerySyntax)
    /// The next name of a property that is assigned, and the sign after the whole name.
    case assigned(after: [QuerySyntax.Name], String)
  }

  var place = Place()
  /// The properties that are assigned already.
  var assigned: Set<String> = []
  private(set) var items: [(item: Item, place: Place)] = []

  mutating func add(_ item: Item) { items.append((item, place)) }
}
