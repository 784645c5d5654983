package import Foundation

/// A group of tasks, with the properties that Todo's own JSON has.
///
/// Tasks name their group; the formats of other programs have only its name.
package struct TaskGroup: Hashable, Sendable {
  /// The id; nil if the file has none.
  package var id: String?
  /// The name.
  package var name: String
  /// The colour as `#rrggbb`, with two digits more where it is not opaque.
  package var color: String?
  /// How many tasks it has; it is written, and ignored when it is read.
  package var total: Int?
  /// How many of its tasks are done; it is written, and ignored when it is read.
  package var done: Int?
  /// When it was made.
  package var createdAt: Date?
  /// The picture.
  package var image: Image?

  /// Makes a group of a name.
  package init(name: String) { self.name = name }

  /// A picture.
  package struct Image: Hashable, Sendable {
    /// The kind of file, such as `image/png`.
    package var mimeType: String
    /// The bytes of the file.
    package var bytes: Data

    /// Makes a picture of a file's bytes.
    package init(mimeType: String, bytes: Data) {
      self.mimeType = mimeType
      self.bytes = bytes
    }
  }
}
