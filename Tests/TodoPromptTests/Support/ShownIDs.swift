extension String {
  /// The text of answers without the ids at their ends, which are random.
  var withoutIDs: String { replacing(#/\ {1,2}id:[0-9a-f]{4,}/#, with: "") }
}
