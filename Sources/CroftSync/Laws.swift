/// The laws by which replicas converge, so that tests can show what breaks without each.
struct Laws: OptionSet, Sendable {
  let rawValue: Int

  init(rawValue: Int) { self.rawValue = rawValue }

  /// An object is written only over the version that the pusher knows (2).
  static let compareAndSet = Self(rawValue: 1 << 0)
  /// A push that deletes is accepted only where nobody has pushed since (3).
  static let strictDeletions = Self(rawValue: 1 << 1)
  /// So is one that writes a unique value (3).
  static let strictUniqueValues = Self(rawValue: 1 << 2)
  /// The server looks up what a push refers to (4).
  static let references = Self(rawValue: 1 << 3)
  /// The cursor passes a replica's own push only with what others have pushed before it (5).
  static let ownPush = Self(rawValue: 1 << 4)
  /// A row that is not newer than the known one is skipped, and so is a late answer (6).
  static let onlyForward = Self(rawValue: 1 << 5)
  /// Rows are applied only when all of a version are there (7).
  static let wholeSnapshots = Self(rawValue: 1 << 6)
  /// Edits and deletions hold for the incarnation that they saw (10).
  static let incarnations = Self(rawValue: 1 << 7)
  /// What was known and is not there was deleted, and tombstones are forgotten by all (12).
  static let absence = Self(rawValue: 1 << 8)
  /// Unsent changes are repaired after each pull (13).
  static let rebase = Self(rawValue: 1 << 9)

  /// A server that lost pushes is told from the one that had them (16).
  static let lineage = Self(rawValue: 1 << 10)

  /// A row that cannot be an object of this program is set aside (15).
  static let setAside = Self(rawValue: 1 << 11)

  /// A field that this program does not have keeps its value (14).
  static let unknownFields = Self(rawValue: 1 << 12)

  /// A row names the objects under its key that were deleted before (10).
  static let priorInsertions = Self(rawValue: 1 << 13)

  static let all = Self(rawValue: 1 << 14 - 1)
}
