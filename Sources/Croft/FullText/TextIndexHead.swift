/// What a search index counts, and the segments that it has.
struct TextIndexHead: Hashable {
  /// The blocks of the numbers that one flush gave, or those of several such segments that were merged.
  struct Segment: Hashable {
    /// It begins the keys of the segment's blocks; a later segment has a greater one.
    let id: UInt32
    /// How often its oldest postings were merged.
    let level: UInt8
    /// The numbers that it may have.
    let numbers: Range<UInt32>
    /// About how many bytes its blocks take.
    var bytes: UInt64
    /// How many rows it has whose numbers are not dead.
    var live: UInt32
    /// How many rows have died that its blocks still have.
    var dead: UInt32 = 0
    /// The segment that gets its terms, one after the other; 0 for none.
    var target: UInt32 = 0
  }

  /// The number that the next row gets.
  var nextNumber: UInt32 = 0
  /// The number of the next segment; none is 0.
  var nextSegment: UInt32 = 1
  /// How many numbers are not dead.
  var live: UInt32 = 0
  /// The units of the texts of the rows with these numbers, as ``TextLength`` rounds them, by property.
  var lengths: [UInt64]
  /// How many rows wait for a number.
  var waitingRows: UInt32 = 0
  /// The bytes of their texts.
  var waitingBytes: UInt64 = 0
  /// Ascending by their numbers; one that is being made of others is before these.
  var segments: [Segment] = []

  /// The form of the tree; an index of an earlier form is built again.
  ///
  /// A later form needs a feature of its own in ``StoreFeatures``, so that earlier programs refuse
  /// the file.
  static let form: UInt8 = 2

  /// That of an empty index.
  init(properties: Int) { lengths = Array(repeating: 0, count: properties) }

  /// Notes that a number is dead.
  mutating func noteDeath(of number: UInt32, lengths codes: [UInt8]) {
    live -= live > 0 ? 1 : 0
    for (property, code) in zip(lengths.indices, codes) {
      let units = TextLength.units(of: code)
      lengths[property] -= min(units, lengths[property])
    }
    guard let place = segments.lastIndex(where: { $0.numbers.contains(number) }) else { return }
    let target = segments[place].target
    let owner = target == 0 ? place : segments.firstIndex { $0.id == target } ?? place
    segments[owner].live -= segments[owner].live > 0 ? 1 : 0
    segments[owner].dead += 1
  }
}

// MARK: - The record

extension TextIndexHead {
  /// The bytes of the record, with their checksum at the end.
  var record: [UInt8] {
    var bytes = [Self.form]
    bytes.append(bigEndian: nextNumber)
    bytes.append(bigEndian: nextSegment)
    bytes.append(bigEndian: live)
    bytes.append(UInt8(truncatingIfNeeded: lengths.count))
    for length in lengths { bytes.append(bigEndian: length) }
    bytes.append(bigEndian: waitingRows)
    bytes.append(bigEndian: waitingBytes)
    bytes.append(bigEndian: UInt32(truncatingIfNeeded: segments.count))
    for segment in segments {
      bytes.append(bigEndian: segment.id)
      bytes.append(segment.level)
      bytes.append(bigEndian: segment.numbers.lowerBound)
      bytes.append(bigEndian: segment.numbers.upperBound)
      bytes.append(bigEndian: segment.bytes)
      bytes.append(bigEndian: segment.live)
      bytes.append(bigEndian: segment.dead)
      bytes.append(bigEndian: segment.target)
    }
    return Checksum.appended(to: bytes, under: TextIndexKey.head.prefix)
  }

  /// Reads a record; nil where it is damaged, or of another number of properties.
  init?(_ record: [UInt8], properties: Int) {
    guard let bytes = Checksum.value(of: record, under: TextIndexKey.head.prefix) else {
      return nil
    }
    var reader = ByteReader(bytes[...])
    guard reader.integer(as: UInt8.self) == Self.form,
      let nextNumber: UInt32 = reader.integer(), let nextSegment: UInt32 = reader.integer(),
      let live: UInt32 = reader.integer(),
      reader.integer(as: UInt8.self) == UInt8(truncatingIfNeeded: properties)
    else { return nil }
    self.init(properties: properties)
    (self.nextNumber, self.nextSegment, self.live) = (nextNumber, nextSegment, live)
    for property in lengths.indices {
      guard let length: UInt64 = reader.integer() else { return nil }
      lengths[property] = length
    }
    guard let waitingRows: UInt32 = reader.integer(), let waitingBytes: UInt64 = reader.integer(),
      let count: UInt32 = reader.integer()
    else { return nil }
    (self.waitingRows, self.waitingBytes) = (waitingRows, waitingBytes)
    for _ in 0..<count {
      guard let segment = Segment(&reader) else { return nil }
      segments.append(segment)
    }
    guard reader.rest.isEmpty else { return nil }
  }
}

extension TextIndexHead.Segment {
  fileprivate init?(_ reader: inout ByteReader) {
    guard let id: UInt32 = reader.integer(), let level: UInt8 = reader.integer(),
      let first: UInt32 = reader.integer(), let end: UInt32 = reader.integer(), first <= end,
      let bytes: UInt64 = reader.integer(), let live: UInt32 = reader.integer(),
      let dead: UInt32 = reader.integer(), let target: UInt32 = reader.integer()
    else { return nil }
    self.init(
      id: id, level: level, numbers: first..<end, bytes: bytes, live: live, dead: dead,
      target: target)
  }
}
