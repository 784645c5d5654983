/// How much of an index is built at a time, where a program adds it to objects that exist.
struct IndexBuilding: Sendable {
  /// The most objects whose entries are made in the transaction that adds the index.
  ///
  /// Indexes over more are built step by step: each step is a transaction of its own, so that an
  /// interruption costs one step, and others write in between.
  var mostAtOnce = Threshold.rowsIndexedAtOnce.value
  /// The rows that a step reads, and some more.
  var rowsPerStep = Threshold.rowsPerIndexStep.value
  /// The bytes of entries that a step sorts, and some more.
  var bytesPerStep = Threshold.bytesPerIndexStep.value
}
