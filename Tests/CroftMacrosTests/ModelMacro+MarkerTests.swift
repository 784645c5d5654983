import Testing

@Suite("ModelMacro: markers") struct ModelMacroMarkerTests {
  @Test func everyMarkerIsInTheSchema() {
    expectExpansion(
      of: #"""
        @Renamed(from: "Track") @Removed("mood", "key")
        @Model struct Song {
          @PrimaryKey var code: String
          @Indexed(.unique, .caseFolded) var title: String
          @Renamed(from: "old", "older") var plays = 0
          @Relation(onDelete: .cascade) var album: Ref<Album>?
          @Coded var theme: Theme
          @Transient var isShown = false
          #Index<Song>([\.title, \.plays.descending], [\.plays])
          #Unique<Song>([\.title, \.album])
          #Index<Song> { [$0.title.lowercased().ascending, $0.plays.descending] }
          #Index<Song>({ [$0.plays.ascending] })
          #FullText<Song>([\.title])
        }
        """#,
      #"""
      struct Song {
        var code: String
        var title: String
        var plays = 0
        var album: Ref<Album>?
        var theme: Theme
        var isShown = false
      }

      nonisolated extension Song: Croft.Model, Croft.SearchableModel {
        nonisolated static let _schema = Croft._ModelSchema<Song>(
          "Song",
          [
            Croft._keyColumn(\Song.code, "code"),
            Croft._indexedColumn(\Song.title, "title", .unique, .caseFolded),
            Croft._column(\Song.plays, "plays", default: {
                0
              }).renamed(from: "old", "older"),
            Croft._column(\Song.album, "album").onDelete(.cascade),
            Croft._codedColumn(\Song.theme, "theme"),
          ],
          indexes: [
            Croft._Index<Song>([\.title, \.plays.descending]),
            Croft._Index<Song>([\.plays]),
            Croft._Index<Song>([\.title, \.album], isUnique: true),
            Croft._Index<Song>({
                [$0.title.lowercased().ascending, $0.plays.descending]
              }),
            Croft._Index<Song>({
                [$0.plays.ascending]
              }),
            Croft._Index<Song>(searching: [\.title]),
          ],
          renamedFrom: ["Track"],
          removed: ["mood", "key"])

        nonisolated var _primaryKey: String {
          self.code
        }

        nonisolated init(_record row: inout Croft._RecordDecoder) throws {
          try self.init(
            code: Self._decodeKey(&row) {
              $0.code
            },
            title: Self._decode(&row) {
              $0.title
            },
            plays: Self._decode(&row) {
              $0.plays
            },
            album: Self._decode(&row) {
              $0.album
            },
            theme: Self._decodeCoded(&row) {
              $0.theme
            }
          )
        }

        nonisolated func _encode(into row: inout Croft._RecordEncoder) {
          row.encodeKey(self.code)
          row.encode(self.title)
          row.encode(self.plays)
          row.encode(self.album)
          row.encode(Croft._Coded(self.theme, "theme"))
        }
      }
      """#)
  }

  @Test func severalPrimaryKeysAreOneCompoundKey() {
    expectExpansion(
      of: """
        @Model struct Seat {
          @PrimaryKey var row: String
          @PrimaryKey var number: Int
        }
        """,
      #"""
      struct Seat {
        var row: String
        var number: Int
      }

      nonisolated extension Seat: Croft.Model {
        nonisolated static let _schema = Croft._ModelSchema<Seat>(
          "Seat",
          [
            Croft._keyPartColumn(\Seat.row, "row"),
            Croft._keyPartColumn(\Seat.number, "number"),
          ])

        nonisolated var _primaryKey: PrimaryKey {
          PrimaryKey(row: self.row, number: self.number)
        }

        nonisolated struct PrimaryKey: Croft.CompoundKey {
          var row: String
          var number: Int

          init(row: String, number: Int) {
            self.row = row
            self.number = number
          }

          static let _parts: [Croft.StorageType] = [
            String.storage,
            Int.storage,
          ]

          init(_key row: inout Croft._RecordDecoder) throws {
            self.row = try row.decodeKey()
            self.number = try row.decodeKey()
          }

          func appendKey(to key: inout Croft._ByteBuffer) {
            key.appendKeyPart(self.row)
            key.appendKeyPart(self.number)
          }
        }

        nonisolated init(_record row: inout Croft._RecordDecoder) throws {
          try self.init(
            row: Self._decode(&row) {
              $0.row
            },
            number: Self._decode(&row) {
              $0.number
            }
          )
        }

        nonisolated func _encode(into row: inout Croft._RecordEncoder) {
          row.encodeKeyPart(self.row)
          row.encodeKeyPart(self.number)
        }
      }
      """#)
  }

  @Test func aTransientPropertyNeedsADefault() {
    expectMisuse(
      "transientNeedsDefault",
      "'isShown' is not stored, so it needs a default to start with when an object is read",
      line: 3, column: 18,
      in: """
        @Model struct Song {
          @PrimaryKey var id: Int
          @Transient var isShown: Bool
        }
        """,
      expanded: """
        struct Song {
          var id: Int
          var isShown: Bool
        }
        """,
      conforming: .model("Song"),
      remedies: ["add a default"],
      fixed: """
        @Model struct Song {
          @PrimaryKey var id: Int
          @Transient var isShown: Bool = <#value#>
        }
        """)
  }

  @Test(arguments: ["Indexed", "Coded", "Relation", "Renamed(from: \"x\")", "PrimaryKey"])
  func otherMarkersHaveNoEffectOnATransientProperty(marker: String) {
    expectMisuse(
      "transientMarked",
      "@\(marker.prefix { $0 != "(" }) has no effect on 'field', which is not stored",
      line: 2, column: 14,
      in: """
        @Model struct Song {
          @Transient @\(marker) var field = 0
        }
        """,
      expanded: """
        @Model struct Song {
          @Transient var field = 0
        }
        """,
      remedies: ["remove '@\(marker)'"], expanding: [String(marker.prefix { $0 != "(" })])
  }

  @Test func jsonHasNoIndex() {
    expectMisuse(
      "indexOnCoded", "'theme' cannot be indexed, because an index cannot look into JSON",
      line: 3, column: 10,
      in: """
        @Model struct Song {
          @PrimaryKey var id: Int
          @Coded @Indexed var theme: Theme
        }
        """,
      expanded: """
        struct Song {
          var id: Int
          var theme: Theme
        }
        """,
      conforming: .model("Song"),
      remedies: ["remove '@Indexed'"],
      fixed: """
        @Model struct Song {
          @PrimaryKey var id: Int
          @Coded var theme: Theme
        }
        """)
  }

  @Test func renamedMarksAModelOrAProperty() {
    expectMisuse(
      "renamedOffModel",
      "@Renamed marks a model, or a stored property of a model or an embedded struct",
      line: 1, column: 1, in: #"@Renamed(from: "A") struct B {}"#, expanded: "struct B {}",
      remedies: [#"remove '@Renamed(from: "A")'"#])
  }

  @Test func removedMarksAModel() {
    expectMisuse(
      "removedOffModel", "@Removed marks a model, and names fields that its store is to drop",
      line: 1, column: 1, in: #"@Removed("a") struct B {}"#, expanded: "struct B {}",
      remedies: [#"remove '@Removed("a")'"#])
  }

  @Test(arguments: ["Index", "Unique", "FullText"])
  func anIndexOutsideAModelHasNoEffect(name: String) {
    expectMisuse(
      "indexOutsideModel",
      "#\(name) has no effect here; write it inside a struct that is marked with @Model",
      line: 2, column: 3,
      in: """
        struct B {
          #\(name)<B>([\\.a])
        }
        """,
      expanded: """
        struct B {
        }
        """)
  }

  @Test(arguments: ["()", "([])"])
  func anIndexOfNothingIsRefused(arguments: String) {
    expectMisuse(
      "indexOfNothing",
      #"#Index names no property; list key paths, such as #Index<Song>([\.artist, \.title])"#,
      line: 2, column: 3,
      in: """
        @Model struct B {
          #Index<B>\(arguments)
        }
        """,
      expanded: """
        @Model struct B {
        }
        """, expanding: ["Index"])
  }
}
