import Croft
import CroftTool
import Foundation
import Hummingbird
import NIOCore
import PageServer

/// The objects of a grid as a file, which is written while its reader takes it.
struct Export: Sendable {
  /// The header with the number of objects when the export was asked for, where it is known without reading them.
  static let countHeader = "X-Croft-Objects"

  /// The formats, by the ends of their addresses.
  static let formats: [String: OutputFormat] = [
    "csv": .csv, "json": .json, "ndjson": .ndjson,
  ]

  private let query: DynamicQuery
  private let model: String
  private let format: OutputFormat
  private let count: Int?

  /// Looks a query up; reads no object.
  ///
  /// - Throws: ``FilterProblem``; an error of the store.
  init(
    of model: StoredModel, _ request: ObjectGrid.Request, _ format: OutputFormat,
    in tx: inout ReadTransaction
  ) throws {
    let found = try FilteredCount(of: model, filter: request.filter, in: &tx)
    count = try found.known(in: &tx)
    query = try DynamicQuery(found.query.text + GridOrder(request.sort, of: model).clause)
    (self.model, self.format) = (model.name, format)
  }

  /// The answer, whose query runs as fast as the reader takes it, and ends when the reader leaves.
  ///
  /// An error of the query ends the connection before the end of the file, which the reader sees.
  func response(_ store: ShownStore, _ exports: QueryQueue, for channel: any Channel) -> Response {
    let body = ResponseBody { writer in
      let queue = PartQueue()
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
          defer { queue.end() }
          try await exports.run(for: channel, limit: nil) { progress in
            progress.onCancel { queue.cancel() }
            try store.read { try write(to: queue, in: &$0) }
          }
        }
        do {
          for await part in queue.parts {
            try await writer.write(ByteBuffer(bytes: part))
            queue.taken()
          }
          // The loop also ends where the task is cancelled; then the thread must not wait for it.
          queue.cancel()
          try await group.waitForAll()
        } catch {
          queue.cancel()
          Self.report(error, of: model)
          throw error
        }
      }
      try await writer.finish(nil)
    }
    var response = Response(
      status: .ok, headers: [.contentType: contentType], body: body)
    response.headers[named: "Content-Disposition"] =
      "attachment; filename=\"\(model.percentEncoded).\(format.rawValue)\""
    if let count { response.headers[named: Self.countHeader] = "\(count)" }
    return response
  }

  private func write(to queue: PartQueue, in tx: inout ReadTransaction) throws {
    let streams = Streams(
      readLine: { nil }, write: { try queue.add($0) }, report: { _ in })
    var rows = RowWriter(format, try tx.names(of: query), to: streams)
    try tx.forEach(query) { object, _ in try rows.add(object.values) }
    try rows.finish()
    try queue.finish()
  }

  /// Says on the standard error why a file is incomplete.
  private static func report(_ error: any Error, of model: String) {
    if error is QueryProgress.Stop { return }
    let line = "croft-studio: the export of \(model) ended before its end: \(error)\n"
    FileHandle.standardError.write(Data(line.utf8))
  }

  private var contentType: String {
    switch format {
    case .csv: "text/csv; charset=utf-8"
    case .json: "application/json"
    default: "application/x-ndjson"
    }
  }
}
