/// The libraries, in the order of a report.
package enum StreamLibraries {
  /// Reactive and what it is measured against.
  package static let all: [any StreamLibrary.Type] = [
    PlainLoop.self, ReactiveStreams.self, OpenCombineStreams.self,
  ]
}
