/// A library under measurement: the same chains for all, each written as its users would.
///
/// Every function builds its chain, lets the meter measure `count` operations, and returns the
/// sum of what the subscribers heard. It runs on one thread.
package protocol StreamLibrary: SendableMetatype {
  /// The name in reports.
  static var name: String { get }
  /// What was linked, for the head of a report.
  static var version: String { get }

  /// Sends to a subject with so many subscribers.
  static func subject(subscribers: Int, _ meter: Meter, _ count: Int) -> Int
  /// Sends to a subject through map, filter, map.
  static func subjectChain(_ meter: Meter, _ count: Int) -> Int
  /// Sends a range of numbers through map, filter, map; subscribing is part of it.
  static func rangeChain(_ meter: Meter, _ count: Int) -> Int
  /// Sends to a subject through twelve operators.
  static func longChain(_ meter: Meter, _ count: Int) -> Int
  /// Builds a chain of twelve operators, subscribes and disposes it.
  static func longChainBuilt(_ meter: Meter, _ count: Int) -> Int
  /// Changes a current value that one subscriber watches.
  static func currentValue(_ meter: Meter, _ count: Int) -> Int
  /// Sends in turn to the two sources of a combination by latest; nil where there is none.
  static func combineLatest(_ meter: Meter, _ count: Int) -> Int?
  /// Sends to both sources of a combination by number; a pair is one operation.
  static func zip(_ meter: Meter, _ count: Int) -> Int
  /// Makes a sequence of one of each element and merges them.
  static func flatMapJust(_ meter: Meter, _ count: Int) -> Int
  /// Makes a sequence of one of each element and switches to it.
  static func flatMapLatestJust(_ meter: Meter, _ count: Int) -> Int
  /// Sends to two subscribers that share one subscription, which remembers one element.
  static func shareReplay(_ meter: Meter, _ count: Int) -> Int
  /// Subscribes to a subject and disposes that.
  static func subscription(_ meter: Meter, _ count: Int) -> Int
  /// Subscribes to a subject through map and filter and disposes that.
  static func chainSubscription(_ meter: Meter, _ count: Int) -> Int
}
