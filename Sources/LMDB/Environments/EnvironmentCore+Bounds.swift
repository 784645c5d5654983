extension EnvironmentCore {
  /// The numbers by which an environment takes one way or another.
  enum Bounds {
    /// How long moving the map waits for short reads when it cannot be done without.
    static let patience = Duration.seconds(1)
    /// How long growing ahead of need waits for them; there will be another occasion.
    static let shortPatience = Duration.milliseconds(20)
    /// The share of the map that may be used before it grows ahead of need, in quarters.
    static let quartersUsedAtMost = 3
    /// By which part of the map the file has grown before growing is tried again in vain.
    static let partBetweenAttempts = 16
    /// How many times what is needed the map is enlarged to.
    static let growthFactor = 2
    /// How often copying begins, when others commit or grow the file at the wrong moment.
    static let copyAttempts = 3
  }
}
