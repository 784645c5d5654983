import LMDB

extension TextTree {
  /// Moves some terms of each level's segments into the segment that they become.
  ///
  /// No commit pays for a whole merge. A term is in the old segments or in the new one.
  ///
  /// - Parameter bytes: How many bytes the flush wrote, which decides how many are moved.
  func merge(
    afterWriting bytes: Int, in transaction: inout LMDB.WriteTransaction,
    _ head: inout TextIndexHead
  ) throws {
    let budget = max(2 * bytes, bounds.leastMoved)
    var level: UInt8 = 0
    while level <= head.segments.lazy.map(\.level).max() ?? 0 {
      if !head.isMerging(level) { head.beginMerge(of: level, bounds.segmentsPerMerge) }
      if head.isMerging(level) { try step(level, budget, in: &transaction, &head) }
      level += 1
    }
  }

  /// Moves whole terms, in their order, of the segments of a level that are being merged.
  private func step(
    _ level: UInt8, _ budget: Int, in transaction: inout LMDB.WriteTransaction,
    _ head: inout TextIndexHead
  ) throws {
    let (runs, bound) = try runs(of: head.sources(of: level), budget, transaction)
    guard let target = runs.first?.segment.target else { return }
    var writer = PostingWriter(segment: target, longestBlock: bounds.longestBlock)
    var blocks = TreeChanges()
    var dead = DeadNumbers(in: self)
    var postings: [(number: UInt32, count: UInt32)] = []
    while let run = Self.first(of: runs, before: bound) {
      try unsafe run.readNext { term, first, list in
        postings.removeAll(keepingCapacity: true)
        // Of a damaged list the postings before the damage are kept; a check finds the others missing.
        _ = PostingBlock.forEach(in: list, from: first, of: run.segment.numbers) {
          postings.append(($0, $1))
        }
        // Safety: the term is copied during the call.
        unsafe writer.begin(term, &blocks)
        for (number, count) in postings {
          if try dead.contains(number, in: transaction) { continue }
          writer.add(number, count, to: &blocks)
        }
      }
    }
    writer.finish(&blocks)
    for run in runs {
      if let moved = run.movedKeys { try transaction.deleteRange(moved, in: tree) }
      var rest = TreeChanges()
      let left = run.putRest(to: &rest)
      try rest.apply(to: tree, in: &transaction)
      head.noteMove(of: run.movedBytes - left, from: run.segment.id)
    }
    try blocks.apply(to: tree, in: &transaction)
    head.noteMove(of: -writer.bytes, from: target)
    if runs.allSatisfy(\.isEmpty) { head.endMerge(into: target) }
  }

  /// The first blocks of segments, and the term before which all blocks are among them; nil for all.
  private func runs(
    of segments: [TextIndexHead.Segment], _ budget: Int,
    _ transaction: borrowing LMDB.WriteTransaction
  ) throws -> ([SegmentRun], bound: [UInt8]?) {
    var share = max(1, budget / max(1, segments.count))
    while true {
      let runs = try segments.map { try SegmentRun(of: $0, in: self, upTo: share, transaction) }
      let bound = runs.lazy.filter { !$0.isWhole }.compactMap(\.lastTerm)
        .min { $0.lexicographicallyPrecedes($1) }
      if bound == nil || Self.first(of: runs, before: bound) != nil { return (runs, bound) }
      // The first term has more blocks than were read.
      share *= 2
    }
  }

  /// The run whose next list is the first of all, before a term; of one term, that of the first segment.
  private static func first(of runs: [SegmentRun], before bound: [UInt8]?) -> SegmentRun? {
    var least: SegmentRun?
    for run in runs {
      // Safety: the terms are compared while the runs stay unchanged.
      guard let term = unsafe run.nextTerm(before: bound) else { continue }
      if let other = least, let known = unsafe other.nextTerm(before: bound),
        unsafe ByteList.compare(known, term) <= 0
      {
        continue
      }
      least = run
    }
    return least
  }
}

extension TextIndexHead {
  /// The segments of a level that are being merged.
  func sources(of level: UInt8) -> [Segment] {
    segments.filter { $0.level == level && $0.target != 0 }
  }

  func isMerging(_ level: UInt8) -> Bool {
    segments.contains { $0.level == level && $0.target != 0 }
  }

  /// Begins to merge neighbouring segments of a level, where there are enough, or one that is half dead.
  mutating func beginMerge(of level: UInt8, _ count: Int) {
    let targets = Set(segments.map(\.target))
    func isFree(_ segment: Segment) -> Bool {
      segment.level == level && segment.target == 0 && !targets.contains(segment.id)
    }
    var first = 0
    for (place, segment) in segments.enumerated() {
      if !isFree(segment) { first = place + 1 }
      if place - first + 1 == count { return merge(first...place, to: level + 1) }
    }
    if let place = segments.firstIndex(where: { isFree($0) && $0.dead > $0.live }) {
      merge(place...place, to: level)
    }
  }

  private mutating func merge(_ places: ClosedRange<Int>, to level: UInt8) {
    let sources = segments[places]
    let numbers =
      segments[places.lowerBound].numbers
      .lowerBound..<segments[places.upperBound].numbers.upperBound
    let target = Segment(
      id: nextSegment, level: level, numbers: numbers, bytes: 0,
      live: sources.reduce(0) { $0 + $1.live })
    nextSegment += 1
    for place in places { segments[place].target = target.id }
    segments.insert(target, at: places.lowerBound)
  }

  /// Notes that a segment has fewer bytes than before.
  mutating func noteMove(of bytes: Int, from id: UInt32) {
    guard let place = segments.firstIndex(where: { $0.id == id }) else { return }
    segments[place].bytes = UInt64(clamping: Int(clamping: segments[place].bytes) - bytes)
  }

  /// Ends a merge, all of whose terms are in the new segment, which goes too where it is empty.
  mutating func endMerge(into target: UInt32) {
    segments.removeAll { $0.target == target || $0.id == target && $0.bytes == 0 }
  }
}
