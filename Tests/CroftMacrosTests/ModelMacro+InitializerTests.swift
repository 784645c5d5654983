import Testing

/// Which initializer a model gets, and when it keeps its own.
@Suite("ModelMacro: initializers") struct ModelMacroInitializerTests {
  @Test func aPublicModelGetsPublicWitnessesAndAnInitializer() {
    expectExpansion(
      of: """
        @Model public struct TodoItem: Hashable {
          @PrimaryKey public var id: UUID = .timeOrdered()
          public var title: String
          @Indexed public var priority: Priority = .none
          var note: String?
          let createdAt: Date
        }
        """,
      #"""
      public struct TodoItem: Hashable {
        public var id: UUID = .timeOrdered()
        public var title: String
        public var priority: Priority = .none
        var note: String?
        let createdAt: Date
      }

      nonisolated extension TodoItem: Croft.Model, Swift.Identifiable {
        public nonisolated static let _schema = Croft._ModelSchema<TodoItem>(
          "TodoItem",
          [
            Croft._keyColumn(\TodoItem.id, "id"),
            Croft._column(\TodoItem.title, "title"),
            Croft._indexedColumn(\TodoItem.priority, "priority", default: {
                .none
              }),
            Croft._column(\TodoItem.note, "note"),
            Croft._column(\TodoItem.createdAt, "createdAt"),
          ])

        public nonisolated var _primaryKey: UUID {
          self.id
        }

        public nonisolated init(_record row: inout Croft._RecordDecoder) throws {
          try self.init(
            id: Self._decodeKey(&row) {
              $0.id
            },
            title: Self._decode(&row) {
              $0.title
            },
            priority: Self._decode(&row) {
              $0.priority
            },
            note: Self._decode(&row) {
              $0.note
            },
            createdAt: Self._decode(&row) {
              $0.createdAt
            }
          )
        }

        public nonisolated func _encode(into row: inout Croft._RecordEncoder) {
          row.encodeKey(self.id)
          row.encode(self.title)
          row.encode(self.priority)
          row.encode(self.note)
          row.encode(self.createdAt)
        }

        @_disfavoredOverload
        public nonisolated init(
          id: UUID = .timeOrdered(),
          title: String,
          priority: Priority = .none,
          note: String? = nil,
          createdAt: Date,
          _: Never...
        ) {
          self.init(
            id: id,
            title: title,
            priority: priority,
            note: note,
            createdAt: createdAt
          )
        }

        private nonisolated static func _checkStorable() {
          #sourceLocation(file: "test.swift", line: 4)
          Croft._requireIndexable(\TodoItem.priority)
          #sourceLocation()
        }
      }
      """#)
  }

  @Test func aPrivatePropertyWithADefaultIsNoParameter() {
    expectExpansion(
      of: """
        @Model package struct Counter {
          @PrimaryKey package var name: String
          private var hits = 0
        }
        """,
      #"""
      package struct Counter {
        package var name: String
        private var hits = 0
      }

      nonisolated extension Counter: Croft.Model {
        package nonisolated static let _schema = Croft._ModelSchema<Counter>(
          "Counter",
          [
            Croft._keyColumn(\Counter.name, "name"),
            Croft._column(\Counter.hits, "hits", default: {
                0
              }),
          ])

        package nonisolated var _primaryKey: String {
          self.name
        }

        package nonisolated init(_record row: inout Croft._RecordDecoder) throws {
          self.name = try Self._decodeKey(&row) {
            $0.name
          }
          self.hits = try Self._decode(&row) {
            $0.hits
          }
        }

        package nonisolated func _encode(into row: inout Croft._RecordEncoder) {
          row.encodeKey(self.name)
          row.encode(self.hits)
        }

        @_disfavoredOverload
        package nonisolated init(
          name: String,
          _: Never...
        ) {
          self.name = name
        }
      }
      """#)
  }

  @Test func anInitializerInTheBodyReplacesTheGeneratedOne() {
    expectExpansion(
      of: """
        @Model public struct Song {
          @PrimaryKey public let code: String
          public var title = ""
          public init(code: String) {
            self.code = code
          }
        }
        """,
      #"""
      public struct Song {
        public let code: String
        public var title = ""
        public init(code: String) {
          self.code = code
        }
      }

      nonisolated extension Song: Croft.Model {
        public nonisolated static let _schema = Croft._ModelSchema<Song>(
          "Song",
          [
            Croft._keyColumn(\Song.code, "code"),
            Croft._column(\Song.title, "title", default: {
                ""
              }),
          ])

        public nonisolated var _primaryKey: String {
          self.code
        }

        public nonisolated init(_record row: inout Croft._RecordDecoder) throws {
          self.code = try Self._decodeKey(&row) {
            $0.code
          }
          self.title = try Self._decode(&row) {
            $0.title
          }
        }

        public nonisolated func _encode(into row: inout Croft._RecordEncoder) {
          row.encodeKey(self.code)
          row.encode(self.title)
        }
      }
      """#)
  }

  @Test func anInitializerInsideAConditionCountsToo() {
    expectExpansion(
      of: """
        @Model struct Song {
          @PrimaryKey let code: String
          #if DEBUG
            init() {
              code = "debug"
            }
          #endif
        }
        """,
      #"""
      struct Song {
        let code: String
        #if DEBUG
          init() {
            code = "debug"
          }
        #endif
      }

      nonisolated extension Song: Croft.Model {
        nonisolated static let _schema = Croft._ModelSchema<Song>(
          "Song",
          [
            Croft._keyColumn(\Song.code, "code"),
          ])

        nonisolated var _primaryKey: String {
          self.code
        }

        nonisolated init(_record row: inout Croft._RecordDecoder) throws {
          self.code = try Self._decodeKey(&row) {
            $0.code
          }
        }

        nonisolated func _encode(into row: inout Croft._RecordEncoder) {
          row.encodeKey(self.code)
        }
      }
      """#)
  }
}
