/// The limits of a search index, which tests may set.
struct TextIndexBounds: Sendable {
  /// The most rows that wait for a number after a commit.
  var waitingRows = Threshold.waitingTextRows.value
  /// The most bytes of their texts.
  var waitingBytes = Threshold.waitingTextBytes.value
  /// How many segments of a level become one of the next.
  var segmentsPerMerge = Threshold.segmentsPerMerge.value
  /// The most bytes of a block of postings: four such entries are on a page.
  var longestBlock = Threshold.postingBlockBytes.value
  /// The fewest bytes that a flush moves from segments to the one that they become.
  var leastMoved = Threshold.movedPostingBytes.value
  /// The most bytes of keys and texts of changed rows after which a transaction writes what it has of them.
  var keptBytes = Threshold.bytesPerIndexStep.value
}
