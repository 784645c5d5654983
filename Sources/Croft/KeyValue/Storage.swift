/// Values under names, kept from one run of a program to the next.
///
/// For a few settings; objects of which there are many belong in a ``Store`` of their own.
/// ```swift
/// StoreStorage.shared.save(settings, forKey: "settings")
/// let settings: Settings? = StoreStorage.shared.load(forKey: "settings")
/// ```
/// These three report what goes wrong to ``ThrowingStorage/onError``; the twins whose names begin
/// with *try* throw it.
public protocol Storage {
  /// The one at the program's default place.
  static var shared: Self { get }

  /// Keeps a value under a name, in the place of an earlier one.
  ///
  /// - Parameters:
  ///   - value: The value, which becomes JSON.
  ///   - key: The name.
  func save<T: Encodable>(_ value: T, forKey key: String)

  /// Finds the value under a name.
  ///
  /// - Parameter key: The name.
  /// - Returns: The value; nil where there is none, or where it cannot be had.
  func load<T: Decodable>(forKey key: String) -> T?

  /// Removes the value under a name, if there is one.
  ///
  /// - Parameter key: The name.
  func remove(forKey key: String)
}
