/// Makes a struct a model: a type whose values a store keeps.
///
/// Mark one property as the primary key, and any others to be indexed:
///
/// ```swift
/// @Model struct Song {
///   @PrimaryKey var id: UUID = .timeOrdered()
///   var title: String
///   @Indexed var plays = 0
///   var note: String?
/// }
/// ```
///
/// What is stored are the instance properties, in the order of their declaration; static and
/// computed ones are left alone. The struct stays a plain value: its memberwise initializer and
/// the conformances that it declares (`Hashable`, `Codable`) work as without the attribute.
///
/// The attribute adds, in an extension: the conformance to ``Model``, and to `Identifiable` when
/// the primary key is called `id`; and to a public (or package) struct without an initializer a
/// memberwise one that other modules can call. That one needs a type annotation on every property,
/// and defaults that other modules may see. Declare an initializer in the body to have yours
/// instead; in an extension it stands beside the generated one.
///
/// Declare the struct at file scope or inside a type. It cannot be generic; its properties cannot
/// be lazy, observed, or constants that have a value already.
///
/// A property's default is not evaluated when a stored object is read, unless the struct declares
/// an initializer in its body or has a private property with a default: Swift evaluates the
/// defaults of all properties in such initializers. Where a default is costly, such as a new
/// identifier, put your initializers in an extension.
@attached(
  extension, conformances: Model, Identifiable,
  names: named(_schema), named(_primaryKey), named(init), named(_encode))
@attached(member)
public macro Model() = #externalMacro(module: "CroftMacros", type: "ModelMacro")

/// Marks the property whose value identifies an object among all of its model.
///
/// A model has exactly one. Its type is any key type, such as an integer, `String`, `UUID`, `Date`
/// or an enum with raw values, and must be written down:
///
/// ```swift
/// @Model struct Country {
///   @PrimaryKey var code: String
///   var name: String
/// }
/// ```
///
/// Objects are kept in the order of their keys. `UUID.timeOrdered()` makes keys that ascend with
/// time, so that new objects go to the end.
@attached(peer)
public macro PrimaryKey() = #externalMacro(module: "CroftMacros", type: "PrimaryKeyMacro")

/// Keeps an index on a property, so that conditions on it do not read every object.
///
/// ```swift
/// @Model struct Song {
///   @PrimaryKey var id: UUID = .timeOrdered()
///   @Indexed var plays = 0
/// }
///
/// let favourites = Song.where { $0.plays >= 100 }  // reads the index from 100 upwards
/// ```
///
/// An index serves comparisons, and costs a little with each change; the property's type must
/// have an order. It is made with the model: a store refuses a program whose indexes differ from
/// its own.
@attached(peer)
public macro Indexed() = #externalMacro(module: "CroftMacros", type: "IndexedMacro")
