/// Makes a struct a model: a type whose values a store keeps.
///
/// Mark the property that is the primary key, and any others to be indexed:
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
/// The instance properties are stored, in the order of their declaration; static and computed ones
/// are not. The struct stays a plain value: its memberwise initializer and the conformances that it
/// declares (`Hashable`, `Codable`) work as without the attribute.
///
/// The attribute adds, in an extension: the conformance to ``Model``, to `Identifiable` when the primary
/// key is called `id`, and to ``SearchableModel`` beside a `#FullText`; and to a public (or package) struct without an initializer a
/// memberwise one that other modules can call. That one needs a type annotation on every property,
/// and defaults that other modules may see. Declare an initializer in the body to have yours
/// instead; one in an extension is added to the generated one.
///
/// Declare the struct at file scope or inside a type. Inside a type its defaults can use the outer
/// type's members; write the types of a compound key's parts, and of a public struct's properties,
/// with the name of the outer type, because an extension does not find them otherwise.
/// The struct cannot be generic; its properties cannot
/// be lazy, observed, or constants that have a value already, unless they are ``Transient()``.
///
/// The article <doc:Models> lists the types of properties.
///
/// A property's default is not evaluated when a stored object is read, unless the struct declares
/// an initializer in its body or has a private property with a default: Swift evaluates the
/// defaults of all properties in such initializers. Where a default is costly, such as a new
/// identifier, put your initializers in an extension.
@attached(
  extension, conformances: Model, Identifiable, SearchableModel,
  names: named(_schema), named(_primaryKey), named(PrimaryKey), named(init), named(_encode),
  named(_checkStorable))
@attached(member, names: named(_Defaults))
public macro Model() = #externalMacro(module: "CroftMacros", type: "ModelMacro")

/// Marks the property whose value identifies an object among all of its model.
///
/// Its type is any key type, such as an integer, `String`, `UUID`, `Date`, `Data` or an enum with
/// raw values, and must be written down:
///
/// ```swift
/// @Model struct Country {
///   @PrimaryKey var code: String
///   var name: String
/// }
/// ```
///
/// Several marked properties are one compound key, in the order of their declaration. The macro
/// makes a type of their values, `PrimaryKey`, by which objects are found:
///
/// ```swift
/// @Model struct Track {
///   @PrimaryKey var album: Int
///   @PrimaryKey var number: Int
///   var title: String
/// }
///
/// let first = try store.read { tx in
///   try tx.get(Track.self, Track.PrimaryKey(album: 7, number: 1))
/// }
/// ```
///
/// Objects are stored in the order of their keys. `UUID.timeOrdered()` makes keys that ascend with
/// time, so that new objects go to the end of the tree.
@attached(peer)
public macro PrimaryKey() = #externalMacro(module: "CroftMacros", type: "PrimaryKeyMacro")

/// Adds an index on a property, so that conditions on it do not read every object.
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
/// Comparisons and sorting use the index, and each change of an object updates it. The property's
/// type must have an order, or be an array or a set of such a type, whose index has an entry for
/// each distinct element. Options make values unique among all objects, put the greatest first,
/// or fold the case of texts:
///
/// ```swift
/// @Model struct User {
///   @PrimaryKey var id: Int
///   @Indexed(.unique, .caseFolded) var name: String
/// }
/// ```
///
/// For several properties together there are `#Index` and ``Unique(_:)``.
@attached(peer)
public macro Indexed(_ options: IndexOption...) =
  #externalMacro(module: "CroftMacros", type: "IndexedMacro")

/// Adds indexes over several properties, one for each list.
///
/// ```swift
/// @Model struct Song {
///   @PrimaryKey var id: UUID = .timeOrdered()
///   var artist: String
///   var plays = 0
///   #Index<Song>([\.artist.caseFolded, \.plays.descending])
/// }
/// ```
@freestanding(declaration)
public macro Index<M: Model>(_ columns: [KeyPath<IndexRoot<M>, IndexPart>]...) =
  #externalMacro(module: "CroftMacros", type: "IndexMacro")

/// Adds an index in the order of expressions, for conditions and orders that use them.
///
/// ```swift
/// @Model struct Visit {
///   @PrimaryKey var id: UUID = .timeOrdered()
///   var day: Date
///   var name: String
///   #Index<Visit> { [$0.day.start(of: .month, in: Calendar(identifier: .gregorian)).descending] }
///   #Index<Visit> { [$0.name.lowercased().ascending] }
/// }
/// ```
///
/// The store computes the values when it writes an object, and keeps them in the index alone. A condition
/// uses the index where it has the same expression, with the same calendar. Name a calendar with a fixed time
/// zone: where `.current` differs between two programs, each rebuilds the index.
///
/// - Parameter order: The expressions, on properties of the model itself.
@freestanding(declaration)
public macro Index<M: Model>(_ order: @Sendable (QueryColumn<M, M>) -> [SortKey]) =
  #externalMacro(module: "CroftMacros", type: "IndexMacro")

/// Makes the values of several properties unique together; an object with a nil violates nothing.
///
/// ```swift
/// @Model struct Locker {
///   @PrimaryKey var id: Int
///   var row: String
///   var number: Int
///   #Unique<Locker>([\.row, \.number])
/// }
/// ```
@freestanding(declaration)
public macro Unique<M: Model>(_ columns: [KeyPath<IndexRoot<M>, IndexPart>]...) =
  #externalMacro(module: "CroftMacros", type: "UniqueMacro")

/// Adds an index of the words and Korean syllables of texts, by which searches find objects.
///
/// ```swift
/// @Model struct Article {
///   @PrimaryKey var id: UUID = .timeOrdered()
///   var title: String
///   var body: String?
///   var tags: [String] = []
///   #FullText<Article>([\.title[weight: 4], \.body, \.tags])
/// }
/// ```
///
/// A search, `matches`, in one of the texts finds the same objects with and without it, and
/// ``SearchableModel`` has one in all of them. The properties are texts, optional ones, arrays and sets of
/// texts, also in embedded structs; a model has one such index. A weight counts for the relevance of objects.
/// <doc:Search> says what it costs.
@freestanding(declaration)
public macro FullText<M: Model>(_ texts: [KeyPath<TextIndexRoot<M>, TextIndexPart>]) =
  #externalMacro(module: "CroftMacros", type: "FullTextMacro")

/// Makes a struct a part of models: its properties become columns of the model that holds it.
///
/// ```swift
/// @Embedded struct Address {
///   var street: String
///   var city = ""
/// }
///
/// @Model struct Person {
///   @PrimaryKey var id: Int
///   var home: Address
///   var work: Address?
///   #Index<Person>([\.home.city])
/// }
/// ```
///
/// The columns are called `home.street` and so on; each evolves on its own, and can be queried
/// and indexed. The rules for the struct are those of ``Model()``, without a primary key.
@attached(
  extension, conformances: Embedded, names: named(_fields), named(init), named(_encode),
  named(_checkStorable))
@attached(member, names: named(_Defaults))
public macro Embedded() = #externalMacro(module: "CroftMacros", type: "EmbeddedMacro")

/// Stores a property of any Codable type, as JSON.
///
/// ```swift
/// struct Theme: Codable { var colour = "blue" }
///
/// @Model struct Settings {
///   @PrimaryKey var id: Int
///   @Coded var theme = Theme()
/// }
/// ```
///
/// Conditions, indexes, orders, aggregates, rows read by column and `update(_:set:to:)` cannot use
/// the property, and trap where its type does not rule that out. A value that cannot be encoded makes
/// its statement throw ``StoreError/cannotEncode(model:field:reason:)``.
@attached(peer)
public macro Coded() = #externalMacro(module: "CroftMacros", type: "CodedMacro")

/// Leaves a property out of the store; an object that is read has the property's default.
///
/// ```swift
/// @Model struct Song {
///   @PrimaryKey var id: Int
///   @Transient var isSelected = false
/// }
/// ```
@attached(peer)
public macro Transient() = #externalMacro(module: "CroftMacros", type: "TransientMacro")

/// Declares the rule for an object when one that it refers to is deleted.
///
/// Without it an optional reference is set to nil, one in a collection is removed, and a required
/// one denies the delete.
@attached(peer)
public macro Relation(onDelete rule: DeleteRule) =
  #externalMacro(module: "CroftMacros", type: "RelationMacro")

/// Declares the former names of a model or a property, so that stored data is found.
///
/// ```swift
/// @Renamed(from: "Track")
/// @Model struct Song {
///   @PrimaryKey var id: Int
///   @Renamed(from: "name") var title: String
/// }
/// ```
@attached(peer)
public macro Renamed(from names: String...) =
  #externalMacro(module: "CroftMacros", type: "RenamedMacro")

/// Removes stored fields that the model no longer declares, and their data.
///
/// A field that is only left out of the struct keeps its data, for programs that still declare it.
///
/// ```swift
/// @Removed("mood")
/// @Model struct Song {
///   @PrimaryKey var id: Int
/// }
/// ```
@attached(peer)
public macro Removed(_ names: String...) =
  #externalMacro(module: "CroftMacros", type: "RemovedMacro")
