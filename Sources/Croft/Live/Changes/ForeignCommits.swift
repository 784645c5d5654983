/// What happened since the commit that a hub shows, where others than its store have committed.
///
/// Of others' commits the log tells the keys. Their rows are what they are in the last commit, or what
/// the store's own next commit found: so no change of a later commit shows too early, and one that
/// an observer need not hear of stays silent.
struct ForeignCommits {
  /// What is known of the commits up to the last one that is not the store's own.
  enum Content {
    /// All commits are the store's own.
    case none
    /// One step leads there: what lies between cannot be told apart.
    case step(CommitDelta)
    /// The log does not say.
    case unknown
  }

  let content: Content
  /// The store's own commits behind them.
  let later: ArraySlice<PendingCommit>

  /// Reads what happened.
  ///
  /// - Parameters:
  ///   - position: The commit that the hub shows.
  ///   - last: The commit that the transaction sees.
  ///   - own: The store's own commits past the position, in order.
  ///   - observed: What is needed of each model.
  init(
    after position: UInt64, through last: UInt64, own: ArraySlice<PendingCommit>,
    for observed: ObservedRegions, in transaction: borrowing ReadTransaction
  ) throws {
    let seen = own.filter { $0.sequence > position && $0.sequence <= last }
    let foreign =
      UInt64(seen.count) == last - position
      ? []
      : try (transaction.catalog.log ?? CommitLog(in: transaction.base))?.commits(
        after: position, through: last, except: Set(seen.map(\.sequence)), in: transaction.base)
    guard let foreign else {
      CoverageMark.hit(.logGap)
      (content, later) = (.unknown, own)
      return
    }
    let end = foreign.last?.sequence ?? position
    later = own.drop { $0.sequence <= end }
    guard end > position else {
      content = .none
      return
    }
    CoverageMark.hit(.foreignCommitsRead)
    var assembly = ForeignCommitMerger(for: observed, transaction.catalog)
    for record in later.reversed() where record.sequence <= last { assembly.pass(record) }
    var among = seen.filter { $0.sequence < end }[...]
    for commit in foreign.reversed() {
      while let record = among.last, record.sequence > commit.sequence {
        assembly.prepend(record)
        among.removeLast()
      }
      assembly.prepend(commit, in: transaction)
    }
    for record in among.reversed() { assembly.prepend(record) }
    content = .step(assembly.step(to: end))
  }
}
