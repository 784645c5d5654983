extension Simulation {
  /// What happens beside lost messages and processes that die.
  struct Accidents: OptionSet {
    let rawValue: Int
    /// The server loses its latest pushes.
    static let restores = Self(rawValue: 1)
    /// A store is copied, and both are used.
    static let copies = Self(rawValue: 2)
    /// A member writes rows that are not valid.
    static let intruders = Self(rawValue: 4)
  }
}
