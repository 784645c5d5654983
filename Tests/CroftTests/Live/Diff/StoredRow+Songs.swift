@testable import Croft

extension StoredRow {
  private static let songs = RecordLayout(schema: Song._schema.erased, id: 1)

  /// A row with a key, a place in the order, a group and a value.
  static func song(_ id: Int, at place: Int, group: Int? = nil, plays: Int = 0) -> StoredRow {
    var encoder = _RecordEncoder()
    encoder.encode(Song(id: id, title: "Song \(id)", plays: plays), songs)
    var codes = _ByteBuffer()
    group?.appendKey(to: &codes)
    let groupCount = codes.count
    place.appendKey(to: &codes)
    return StoredRow(encoder.view, songs, codes: codes.bytes, groupCount: groupCount)
  }

  /// The song of the row.
  var song: Song {
    get throws { try object(as: Song.self) }
  }
}

extension ResultRows {
  /// A result of songs in the order of a list of keys.
  static func inOrder(_ ids: [Int], plays: [Int: Int] = [:]) -> ResultRows {
    let rows = ids.enumerated().map { place, id in
      StoredRow.song(id, at: place, plays: plays[id] ?? 0)
    }
    return ResultRows(RowTree(sorted: rows, by: .query), offset: 0, limit: nil)
  }

  /// The songs that are shown.
  var songs: [Song] {
    get throws { try (0..<count).map { try self[$0].song } }
  }
}
