extension RecordedResult {
  /// Each workload with three numbers of objects.
  static let growth = [
    ("insert-indexed", "530, 543 and 590 ns"),
    ("insert-uuid", "918 ns, 1.2 µs and 1.7 µs"),
    ("insert-plain", "302, 237 and 216 ns"),
    ("delete-all", "35, 7 and 3 ns"),
    ("delete-quarter", "1.7, 1.7 and 1.5 µs"),
    ("delete-each", "489, 491 and 587 ns"),
    ("update-plain", "349, 344 and 314 ns"),
    ("update-indexed", "578, 626 and 556 ns"),
    ("write-single", "190.7, 205.5 and 238.7 µs"),
    ("write-concurrent", "7.3, 13.3 and 45.6 µs"),
    ("read-key", "343, 401 and 636 ns"),
    ("read-group", "43.7, 63.6 and 82.1 µs"),
    ("read-page", "32.8, 32.5 and 37.6 µs"),
    ("count-group", "2.1, 2.2 and 2.2 µs"),
    ("scan-decode", "105, 152 and 107 ns"),
    ("scan-count", "22, 27 and 26 ns"),
    ("sort-first", "43, 33 and 35 ns"),
    ("live-change", "86.4, 129.0 and 99.0 µs"),
    ("live-change-1000", "82.6, 88.3 and 45.3 µs"),
    ("live-evens-odds", "1.8, 1.9 and 2.7 µs"),
    ("live-evens-odds-double", "1.9, 2.0 and 3.0 µs"),
    ("live-riffle", "1.9, 1.9 and 2.6 µs"),
    ("live-riffle-double", "1.9, 2.0 and 3.1 µs"),
    ("live-pair-swap", "1.9, 1.8 and 2.8 µs"),
    ("live-pair-swap-double", "1.8, 2.0 and 3.0 µs"),
    ("live-observers-1", "69.0, 73.9 and 65.9 µs"),
    ("live-observers-100", "68.8, 73.1 and 69.0 µs"),
    ("live-observers-10000", "76.9, 83.9 and 94.5 µs"),
    ("live-count", "69.6, 81.7 and 87.8 µs"),
    ("live-sum", "108.6, 95.4 and 76.9 µs"),
    ("live-group", "207.9, 175.8 and 186.6 µs"),
    ("live-dashboard", "274.2, 209.1 and 238.2 µs"),
    ("live-dashboard-read", "10.1, 94.2 and 939.0 ms"),
  ].map { name, result in
    RecordedResult(
      "\(name) with 10,000, 100,000 and 1,000,000 objects", result, "2026-11-30",
      "`Scripts/bench --size 100000 --only storage --only live --growth`")
  }
}
