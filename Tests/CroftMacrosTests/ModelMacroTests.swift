import Testing

@Suite struct ModelMacroTests {
  @Test func aModelGetsSchemaKeyDecodingAndEncoding() {
    expectExpansion(
      of: """
        @Model struct Song: Hashable {
          @PrimaryKey var id: UUID = .timeOrdered()
          var title: String
          @Indexed var plays = 0
          var note: String?
        }
        """,
      #"""
      struct Song: Hashable {
        var id: UUID = .timeOrdered()
        var title: String
        var plays = 0
        var note: String?
      }

      nonisolated extension Song: Croft.Model, Swift.Identifiable {
        nonisolated static let _schema = Croft._ModelSchema<Song>(
          "Song",
          [
            Croft._keyColumn(\Song.id, "id"),
            Croft._column(\Song.title, "title"),
            Croft._indexedColumn(\Song.plays, "plays", default: {
                0
              }),
            Croft._column(\Song.note, "note"),
          ])

        nonisolated var _primaryKey: UUID {
          self.id
        }

        nonisolated init(_record row: inout Croft._RecordDecoder) throws {
          try self.init(
            id: Self._decodeKey(&row) {
              $0.id
            },
            title: Self._decode(&row) {
              $0.title
            },
            plays: Self._decode(&row) {
              $0.plays
            },
            note: Self._decode(&row) {
              $0.note
            }
          )
        }

        nonisolated func _encode(into row: inout Croft._RecordEncoder) {
          row.encodeKey(self.id)
          row.encode(self.title)
          row.encode(self.plays)
          row.encode(self.note)
        }
      }
      """#)
  }

  @Test func staticAndComputedPropertiesAreLeftOut() {
    expectExpansion(
      of: """
        @Model struct Song {
          static let limit = 10
          @PrimaryKey var code: String
          var length: Int {
            code.count
          }
          var upper: String {
            get {
              code
            }
            set {
              code = newValue
            }
          }
          private(set) var title: String
        }
        """,
      #"""
      struct Song {
        static let limit = 10
        var code: String
        var length: Int {
          code.count
        }
        var upper: String {
          get {
            code
          }
          set {
            code = newValue
          }
        }
        private(set) var title: String
      }

      nonisolated extension Song: Croft.Model {
        nonisolated static let _schema = Croft._ModelSchema<Song>(
          "Song",
          [
            Croft._keyColumn(\Song.code, "code"),
            Croft._column(\Song.title, "title"),
          ])

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
            }
          )
        }

        nonisolated func _encode(into row: inout Croft._RecordEncoder) {
          row.encodeKey(self.code)
          row.encode(self.title)
        }
      }
      """#)
  }

  @Test func listsOfPropertiesShareTheTypeThatFollows() {
    expectExpansion(
      of: """
        @Model public struct Box {
          @PrimaryKey public var id: Int
          public var width, height: Double
          public var depth: Double = 1, label: String?
        }
        """,
      #"""
      public struct Box {
        public var id: Int
        public var width, height: Double
        public var depth: Double = 1, label: String?
      }

      nonisolated extension Box: Croft.Model, Swift.Identifiable {
        public nonisolated static let _schema = Croft._ModelSchema<Box>(
          "Box",
          [
            Croft._keyColumn(\Box.id, "id"),
            Croft._column(\Box.width, "width"),
            Croft._column(\Box.height, "height"),
            Croft._column(\Box.depth, "depth", default: {
                1
              }),
            Croft._column(\Box.label, "label"),
          ])

        public nonisolated var _primaryKey: Int {
          self.id
        }

        public nonisolated init(_record row: inout Croft._RecordDecoder) throws {
          try self.init(
            id: Self._decodeKey(&row) {
              $0.id
            },
            width: Self._decode(&row) {
              $0.width
            },
            height: Self._decode(&row) {
              $0.height
            },
            depth: Self._decode(&row) {
              $0.depth
            },
            label: Self._decode(&row) {
              $0.label
            }
          )
        }

        public nonisolated func _encode(into row: inout Croft._RecordEncoder) {
          row.encodeKey(self.id)
          row.encode(self.width)
          row.encode(self.height)
          row.encode(self.depth)
          row.encode(self.label)
        }

        @_disfavoredOverload
        public nonisolated init(
          id: Int,
          width: Double,
          height: Double,
          depth: Double = 1,
          label: String? = nil,
          _: Never...
        ) {
          self.init(
            id: id,
            width: width,
            height: height,
            depth: depth,
            label: label
          )
        }
      }
      """#)
  }

  @Test func escapedNamesAreStoredWithoutBackticks() {
    expectExpansion(
      of: #"""
        @Model public struct `Default` {
          @PrimaryKey public var `default`: String
          public var `inout`: Int
          public var `two words`: Int
        }
        """#,
      #"""
      public struct `Default` {
        public var `default`: String
        public var `inout`: Int
        public var `two words`: Int
      }

      nonisolated extension `Default`: Croft.Model {
        public nonisolated static let _schema = Croft._ModelSchema<`Default`>(
          "Default",
          [
            Croft._keyColumn(\`Default`.`default`, "default"),
            Croft._column(\`Default`.`inout`, "inout"),
            Croft._column(\`Default`.`two words`, "two words"),
          ])

        public nonisolated var _primaryKey: String {
          self.`default`
        }

        public nonisolated init(_record row: inout Croft._RecordDecoder) throws {
          try self.init(
            default: Self._decodeKey(&row) {
              $0.`default`
            },
            `inout`: Self._decode(&row) {
              $0.`inout`
            },
            `two words`: Self._decode(&row) {
              $0.`two words`
            }
          )
        }

        public nonisolated func _encode(into row: inout Croft._RecordEncoder) {
          row.encodeKey(self.`default`)
          row.encode(self.`inout`)
          row.encode(self.`two words`)
        }

        @_disfavoredOverload
        public nonisolated init(
          `default`: String,
          `inout`: Int,
          `two words`: Int,
          _: Never...
        ) {
          self.init(
            default: `default`,
            `inout`: `inout`,
            `two words`: `two words`
          )
        }
      }
      """#)
  }

  @Test func aNestedModelIsExtendedByItsFullName() {
    expectExpansion(
      of: """
        enum Shop {
          @Model fileprivate struct Order {
            @PrimaryKey var number: Int
          }
        }
        """,
      #"""
      enum Shop {
        fileprivate struct Order {
          var number: Int
        }
      }

      nonisolated extension Shop.Order: Croft.Model {
        nonisolated static let _schema = Croft._ModelSchema<Shop.Order>(
          "Order",
          [
            Croft._keyColumn(\Shop.Order.number, "number"),
          ])

        nonisolated var _primaryKey: Int {
          self.number
        }

        nonisolated init(_record row: inout Croft._RecordDecoder) throws {
          try self.init(
            number: Self._decodeKey(&row) {
              $0.number
            }
          )
        }

        nonisolated func _encode(into row: inout Croft._RecordEncoder) {
          row.encodeKey(self.number)
        }
      }
      """#)
  }

  /// The extension is at file scope, and does not see what the enclosing type declares.
  @Test func aNestedModelRepeatsTheDefaultsThatNameSomething() {
    expectExpansion(
      of: """
        enum Shop {
          @Model struct Order {
            @PrimaryKey var number: Int = Shop.first
            var state = State.open
            var items: [Item] = [Item()]
            var kind: State = .open
            var own = Self.place
            var count = 0
          }
        }
        """,
      #"""
      enum Shop {
        struct Order {
          var number: Int = Shop.first
          var state = State.open
          var items: [Item] = [Item()]
          var kind: State = .open
          var own = Self.place
          var count = 0

          private enum _Defaults {
            fileprivate nonisolated static let state = { @Sendable in
              State.open
            }
            fileprivate nonisolated static let items: @Sendable () -> [Item] = {
              [Item()]
            }
          }
        }
      }

      nonisolated extension Shop.Order: Croft.Model {
        nonisolated static let _schema = Croft._ModelSchema<Shop.Order>(
          "Order",
          [
            Croft._keyColumn(\Shop.Order.number, "number"),
            Croft._column(\Shop.Order.state, "state", default: Shop.Order._Defaults.state),
            Croft._column(\Shop.Order.items, "items", default: Shop.Order._Defaults.items),
            Croft._column(\Shop.Order.kind, "kind", default: {
                .open
              }),
            Croft._column(\Shop.Order.own, "own", default: {
                Self.place
              }),
            Croft._column(\Shop.Order.count, "count", default: {
                0
              }),
          ])

        nonisolated var _primaryKey: Int {
          self.number
        }

        nonisolated init(_record row: inout Croft._RecordDecoder) throws {
          try self.init(
            number: Self._decodeKey(&row) {
              $0.number
            },
            state: Self._decode(&row) {
              $0.state
            },
            items: Self._decode(&row) {
              $0.items
            },
            kind: Self._decode(&row) {
              $0.kind
            },
            own: Self._decode(&row) {
              $0.own
            },
            count: Self._decode(&row) {
              $0.count
            }
          )
        }

        nonisolated func _encode(into row: inout Croft._RecordEncoder) {
          row.encodeKey(self.number)
          row.encode(self.state)
          row.encode(self.items)
          row.encode(self.kind)
          row.encode(self.own)
          row.encode(self.count)
        }

        private nonisolated static func _checkStorable() {
          #sourceLocation(file: "test.swift", line: 5)
          Croft._requireStorable(\Shop.Order.items)
          #sourceLocation(file: "test.swift", line: 6)
          Croft._requireStorable(\Shop.Order.kind)
          #sourceLocation()
        }
      }
      """#)
  }

  @Test func aModelInAPublicExtensionIsPublic() {
    expectExpansion(
      of: """
        public extension Shop {
          @Model struct Order {
            @PrimaryKey var number: Int
          }
        }
        """,
      #"""
      public extension Shop {
        struct Order {
          var number: Int
        }
      }

      nonisolated extension Shop.Order: Croft.Model {
        public nonisolated static let _schema = Croft._ModelSchema<Shop.Order>(
          "Order",
          [
            Croft._keyColumn(\Shop.Order.number, "number"),
          ])

        public nonisolated var _primaryKey: Int {
          self.number
        }

        public nonisolated init(_record row: inout Croft._RecordDecoder) throws {
          try self.init(
            number: Self._decodeKey(&row) {
              $0.number
            }
          )
        }

        public nonisolated func _encode(into row: inout Croft._RecordEncoder) {
          row.encodeKey(self.number)
        }

        @_disfavoredOverload
        public nonisolated init(
          number: Int,
          _: Never...
        ) {
          self.init(
            number: number
          )
        }
      }
      """#)
  }

  @Test func declaredConformancesAreNotDeclaredAgain() {
    expectExpansion(
      of: """
        @Model struct Order: Identifiable, Croft.Model {
          @Croft.PrimaryKey var id: Int
        }
        """,
      #"""
      struct Order: Identifiable, Croft.Model {
        @Croft.PrimaryKey var id: Int
      }

      nonisolated extension Order {
        nonisolated static let _schema = Croft._ModelSchema<Order>(
          "Order",
          [
            Croft._keyColumn(\Order.id, "id"),
          ])

        nonisolated var _primaryKey: Int {
          self.id
        }

        nonisolated init(_record row: inout Croft._RecordDecoder) throws {
          try self.init(
            id: Self._decodeKey(&row) {
              $0.id
            }
          )
        }

        nonisolated func _encode(into row: inout Croft._RecordEncoder) {
          row.encodeKey(self.id)
        }
      }
      """#, conformances: [])
  }
}
