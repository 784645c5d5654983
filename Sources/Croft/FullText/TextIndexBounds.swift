/// The limits of a search index; tests have tiny ones.
struct TextIndexBounds: Sendable {
  /// The most rows that wait for a number after a commit.
  var waitingRows = 256
  /// The most bytes of their texts.
  var waitingBytes = 64 << 10
  /// How many segments of a level become one of the next.
  var segmentsPerMerge = 8
  /// The most bytes of a block of postings: four such entries are on a page.
  var longestBlock = 980
  /// The fewest bytes that a flush moves from segments to the one that they become.
  var leastMoved = 64 << 10
  /// How many occurrences of terms are collected before equal ones are counted.
  var uncounted = 1 << 18
}
